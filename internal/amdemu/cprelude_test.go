package amdemu_test

import (
	"fmt"
	"strings"
)

// cprelude is what random programs begin with: the types' names and functions for
// what C leaves undefined, or what would tell one processor from another.
func cprelude() string {
	var b strings.Builder
	b.WriteString(`
#ifdef __AMDGCN__
#define GLOBAL __attribute__((address_space(1)))
#define HIDE(x) __asm__ volatile("" : "+v"(x))
#else
#include <stdio.h>
#define GLOBAL
#define HIDE(x)
#endif
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned u32; typedef long i64; typedef unsigned long u64;
typedef __int128 i128; typedef unsigned __int128 u128;
typedef _Float16 f16; typedef float f32; typedef double f64;
#define INLINE static inline __attribute__((always_inline))
INLINE u32 ones(u64 x) { return __builtin_popcountl(x); }
INLINE u32 clz(u64 x) { return x ? __builtin_clzl(x) : 97; }
INLINE u32 ctz(u64 x) { return x ? __builtin_ctzl(x) : 96; }
`)
	for _, c := range ctypes {
		switch t := c.name; {
		case c.n > 1:
			fmt.Fprintf(&b, "typedef %s %s __attribute__((ext_vector_type(%d)));\n", c.of, t, c.n)
		case c.float:
			fmt.Fprintf(&b, "INLINE %s sign_%s(%s a, %s b) { return b == b ? __builtin_elementwise_copysign(a, b) : a; }\n", t, t, t, t)
			fmt.Fprintf(&b, "INLINE %s in_%s(u64 x) { union { u%d i; %s f; } u; u.i = x; return u.f; }\n", t, t, c.bits, t)
			fmt.Fprintf(&b, "INLINE u64 out_%s(%s x) { union { u%d i; %s f; } u; u.f = x; return x != x ? 12345 : x == 0 ? 0 : u.i; }\n", t, t, c.bits, t)
		default:
			cinteger(&b, c)
		}
	}
	return b.String()
}

// cinteger writes the functions of an integer type.
func cinteger(b *strings.Builder, c ctype) {
	t, zero, hide, wider := c.name, "b == 0", "", fmt.Sprintf("%c%d", c.name[0], 2*c.bits)
	if t[0] == 'i' {
		zero = "b == 0 || b == -1"
	}
	// LLVM 19 divides unsigned numbers that have many equal upper bits as if they were
	// signed: udiv (sext i8), (and 31) gets 7 bits.
	if t == "u32" || t == "u64" {
		hide = "HIDE(a); "
	}
	fmt.Fprintf(b, "INLINE %s div_%s(%s a, %s b) { %sreturn %s ? a : a / b; }\n", t, t, t, t, hide, zero)
	fmt.Fprintf(b, "INLINE %s rem_%s(%s a, %s b) { %sreturn %s ? b : a %% b; }\n", t, t, t, t, hide, zero)
	fmt.Fprintf(b, "INLINE %s mulhi_%s(%s a, %s b) { return (%s)a * b >> %d; }\n", t, t, t, t, wider, c.bits)
	fmt.Fprintf(b, "INLINE %s in_%s(u64 x) { return x; }\nINLINE u64 out_%s(%s x) { return x; }\n", t, t, t, t)
	low, high := "-1.0", fmt.Sprintf("0x1p%d", c.bits)
	if t[0] == 'i' {
		high = fmt.Sprintf("0x1p%d", c.bits-1)
		low = "-" + high
	} else {
		fmt.Fprintf(b, "INLINE %s rot_%s(%s a, u32 n) { n &= %d; return a << n | a >> (-n & %d); }\n", t, t, t, c.bits-1, c.bits-1)
	}
	for _, f := range []string{"f16", "f32", "f64"} {
		as := "f"
		if f == "f64" {
			as = ""
		}
		fmt.Fprintf(b, "INLINE %s %s_to_%s(%s x) { return x > %s%s && x < %s%s ? (%s)x : 77; }\n", t, f, t, f, low, as, high, as, t)
	}
}
