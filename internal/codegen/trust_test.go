//go:build unix

package codegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A cache in which others can put code is not used, and the reason is given.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		name        string
		parent, dir os.FileMode
		want        string
	}{
		{"private", 0o755, 0o700, ""},
		{"readable", 0o755, 0o755, ""},
		{"sticky parent", 0o777 | os.ModeSticky, 0o700, ""},
		{"all may write", 0o755, 0o777, "others can write to"},
		{"sticky itself", 0o755, 0o777 | os.ModeSticky, "others can write to"},
		{"parent", 0o777, 0o700, "others can write to"},
	} {
		parent := filepath.Join(t.TempDir(), "parent")
		dir := filepath.Join(parent, "cache")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, c.dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(parent, c.parent); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(dir, link); err != nil {
			t.Fatal(err)
		}
		for _, d := range []string{dir, link} {
			t.Setenv(EnvCache, d)
			_, err := cacheDir()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		}
	}
	if os.Geteuid() != 0 {
		return
	}
	dir := filepath.Join(t.TempDir(), "others")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, 65534, 65534); err != nil {
		t.Skip(err)
	}
	t.Setenv(EnvCache, dir)
	if _, err := cacheDir(); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
		t.Errorf("another's: %v", err)
	}
}
