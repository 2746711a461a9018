package codegen

import (
	"strings"
	"testing"
)

// A wrapCase is two indices, and what the address of the second is made of.
type wrapCase struct {
	name, short, body string
	first             []string // what is between the addresses
	last              string   // what is made of the second one
	want              string
}

const wrapLoad = "%x = load float, ptr addrspace(1) %at.i, align 4"

func wrapCases() []wrapCase {
	return []wrapCase{
		{name: "a sum", body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`, want: "getelementptr float, ptr addrspace(1) %at.i, i64 5"},
		{name: "before", body: `
  %i = add i32 %a, %b
  %j = sub i32 %i, 5`, want: "getelementptr float, ptr addrspace(1) %at.i, i64 -5"},
		{name: "factors", body: `
  %k = add i32 %a, 1
  %i = mul i32 %k, 3
  %l = shl i32 %a, 2
  %j = sub i32 %l, %a`, want: "getelementptr float, ptr addrspace(1) %at.i, i64 -3"},
		{name: "bits that are not set", body: `
  %k = shl i32 %a, 3
  %i = add i32 %k, %b
  %l = or i32 %k, 5
  %j = add i32 %l, %b`, want: "getelementptr float, ptr addrspace(1) %at.i, i64 5"},
		{name: "bits that may be set", body: `
  %k = shl i32 %a, 2
  %i = add i32 %k, %b
  %l = or i32 %k, 5
  %j = add i32 %l, %b`},
		{name: "a row", body: `
  %i = add i32 %a, %b
  %l = add i32 %i, %a
  %j = sub i32 %l, 0`, want: "sext i32 %a to i64"},
		{name: "a row before", body: `
  %i = add i32 %a, %b
  %j = sub i32 %b, 0`, want: "mul nsw i64 %heddle.step.2.one, -1"},
		{name: "a product that is there", body: `
  %w = mul i32 %a, %b
  %i = add i32 %a, %b
  %j = add i32 %i, %w`, want: "sext i32 %w to i64"},
		{name: "a product that is not", body: `
  %o = add i32 %b, 1
  %i = add i32 %a, %b
  %w = mul i32 %a, %o
  %j = add i32 %b, %w`},
		{name: "two rows", body: `
  %i = add i32 %a, %b
  %l = shl i32 %a, 1
  %j = add i32 %i, %l`},
		{name: "an index of others", body: `
  %i = add i32 %a, %b
  %j = add i32 %i, %a
  store i32 %j, ptr addrspace(1) %q, align 4`},
		{name: "many terms", body: many + "  %e = add i32 %d, 1\n  %j = add i32 %s4, %e", want: "getelementptr float, ptr addrspace(1) %at.i, i64 1"},
		{name: "more than many terms", body: many + "  %j = add i32 %i, 1", want: "getelementptr float, ptr addrspace(1) %at.i, i64 1"},
		{name: "a long slice", short: " ", body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`},
		{name: "smaller elements", short: ` "heddle.short"="8" `, body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`},
		{name: "larger elements", short: ` "heddle.short"="2" `, body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`, want: "getelementptr float, ptr addrspace(1) %at.i, i64 5"},
		{name: "an element that may not be there", first: []string{"br i1 %c, label %more, label %end", "", "more:"}, body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`},
		{name: "a call that may not come back", first: []string{"call void @f()", wrapLoad}, body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`},
		{name: "an element of another block", first: []string{wrapLoad, "br i1 %c, label %more, label %end", "", "more:"}, body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`, want: "getelementptr float, ptr addrspace(1) %at.i, i64 5"},
		{name: "an address that is kept", last: "store ptr addrspace(1) %at.j, ptr addrspace(1) %q, align 8", body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`},
		{name: "what is behind the element", last: "%z = getelementptr float, ptr addrspace(1) %at.j, i64 -1\n  store float 0.0, ptr addrspace(1) %z, align 4", body: `
  %i = add i32 %a, %b
  %j = add i32 %i, 5`},
	}
}

// What is near modulo 1<<32 is made of the other address where both elements are known to be there, and of nothing else.
func TestWrappedAddresses(t *testing.T) {
	skipWithoutLLVM(t)
	const element = "getelementptr float, ptr addrspace(1) %p, i64 "
	for _, c := range wrapCases() {
		t.Run(c.name, func(t *testing.T) {
			if c.short == "" {
				c.short = ` "heddle.short"="4" `
			}
			if c.first == nil {
				c.first = []string{wrapLoad}
			}
			text := "\ndeclare void @f()\n\ndefine ptx_kernel void @k(ptr addrspace(1)" + c.short + "%p, ptr addrspace(1) %q, i32 %a, i32 %b, i1 %c) {\nentry:" + c.body + `
  %wide.i = zext i32 %i to i64
  %at.i = ` + element + "%wide.i\n  " + strings.Join(c.first, "\n  ") + `
  %wide.j = zext i32 %j to i64
  %at.j = ` + element + "%wide.j\n  store float 1.0, ptr addrspace(1) %at.j, align 4\n  " + c.last + "\n  br label %end\n\nend:\n  ret void\n}\n"
			text = strings.Replace(text, "\n  more:", "\nmore:", 1)
			near, ok := nearAddresses(text)
			if ok != (c.want != "") || !strings.Contains(near, c.want) {
				t.Errorf("want %q:\n%s", c.want, near)
			}
			if strings.Contains(text, "@f()\n  ") {
				return
			}
			if _, err := Assembly(request(strings.Replace(near, "ptx_kernel", "KERNEL", 1), "k", "sm_90")); err != nil {
				t.Errorf("%v\n%s", err, near)
			}
		})
	}
}

// many is an index of one term more than there may be in an operand.
const many = `
  %s0 = add i32 %a, %b
  %s1 = mul i32 %s0, %s0
  %s2 = mul i32 %s1, %s0
  %s3 = add i32 %s2, %s1
  %s4 = add i32 %s3, %a
  %d = udiv i32 %a, 7
  %i = add i32 %s4, %d
`
