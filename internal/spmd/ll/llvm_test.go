package ll

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tool is the path of a program of LLVM; the test is skipped without it.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: nothing prints IR to read", name)
	}
	return path
}

func output(t *testing.T, input, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(input)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return string(out)
}

// text prints a module as LLVM reads it.
func (m *Module) text() string {
	var b strings.Builder
	for _, g := range m.Globals {
		fmt.Fprintln(&b, g.Line)
	}
	for _, f := range m.Funcs {
		word, open := "declare", ""
		if len(f.Blocks) > 0 {
			word, open = "define", " {"
		}
		var params []string
		for _, p := range f.Params {
			name := p.Ident()
			if open == "" {
				name = ""
			}
			params = append(params, join(" ", p.Typ.Text, p.Attrs, name))
		}
		if f.Variadic {
			params = append(params, "...")
		}
		name := "@" + f.Name + "(" + strings.Join(params, ", ") + ")"
		fmt.Fprintln(&b, join(" ", word, f.Linkage, f.Ret.Text, name, f.Attrs)+open)
		for _, block := range f.Blocks {
			fmt.Fprintln(&b, block.Name+":")
			for _, i := range block.Insts {
				fmt.Fprintln(&b, " ", i)
			}
		}
		if open != "" {
			fmt.Fprintln(&b, "}")
		}
	}
	for name, node := range m.Meta {
		fmt.Fprintln(&b, name, "=", node)
	}
	return b.String()
}

// bodies are the parts of a module that LLVM prints as it reads them.
func (m *Module) bodies() (lines []string) {
	for _, g := range m.Globals {
		lines = append(lines, g.Line)
	}
	for _, f := range m.Funcs {
		lines = append(lines, f.Ret.Text+" @"+f.Name)
		for _, p := range f.Params {
			lines = append(lines, p.Typ.Text+" "+p.Attrs+" "+p.Ident())
		}
		for _, b := range f.Blocks {
			lines = append(lines, b.Name+":")
			for _, i := range b.Insts {
				lines = append(lines, i.String())
			}
		}
	}
	return lines
}

// roundTrip parses what LLVM printed, prints it, has opt read that and parses
// what it prints again: both must be the same.
func roundTrip(t *testing.T, opt, text string) *Module {
	t.Helper()
	m := mustParse(t, text)
	again := output(t, m.text(), opt, "-S", "-passes=verify")
	m2, err := Parse(again)
	if err != nil {
		t.Fatalf("what opt printed again: %v", err)
	}
	one, two := m.bodies(), m2.bodies()
	for i := range min(len(one), len(two)) {
		if one[i] != two[i] {
			t.Fatalf("after a round trip\n%s\nis\n%s", one[i], two[i])
		}
	}
	if len(one) != len(two) {
		t.Fatalf("%d lines, after a round trip %d", len(one), len(two))
	}
	return m
}

func TestOpt(t *testing.T) {
	opt := tool(t, "opt-19")
	files, _ := filepath.Glob("testdata/*.ll")
	if len(files) == 0 {
		t.Fatal("no testdata/*.ll")
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, level := range []string{"O0", "O1", "O2"} {
			t.Run(filepath.Base(file)+"/"+level, func(t *testing.T) {
				roundTrip(t, opt, output(t, string(source), opt, "-S", "-passes=default<"+level+">"))
			})
		}
	}
}

// TestClang parses a file of C as LLVM 15 and 19 print it.
func TestClang(t *testing.T) {
	for _, clang := range []string{"clang-15", "clang-19"} {
		for _, flags := range []string{"-O0", "-O1 -g", "-O2", "-O2 -g", "-O3 -ffast-math"} {
			t.Run(clang+" "+flags, func(t *testing.T) {
				opt := tool(t, "opt-19")
				args := append(strings.Fields(flags), "-S", "-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize", "-w", "-o", "-", "testdata/host.c")
				m := roundTrip(t, opt, output(t, "", tool(t, clang), args...))
				for _, name := range strings.Fields("sum choose record atomics indirect assembly copy shuffle aligned zeros wide ever overflow nest order") {
					if f := m.Func(name); f == nil || len(f.Blocks) == 0 {
						t.Errorf("function %s is missing", name)
					}
				}
				if flags == "-O2" {
					checkHost(t, m)
				}
			})
		}
	}
}

// checkHost looks for what testdata/host.c has.
func checkHost(t *testing.T, m *Module) {
	t.Helper()
	loops, ranges := 0, 0
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Insts {
				if i.Loop != "" {
					loops++
				}
				if i.Range != [2]int64{} {
					ranges++
				}
			}
		}
	}
	if loops < 2 || ranges < 1 {
		t.Errorf("%d loops and %d ranges", loops, ranges)
	}
	sum := m.Func("sum")
	back := slices.IndexFunc(sum.Blocks, func(b *Block) bool { return slices.Contains(b.Preds, b) })
	if back < 0 {
		t.Error("sum has no loop")
	}
}
