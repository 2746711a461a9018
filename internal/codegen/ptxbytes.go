package codegen

import (
	"strconv"

	"heddle/internal/lazy"
)

// This file has near addresses (ptxnear.go) be found where LLVM counts an index in bytes, as it does of elements of which one is a constant
// further than another. It makes two addresses then:
//
//	%p = getelementptr float, ptr %in, i64 %wide
//	%bytes = shl nuw nsw i64 %wide, 2
//	%q = getelementptr i8, ptr %in, i64 %bytes        ->   %q = getelementptr float, ptr %p, i64 0
//	%p1 = getelementptr i8, ptr %q, i64 4

var nearBytes = lazy.Regexp{Expr: `^shl nuw (?:nsw )?i64 (` + valueName + `), ([1-4])(?:,|$)`}

// counted are an element's type and its index, as those of whole elements where they are of bytes.
func (n *nearer) counted(typ, index, fields string) (string, string) {
	v := n.values[index]
	if typ != "i8" || fields != "" || v == nil {
		return typ, index
	}
	m := nearBytes.Get().FindStringSubmatch(v.text)
	if m == nil || n.indexOf(m[1]) == nil {
		return typ, index
	}
	k, _ := strconv.Atoi(m[2])
	return [...]string{"i8", "i16", "i32", "i64", "i128"}[k], m[1]
}

// sizedAs is a type that is as large, one for all numbers of a size: addresses do not depend on what lies there.
func sizedAs(typ string) string {
	switch typ {
	case "half", "bfloat":
		return "i16"
	case "float":
		return "i32"
	case "double":
		return "i64"
	}
	return typ
}
