package codegen

import (
	"fmt"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// checked is a kernel that checks n times in a loop.
func checked(n int) *Request {
	var b strings.Builder
	b.WriteString("define void @k(ptr %p, i64 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %ok" + fmt.Sprint(n-1) + " ]\n  br label %c0\n")
	for k := range n {
		fmt.Fprintf(&b, "c%d:\n  %%a%d = getelementptr i64, ptr %%p, i64 %d\n  %%x%d = load i64, ptr %%a%d\n  %%bad%d = icmp uge i64 %%x%d, %%n\n", k, k, k, k, k, k, k)
		fmt.Fprintf(&b, "  br i1 %%bad%d, label %%fail%d, label %%ok%d\nfail%d:\n  call void @heddle.panic(i32 %d, i64 %%x%d, i64 %%n)\n  unreachable\nok%d:\n  store i64 %%i, ptr %%a%d\n", k, k, k, k, k, k, k, k)
		if k < n-1 {
			fmt.Fprintf(&b, "  br label %%c%d\n", k+1)
		}
	}
	fmt.Fprintf(&b, "  %%next = add i64 %%i, 1\n  %%more = icmp ult i64 %%next, %%n\n  br i1 %%more, label %%loop, label %%end\nend:\n  ret void\n}\ndeclare void @heddle.panic(i32, i64, i64) cold noreturn nounwind\n")
	return &Request{IR: []byte(b.String()), Triple: "x86_64-unknown-linux-gnu", CPU: "x86-64-v3", Kind: abi.Native, Kernel: "k", WarpSize: 32}
}

// Where a function has very many checks, they share the calls that end the launch, in the
// code of a thread and in that of a warp.
func TestPanicsShared(t *testing.T) {
	if _, err := llvm.Open(); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct{ checks, most int }{{maxPanics, maxPanics}, {200, 200/sharedPanics + 1}} {
		scalar, err := ScalarIR(checked(test.checks))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(scalar, "call void @heddle.panic("); n > test.most || n < test.most/2 {
			t.Errorf("%d checks: %d calls in the code of a thread, want %d at most", test.checks, n, test.most)
		}
		vector, err := VectorIR(checked(test.checks))
		if err != nil {
			t.Fatal(err)
		}
		forms := strings.Count(vector, "\ndefine internal void @heddle.kernel.")
		if n := strings.Count(vector, "call void @heddle.fail("); n > (test.most+1)*forms+1 {
			t.Errorf("%d checks: %d calls in %d forms of the code of a warp", test.checks, n, forms)
		}
	}
}
