package heddle

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/llvm"
	"heddle/internal/module"
)

// debuggingMain is what docs/debugging.md leaves out of its programs: the lines above
// the kernel, and below it.
const debuggingMain = `

func main() {
	dev, err := launch.Open("")
	if err != nil {
		fmt.Println(err)
		return
	}
	var in, out []float32
	a, err := launch.Alloc[float32](dev, 256)
	if err == nil {
		in = a.Device()
		err = a.Upload(make([]float32, 256)) // or the emulator takes it for memory that nothing wrote
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	if in == nil {
		fmt.Println(dsl.ThreadIdx()) // a call of it keeps it for Delve
	}
	b, err := launch.Alloc[float32](dev, 256)
	if err == nil {
		out = b.Device()
		err = LAUNCH
	}
	if err != nil {
		fmt.Println(err)
	}
	if err := dev.Sync(); err != nil {
		fmt.Println(err)
	}
	_, _ = in, out
}
`

const debuggingImports = "package main\n\nimport (\n\t\"fmt\"\n\n\t\"heddle/dsl\"\n\t\"heddle/kernel\"\n\t\"heddle/launch\"\n\t_ \"heddle/launch/emu\"\n)\n"

var (
	fenced   = regexp.MustCompile("(?s)```(go|)\n(.*?)```")
	numbered = regexp.MustCompile(`(?m)^(\d+)  (.*)$`)
	kernelOf = regexp.MustCompile(`(?m)^func (\w+)\(([\w, ]+) \[\]float32\)`)
	changing = regexp.MustCompile(`0x[0-9a-f]{5,}|goroutine\(\d+\)|Process \d+`)
)

// docProgram is the program whose kernel is shown with line numbers, which it has there.
func docProgram(t *testing.T, block string) string {
	lines := numbered.FindAllStringSubmatch(block, -1)
	first, _ := strconv.Atoi(lines[0][1])
	if n := strings.Count(debuggingImports, "\n"); first <= n {
		t.Fatalf("docs/debugging.md shows a program from line %d on, and the imports take %d", first, n)
	}
	text := debuggingImports + strings.Repeat("\n", first-1-strings.Count(debuggingImports, "\n"))
	for i, l := range lines {
		if n, _ := strconv.Atoi(l[1]); n != first+i {
			t.Errorf("line %d is numbered %s", first+i, l[1])
		}
		text += l[2] + "\n"
	}
	k := kernelOf.FindStringSubmatch(numbered.ReplaceAllString(block, "$2"))
	launch := fmt.Sprintf("kernel.New(%s).Launch(dev.Stream(), launch.Linear(128, 128), a", k[1])
	if strings.Contains(k[2], ",") {
		launch = strings.Replace(launch, "128", "256", 1) + ", b"
	}
	return text + strings.Replace(debuggingMain, "LAUNCH", launch+")", 1)
}

// TestDebugging runs the commands of docs/debugging.md on the programs that it shows,
// and compares what they print with what it says. There "..." stands for the rest of a line, or for
// lines where it is one, and numbers that change from run to run are not compared.
func TestDebugging(t *testing.T) {
	doc, err := os.ReadFile("docs/debugging.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/heddle").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(mod, []byte("module example.com/debugging\n\nrequire "+module.Path+" v0.0.0\n\nreplace "+module.Path+" => "+root+"\n"))
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", own)
	write("go.sum", sum)
	ran := 0
	for _, m := range fenced.FindAllSubmatch(doc, -1) {
		block := string(m[2])
		if numbered.MatchString(block) && kernelOf.MatchString(numbered.ReplaceAllString(block, "$2")) {
			write("main.go", []byte(docProgram(t, block)))
			continue
		}
		for session := range strings.SplitSeq("\n"+block, "\n$ ") {
			command, want, ok := strings.Cut(session, "\n")
			if !ok || command == "" {
				continue
			}
			ran++
			t.Run(command, func(t *testing.T) {
				run := &docSession{dir: dir, bin: bin, command: command, want: want}
				run.check(t)
			})
		}
	}
	if ran < 7 {
		t.Errorf("docs/debugging.md has %d commands, want 7", ran)
	}
}

// A docSession is a command and what it prints.
type docSession struct {
	dir, bin, command, want string
}

func (s *docSession) check(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", s.command)
	switch _, err := llvm.Open(); {
	case strings.HasPrefix(s.command, "compute-sanitizer"):
		t.Skip("it needs an NVIDIA GPU")
	case strings.Contains(s.command, "dlv "):
		if _, err := exec.LookPath("dlv"); err != nil {
			t.Skip("dlv is not installed: go install github.com/go-delve/delve/cmd/dlv@latest")
		}
		cmd.Args[2] = strings.Replace(s.command, "dlv debug", "dlv debug --allow-non-terminal-interactive=true", 1)
		cmd.Stdin = strings.NewReader(s.typed())
	case err != nil && !strings.Contains(s.command, "=sim") && !strings.HasPrefix(s.command, "heddle"):
		t.Skip(err)
	}
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOFLAGS=", "GOWORK=off", "HEDDLE_EMU=", "HEDDLE_SIM=", "TERM=dumb", "NO_COLOR=1")
	out, _ := cmd.CombinedOutput()
	clean := func(text string) string {
		text = strings.ReplaceAll(text, s.dir+"/", "")
		text = regexp.MustCompile(`(?m)^ +\d+:\s*\n`).ReplaceAllString(text, "") // empty lines of a listing
		text = strings.TrimSuffix(strings.TrimSpace(text), "\n(dlv)")
		return changing.ReplaceAllString(strings.TrimSpace(text), "N")
	}
	got, want := clean(string(out)), clean(s.want)
	if strings.Contains(s.command, "dlv ") {
		want = strings.TrimSpace(regexp.MustCompile(`(?m)^(\(dlv\) ).*\n`).ReplaceAllString(want, "$1"))
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "\n"+`\.\.\.`+"\n", `\n(?:.*\n)*`)
	pattern = strings.ReplaceAll(pattern, `\.\.\.`, `[^\n]*`)
	if !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
		t.Errorf("docs/debugging.md says\n%s\nbut it is\n%s", want, got)
	}
}

// typed is what the user types into Delve.
func (s *docSession) typed() string {
	text := ""
	for _, m := range regexp.MustCompile(`(?m)^\(dlv\) (.*)$`).FindAllStringSubmatch(s.want, -1) {
		text += m[1] + "\n"
	}
	return text + "exit\n"
}
