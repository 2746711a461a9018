package amdemu

import (
	"fmt"
	"strings"
)

// This file has the atomics' rows: "global_atomic_add v1, v0, v2, s[4:5] sc0",
// "buffer_atomic_swap", "ds_add_rtn_u32 v1, v0, v2 offset:8".

// atomicNames are the names of operations after "global_atomic_" and its like:
// of GFX9 and GFX10, then those of GFX11 and later. Those of 64 bits have the
// suffix _x2 in the former, and 64 for 32 in the latter.
var atomicNames = map[string]string{
	"swap": "swap swap_b32", "cmpswap": "cmpswap cmpswap_b32", "add": "add add_u32", "sub": "sub sub_u32",
	"smin": "smin min_i32", "umin": "umin min_u32", "smax": "smax max_i32", "umax": "umax max_u32",
	"and": "and and_b32", "or": "or or_b32", "xor": "xor xor_b32", "inc": "inc inc_u32", "dec": "dec dec_u32",
	"csub": "csub csub_u32 sub_clamp_u32", "condsub": "cond_sub_u32",
}

// atomicFloatNames32 and 64 are those of floats.
var (
	atomicFloatNames32 = map[string]string{
		"fadd": "add_f32", "fmin": "fmin min_f32 min_num_f32", "fmax": "fmax max_f32 max_num_f32",
		"fcmpswap": "fcmpswap cmpswap_f32", "pk_add_f16": "pk_add_f16", "pk_add_bf16": "pk_add_bf16",
	}
	atomicFloatNames64 = map[string]string{
		"fadd": "add_f64", "fmin": "fmin_x2 min_f64", "fmax": "fmax_x2 max_f64", "fcmpswap": "fcmpswap_x2",
	}
)

// atomicsByName are the operations by those names.
func atomicsByName() map[string]atomicOp {
	all := map[string]atomicOp{}
	add := func(size int, ops map[string]atomicFn, names map[string]string, rename func(string) string) {
		for op, list := range names {
			for name := range strings.FieldsSeq(list) {
				all[rename(name)] = atomicOp{size: size, fn: ops[op], compares: strings.HasSuffix(op, "cmpswap")}
			}
		}
	}
	same := func(s string) string { return s }
	add(4, atomicOps(32), atomicNames, same)
	add(8, atomicOps(64), atomicNames, func(s string) string {
		if strings.HasSuffix(s, "32") {
			return strings.TrimSuffix(s, "32") + "64"
		}
		return s + "_x2"
	})
	add(4, atomicFloats32, atomicFloatNames32, same)
	add(8, atomicFloats64, atomicFloatNames64, same)
	return all
}

// atomicMemory are the rows of atomics at global and flat addresses and in LDS.
// Those of buffers are in buffer.go.
func atomicMemory() table {
	t := table{}
	for name, op := range atomicsByName() {
		for _, space := range []string{"global", "flat"} {
			t[space+"_atomic_"+name] = row{"", op.flatBinder(space)}
		}
	}
	for _, n := range []int{32, 64} {
		ldsAtomics(t, n)
	}
	return t
}

// flatBinder binds atomics at global and flat addresses. That the old value is
// returned shows in the number of operands.
func (t atomicOp) flatBinder(space string) binder {
	return func(in *inst) (func(w *wave), error) {
		n := len(in.operands)
		if space == "flat" {
			n++
		}
		d, first := (*operand)(nil), 0
		if n == 4 {
			var err error
			if d, err = in.data(0, t.size/4); err != nil {
				return nil, err
			}
			first = 1
		}
		data, with, err := t.dataOf(in, first+1)
		if err != nil {
			return nil, err
		}
		at, err := in.flatAddress(space, first, first+2)
		if err != nil {
			return nil, err
		}
		return at.runs(t.access(in, d, data, with)), nil
	}
}

// dataOf is the data in operand i, and what to compare with in the registers
// behind it.
func (t atomicOp) dataOf(in *inst, i int) (data, with *operand, err error) {
	n := t.size / 4
	if !t.compares {
		data, err = in.data(i, n)
		return data, nil, err
	}
	if data, err = in.data(i, 2*n); err != nil {
		return nil, nil, err
	}
	behind := *data
	behind.reg += n
	return data, &behind, nil
}

