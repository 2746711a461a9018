package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/module"
	"heddle/internal/target"
)

// The kernels below are compiled from their source, by name.
var _ = []any{everyKind, adder.add, follow, chase}

type pair struct {
	a int16
	b [2]float32
}

// everyKind has a parameter of each kind that can be made up, and tells what it
// got by an index out of range, one or more digits each.
func everyKind(n int32, a float32, c complex64, on bool, p pair, x []float64, total *int32, pairs []pair, none struct{}) {
	v := int(n)*10 + int(a)
	v = v*100 + int(real(c))*10 + int(imag(c))
	v *= 10
	if on {
		v++
	}
	v = v*100 + int(p.a)*10 + int(p.b[1])
	v = v*10 + int(*total)
	v = v*10000 + int(x[len(x)-1])*10 + int(pairs[3].b[0])
	if dsl.GlobalIdx().X == 0 {
		x[v] = 1
	}
}

// adder is a method's receiver.
type adder float32

func (a adder) add(x []float32) { x[dsl.ThreadIdx().X] += float32(a) }

// node cannot be made.
type node struct {
	value int
	next  *node
}

func follow(n node, x []int) { x[0] = n.next.value }

func chase(x []int, list []node) { x[0] = list[0].next.value }

// needEmulator skips where libLLVM does not know the processor.
func needEmulator(t *testing.T, arch string) {
	t.Helper()
	needLLVM(t)
	m, err := target.For(arch, 0)
	if err == nil {
		err = canCompile(m, "asm")
	}
	if err != nil {
		t.Skip(err)
	}
}

// dumped runs heddle dump on a kernel of this package.
func dumped(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := heddle(append([]string{"dump"}, args...)...)
	if code != want {
		t.Fatalf("dump %v: exit code %d, want %d\n%s%s", args, code, want, stdout, stderr)
	}
	return stdout, stderr
}

func TestTrace(t *testing.T) {
	for _, c := range []struct{ arch, exec, value string }{
		{"gfx90a", "ffffffffffffffff", "[0-63]=0x40,0x41..0x7f"},
		{"gfx1100", "ffffffff", "[0-31]=0x60,0x61..0x7f"},
	} {
		t.Run(c.arch, func(t *testing.T) {
			needEmulator(t, c.arch)
			t.Chdir("../..")
			wave, size := "0", 64
			if c.arch == "gfx1100" {
				wave, size = "1", 32
			}
			stdout, stderr := dumped(t, exitOK, "-arch", c.arch, "-stage", "trace", "-grid", "3", "-at", "1", "-wave", wave, "./examples/saxpy.Saxpy")
			order := regexp.MustCompile(`(?s)^main.Saxpy on emu:` + c.arch + `, wave ` + wave + ` of block \[1 0 0\], grid \[3 1 1\] of blocks \[64 1 1\]\n` +
				`.*\nmain.go:32: if i := dsl.GlobalIdx\(\).X; i < len\(y\) {\n  ` + c.exec + ` .*\nmain.go:33: y\[i\] \+= a \* x\[i\]\n  ` + c.exec + ` .*s_endpgm\n\d+ instructions\n$`)
			if !order.MatchString(stdout) || stderr != "" {
				t.Errorf("%s%s", stdout, stderr)
			}
			if !strings.Contains(stdout, c.value) {
				t.Errorf("no register has %s, the threads' numbers:\n%s", c.value, stdout)
			}
			// x is y, 0 to 191, and a is 1: the sum has twice the numbers.
			if first := map[int]string{64: "=128,130..254", 32: "=192,194..254"}[size]; !strings.Contains(stdout, first) {
				t.Errorf("no register has %s, the sums:\n%s", first, stdout)
			}
		})
	}
}

func TestTraceOfFault(t *testing.T) {
	needEmulator(t, "gfx90a")
	t.Chdir("../..")
	// Exit code 1, and the trace all the same.
	stdout, stderr := dumped(t, exitFault, "-arch", "gfx90a", "-stage", "trace", "-arg", "x=10", "./examples/saxpy.Saxpy")
	if !strings.Contains(stdout, "main.go:33: y[i] += a * x[i]\n") || !strings.Contains(stderr, "index out of range [10] with length 10") {
		t.Errorf("%s%s", stdout, stderr)
	}
	stdout, _ = dumped(t, exitOK, "-arch", "gfx90a", "-stage", "trace", "-n", "5", "./examples/saxpy.Saxpy")
	if lines := strings.Split(stdout, "\n"); len(lines) != 2+5+1+1 || lines[7] != "cut after 5 lines" {
		t.Errorf("with -n 5:\n%s", stdout)
	}
	file := filepath.Join(t.TempDir(), "trace")
	dumped(t, exitOK, "-arch", "gfx90a", "-stage", "trace", "-o", file, "./examples/saxpy.Saxpy")
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "s_endpgm\n") {
		t.Errorf("%v: %s", err, text)
	}
}

// What is made up, and what -arg says instead, is what the kernel reads.
func TestArguments(t *testing.T) {
	needEmulator(t, "gfx90a")
	for args, want := range map[string]string{
		"": "[6411011100633] with length 64",
		"-arg n=7 -arg a=2.5 -arg c=3+4i -arg on=false -arg total=9 -arg x=256 -arg pairs=zero": "[723401192550] with length 256",
		"-grid 2,2 -block 8,4,2 -arg x=zero -arg a=0x3p1":                                       "[25661011100003] with length 256",
		"-arg x=3:rand -arg n=-0x1":                                                             "[-88988899997]",
	} {
		_, stderr := dumped(t, exitFault, append(strings.Fields("-arch gfx90a -stage trace "+args), "..everyKind")...)
		if !strings.Contains(stderr, "index out of range "+want) {
			t.Errorf("%s: want %s:\n%s", args, want, stderr)
		}
	}
	stdout, _ := dumped(t, exitOK, "-arch", "gfx90a", "-stage", "trace", "-arg", "a=2.5", "-arg", "x=64:zero", "..adder.add")
	if !strings.Contains(stdout, "=2.5*64\n") || !regexp.MustCompile(`global_load_dword v\d+, .* v\d+\[0-63\]=0x0\*64\n`).MatchString(stdout) {
		t.Errorf("of a method:\n%s", stdout)
	}
}

