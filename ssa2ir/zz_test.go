package ssa2ir

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/target"
)

func TestZZ(t *testing.T) {
	src, _ := os.ReadFile("../zz_try/k.go")
	pkg := buildSource(t, "k.go", "package p" + string(src)[len("package zz"):])
	for _, name := range []string{"Bitonic"} {
		prog, err := Check(kernelOf(t, pkg, name))
		if err != nil {
			t.Fatal(err)
		}
		m, _ := target.For("gfx90a", 0)
		in := prog.root
		p := newProver(in, in.evaluator(m, map[*instance]*evaluator{}), 1024, 64)
		for _, b := range in.fn.Blocks {
			for _, i := range b.Instrs {
				if a, ok := i.(*ssa.IndexAddr); ok {
					debugZZ = a.Name() == "t42"; ok := p.inRange(p.node(a.Index), p.length(a.X), a)
					fmt.Println(name, a, ok, "left", p.total, "steps", p.steps, p.spanBefore(a.Index, a))
				}
			}
		}
	}
}
