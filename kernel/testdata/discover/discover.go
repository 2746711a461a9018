// Package discover makes kernels in many ways, for a test: the comment at each
// call of kernel.New names the functions that may come to it.
package discover

import (
	"os"
	"reflect"

	"heddle/kernel"
)

func declared(v []int) { v[0] = 1 }

func generic[T int | int32](v []T) { v[0] = T(2) }

type thing struct{ n int }

func (t thing) value(v []int) { v[0] = t.n }

func (t *thing) changed(v []int) { v[0]++ }

type wrapper struct{ thing }

type pair struct {
	first, second func([]int)
}

var (
	global   = func(v []int) { v[0] = 3 }
	table    = map[string]func([]int){"a": func(v []int) { v[0] = 4 }, "b": declared}
	list     = []func([]int){func(v []int) { v[0] = 5 }}
	assigned func([]int)
)

var atInit = kernel.New(declared) // want declared

func init() {
	if len(os.Args) > 3 {
		assigned = declared
	} else {
		assigned = func(v []int) { v[0] = 6 }
	}
}

func made(n int) func([]int) { return func(v []int) { v[0] = n } }

func in[T int | int32](n T) *kernel.Kernel {
	return kernel.New(func(v []T) { v[0] = n }) // want in[int].func1, in[int32].func1
}

func passed(f func([]int)) *kernel.Kernel { return kernel.New(f) } // want declared, forms.func4

func hooked(f func(int) int) *kernel.Kernel {
	return kernel.New(func(v []int) { v[0] = f(v[0]) }) // want hooked.func1, hooked.func1
}

func double(x int) int { return 2 * x }

func forms() []any {
	t := thing{len(os.Args)}
	p := pair{declared, func(v []int) { v[0] = 7 }}
	ch := make(chan func([]int), 1)
	ch <- func(v []int) { v[0] = 8 }
	var local func([]int)
	local = func(v []int) { v[0] = 9 }
	n := 3
	return []any{
		kernel.New(generic[int32]),   // want generic[int32]
		kernel.New(global),           // want global.func1
		kernel.New(table["a"]),       // want table.func2, declared
		kernel.New(list[0]),          // want list.func3
		kernel.New(assigned),         // want declared, init.func1
		kernel.New(made(4)),          // want made.func1
		kernel.New(t.value),          // want thing.value
		kernel.New(wrapper{t}.value), // want thing.value
		kernel.New(p.second),         // want forms.func1
		kernel.New(<-ch),             // want forms.func2
		kernel.New(local),            // want forms.func3
		in(1), in(int32(2)),          //
		passed(declared),                         //
		passed(func(v []int) { v[0] = 10 }),      //
		hooked(double),                           //
		hooked(func(x int) int { return x + n }), //
		kernel.NewWith(declared, kernel.Options{NoBounds: true, MaxThreads: 64}), // want declared
		kernel.NewWith(declared, kernel.Options{MaxThreads: n * len(os.Args)}),   // unknown: options of kernel .* are not all constants
		kernel.NewWith(made(n), kernel.Options{Specialize: []string{"n"}}),       // unknown: options of kernel
	}
}

// What an interface holds may be of another type than it is asserted to be.
func asserted() *kernel.Kernel {
	var x any = declared
	if len(os.Args) > 5 {
		x = made
	}
	return kernel.New(x.(func(int) func([]int))(3)) // want made.func1
}

// One of two is known only when the program runs.
func mixed(x any) *kernel.Kernel {
	if len(os.Args) > 5 {
		x = declared
	}
	return kernel.New(x) // want declared, and unknown ones
}

func unknown(name string, x any) []any {
	return []any{
		kernel.New(reflect.ValueOf(declared).Interface()), // unknown: known only when the program runs
		kernel.New(x), // unknown: known only when the program runs
		kernel.New(func(v []int) { v[0] = len(name) }),        // unknown: captures the string name
		kernel.New(func(v []int) { v[0] = map[int]int{}[0] }), // fault: map in kernel
	}
}