// Arguments that are wrong are faults of the command line, those that cannot be
// made up of the kernel.
func TestBadArguments(t *testing.T) {
	needEmulator(t, "gfx90a")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"-arg z=1 ..everyKind", exitUsage, "argument z: there is no such parameter; there are n, a, c, on, p, x, total, pairs, none"},
		{"-arg n=1.5 ..everyKind", exitUsage, `argument n: "1.5" is not an integer of 32 bits`},
		{"-arg n=3000000000 ..everyKind", exitUsage, "value out of range"},
		{"-arg a=x ..everyKind", exitUsage, `argument a: "x" is not a float of 32 bits`},
		{"-arg on=2 ..everyKind", exitUsage, `argument on: "2" is not a bool`},
		{"-arg p=2 ..everyKind", exitUsage, "argument p: only numbers and slices can be given"},
		{"-arg x=-1 ..everyKind", exitUsage, `argument x: "-1" is no length`},
		{"-arg x=4:ones ..everyKind", exitUsage, `argument x: "ones": want ramp, rand or zero`},
		{"-arg x=1000000000 ..everyKind", exitUsage, "argument x: it would have more than"},
		{"-arg total=2:rand ..everyKind", exitUsage, "argument total"},
		{"-grid 2000000000,60000,60000 ..everyKind", exitFault, "argument x: it would have more than"},
		{"-block 2000 ..everyKind", exitFault, "the limit of emu:gfx90a is 1024"},
		{"-shared 100000 ..adder.add", exitFault, "shared memory"},
		{"..follow", exitFault, "argument n: cannot make a value of type *" + module.Path + "/cmd/heddle.node (field next)"},
		{"..chase", exitFault, "argument list: cannot make a value of type *" + module.Path + "/cmd/heddle.node (field next)"},
		{"../../examples/closure.run.func1", exitFault, "argument factor: it is a captured variable"},
	} {
		stdout, stderr := dumped(t, c.code, append(strings.Fields("-arch gfx90a -stage trace"), strings.Fields(c.args)...)...)
		if !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%s: want %s:\n%s%s", c.args, c.want, stdout, stderr)
		}
	}
	t.Setenv("HEDDLE_EMU", "colour=red")
	if _, stderr := dumped(t, exitUsage, "-arch", "gfx90a", "-stage", "trace", "..adder.add"); !strings.Contains(stderr, "colour=red") {
		t.Error(stderr)
	}
	if _, stderr := dumped(t, exitUsage, "-arch", "gfx906", "-stage", "res", "-run", "..adder.add"); !strings.Contains(stderr, "not emulated") {
		t.Error(stderr)
	}
	if got := os.Getenv("HEDDLE_EMU"); got != "colour=red" {
		t.Errorf("HEDDLE_EMU is now %s", got)
	}
}

// The static figures, and the counters of a run where one is asked for.
func TestResources(t *testing.T) {
	needEmulator(t, "gfx90a")
	t.Chdir("../..")
	const static = "main.Saxpy gfx90a warp 64: "
	stdout, _ := dumped(t, exitOK, "-arch", "gfx90a", "-stage", "res", "./examples/saxpy.Saxpy")
	if !strings.HasPrefix(stdout, static) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("without a run: %s", stdout)
	}
	// Two loads and a store of 64 dwords by each wave: two lines each.
	for _, c := range []struct{ args, want string }{
		{"-run", `1 wave of 1 block, \d+ instructions .* vmem 3, .*, 0 LDS bank conflicts, 6 memory transactions for 768 bytes`},
		{"-grid 5", `5 waves of 5 blocks, \d+ instructions .* vmem 15, .*, 30 memory transactions for 3840 bytes`},
		{"-block 96", `2 waves of 1 block, \d+ instructions .* vmem 6, .*, 9 memory transactions for 1152 bytes`},
		{"-arg a=2", `1 wave of 1 block`},
	} {
		stdout, _ := dumped(t, exitOK, append(strings.Fields("-arch gfx90a -stage res "+c.args), "./examples/saxpy.Saxpy")...)
		if !regexp.MustCompile(`(?s)^` + static + `[^\n]*\nmain.Saxpy on emu:gfx90a, [^\n]*: ` + c.want + `[^\n]*\n$`).MatchString(stdout) {
			t.Errorf("%s: %s", c.args, stdout)
		}
	}
	// Device variables are those of a program that does not run: they hold zeros.
	stdout, _ = dumped(t, exitOK, "-arch", "gfx90a", "-stage", "res", "-run", "./internal/tests/conformance.addShared")
	if !strings.Contains(stdout, "1 wave of 1 block") {
		t.Errorf("with a device variable: %s", stdout)
	}
	stdout, _ = dumped(t, exitOK, "-arch", "gfx90a", "-stage", "res", "-run", "./examples/matmul.MatMul")
	if lines := strings.Split(stdout, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "main.MatMul gfx90a") || !strings.HasPrefix(lines[1], "no counters: kernel main.MatMul: argument c: ") {
		t.Errorf("of matrices: %s", stdout)
	}
}
