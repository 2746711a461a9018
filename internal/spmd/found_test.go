package spmd

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"heddle/internal/abi"
	"heddle/internal/driver/cpu"
	"heddle/internal/llvm"
	"heddle/internal/native"
	"heddle/internal/spmd/ll"
)

// Functions that an analysis was wrong about, or the code: the least of what
// TestClaims and TestRuns found, and their like. Each stores to %mine.
var found = []struct{ name, body string }{
	// What the lanes span is more than 64 bits hold.
	{"quotient of a wide stride", `
  %h = mul i64 %x, 6364136223846793005
  %r = lshr i64 %h, 4
  store i64 %r, ptr %mine, align 8
  ret void`},
	{"remainder of a wide stride", `
  %h = mul i64 %x, 2305843009213693951
  %r = urem i64 %h, 8
  store i64 %r, ptr %mine, align 8
  ret void`},
	{"low bits of a wide stride", `
  %h = mul i64 %x, 2305843009213693951
  %r = and i64 %h, 255
  store i64 %r, ptr %mine, align 8
  ret void`},
	// A variable whose first value is undefined, and all others of it: its product by 0 is not, and the sum is each thread's own.
	{"a variable that begins undefined", `
  br label %loop
loop:
  %v = phi i64 [ undef, %0 ], [ %w, %loop ]
  %i = phi i64 [ 0, %0 ], [ %i1, %loop ]
  %z = and i64 %i, 0
  %p = mul i64 %v, %z
  %w = xor i64 %p, %x
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, 3
  br i1 %c, label %loop, label %done
done:
  store i64 %w, ptr %mine, align 8
  ret void`},
	// Thread 5's operands have no bit in common, thread 0's have: its sum is all
	// lanes', its disjunction is not.
	{"a disjunction that is uniform", `
  %u = add i64 %x, 3
  %w = sub i64 5, %x
  %o = or disjoint i64 %u, %w
  %c = icmp eq i64 %x, 5
  br i1 %c, label %then, label %done
then:
  store i64 %o, ptr %mine, align 8
  br label %done
done:
  ret void`},
	{"a disjunction of patterns that is uniform", `
  %p = xor i64 %x, 1
  %u = add i64 %p, 3
  %w = sub i64 5, %p
  %o = or disjoint i64 %u, %w
  %c = icmp eq i64 %x, 4
  br i1 %c, label %then, label %done
then:
  store i64 %o, ptr %mine, align 8
  br label %done
done:
  ret void`},
	// Thread 0's operands have bits in common, and what comes of it is not looked at.
	{"a disjunction whose lane 0 is poison", `
  %u = add i64 %x, %x
  %w = add i64 %u, -1
  %o = or disjoint i64 %w, 42
  %f = and i64 %w, 42
  %c = icmp eq i64 %f, 0
  br i1 %c, label %then, label %done
then:
  store i64 %o, ptr %mine, align 8
  br label %done
done:
  ret void`},
	// Masks of one lane each, which LLVM 19 made integers and masks again for ever.
	{"masks of one lane, joined", `
  %ka = and i32 %n, 31
  %first = icmp eq i32 %t, %ka
  %kb = lshr i32 %n, 3
  %kc = and i32 %kb, 15
  %last = icmp eq i32 %t, %kc
  %edge = xor i1 %first, %last
  %either = or i1 %first, %last
  %c = icmp slt i64 %m, 0
  br i1 %c, label %then, label %done
then:
  %f = zext i1 %first to i64
  store i64 %f, ptr %mine, align 8
  br label %done
done:
  %e = zext i1 %edge to i64
  %l = zext i1 %last to i64
  %l2 = shl i64 %l, 1
  %o = zext i1 %either to i64
  %o4 = shl i64 %o, 2
  %el = or i64 %e, %l2
  %all = or i64 %el, %o4
  store i64 %all, ptr %mine, align 8
  br i1 %last, label %more, label %end
more:
  store i64 9, ptr %mine, align 8
  br label %end
end:
  ret void`},
}

