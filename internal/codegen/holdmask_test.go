package codegen

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// twoThreads compares the thread's index with two numbers, and stores both results and their
// LOGIC, "or" or "xor".
const twoThreads = `
declare i32 @heddle.thread.x() nofree nosync nounwind speculatable willreturn readnone
@heddle_shared_size = constant i64 0
define void @k(ptr %in, ptr %out, i1 %c) {
  %t = call i32 @heddle.thread.x()
  %pb = getelementptr i32, ptr %in, i64 1
  %a = load i32, ptr %in
  %b = load i32, ptr %pb
  %first = icmp eq i32 %t, %a
  %last = icmp eq i32 %t, %b
  %edge = LOGIC i1 %first, %last
  %i = zext i32 %t to i64
  %p = getelementptr i8, ptr %out, i64 %i
  %pf = getelementptr i8, ptr %p, i64 1024
  %pl = getelementptr i8, ptr %p, i64 2048
  br i1 %c, label %then, label %done
then:
  %f = zext i1 %first to i8
  store i8 %f, ptr %pf
  br label %done
done:
  %e = zext i1 %edge to i8
  store i8 %e, ptr %p
  br i1 %last, label %more, label %end
more:
  store i8 1, ptr %pl
  br label %end
end:
  ret void
}
`

// Masks of one thread each, and both together, compile and do not do so for ever (LLVM 19,
// for AVX-512). The compiling is that of a process of its own, as nothing ends it.
func TestHoldMasks(t *testing.T) {
	skipWithoutLLVM(t)
	if os.Getenv(envChild) == "" {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestHoldMasks$")
		cmd.Env = append(os.Environ(), envChild+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v (%v)\n%s", err, ctx.Err(), out)
		}
		return
	}
	for _, arch := range []string{"x86-64-v3", "x86-64-v4"} {
		for _, warp := range []int{16, 32, 64} {
			for _, logic := range []string{"or", "xor"} {
				for _, level := range []int{1, 3} {
					fmt.Fprintln(os.Stderr, arch, warp, logic, level) // the last line tells what does not end
					r := hostRequest(strings.ReplaceAll(twoThreads, "LOGIC", logic), arch)
					r.WarpSize, r.Passes = warp, fmt.Sprintf("default<O%d>", level)
					if _, err := Emit(r); err != nil {
						t.Errorf("%s, warps of %d, %s, O%d: %v", arch, warp, logic, level, err)
					}
				}
			}
		}
	}
}
