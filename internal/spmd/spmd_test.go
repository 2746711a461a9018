package spmd

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The kernel as it runs where a gang lies in a row, for small gangs.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ll")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data: ", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ll")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out, err := Vectorize(string(text), Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32, Lanes: lanesIn(name)})
			if err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(out, "define internal void @heddle.kernel.row")
			body, _, _ = strings.Cut(body, "\n}\n")
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(body), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if body != string(want) {
				t.Errorf("%s differs (-update writes it anew):\n%s", golden, body)
			}
		})
	}
}

// Empty structs and arrays are passed and returned as any other.
func TestEmpty(t *testing.T) {
	const text = `
declare i32 @heddle.thread.x() nofree nosync nounwind speculatable willreturn readnone
define internal { {}, [0 x i32] } @f({} %e, [0 x i32] %z, ptr %p) noinline {
  store i32 1, ptr %p
  %r = insertvalue { {}, [0 x i32] } poison, {} %e, 0
  ret { {}, [0 x i32] } %r
}
define void @k(ptr %p) {
  %x = call i32 @heddle.thread.x()
  %q = getelementptr i32, ptr %p, i32 %x
  %r = call { {}, [0 x i32] } @f({} zeroinitializer, [0 x i32] zeroinitializer, ptr %q)
  ret void
}
`
	out, err := Vectorize(text, Options{Kernel: "k", ISA: "x86-64-v4", WarpSize: 32, Lanes: 4})
	if err != nil || !strings.Contains(out, "{ {  }, [0 x <4 x i32>] }") {
		t.Errorf("%v\n%s", err, out)
	}
}

// lanesIn is a gang that keeps the golden file small, where warps need not be whole.
func lanesIn(name string) int {
	if name == "barrier" {
		return 0
	}
	return 4
}

func TestShapes(t *testing.T) {
	const vary = "varying"
	want := map[string]map[string]string{
		"saxpy": {"b": "uniform", "start": "uniform", "t": "linear 1", "i": "linear 1", "xp": "linear 4", "xv": vary, "inside": vary},
		// The count differs between the lanes only outside the loop.
		"loop":    {"i": "uniform", "end": "uniform", "v": vary, "zero": vary, "count": vary, "p": "linear 4"},
		"barrier": {"l": "linear 1", "w": "uniform", "low": "linear 1", "p": "uniform", "up": vary, "v": "uniform", "q": "linear 4"},
	}
	for name, values := range want {
		text, err := os.ReadFile("testdata/" + name + ".ll")
		if err != nil {
			t.Fatal(err)
		}
		mod, err := ll.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		f := mod.Func("k")
		params := map[*ll.Param]divergence.Shape{}
		for _, p := range f.Params {
			params[p] = divergence.IsUniform
		}
		a := divergence.Analyse(f, 32, 32, true, 0, params)
		for i, s := range a.Shapes {
			if w, ok := values[i.Name]; ok && s.Describe() != w {
				t.Errorf("%s: %%%s is %s, want %s", name, i.Name, s.Describe(), w)
			}
			delete(values, i.Name)
		}
		for v := range values {
			t.Errorf("%s has no %%%s", name, v)
		}
	}
}

// Each lane reads from the lane that the simulator's threads would read from.
func TestSources(t *testing.T) {
	for _, c := range []struct {
		kind       string
		arg, width int64
		lane, want int
	}{
		{"idx", 5, 32, 9, 5}, {"idx", 5, 4, 9, 9}, {"idx", -1, 32, 3, 31},
		{"up", 1, 32, 0, 0}, {"up", 1, 32, 7, 6}, {"up", 3, 4, 6, 6}, {"up", -1, 32, 7, 7},
		{"down", 1, 32, 31, 31}, {"down", 16, 32, 3, 19}, {"down", 2, 4, 6, 6},
		{"xor", 1, 32, 6, 7}, {"xor", 8, 4, 3, 3}, {"xor", -1, 32, 3, 3},
	} {
		if got := sources("heddle.shuffle."+c.kind, 32, c.arg, c.width)[c.lane]; got != c.want {
			t.Errorf("%s %d of %d: lane %d reads %d, want %d", c.kind, c.arg, c.width, c.lane, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"not LLVM", "line 1"},
		{"define void @other() {\n  ret void\n}\n", "does not define k"},
		{"define void @k(i32 %x) {\n  switch i32 %x, label %a [ i32 1, label %a ]\na:\n  ret void\n}\n", "terminator switch"},
		{"define void @k(ptr %p) {\n  store i1 true, ptr %p\n  ret void\n}\n", "a value of type i1 in memory"},
		{"define void @k(ptr %p) {\n  %a = getelementptr { i32, [4 x i33] }, ptr %p, i64 1\n  ret void\n}\n", "a value of type i33 in memory"},
		{"define void @k(ptr %p) {\n  %a = alloca [4 x i1]\n  ret void\n}\n", "a value of type i1 in memory"},
		{"define void @k(ptr %f) {\n  call void %f()\n  ret void\n}\n", "call of"},
	} {
		if _, err := Vectorize(c.text, Options{Kernel: "k", ISA: "x86-64-v3", WarpSize: 32}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
