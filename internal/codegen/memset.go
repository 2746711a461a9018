package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file sets memory to zero by wide stores where LLVM (19) makes a loop over bytes of it: on GPUs, where the size is not known, or
// large. The stores are those that the address' alignment allows; below 4 LLVM's loop stays.
//
//	call void @llvm.memset.p5.i64(ptr addrspace(5) align 16 %p, i8 0, i64 32768, i1 false)
//	-> call void @heddle.memset.p5.16(ptr addrspace(5) %p, i64 32768), inlined: 64 bytes in an iteration

const (
	memsetIntrinsic = "llvm.memset."
	memsetFunction  = "heddle.memset."
	amdMemset       = 1024 // bytes, up to which LLVM makes wide stores for AMD; for NVIDIA see longMemory
	leastMemset     = 4    // alignment
)

var anyMemset = lazy.Regexp{Expr: `(?m)^  (?:tail )?call void @llvm\.memset\.(p\d+)\.i64\((ptr[^,]*), i8 0, i64 (\d+|%(?:"[^"\n]*"|[-\w$.]+)), i1 false\)(?: #\d+)?(.*)$`}

// expandMemset replaces the calls of memset in an optimised module by loops.
func (r *Request) expandMemset(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, major int) (*llvm.Module, error) {
	has := false
	for f := range m.Functions() {
		has = has || strings.HasPrefix(f.Name(), memsetIntrinsic)
	}
	if !has {
		return m, nil
	}
	most := amdMemset
	if r.Kind == abi.PTX {
		most = longMemory
	}
	text, ok := memsetLoops(m.String(), most)
	if !ok {
		return m, nil
	}
	m, err := c.ParseIR(r.Kernel+".ll", []byte(text))
	if err != nil {
		return nil, err
	}
	m.SetTarget(tm)
	backends[r.Kind].prepare(r, m) // or what it becomes part of loses its attributes
	passes := "always-inline,globaldce"
	if r.level() > 0 {
		passes += ",function(sroa," + instCombine(major) + ",simplifycfg)"
	}
	return m, m.RunPasses(passes, tm)
}

// memsetLoops has a module's text call functions that set memory where it sets more than most bytes, or does not know how many.
func memsetLoops(text string, most int) (rewritten string, ok bool) {
	made := map[string]string{}
	var order []string
	text = anyMemset.Get().ReplaceAllStringFunc(text, func(line string) string {
		part := anyMemset.Get().FindStringSubmatch(line)
		to := memoryOperand.Get().FindStringSubmatch(part[2])
		if to == nil {
			return line
		}
		align, _ := strconv.Atoi(to[2])
		if n, err := strconv.Atoi(part[3]); align < leastMemset || err == nil && n <= most {
			return line
		}
		align = min(align, 16)
		name := fmt.Sprint(memsetFunction, part[1], ".", align)
		if made[name] == "" {
			made[name] = memsetText(name, to[1], align)
			order = append(order, name)
		}
		return fmt.Sprintf("  call void @%s(%s %s, i64 %s)%s", name, to[1], to[3], part[3], part[4])
	})
	for _, name := range order {
		text += made[name]
	}
	return text, len(order) > 0
}

// memsetText is a function that sets some bytes to zero: 64 in an iteration, then words, then bytes, of which there are none where the size is
// known to be a multiple.
func memsetText(name, pointer string, align int) string {
	return strings.NewReplacer("NAME", name, "POINTER", pointer, "ALIGN", strconv.Itoa(align)).Replace(`
define internal void @NAME(POINTER %p, i64 %n) alwaysinline nounwind {
entry:
  %wide = and i64 %n, -64
  %words = and i64 %n, -4
  %some = icmp ne i64 %wide, 0
  br i1 %some, label %loop, label %rest
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = getelementptr inbounds i8, POINTER %p, i64 %i
  %b = getelementptr inbounds i8, POINTER %a, i64 16
  %c = getelementptr inbounds i8, POINTER %a, i64 32
  %d = getelementptr inbounds i8, POINTER %a, i64 48
  store <4 x i32> zeroinitializer, POINTER %a, align ALIGN
  store <4 x i32> zeroinitializer, POINTER %b, align ALIGN
  store <4 x i32> zeroinitializer, POINTER %c, align ALIGN
  store <4 x i32> zeroinitializer, POINTER %d, align ALIGN
  %i.next = add nuw i64 %i, 64
  %more = icmp ult i64 %i.next, %wide
  br i1 %more, label %loop, label %rest
rest:
  %left = icmp ult i64 %wide, %words
  br i1 %left, label %word, label %end
word:
  %j = phi i64 [ %wide, %rest ], [ %j.next, %word ]
  %e = getelementptr inbounds i8, POINTER %p, i64 %j
  store i32 0, POINTER %e, align 4
  %j.next = add nuw i64 %j, 4
  %another = icmp ult i64 %j.next, %words
  br i1 %another, label %word, label %end
end:
  %odd = icmp ult i64 %words, %n
  br i1 %odd, label %byte, label %done
byte:
  %k = phi i64 [ %words, %end ], [ %k.next, %byte ]
  %f = getelementptr inbounds i8, POINTER %p, i64 %k
  store i8 0, POINTER %f, align 1
  %k.next = add nuw i64 %k, 1
  %last = icmp ult i64 %k.next, %n
  br i1 %last, label %byte, label %done
done:
  ret void
}
`)
}
