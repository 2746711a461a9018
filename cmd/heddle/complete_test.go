package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		words string // separated by spaces: the last is being typed
		want  string // some of the lines; "" for none at all
	}{
		{"d", "doctor devices dump"},
		{"", "vet help completion"},
		{"dump -arch gfx11", "gfx1100"},
		{"dump --arch x86", "x86-64-v3"},
		{"build -arch ", "gfx942 sm_90 aarch64"},
		{"dump -stage tr", "trace"},
		{"dump -no", "-nobounds"},
		{"dump -nobounds ", ""},
		{"dump -o ", ""},
		{"dump -arch gfx942 ", ""},
		{"cache c", "clear"},
		{"completion ", "bash zsh fish"},
		{"dmup -", ""},
	} {
		var out strings.Builder
		complete(&out, strings.Split(c.words, " "))
		got := strings.Fields(out.String())
		for _, w := range strings.Fields(c.want) {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %v lacks %s", c.words, got, w)
			}
		}
		if c.want == "" && len(got) > 0 {
			t.Errorf("%q: %v", c.words, got)
		}
	}
}

// TestCompletionScripts has the shells that are here complete a line.
func TestCompletionScripts(t *testing.T) {
	dir := t.TempDir()
	for shell, ask := range map[string]string{
		"bash": `source %[1]s; COMP_WORDS=(heddle dump -arch gfx12); COMP_CWORD=3; _heddle; printf '%%s\n' "${COMPREPLY[@]}"`,
		"zsh":  `autoload -U compinit && compinit -D; source %[1]s; words=(heddle dump -arch gfx12); CURRENT=4; compadd() { shift; print -l -- "$@" }; _files() { print files }; _heddle`,
		"fish": `source %[1]s; complete -C 'heddle dump -arch gfx12'`,
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(err)
			}
			code, script, errs := heddle("completion", shell)
			if code != exitOK {
				t.Fatal(errs)
			}
			file := filepath.Join(dir, shell)
			check(t, os.WriteFile(file, []byte(script), 0o666))
			check(t, os.WriteFile(filepath.Join(dir, "heddle"), fmt.Appendf(nil, "#!/bin/sh\nHEDDLE_AS_COMMAND=1 exec %s \"$@\"\n", testBinary(t)), 0o777))
			cmd := exec.Command(path, "-c", fmt.Sprintf(ask, file))
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir)
			out, err := cmd.CombinedOutput()
			if got := strings.Fields(string(out)); err != nil || !slices.Equal(got, []string{"gfx1200", "gfx1201"}) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func testBinary(t *testing.T) string {
	exe, err := os.Executable()
	check(t, err)
	return exe
}

// TestMain lets the test binary be the command, and removes what its tests share.
func TestMain(m *testing.M) {
	if os.Getenv("HEDDLE_AS_COMMAND") != "" {
		main()
		return
	}
	code := m.Run()
	for _, dir := range removeLater {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

func TestClosest(t *testing.T) {
	for word, want := range map[string]string{"dmup": "dump", "verison": "version", "buid": "build", "generat": "generate", "x": "", "doctro": "doctor", "": ""} {
		if got := closest(word, commandNames()); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
