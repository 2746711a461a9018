package ssa2ir

// This file compiles functions that kernels call by name, such as those of the
// host's mathematical library. Their parameters and results are numbers.

import (
	"fmt"
	"strings"

	"github.com/llir/llvm/ir/enum"

	"heddle/internal/lazy"
	"heddle/internal/target"
)

// CheckFunc is Check for a function that a library holds.
func CheckFunc(k *Kernel) (prog *Program, err error) {
	defer recoverBug(&err, k)
	p := newPlanner(k)
	prog = &Program{Kernel: k, plan: p}
	sig := k.Fn.Signature
	params := make([]binding, sig.Params().Len())
	for i := range params {
		t := sig.Params().At(i).Type()
		params[i] = binding{typ: t}
		if !isFloat(t) && !isInteger(t) {
			p.errs.add(p.pos(k.Fn.Pos()), "", "%s: parameter of type %s in a library function: want a number", k.Name, t)
		}
	}
	if sig.Results().Len() != 1 || sig.Recv() != nil || len(k.Fn.FreeVars) > 0 {
		p.errs.add(p.pos(k.Fn.Pos()), "", "%s: a library function is declared at the top level and has one result", k.Name)
	}
	if k.Fn.Blocks == nil {
		p.noBody(k.Fn, k.Fn.Pos())
	}
	if err := p.errs.err(); err != nil {
		return nil, err
	}
	prog.root = p.instance(k.Fn, params, nil, k.Fn.Pos())
	return prog, p.errs.err()
}

// debugText is what line tables leave in a module's text.
var debugText = lazy.Regexp{Expr: `(?m),? !dbg !\d+|^!.*\n|^(source_filename|target triple) .*\n`}

// LowerFunc translates a program of CheckFunc: to a module, without checks of
// bounds and without line tables, that defines the function as symbol.
func (prog *Program) LowerFunc(m *target.Machine, symbol string) (text []byte, err error) {
	defer recoverBug(&err, prog.Kernel)
	lowering.Lock()
	defer lowering.Unlock()
	defer prog.plan.keepPlan()()
	l := newLowerer(prog, m, Options{NoBounds: true}, true)
	t := *m.Target
	t.LoopSites = false
	own := *m
	own.Target = &t
	l.m = target.NewModule(&own, "")
	l.debugInfo.init(l)
	root := l.declare(prog.root)
	root.SetName(symbol)
	root.Linkage = enum.LinkageNone
	for len(l.queue) > 0 {
		in := l.queue[0]
		l.queue = l.queue[1:]
		l.function(in)
	}
	if len(l.sites) > 0 {
		return nil, fmt.Errorf("%s can panic: %s", prog.Kernel.Name, l.sites[0].Format)
	}
	s := debugText.Get().ReplaceAllString(l.m.LL.String(), "")
	if strings.Contains(s, "!") {
		return nil, fmt.Errorf("%s: metadata in a library function", prog.Kernel.Name)
	}
	return []byte(strings.TrimLeft(s, "\n")), nil
}
