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

// Apply does what a directive above the kernel asks for. Those of Go itself, such
// as go:noinline, are none of the kernel's.
func (k *Kernel) Apply(at token.Position, name string, args []string) error {
	if strings.HasPrefix(name, "go:") {
		return nil
	}
	apply, ok := directives.Get()[name]
	if !ok {
		return &diag.Error{Pos: at, Msg: "unknown directive //heddle:" + name, Hint: "there are launchbounds, noalias", Refused: true}
	}
	if msg := apply(k, args); msg != "" {
		return &diag.Error{Pos: at, Msg: fmt.Sprintf("//heddle:%s: %s", name, msg), Refused: true}
	}
	return nil
}

// directives are the comments //heddle:name args above a kernel. Each returns
// what is wrong with its arguments.
var directives = lazy.Value[map[string]func(k *Kernel, args []string) string]{Make: func() map[string]func(k *Kernel, args []string) string {
	return map[string]func(k *Kernel, args []string) string{
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
