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
