package matrix

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"heddle/internal/llvm"
)

var full = flag.Bool("full", false, "every mode, not only those that stand for others")
var markdown = flag.String("markdown", "", "write the table in Markdown to this `file`")

// maxStand is how many modes may stand for the others: each costs some five seconds.
const maxStand = 12

// leastValues and leastModes are how many func values, refusals aside, and modes
// the matrix must have.
const (
	leastValues = 80
	leastModes  = 15
)

// TestMatrix builds and runs the func values in each mode.
func TestMatrix(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command, which builds the func values")
	}
	if len(modes) < leastModes {
		t.Errorf("%d modes, want %d", len(modes), leastModes)
	}
	stand := 0
	for _, m := range modes {
		if m.stands != "" {
			stand++
		} else if m.short {
			t.Errorf("%s runs with -short, and not without", m.name)
		}
	}
	if stand < 6 || stand > maxStand {
		t.Errorf("%d modes stand for %d", stand, len(modes))
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HEDDLE_CACHE", filepath.Join(base, "cache")) // one for all modes: kernels that are alike compile once
	if _, err := llvm.Open(); err != nil {
		t.Logf("nothing is launched on the cpu: %v", err)
		t.Setenv("MATRIX_CPU", "off")
	}
	r := &runner{base: base, dirs: map[layout]string{}, hashes: map[string]string{}}
	var rows []*row
	for _, m := range modes {
		row := &row{mode: m}
		rows = append(rows, row)
		t.Run(m.name, func(t *testing.T) {
			if row.skipped = m.lacking(); row.skipped != "" {
				t.Skip(row.skipped)
			}
			begin := time.Now()
			r.run(t, row)
			row.took = time.Since(begin)
		})
	}
	t.Logf("func values that are as they should be:\n%s", plainTable(rows))
	if *markdown != "" {
		if err := os.WriteFile(*markdown, []byte(markdownTable(rows)), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// lacking says why a mode cannot run here, "" if it can.
func (m *mode) lacking() string {
	if testing.Short() && !m.short {
		return "-short"
	}
	if m.stands == "" && !*full {
		return "with -full only"
	}
	for _, tool := range m.tools {
		if _, err := exec.LookPath(tool); err != nil {
			return "no " + tool + ", which this mode needs"
		}
	}
	if m.emulated {
		if _, err := os.Stat(filepath.Join(armRoot(), "lib/ld-linux-aarch64.so.1")); err != nil {
			return err.Error() + " (apt-get install libc6-arm64-cross)"
		}
	}
	return ""
}

// A runner runs modes and keeps what they have in common.
type runner struct {
	base   string            // directory of everything
	dirs   map[layout]string // where the module is laid out
	hashes map[string]string // of the IR, from the first mode that had the func value
}

// module is the directory of the module for a mode.
func (r *runner) module(t *testing.T, m *mode) string {
	if m.bare {
		return layOut(t, filepath.Join(r.base, "gone "+m.name), replaced)
	}
	l := m.layout
	if l == "" {
		l = replaced
	}
	if r.dirs[l] == "" {
		r.dirs[l] = layOut(t, filepath.Join(r.base, string(l)), l)
	}
	return r.dirs[l]
}

// run builds one mode, runs it with the source tree at hand, and then alone.
func (r *runner) run(t *testing.T, row *row) {
	m := &row.mode
	dir := r.module(t, m)
	exe := filepath.Join(t.TempDir(), "matrix")
	if m.emulated {
		m.cpu = r.compileArm64(t, dir)
	}
	if m.ahead {
		compileAhead(t, dir)
	}
	if args := m.build(exe); args != nil {
		if out, err := goCommand(t, dir, m.env, args...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if m.host != "" {
		exe = m.buildHost(t, exe)
	}
	if !m.bare {
		cmd := goCommand(t, dir, m.env, m.direct()...)
		if m.direct() == nil {
			cmd = m.program(t, exe, goCommand(t, dir, m.env).Env)
			cmd.Dir = dir
		}
		row.tree = r.check(t, m, cmd)
	}
	if m.direct() != nil {
		return
	}
	if m.bare {
		if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"PATH=", "GOROOT=/nonexistent", "MATRIX_EMBEDDED=1"}
	for _, name := range []string{"HEDDLE_CACHE", "HEDDLE_LLVM", "MATRIX_CPU"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	if m.ahead {
		env = append(env, "HEDDLE_CACHE=off", "HEDDLE_LOG=compile")
	}
	cmd := m.program(t, exe, env)
	cmd.Dir = t.TempDir()
	row.alone = r.check(t, m, cmd)
	if m.host != "" || m.emulated || m.ahead || os.Getenv("MATRIX_CPU") == "off" {
		return
	}
	// Once more from what is on record: sim looks at no source then, and cpu need not.
	cmd = m.program(t, exe, append(env, "HEDDLE_SIM=lax", "HEDDLE_LOG=compile"))
	cmd.Dir = t.TempDir()
	if res := r.check(t, m, cmd); res.noCPU == "" && res.index < leastValues {
		t.Errorf("%d kernels came from what is on record, want %d", res.index, leastValues)
	}
}

// build is the go command that makes the binary exe, nil if go run or go test does.
func (m *mode) build(exe string) []string {
	switch m.how {
	case goBuild:
		return slices.Concat([]string{"build", "-o", exe}, m.flags, []string{m.where()})
	case goTestC:
		return slices.Concat([]string{"test", "-c", "-o", exe}, m.flags, []string{m.where()})
	}
	return nil
}

// direct is the go command that builds and runs, nil if the two are apart.
func (m *mode) direct() []string {
	switch m.how {
	case goRun:
		return slices.Concat([]string{"run"}, m.flags, []string{m.where()})
	case goRunFiles:
		return slices.Concat([]string{"run"}, m.flags, []string{"main.go"})
	case goTest:
		return slices.Concat([]string{"test", "-count=1", "-v"}, m.flags, []string{m.where()})
	}
	return nil
}

func (m *mode) where() string {
	if m.pkg == "" {
		return "."
	}
	return m.pkg
}

// program is the command that runs exe.
func (m *mode) program(t *testing.T, exe string, env []string) *exec.Cmd {
	args := []string{exe}
	if m.emulated {
		emulator, err := exec.LookPath(m.tools[0])
		if err != nil {
			t.Fatal(err)
		}
		args = []string{emulator, exe}
		env = append(env, "QEMU_LD_PREFIX="+armRoot(), "HEDDLE_CPU=", m.cpu)
	}
	if m.how == goTestC {
		args = append(args, "-test.v")
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Env = env
	return cmd
}

// check runs a command and compares each of its lines with what it should be.
func (r *runner) check(t *testing.T, m *mode, cmd *exec.Cmd) *result {
	begin := time.Now()
	out, runErr := cmd.CombinedOutput()
	res := &result{took: time.Since(begin)}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, " from=index ") {
			res.index++
		}
		name, cells, ok := parseLine(line)
		if !ok {
			continue
		}
		seen[name] = true
		r.checkLine(t, m, res, name, cells)
	}
	for _, name := range m.wants {
		if !seen[name] {
			t.Errorf("%s: it has not run", name)
		}
	}
	if m.ahead && res.noCPU == "" {
		checkAhead(t, string(out))
	}
	if res.values < leastValues || res.refusals == 0 {
		t.Errorf("%d func values, want %d, and %d refusals", res.values, leastValues, res.refusals)
	}
	var exit *exec.ExitError
	if counted := m.lacks != nil && errors.As(runErr, &exit) && exit.ExitCode() == 1; runErr != nil && !counted {
		t.Errorf("%v: %v", cmd, runErr) // apart from what the mode lacks, which the program counts as failures
	}
	if t.Failed() {
		t.Logf("output:\n%s", tail(out))
	}
	return res
}

// checkLine judges one func value.
func (r *runner) checkLine(t *testing.T, m *mode, res *result, name string, cells map[string]string) {
	if why, ok := cells["refused"]; ok {
		switch {
		case why == "ok":
			res.refused++
		case strings.HasPrefix(why, "none: "):
			return
		default:
			t.Errorf("%s: %s", name, short(why))
		}
		res.refusals++
		return
	}
	res.values++
	for device, count := range map[string]*int{"sim": &res.sim, "cpu": &res.cpu} {
		switch result := cells[device]; {
		case device == "cpu" && slices.Contains(m.lacks, name):
			if !strings.HasPrefix(result, "none: ") && !strings.Contains(result, "cannot find the type argument") {
				t.Errorf("%s on %s: %s", name, device, short(result))
			}
		case result == "ok":
			*count++
		case device == "cpu" && strings.HasPrefix(result, "none: "):
			res.noCPU = result
		default:
			t.Errorf("%s on %s: %s", name, device, short(result))
		}
	}
	hash := cells["ir"]
	switch {
	case slices.Contains(m.lacks, name):
		return
	case !isHash(hash):
		if cells["cpu"] == "ok" || res.noCPU != "" { // else it has been said
			t.Errorf("%s: not lowered: %s", name, short(hash))
		}
		return
	case m.otherMain && strings.HasPrefix(name, "main "):
		return
	case r.hashes[name] == "":
		r.hashes[name] = hash
	case r.hashes[name] != hash:
		t.Errorf("%s: the IR is %s, in another mode %s", name, hash, r.hashes[name])
		return
	}
	res.same++
}

// parseLine takes a line about a func value apart: its name, and what was found
// of it by subject.
func parseLine(line string) (name string, cells map[string]string, ok bool) {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	cells = map[string]string{}
	for _, f := range fields[1:] {
		k, v, ok := strings.Cut(f, "=")
		if !ok {
			return "", nil, false
		}
		cells[k] = v
	}
	_, sim := cells["sim"]
	_, refused := cells["refused"]
	return fields[0], cells, sim || refused
}

// short is s without the rest of a long stack trace.
func short(s string) string {
	if len(s) > 600 {
		s = s[:600] + "..."
	}
	return s
}

// isHash reports whether s is a hash, and not an error in its place.
func isHash(s string) bool {
	return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

// tail is the end of what a program printed, without the lines about func values.
func tail(out []byte) string {
	var lines []string
	for line := range strings.Lines(string(out)) {
		if _, _, ok := parseLine(line); !ok {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-40):], "")
}