// ldsNames are the names of operations of LDS: of GFX9 and GFX10, then of GFX11
// and later; N is 32 or 64. Where "rtn" is there, only the returning form is.
var ldsNames = map[string]string{
	"add": "add_uN", "sub": "sub_uN", "rsub": "rsub_uN", "inc": "inc_uN", "dec": "dec_uN",
	"smin": "min_iN", "smax": "max_iN", "umin": "min_uN", "umax": "max_uN",
	"and": "and_bN", "or": "or_bN", "xor": "xor_bN", "swap": "wrxchg_rtn_bN storexchg_rtn_bN",
	"csub": "sub_clamp_uN", "condsub": "cond_sub_uN",
}

// ldsFloatNames are those of floats.
var ldsFloatNames = map[string]string{
	"fadd": "add_fN", "fmin": "min_fN min_num_fN", "fmax": "max_fN max_num_fN",
	"pk_add_f16": "pk_add_f16", "pk_add_bf16": "pk_add_bf16",
}

// ldsAtomics adds the rows of LDS for operations of n bits.
func ldsAtomics(t table, n int) {
	ops := atomicOps(n)
	floats := atomicFloats32
	if n == 64 {
		floats = atomicFloats64
	}
	add := func(fn atomicFn, list, order string) {
		for name := range strings.FieldsSeq(strings.ReplaceAll(list, "N", fmt.Sprint(n))) {
			op := atomicOp{size: n / 8, fn: fn, compares: order != ""}
			if strings.Contains(name, "_rtn") {
				t["ds_"+name] = row{"", op.ldsBinder(true, order)}
				continue
			}
			t["ds_"+name] = row{"", op.ldsBinder(false, order)}
			cut := strings.LastIndex(name, "_")
			t["ds_"+name[:cut]+"_rtn"+name[cut:]] = row{"", op.ldsBinder(true, order)}
		}
	}
	for op, list := range ldsNames {
		add(ops[op], list, "")
	}
	for op, list := range ldsFloatNames {
		if fn, ok := floats[op]; ok {
			add(fn, list, "")
		}
	}
	add(ops["cmpswap"], "cmpst_bN", "compare first")
	add(floats["fcmpswap"], "cmpst_fN", "compare first")
	add(ops["cmpswap"], "cmpstore_bN", "data first")
	add(floats["fcmpswap"], "cmpstore_fN", "data first")
	add(ops["mskor"], "mskor_bN", "compare first")
	if n == 32 {
		add(ops["wrap"], "wrap_rtn_bN", "data first")
	}
	swap := atomicOp{size: n / 8, fn: ops["swap"]}
	for _, name := range []string{"wrxchg2_rtn", "storexchg_2addr_rtn"} {
		t[fmt.Sprintf("ds_%s_b%d", name, n)] = row{"", swap.ldsBinder2(1)}
	}
	for _, name := range []string{"wrxchg2st64_rtn", "storexchg_2addr_stride64_rtn"} {
		t[fmt.Sprintf("ds_%s_b%d", name, n)] = row{"", swap.ldsBinder2(64)}
	}
}

// ldsBinder binds "v1, v0, v2 offset:8", without the first if nothing is
// returned, with a second datum if order is not empty.
func (t atomicOp) ldsBinder(returns bool, order string) binder {
	return func(in *inst) (func(w *wave), error) {
		n := t.size / 4
		var d, with *operand
		var err error
		i := 0
		if returns {
			if d, err = in.data(0, n); err != nil {
				return nil, err
			}
			i = 1
		}
		at, err := in.ldsAddress(i, "offset", 1)
		if err != nil {
			return nil, err
		}
		data, err := in.data(i+1, n)
		if err != nil {
			return nil, err
		}
		if order != "" {
			if with, err = in.data(i+2, n); err != nil {
				return nil, err
			}
		}
		if order == "compare first" {
			data, with = with, data
		}
		return at.runs(t.access(in, d, data, with)), nil
	}
}

// ldsBinder2 binds exchanges at two places: "v[1:2], v0, v3, v4 offset1:2".
func (t atomicOp) ldsBinder2(stride int) binder {
	return func(in *inst) (func(w *wave), error) {
		n := t.size / 4
		d, err := in.data(0, 2*n)
		if err != nil {
			return nil, err
		}
		x, err := in.data(2, n)
		if err != nil {
			return nil, err
		}
		y, err := in.data(3, n)
		if err != nil {
			return nil, err
		}
		at, delta, err := in.ldsAddress2(1, t.size*stride)
		if err != nil {
			return nil, err
		}
		second := *d
		second.reg += n
		return at.runs2(t.access(in, d, x, nil), t.access(in, &second, y, nil), delta), nil
	}
}
