package source

import "testing"

func TestHoldsDir(t *testing.T) {
	e := &embedded{path: "github.com/Azure/x/sub", dir: "github.com/Azure/x@v1.2.0/sub", bundled: true}
	for dir, want := range map[string]bool{
		"github.com/Azure/x@v1.2.0/sub":                       true,
		"/root/go/pkg/mod/github.com/!azure/x@v1.2.0/sub":     true,
		"/home/me/app/vendor/github.com/Azure/x/sub":          true,
		"/root/go/pkg/mod/github.com/!azure/x@v1.2.1/sub":     false,
		"/root/go/pkg/mod/github.com/!azure/x@v1.2.0/sub/sub": false,
		"/root/go/pkg/mod/github.com/!azure/x@v1.2.0":         false,
	} {
		if e.holdsDir(dir) != want {
			t.Errorf("%s: %v", dir, !want)
		}
	}
	own := &embedded{path: "example.com/m", dir: "/src/m"}
	if !own.holdsDir("/src/m") || own.holdsDir("/other/src/m") {
		t.Error("a package's own sources are in one directory")
	}
}

// A package of another version than the program's is left out, be it that only its
// declarations are carried: its constants may differ.
func TestStaleBundle(t *testing.T) {
	read := moduleVersions // none: test binaries do not tell
	defer func() { moduleVersions = read }()
	moduleVersions = func() map[string]string { return map[string]string{"example.com/m": "v1.2.0"} }
	for _, stale := range []bool{false, true} {
		version := "v1.2.0"
		if stale {
			version = "v1.1.9"
		}
		var b Bundle
		b.add(bundled{Path: "example.com/m/types", Module: "example.com/m", Version: version, Types: true}, nil, []byte("export data"))
		b.add(bundled{Path: "example.com/m/bodies", Module: "example.com/m", Version: version}, map[string][]byte{"a.go": []byte("package a")}, nil)
		b.add(bundled{Path: "time", Std: true, Types: true}, nil, []byte("export data"))
		data, err := b.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		Reset(true)
		t.Cleanup(func() { Reset(true) })
		registry.Lock()
		err = readBundle(data)
		sources := len(registry.bundled)
		registry.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		if got := bundledTypes("example.com/m/types") == nil; got != stale {
			t.Errorf("version %s: declarations left out: %v", version, got)
		}
		if got := sources == 0; got != stale {
			t.Errorf("version %s: sources left out: %v", version, got)
		}
		for _, p := range []string{"example.com/m/types", "example.com/m/bodies"} {
			if (staleHint(p) != "") != stale {
				t.Errorf("%s of version %s: hint %q", p, version, staleHint(p))
			}
		}
		if bundledTypes("time") == nil || staleHint("time") != "" {
			t.Error("the standard library has no versions")
		}
	}
}
