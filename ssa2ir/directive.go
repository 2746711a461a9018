package ssa2ir

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"heddle/internal/diag"
	"heddle/internal/lazy"
)

// This file reads directives: the comments //heddle:name args.

// A Directive is a comment such as //heddle:inline, or //go:noinline, whose name is
// "go:noinline".
type Directive struct {
	Pos  token.Position
	Name string
	Args []string
}

// An inlining is what is asked for one function: to be made part of its callers or not.
type inlining uint8

const (
	inlineHint inlining = iota // as LLVM sees fit
	inlineAlways
	inlineNever
)

// attribute is LLVM's of a function.
func (n inlining) attribute() string { return [...]string{"inlinehint", "alwaysinline", "noinline"}[n] }

// direct reads the directives above the instance's function, which is not the kernel's own.
func (in *instance) direct(p *planner) {
	if p.k.Directives == nil || in.fn == p.k.Fn {
		return
	}
	fault := func(d Directive, hint, msg string) { p.fault(d.Pos, hint, "//heddle:%s: %s", d.Name, msg) }
	for _, d := range p.k.Directives(in.fn) {
		switch _, forKernels := directives.Get()[d.Name]; {
		case d.Name == "go:noinline":
			if in.inlining == inlineAlways {
				fault(Directive{Pos: d.Pos, Name: "inline"}, "remove one of them", "the function has //go:noinline, too")
			}
			in.inlining = inlineNever
		case strings.HasPrefix(d.Name, "go:"):
		case d.Name == "inline":
			switch {
			case len(d.Args) > 0:
				fault(d, "", "takes no arguments")
			case in.inlining == inlineNever:
				fault(d, "remove one of them", "the function has //go:noinline, too")
			}
			in.inlining = inlineAlways
		case d.Name == "unroll":
			fault(d, "put it on the line above the for statement", "stands above a function, and is for a loop")
		case !forKernels:
			fault(d, "above a function there is inline", "unknown directive")
		}
	}
}

// Apply does what a directive above the kernel asks for. Those of Go itself, such
// as go:noinline, are none of the kernel's.
func (k *Kernel) Apply(at token.Position, name string, args []string) error {
	if strings.HasPrefix(name, "go:") {
		return nil
	}
	apply, ok := directives.Get()[name]
	if !ok {
		return &diag.Error{Pos: at, Msg: "unknown directive //heddle:" + name, Hint: "above a kernel there are launchbounds, noalias", Refused: true}
	}
	if msg := apply(k, args); msg != "" {
		msg, hint, _ := strings.Cut(msg, " | ")
		return &diag.Error{Pos: at, Msg: fmt.Sprintf("//heddle:%s: %s", name, msg), Hint: hint, Refused: true}
	}
	return nil
}

// directives are the comments //heddle:name args above a kernel. Each returns
// what is wrong with its arguments, and behind a bar what to do.
var directives = lazy.Value[map[string]func(k *Kernel, args []string) string]{Make: func() map[string]func(k *Kernel, args []string) string {
	return map[string]func(k *Kernel, args []string) string{
		"inline": func(*Kernel, []string) string {
			return "has no effect on a kernel | put it above a function that kernels call"
		},
		"unroll": func(*Kernel, []string) string {
			return "stands above a function, and is for a loop | put it on the line above the for statement"
		},
		"noalias": func(k *Kernel, args []string) string {
			k.NoAlias = true
			if len(args) > 0 {
				return "takes no arguments"
			}
			return ""
		},
		"launchbounds": func(k *Kernel, args []string) string {
			const usage = "want the threads a block may have, 1 to 1024, and optionally the blocks at least: //heddle:launchbounds 256 2"
			into := []*int{&k.Bounds.MaxThreads, &k.Bounds.MinBlocks}
			if len(args) == 0 || len(args) > len(into) {
				return usage
			}
			for i, a := range args {
				n, err := strconv.Atoi(a)
				if err != nil || n < 1 || n > 1024 {
					return usage
				}
				*into[i] = n
			}
			return ""
		},
	}
}}

// ReadUnroll reads the arguments of //heddle:unroll above a loop, a factor or
// none; problem is what is wrong with them.
func ReadUnroll(args []string) (u Unroll, problem string) {
	const limit = 1024
	switch n, err := strconv.Atoi(strings.Join(args, " ")); {
	case len(args) == 0:
		return UnrollEnable, ""
	case err != nil || n < 1 || n > limit:
		return 0, "want nothing, or a factor from 1 to 1024 (1 forbids unrolling): //heddle:unroll 4"
	default:
		return Unroll(n), ""
	}
}
