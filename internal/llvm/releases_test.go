package llvm

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/llvm.md anew")

// table holds a table of docs/llvm.md, which begins as it does, to what it is made of.
func table(t *testing.T, begin, want string) {
	t.Helper()
	const path = "../../docs/llvm.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(text)
	switch old := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(begin) + `.*\n(\|.*\n)*`).FindString(doc); {
	case old == "":
		t.Errorf("%s has no table %s", path, begin)
	case old == want:
	case *update:
		if err := os.WriteFile(path, []byte(strings.Replace(doc, old, want, 1)), 0o644); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("the table %s is out of date: go test ./internal/llvm -update\nwant\n%s", begin, want)
	}
}

// docs/llvm.md lists the faults; each is one of releases that are known, and is avoided
// where the table says.
func TestFaults(t *testing.T) {
	table(t, "| on | LLVM |", FaultTable())
	for _, f := range Faults {
		if _, err := os.Stat("../../" + f.Where); err != nil {
			t.Errorf("%s: %v", f.What, err)
		}
		if f.First < MinMajor || f.First > f.Last || f.Last > MaxMajor {
			t.Errorf("%s: releases %d to %d", f.What, f.First, f.Last)
		}
	}
}

// docs/devices.md and scripts/setup.sh say what the table does.
func TestReleases(t *testing.T) {
	if !slices.IsSortedFunc(Releases, func(a, b Release) int { return a.Major - b.Major }) {
		t.Error("not in order")
	}
	for _, r := range Releases {
		for _, no := range r.Refused {
			if no.Backend != "" && !slices.Contains(targets, no.Backend) {
				t.Errorf("%d: no back end %s", r.Major, no.Backend)
			}
		}
	}
	table(t, "| LLVM |", Table())
	text, err := os.ReadFile("../../docs/devices.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "libLLVM "+Accepted("")) {
		t.Errorf("docs/devices.md does not say libLLVM %s", Accepted(""))
	}
	script, err := os.ReadFile("../../scripts/setup.sh")
	if err != nil {
		t.Fatal(err)
	}
	var best []string
	for _, all := range []bool{true, false} { // those for every GPU, then those for NVIDIA's
		for _, r := range slices.Backward(Releases) {
			if Refusal(r.Major, NVPTX) == "" && (rank(r.Major) == 3) == all && Refusal(r.Major, "") == "" {
				best = append(best, strconv.Itoa(r.Major))
			}
		}
	}
	if line := `releases="` + strings.Join(best, " ") + `"`; !strings.Contains(string(script), line) {
		t.Errorf("scripts/setup.sh lacks the line %s", line)
	}
}

func TestAllow(t *testing.T) {
	t.Setenv(EnvLLVM, "")
	for _, c := range []struct {
		major   int
		backend string
		want    string // in the error
	}{
		{19, NVPTX, ""}, {22, AMDGPU, ""}, {0, NVPTX, ""}, {18, NVPTX, ""},
		{18, AMDGPU, "LLVM 18 is not one that heddle uses for AMDGPU"},
		{22, NVPTX, "LLVM 22 is not one that heddle uses for NVPTX"},
		{20, AMDGPU, "LLVM 20 is not one"},
		{99, X86, "nobody has tested"},
	} {
		err := Allow(c.major, c.backend)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d for %s: %v", c.major, c.backend, err)
		}
	}
	t.Setenv(EnvLLVM, "22")
	if err := Allow(22, NVPTX); err != nil {
		t.Errorf("named: %v", err)
	}
	if got := Accepted(""); got != "15 to 19, 22" {
		t.Errorf("accepted %s", got)
	}
	if got := Accepted(NVPTX); got != "17 to 19" {
		t.Errorf("accepted for NVPTX %s", got)
	}
}

// setup.sh installs the newest tested release where the one at hand is older and
// lacks a processor.
func TestSetup(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a script for Linux")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	for have, want := range map[string]string{
		"":                  "libllvm19",
		"libLLVM-15.so.1":   "libllvm19",
		"libLLVM-17.so.1":   "libllvm19",
		"libLLVM.so.19.1":   "",
		"libLLVM-18.so.1":   "libllvm19",
		"libLLVM.so.20.1":   "libllvm19",
		"libLLVM-14.0.so.1": "libllvm19",
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"ldconfig": "echo '\t" + have + " (libc6,x86-64) => /lib/" + have + "'", "apt-get": "exit 0", "sudo": "exit 1", "id": "echo 1000",
			"apt-cache": `case "$2" in libllvm19|libllvm15) exit 0;; esac; exit 1`, "dpkg-query": "exit 1",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!"+bash+"\n"+text+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(bash, "../../scripts/setup.sh", "demo")
		cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, EnvLLVM+"=") }), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil || want == "" && len(out) > 0 || want != "" && !strings.Contains(string(out), "apt-get install "+want) {
			t.Errorf("with %q: %v, %s", have, err, out)
		}
	}
}