// foundText is a module of a function of found.
func foundText(body string) string {
	params := make([]string, len(RandomParams))
	for n, p := range RandomParams {
		params[n] = p.Type + " %" + p.Name
	}
	return "define void @k(" + strings.Join(params, ", ") + `) {
  %t = call i32 @heddle.thread.x(), !range !0
  %x = zext i32 %t to i64
  %dx = call i32 @heddle.dim.x(), !range !1
  %dy = call i32 @heddle.dim.y(), !range !1
  %ty = call i32 @heddle.thread.y(), !range !0
  %tz = call i32 @heddle.thread.z(), !range !0
  %zy = mul i32 %tz, %dy
  %above = add i32 %zy, %ty
  %row = mul i32 %above, %dx
  %lin = add i32 %row, %t
  %lin64 = zext i32 %lin to i64
  %mine = getelementptr i64, ptr %out, i64 %lin64` + body + `
}
declare i32 @heddle.thread.x()
declare i32 @heddle.thread.y()
declare i32 @heddle.thread.z()
declare i32 @heddle.dim.x()
declare i32 @heddle.dim.y()
!0 = !{i32 0, i32 1024}
!1 = !{i32 1, i32 1025}
`
}

// TestFoundClaims holds what the analyses say of the functions against their values.
func TestFoundClaims(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range found {
		t.Run(c.name, func(t *testing.T) {
			mod, err := ll.Parse(foundText(c.body))
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range forms {
				for range 20 {
					if why, err := refuteOnce(mod.Func("k"), o, r, map[string]int{}); err != nil || why != "" {
						t.Fatalf("in gangs of %+v: %v %s", o, err, why)
					}
				}
			}
		})
	}
}

// TestFoundRuns compiles the functions and holds what they store against the scalar code.
func TestFoundRuns(t *testing.T) {
	lib, err := llvm.Open()
	if err != nil {
		t.Skip(err)
	}
	if err := native.Supported(); err != nil {
		t.Skip(err)
	}
	d, err := cpu.New().Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range found {
		for _, lanes := range []int{0, 4, 8, 16, 32} {
			text := foundText(c.body)
			mod, err := ll.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Kernel: "k", ISA: d.Info().Arch, WarpSize: 32, Lanes: lanes}
			vector, err := Vectorize(text, o)
			if err != nil {
				t.Fatal(err)
			}
			code, err := compileVector(lib, vector, o.ISA)
			if err != nil {
				t.Fatal(err)
			}
			f, err := d.Load(&abi.Object{Kind: abi.Native, Arch: o.ISA, WarpSize: o.WarpSize, Kernel: "k", Name: "found", Code: code,
				Sites: []abi.Site{{File: "found.ll", Line: 1}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, block := range blocks {
				if ran, err := launchOne(d, f, mod.Func("k"), block, 1, o.WarpSize, r); err != nil || ran == 0 {
					t.Errorf("%s, %d lanes, blocks of %v: %d launches, %v", c.name, lanes, block, ran, err)
					break
				}
			}
			f.Close()
		}
	}
}

// Lanes' addresses may lie further apart than 32 bits tell, and so far that the way
// from the first to the last is more than 64 bits hold.
func TestFarAddresses(t *testing.T) {
	for _, c := range []struct {
		shift   int
		offsets string // of lanes in the vector code, if they are constants there
	}{{28, "i64 2147483648, "}, {30, "i64 2147483648, "}, {40, ""}, {60, ""}, {61, ""}, {63, ""}} {
		text := fmt.Sprintf(`define void @k(ptr %%out) {
  %%t = call i32 @heddle.thread.x(), !range !0
  %%x = zext i32 %%t to i64
  %%s = call ptr @heddle.shared(i64 0)
  %%o = shl i64 %%x, %d
  %%p = getelementptr i8, ptr %%s, i64 %%o
  %%v = load i8, ptr %%p, align 1
  store i8 %%v, ptr %%p, align 1
  %%q = getelementptr i8, ptr %%out, i64 %%o
  %%w = load i8, ptr %%q, align 1
  store i8 %%w, ptr %%q, align 1
  ret void
}
declare i32 @heddle.thread.x()
declare ptr @heddle.shared(i64)
!0 = !{i32 0, i32 1024}
`, c.shift)
		ended := make(chan string)
		go func() {
			out, err := Vectorize(text, Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32, Lanes: 16})
			if err != nil {
				t.Error(err)
			}
			ended <- out
		}()
		select {
		case out := <-ended:
			_, row, _ := strings.Cut(out, "define internal void @heddle.kernel.row")
			row, _, _ = strings.Cut(row, "\n}\n")
			if strings.Contains(row, "i32 -2147483648") || !strings.Contains(row, c.offsets) {
				t.Errorf("shifted by %d:\n%s", c.shift, row)
			}
		case <-time.After(5 * time.Minute):
			t.Errorf("shifted by %d: it does not end", c.shift)
		}
	}
}
