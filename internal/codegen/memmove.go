package codegen

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/errs"
	"heddle/internal/llvm"
)

// This file expands memmove for GPUs, which LLVM does wrongly where the operands
// are in different address spaces, or are found to be: releases 15 and 16 compare
// addresses of different spaces (on NVPTX; on AMDGPU they crash), and from 17 on
// NVPTX drops the call without a word.
//
//	call void @llvm.memmove.p5.p0.i64(%d, %s, %n, false)
//	-> call void @heddle.memmove.p5.p0.i64(%d, %s, %n, false), inlined

const (
	memmoveIntrinsic = "llvm.memmove."
	memmoveFunction  = "heddle.memmove."
)

// expandsMemmove reports whether memmove of some types is LLVM's to expand.
func expandsMemmove(types string, major int) bool {
	to, rest, _ := strings.Cut(types, ".")
	return major >= 17 || to != "p0" && strings.HasPrefix(rest, to+".")
}

// expandMemmove replaces calls of memmove in an optimised module by loops.
func (r *Request) expandMemmove(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, major int) error {
	var calls []llvm.Global
	for f := range m.Functions() {
		types, ok := strings.CutPrefix(f.Name(), memmoveIntrinsic)
		if ok && !(backends[r.Kind].memmove && expandsMemmove(types, major)) {
			calls = append(calls, f)
		}
	}
	for _, f := range calls {
		types := strings.TrimPrefix(f.Name(), memmoveIntrinsic)
		text, err := memmoveText(types)
		if err != nil {
			return err
		}
		lib, err := c.ParseIR(memmoveFunction+types+".ll", []byte(text))
		if err != nil {
			return err
		}
		lib.SetTarget(tm)
		backends[r.Kind].prepare(r, lib) // or what it becomes part of loses its attributes
		if err := m.Link(lib); err != nil {
			return err
		}
		m.ReplaceBy(f, memmoveFunction+types)
	}
	if calls == nil {
		return nil
	}
	for f := range m.Functions() {
		if strings.HasPrefix(f.Name(), memmoveFunction) {
			f.SetLinkage(llvm.Internal)
		}
	}
	passes := "always-inline,globaldce"
	if r.level() > 0 {
		passes += ",function(infer-address-spaces,sroa," + instCombine(major) + ",simplifycfg)"
	}
	return m.RunPasses(passes, tm)
}

// memmoveText is a module that defines memmove for address spaces and a length
// as LLVM spells them: p5.p0.i64. It moves words of eight bytes where addresses and
// length allow, else bytes, and downwards only where the destination begins
// inside the source. Once it is inlined, what is known of them decides that.
func memmoveText(types string) (string, error) {
	parts := strings.Split(types, ".")
	if len(parts) != 3 || !isType(parts[0], "p") || !isType(parts[1], "p") || !isType(parts[2], "i") {
		return "", errs.F("codegen: memmove of types %q", types)
	}
	pointer := func(part string) (typ, cast string) {
		if part == "p0" {
			return "ptr", "bitcast"
		}
		return "ptr addrspace(" + part[1:] + ")", "addrspacecast"
	}
	dst, castDst := pointer(parts[0])
	src, castSrc := pointer(parts[1])
	var b bytes.Buffer
	fmt.Fprintf(&b, `define void @%s%s(%s %%d, %s %%s, %s %%n, i1 %%volatile) alwaysinline nounwind {
  %%dst = %s %s %%d to ptr
  %%src = %s %s %%s to ptr
`, memmoveFunction, types, dst, src, parts[2], castDst, dst, castSrc, src)
	if parts[2] == "i64" {
		b.WriteString("  %len = add i64 %n, 0\n")
	} else {
		fmt.Fprintf(&b, "  %%len = zext %s %%n to i64\n", parts[2])
	}
	b.WriteString(`  %to = ptrtoint ptr %dst to i64
  %from = ptrtoint ptr %src to i64
  %either = or i64 %to, %from
  %all = or i64 %either, %len
  %odd = and i64 %all, 7
  %words = icmp eq i64 %odd, 0
  %ahead = sub i64 %to, %from
  %inside = icmp ult i64 %ahead, %len
  br i1 %words, label %move8, label %move1
`)
	for _, step := range []int{8, 1} {
		of := func(text string) string {
			return strings.ReplaceAll(strings.ReplaceAll(text, "STEP", strconv.Itoa(step)), "iN", fmt.Sprint("i", 8*step))
		}
		b.WriteString(of(`moveSTEP:
  br i1 %inside, label %downSTEP, label %upSTEP
upSTEP:
  %iSTEP = phi i64 [ 0, %moveSTEP ], [ %nextSTEP, %bodySTEP ]
  %moreSTEP = icmp ult i64 %iSTEP, %len
  br i1 %moreSTEP, label %bodySTEP, label %done
bodySTEP:
  %sSTEP = getelementptr i8, ptr %src, i64 %iSTEP
  %dSTEP = getelementptr i8, ptr %dst, i64 %iSTEP
  %vSTEP = load iN, ptr %sSTEP, align STEP
  store iN %vSTEP, ptr %dSTEP, align STEP
  %nextSTEP = add i64 %iSTEP, STEP
  br label %upSTEP
downSTEP:
  %jSTEP = phi i64 [ %len, %moveSTEP ], [ %lastSTEP, %backSTEP ]
  %leftSTEP = icmp ne i64 %jSTEP, 0
  br i1 %leftSTEP, label %backSTEP, label %done
backSTEP:
  %lastSTEP = sub i64 %jSTEP, STEP
  %tSTEP = getelementptr i8, ptr %src, i64 %lastSTEP
  %eSTEP = getelementptr i8, ptr %dst, i64 %lastSTEP
  %wSTEP = load iN, ptr %tSTEP, align STEP
  store iN %wSTEP, ptr %eSTEP, align STEP
  br label %downSTEP
`))
	}
	b.WriteString("done:\n  ret void\n}\n")
	return b.String(), nil
}

// isType reports whether a type is a letter and a number.
func isType(s, letter string) bool {
	digits, ok := strings.CutPrefix(s, letter)
	_, err := strconv.ParseUint(digits, 10, 32)
	return ok && err == nil
}
