package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// besides is a function with blocks one behind another, each of them beside a way around it. A block loads or stores at the index that some lines compute.
func besides(param string, blocks ...string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "\ndefine ptx_kernel void @k(ptr addrspace(1)%s%%p, i32 %%a, i32 %%b, i1 %%c0, i1 %%c1, i1 %%c2) {\nentry:\n  %%n = add nuw i32 %%a, 7\n  br label %%test0\n", param)
	for i, body := range blocks {
		fmt.Fprintf(&w, "\ntest%[1]d:\n  br i1 %%c%[1]d, label %%use%[1]d, label %%test%[2]d\n\nuse%[1]d:\n%[3]s\n  %%wide%[1]d = zext i32 %%i%[1]d to i64\n"+
			"  %%p%[1]d = getelementptr inbounds float, ptr addrspace(1) %%p, i64 %%wide%[1]d\n  store float 1.0, ptr addrspace(1) %%p%[1]d, align 4\n  br label %%test%[2]d\n", i, i+1, body)
	}
	fmt.Fprintf(&w, "\ntest%d:\n  ret void\n}\n", len(blocks))
	return w.String()
}

// Addresses of three blocks beside each other are made of one ahead of these, where no sum wraps around, or the slice is short.
func TestAddressesAhead(t *testing.T) {
	skipWithoutLLVM(t)
	const short = ` "heddle.short"="4" `
	sum := func(flags, i, k string) string {
		return fmt.Sprintf("  %%s%[2]s = add %[1]si32 %%n, %[3]s\n  %%i%[2]s = add %[1]si32 %%s%[2]s, %%b", flags, i, k)
	}
	for _, c := range []struct {
		name, text string
		want       []string // "": no address is ahead
	}{
		{"sums", besides(" ", sum("nuw ", "0", "1"), sum("nuw ", "1", "0"), sum("nuw ", "2", "5")), []string{
			" = zext i32 %heddle.ahead.", "\n  br i1 %c0,", "%p0 = getelementptr float, ptr addrspace(1) %heddle.ahead.3, i64 1", "%p2 = getelementptr float, ptr addrspace(1) %heddle.ahead.3, i64 5"}},
		{"sums that may wrap around", besides(" ", sum("", "0", "1"), sum("", "1", "0"), sum("", "2", "5")), nil},
		{"of a short slice", besides(short, sum("", "0", "1"), sum("", "1", "-3"), sum("", "2", "5")), []string{
			" = sext i32 %heddle.ahead.", "%p0 = getelementptr float, ptr addrspace(1) %heddle.ahead.3, i64 4", "%p1 = getelementptr float, ptr addrspace(1) %heddle.ahead.3, i64 0", "i64 8"}},
		{"the same one", besides(short, sum("", "0", "1"), sum("", "1", "1"), sum("", "2", "1")), []string{"%p2 = getelementptr float, ptr addrspace(1) %heddle.ahead.3, i64 0"}},
		{"two blocks", besides(short, sum("", "0", "1"), sum("", "1", "0")), nil},
		{"other indices", besides(short, sum("", "0", "1"), sum("", "1", "2"), "  %i2 = mul i32 %n, %b"), nil},
		{"far away", besides(short, sum("", "0", "1"), sum("", "1", "2"), sum("", "2", "2000000")), nil},
		{"a number of the block", besides(short, "  %l0 = load i32, ptr addrspace(1) %p\n  %i0 = add i32 %l0, 1", "  %l1 = load i32, ptr addrspace(1) %p\n  %i1 = add i32 %l1, 1", "  %l2 = load i32, ptr addrspace(1) %p\n  %i2 = add i32 %l2, 1"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			near, _ := nearAddresses(c.text)
			if strings.Contains(near, "%heddle.ahead.") != (c.want != nil) {
				t.Errorf("want %d:\n%s", len(c.want), near)
			}
			for _, want := range c.want {
				if !strings.Contains(near, want) {
					t.Errorf("want %q:\n%s", want, near)
				}
			}
			if _, err := Assembly(request(strings.Replace(near, "ptx_kernel", "KERNEL", 1), "k", "sm_90")); err != nil {
				t.Errorf("%v\n%s", err, near)
			}
		})
	}
}

// An address that has less than the one ahead is not made of it: that one may be beyond what 32 bits with a sign hold.
func TestAddressAheadIsLeast(t *testing.T) {
	text := besides(` "heddle.short"="4" `, "  %i0 = add i32 %n, 3", "  %i1 = add i32 %n, 4", "  %i2 = add i32 %n, 5")
	text = strings.Replace(text, "\ntest3:\n", "\ntest3:\n  br label %loop\n\nloop:\n  %less = add i32 %n, 2\n  %wide = zext i32 %less to i64\n"+
		"  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %wide\n  store float 2.0, ptr addrspace(1) %q, align 4\n  br i1 %c0, label %loop, label %end\n\nend:\n", 1)
	near, _ := nearAddresses(text)
	if !strings.Contains(near, "%p2 = getelementptr float, ptr addrspace(1) %heddle.ahead.2, i64 2") || !strings.Contains(near, "%q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %wide\n") {
		t.Error(near)
	}
}
