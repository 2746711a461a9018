package program

import (
	"slices"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/exe"
	"heddle/internal/json"
	"heddle/internal/source"
	"heddle/internal/target"
)

// This file keeps for the next process of the same binary what a kernel was compiled to, so
// that it parses and checks no source. A record belongs to one func value's code in one
// binary, to options and a machine; it has one Variant for each set of values that the func
// value was seen to capture, of those that its code depends on.

// maxVariants is how many are kept, the latest last.
const maxVariants = 16

// A Variant is a compiled kernel without its source: all that a launch needs.
type Variant struct {
	Captured *Captured
	Object   *abi.Object // in the record without its code
	Key      string      // of the code
}

// RecordKey is the key of a function's record for options and a machine. It is "" if there can
// be no record: the function has no name that lasts (see exe.ID.Lasting), the disk cache is off, or
// HEDDLE_DUMP asks for the compile's stages.
func RecordKey(name string, id exe.ID, opts Options, m *target.Machine) string {
	l, ok := id.Lasting()
	if !ok || len(dumpRequest.Get()(name)) > 0 {
		return ""
	}
	opts.Specialize = slices.Compact(slices.Sorted(slices.Values(opts.Specialize)))
	key, err := codegen.RecordKey(m.Kind, l, opts, m.Triple, m.CPU, m.Features, m.WarpSize, m.CodeObject, m.MathLib)
	if err != nil {
		return ""
	}
	return key
}

// variants reads a record; nil if there is none.
func variants(key string) (all []Variant) {
	if text := codegen.Record(key); text == nil || json.Unmarshal(text, &all) != nil {
		return nil
	}
	return all
}

// Recall is the variant that a record has for the closure obj, complete with its code; nil
// if it has none.
func Recall(key string, obj unsafe.Pointer) *Variant {
	if key == "" {
		return nil
	}
	start := time.Now()
	all := variants(key)
	for i := range all {
		v := &all[i]
		if v.Captured == nil || v.Object == nil || !v.Captured.Current(obj) {
			continue
		}
		o, code := v.Object, codegen.Kept(v.Key)
		if code == nil || code.Kind != o.Kind || code.Arch != o.Arch || code.Kernel != o.Kernel {
			return nil
		}
		o.Code, o.Key = code.Code, v.Key
		logCompile(o, "index", 0, 0, time.Since(start))
		return v
	}
	return nil
}

// Remember puts the program, compiled to o for a machine, on record for the closure obj of a
// func value. It does so once, and not if the code is not kept, or if the program may be
// another one in another process of the binary.
func (p *Program) Remember(name string, opts Options, m *target.Machine, o *abi.Object, obj unsafe.Pointer) {
	if _, done := p.recorded.LoadOrStore(o, true); done || o.Key == "" {
		return
	}
	key := RecordKey(name, p.Src.ID, opts, m)
	if key == "" || slices.ContainsFunc(p.Funcs, leaves) || !p.Src.Lasting() {
		return
	}
	// A variant that fits is one whose code is gone.
	all := slices.DeleteFunc(variants(key), func(v Variant) bool { return v.Captured == nil || v.Captured.Current(obj) })
	description := *o
	description.Code = nil
	all = append(all, Variant{p.Captured, &description, o.Key})
	text, err := json.Marshal(all[max(0, len(all)-maxVariants):])
	if err == nil {
		codegen.SetRecord(key, text)
	}
}

// leaves reports whether a captured func is not the main program's.
func leaves(f source.FuncIn) bool { return !f.Nil && !exe.InImage(exe.Absolute(f.PC)) }
