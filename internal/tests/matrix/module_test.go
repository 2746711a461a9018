package matrix

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/module"
)

// This file lays the module with the func values out: on disk it has no go.mod,
// for that has to name the directory of this module.

// A layout is how the module comes by the modules it needs.
type layout string

const (
	replaced  layout = "replaced"  // go.mod replaces them by directories
	vendored  layout = "vendored"  // they are copied into the module
	workspace layout = "workspace" // go.work lists them
)

// requirements is the part of a go.mod that lists the modules needed.
var requirements = regexp.MustCompile(`(?ms)^require \(.*?^\)\n`)

// layOut makes the module in the directory dir, which it creates, and returns
// where its go.mod is.
func layOut(t *testing.T, dir string, l layout) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*\n`).FindString(string(own))
	needed := strings.Join(requirements.FindAllString(string(own), -1), "")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	replace := fmt.Sprintf("replace %s => %s\n", module.Path, root)
	if l == workspace {
		replace = ""
	}
	write("helper/go.mod", "module example.com/helper\n\n"+version+"require "+module.Path+" v0.0.0\n"+needed+replace)
	require := "require " + module.Path + " v0.0.0\nrequire example.com/helper v0.0.0\n"
	if l != workspace {
		replace += "replace example.com/helper => ../helper\n"
	}
	write("mod/go.mod", "module example.com/matrix\n\n"+version+require+needed+replace)
	write("mod/go.sum", string(sums))
	write("helper/go.sum", string(sums))
	switch l {
	case workspace:
		// the versions that the modules require of each other exist nowhere
		write("go.work", fmt.Sprintf("%suse ./mod\nuse ./helper\nuse %s\nreplace %s v0.0.0 => %s\nreplace example.com/helper v0.0.0 => ./helper\n", version, root, module.Path, root))
	case vendored:
		out, err := goCommand(t, filepath.Join(dir, "mod"), nil, "mod", "vendor").CombinedOutput()
		if err != nil {
			t.Fatalf("go mod vendor: %v\n%s", err, out)
		}
	}
	return filepath.Join(dir, "mod")
}

// goCommand is a go command in a directory of the module, without settings of
// the user's that change what it builds.
func goCommand(t *testing.T, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	work := "GOWORK=" // whatever the environment says
	if _, err := os.Stat(filepath.Join(dir, "../go.work")); err != nil {
		work = "GOWORK=off"
	}
	cmd.Env = slices.Concat(os.Environ(), []string{"GOFLAGS=", "PWD=" + dir}, env, []string{work})
	return cmd
}
