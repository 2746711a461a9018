// Package discover makes kernels in many ways, for a test: the comment at each
// call of kernel.New names the functions that may come to it.
package discover

import (
	"os"
	"reflect"

	"heddle/kernel"
	"heddle/launch"
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
		kernel.Typed(declared), // want declared
		kernel.TypedWith(made(5), kernel.Options{NoBounds: true}),    // want made.func1
		kernel.Go(nil, launch.Config{}, func(v []int) { v[0] = 11 }), // want forms.func6
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

// A registry: as many kernels as there are calls, and no more.
type body func(int) int

func register(f body) *kernel.Kernel {
	return kernel.New(func(v []int) { v[0] = f(v[0]) }) // want 70 x register.func1
}

var registered = []*kernel.Kernel{
	register(func(x int) int { return x + 0 }), register(func(x int) int { return x + 1 }), register(func(x int) int { return x + 2 }), register(func(x int) int { return x + 3 }), register(func(x int) int { return x + 4 }),
	register(func(x int) int { return x + 5 }), register(func(x int) int { return x + 6 }), register(func(x int) int { return x + 7 }), register(func(x int) int { return x + 8 }), register(func(x int) int { return x + 9 }),
	register(func(x int) int { return x + 10 }), register(func(x int) int { return x + 11 }), register(func(x int) int { return x + 12 }), register(func(x int) int { return x + 13 }), register(func(x int) int { return x + 14 }),
	register(func(x int) int { return x + 15 }), register(func(x int) int { return x + 16 }), register(func(x int) int { return x + 17 }), register(func(x int) int { return x + 18 }), register(func(x int) int { return x + 19 }),
	register(func(x int) int { return x + 20 }), register(func(x int) int { return x + 21 }), register(func(x int) int { return x + 22 }), register(func(x int) int { return x + 23 }), register(func(x int) int { return x + 24 }),
	register(func(x int) int { return x + 25 }), register(func(x int) int { return x + 26 }), register(func(x int) int { return x + 27 }), register(func(x int) int { return x + 28 }), register(func(x int) int { return x + 29 }),
	register(func(x int) int { return x + 30 }), register(func(x int) int { return x + 31 }), register(func(x int) int { return x + 32 }), register(func(x int) int { return x + 33 }), register(func(x int) int { return x + 34 }),
	register(func(x int) int { return x + 35 }), register(func(x int) int { return x + 36 }), register(func(x int) int { return x + 37 }), register(func(x int) int { return x + 38 }), register(func(x int) int { return x + 39 }),
	register(func(x int) int { return x + 40 }), register(func(x int) int { return x + 41 }), register(func(x int) int { return x + 42 }), register(func(x int) int { return x + 43 }), register(func(x int) int { return x + 44 }),
	register(func(x int) int { return x + 45 }), register(func(x int) int { return x + 46 }), register(func(x int) int { return x + 47 }), register(func(x int) int { return x + 48 }), register(func(x int) int { return x + 49 }),
	register(func(x int) int { return x + 50 }), register(func(x int) int { return x + 51 }), register(func(x int) int { return x + 52 }), register(func(x int) int { return x + 53 }), register(func(x int) int { return x + 54 }),
	register(func(x int) int { return x + 55 }), register(func(x int) int { return x + 56 }), register(func(x int) int { return x + 57 }), register(func(x int) int { return x + 58 }), register(func(x int) int { return x + 59 }),
	register(func(x int) int { return x + 60 }), register(func(x int) int { return x + 61 }), register(func(x int) int { return x + 62 }), register(func(x int) int { return x + 63 }), register(func(x int) int { return x + 64 }),
	register(func(x int) int { return x + 65 }), register(func(x int) int { return x + 66 }), register(func(x int) int { return x + 67 }), register(func(x int) int { return x + 68 }), register(func(x int) int { return x + 69 }),
}

func both(f, g body) *kernel.Kernel {
	return kernel.New(func(v []int) { v[0] = f(g(v[0])) }) // want 3 x both.func1
}

var _, _, _ = both(double, triple), both(triple, double), both(double, double)

func triple(x int) int { return 3 * x }

// Through methods, interfaces, func values and variadic parameters.
type adder interface{ add(f func([]int32)) }

type registry struct{ all []*kernel.Kernel }

func (r *registry) add(f func([]int32)) {
	r.all = append(r.all, kernel.New(f)) // want forms2.func1
}

type holder struct {
	make func(func([]int32)) *kernel.Kernel
}

func several(fs ...func([]int32)) {
	for _, f := range fs {
		kernel.New(f) // want forms2.func3, forms2.func4
	}
}

func forms2() {
	var a adder = &registry{}
	a.add(func(v []int32) { v[0] = 1 })
	h := holder{func(f func([]int32)) *kernel.Kernel {
		return kernel.New(f) // want forms2.func5
	}}
	several(func(v []int32) { v[0] = 3 }, func(v []int32) { v[0] = 4 })
	h.make(func(v []int32) { v[0] = 5 })
	t := &thing{1}
	for _, f := range []func([]int){t.value, t.changed} {
		kernel.New(f) // want thing.value, (*thing).changed
	}
	others := []func([]int){declared} // made into no kernel
	others[0](nil)
	for _, row := range rows {
		kernel.New(row.f) // want rows.func1, declared
	}
	for _, f := range array {
		kernel.New(f) // want array.func1, array.func2
	}
}

var rows = []*struct {
	name string
	f    func([]int)
}{{"literal", func(v []int) { v[0] = 7 }}, {"declared", declared}}

var array = [2]func([]int){func(v []int) { v[0] = 8 }, func(v []int) { v[0] = 9 }}
