package program

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/logs"
	"heddle/internal/target"
	"heddle/ssa2ir"
)

// The stages that Dump writes, in order; package kernel says what they are.
const (
	SSA       = "ssa"
	IR        = "ir"
	Scalar    = "scalar"
	Vector    = "vector"
	Optimised = "opt"
	Asm       = "asm"
	Res       = "res"
)

// Stages lists them, in order.
var Stages = env.Stages

// Dump writes one stage of the program, compiled for a machine.
func (p *Program) Dump(w io.Writer, m *target.Machine, opts Options, stage string) error {
	req, res, err := p.Request(m, opts, false)
	if err != nil {
		return err
	}
	return p.dump(w, m, req, res, stage)
}

func (p *Program) dump(w io.Writer, m *target.Machine, req *codegen.Request, res *ssa2ir.Result, stage string) error {
	var text string
	var err error
	switch stage {
	case SSA:
		var b bytes.Buffer
		res.WriteSSA(&b)
		text = b.String()
	case IR:
		text = string(res.IR)
	case Scalar:
		text, err = codegen.ScalarIR(req)
	case Vector:
		text, err = codegen.VectorIR(req)
	case Optimised:
		text, err = codegen.OptimisedIR(req)
	case Asm:
		text, err = codegen.Assembly(req)
		text = withoutDebugSections(text)
	case Res:
		var obj *abi.Object
		if obj, _, err = codegen.Build(req); err == nil {
			text = resources(p.Src.Name, m, obj)
		}
	default:
		return errs.F("kernel: unknown stage %q: want one of %v", stage, Stages)
	}
	if err != nil {
		return errs.F("kernel %s: %s for %s: %w", p.Src.Name, stage, m.CPU, err)
	}
	_, err = io.WriteString(w, text)
	return err
}

// withoutDebugSections drops the data of debug sections, ten times the code,
// from an assembly listing; the .loc lines among the code stay.
func withoutDebugSections(asm string) string {
	var b bytes.Buffer
	skip := false
	for line := range strings.Lines(asm) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch word {
		case ".section":
			skip = strings.HasPrefix(strings.Trim(rest, `"`), ".debug_")
		case ".text", ".amdgpu_metadata":
			skip = false
		}
		if !skip {
			b.WriteString(line)
		}
	}
	return b.String()
}

func resources(name string, m *target.Machine, obj *abi.Object) string {
	r := obj.Res
	if obj.Kind == abi.Native {
		return fmt.Sprintf("%s %s warp %d: %d bytes shared, %d bytes scratch a lane, %d bytes of code\n",
			name, m.CPU, m.WarpSize, r.LDS, r.Scratch, r.CodeBytes)
	}
	if obj.Kind == abi.PTX {
		return fmt.Sprintf("%s %s warp %d: %d bytes of PTX; the driver assigns registers when it loads them\n", name, m.CPU, m.WarpSize, len(obj.Code))
	}
	return fmt.Sprintf("%s %s warp %d: %d SGPR (%d spilled), %d VGPR (%d spilled), %d AGPR, %d bytes shared, %d bytes scratch a lane, %d bytes of arguments, %d bytes of code\n",
		name, m.CPU, m.WarpSize, r.SGPR, r.SGPRSpill, r.VGPR, r.VGPRSpill, r.AGPR, r.LDS, r.Scratch, r.KernArg, r.CodeBytes)
}

// dumpRequest is what HEDDLE_DUMP asks for.
var dumpRequest = lazy.Value[func(name string) []string]{Make: func() func(name string) []string {
	v, ok := env.Lookup(env.Dump)
	want, list, _ := strings.Cut(v, ":")
	return func(name string) []string {
		if !ok || !strings.Contains(name, want) {
			return nil
		}
		if list == "" {
			return []string{SSA, IR, Asm}
		}
		var stages []string
		for s := range strings.SplitSeq(list, ",") {
			stages = append(stages, s)
		}
		return stages
	}
}}

// dumpAll writes the stages that HEDDLE_DUMP asks for.
func (p *Program) dumpAll(m *target.Machine, req *codegen.Request, res *ssa2ir.Result) error {
	for _, s := range dumpRequest.Get()(p.Src.Name) {
		fmt.Fprintf(os.Stderr, "==== %s %s %s\n", p.Src.Name, m.CPU, s)
		if err := p.dump(os.Stderr, m, req, res, s); err != nil {
			return err
		}
	}
	return nil
}

var logged = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	topics := map[string]bool{}
	for t := range strings.SplitSeq(env.Get(env.Log), ",") {
		topics[t] = true
	}
	return topics
}}

// logCache says whether the disk cache had an object, and under which key it is there.
func logCache(obj *abi.Object, found bool) {
	if obj.Key != "" && logged.Get()["cache"] {
		logs.Info("disk cache", "kernel", obj.Name, "arch", obj.Arch, "found", found, "key", obj.Key)
	}
}

func logCompile(obj *abi.Object, from string, source, lower, build time.Duration) {
	if logged.Get()["compile"] {
		logs.Info("compiled", "kernel", obj.Name, "arch", obj.Arch, "warp", obj.WarpSize, "from", from, "source", source,
			"lower", lower, "build", build, "bytes", len(obj.Code))
	}
}
