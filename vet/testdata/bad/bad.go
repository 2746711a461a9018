// Package bad has one of every kind of mistake that heddle vet reports.
package bad

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// what the compiler refuses

func mapped(v []int32) {
	m := map[int32]int32{} // want `map in kernel \(use a slice`
	m[1] = 2               // want `map update in kernel`
	v[0] = m[1]            // want `map lookup in kernel`
	helper(v)
}

func helper(v []int32) {
	defer func() {}() // want `defer in kernel \(call the function at the end\)`
	fmt.Println(v[0]) // want `call of fmt.Println, which takes`
}

func generic[T int32 | int64](v []T) {
	v[0] = T(len(make([]T, v[0]))) // want `make of a size known only at run time`
}

var counter int32

func globals(v []int32) {
	v[0] = counter // want `package variable counter \(bad.go:\d+\) in kernel: it may change: bad.go:\d+ writes it`
	counter = 1    // want `write to package variable counter \(bad.go:\d+\) in kernel`
}

func text(s string) {} // want `parameter s: string cannot be passed to a kernel`

type world struct{ name string }

func (w *world) step(v []int32) { // want `captured variable w: string cannot be passed`
	v[0]++
}

func results(v []int32) int { return 1 }

var (
	_ = kernel.New(mapped)
	_ = kernel.New(generic[int32])
	_ = kernel.NewWith(globals, kernel.Options{})
	_ = kernel.New(text)
	_ = kernel.New(results)             // want `a kernel has no results`
	_ = kernel.New(func(v ...int32) {}) // want `a kernel is not variadic`
	_ = kernel.New(3)                   // want `kernel.New\(int\): want a function`
)

func closures() {
	n := 0
	c := make(chan int) // want `captured variable c: channel cannot be passed`
	square := func(x int) int {
		go func() {}() // want `go statement in kernel`
		return x * x
	}
	kernel.New(func(v []int) {
		n = 1 // want `write to captured variable n in kernel`
		v[0] = square(n)
		<-c
	})
	w := &world{}
	kernel.New(w.step)
}

// A literal that calls itself is refused when it runs, if not here.
func recursive() {
	var fact func(n int) int
	fact = func(n int) int { return n * fact(n-1) }
	kernel.New(func(v []int) {
		v[0] = fact(3)
		defer func() {}() // want `defer in kernel`
	})
}

func inGeneric[T any](v []T) *kernel.Kernel {
	return kernel.New(func(v []T) {
		var x any = v[0]
		_ = x.(string) // want `type assertion of string`
	})
}

var InGeneric = inGeneric[int16]

func through(fn func([]int)) *kernel.Kernel { return kernel.NewWith(fn, kernel.Options{}) }

var _ = through(func(v []int) {
	close(make(chan int)) // want `channel in kernel` `close in kernel`
})

// barriers

func branch(v []int32) {
	t := dsl.ThreadIdx().X
	if t < 16 {
		dsl.SyncThreads() // want `some threads of a block may not reach dsl.SyncThreads: the condition at line \d+ differs between threads`
	}
	if v[0] > 3 && dsl.BlockIdx().X > 1 {
		dsl.SyncThreads()
	}
}

func early(v []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(v) {
		return
	}
	v[i] = int32(dsl.SyncThreadsCount(v[i] > 0)) // want `reach dsl.SyncThreadsCount`
}

func strided(v []int32) {
	for i := dsl.ThreadIdx().X; i < len(v); i += dsl.BlockDim().X {
		stage(v) // want `reach stage, which has a barrier in it`
	}
	n := 0
	for i := 0; i < int(v[dsl.LaneID()]); i++ {
		n++
	}
	if n > 3 {
		dsl.SyncThreads() // want `not reach dsl.SyncThreads`
	}
}

func stage(v []int32) {
	if v[1] > 0 {
		dsl.SyncThreads()
	}
}

func passed(v []int32) { deep(v, dsl.WarpID()) }

func deep(v []int32, w int) {
	var a [4]int
	a[1] = w
	switch a[v[0]] {
	case 2:
		dsl.SyncThreads() // want `not reach dsl.SyncThreads`
	}
}

var (
	_ = kernel.New(branch)
	_ = kernel.New(early)
	_ = kernel.New(strided)
	_ = kernel.New(passed)
)

// launches

type pair struct{ a, b int32 }

func scale(p pair, f float32, v []float32, total *int32) { v[0] *= f }

var scaling = kernel.New(scale)

func launches(dev *launch.Device, v *launch.Buffer[float32], n *launch.Buffer[int32], args []any, any1 any) {
	s, cfg, host, p := dev.Stream(), launch.Linear(1, 1), []float32{1}, pair{}
	var one int32
	other := []float32{1}
	_ = scaling.Launch(s, cfg, p, float32(1), v, n)
	_ = scaling.Launch(s, cfg, args...)
	_ = scaling.Launch(s, cfg, p, any1, v, n)
	_ = scaling.Launch(s, cfg, p, float32(1), host, n)                                                              // want `argument 3 \(v\) is host memory \(\[\]float32\); upload it: launch.Upload\(dev, host\)`
	_ = scaling.Launch(s, cfg, p, float32(1), v, &one)                                                              // want `argument 4 \(total\) is host memory \(\*int32\)`
	_ = scaling.Launch(s, cfg, p, float32(1), host[:1], &table[0])                                                  // want `argument 3 \(v\) is host memory` `argument 4 \(total\) is host memory`
	_ = scaling.Launch(s, cfg, p, float32(1), input(3), &p.a)                                                       // want `argument 3 \(v\) is host memory` `argument 4 \(total\) is host memory`
	_ = scaling.Launch(s, cfg, p, float32(1), n.Device(), &v.Device()[0])                                           // want `argument 3 \(v\): have \[\]int32, want \*launch.Buffer\[float32\]$` `argument 4 \(total\): have \*float32, want \*launch.Buffer\[int32\]$`
	_ = scaling.Launch(s, cfg, p, float32(1), &other, n)                                                            // want `argument 3 \(v\) is host memory \(\*\[\]float32\); upload it: launch.Upload\(dev, other\)`
	_ = scaling.Launch(s, cfg, p, float32(1), []float64{1}, n)                                                      // want `argument 3 \(v\) is host memory \(\[\]float64\), want \*launch.Buffer\[float32\]`
	_ = scaling.Launch(s, launch.Config{}, p, float32(1), v, n)                                                     // want `a launch.Config without Grid and Block launches one thread`
	_ = scaling.Launch(s, launch.Config{Shared: 8}, p, float32(1), v, n)                                            // want `a launch.Config without Grid and Block launches one thread`
	_ = scaling.Launch(s, launch.Config{Grid: launch.Dim3{X: v.Len()}}, p, float32(1), v, n)                        // want `a launch.Config without Block launches blocks of one thread`
	_ = scaling.Launch(s, launch.Config{Grid: launch.Dim3{X: 1024}, Block: launch.Dim3{X: 1}}, p, float32(1), v, n) // want `blocks of one thread leave most of a warp idle`
	_ = scaling.Launch(s, launch.Linear(1<<20, 1), p, float32(1), v, n)                                             // want `blocks of one thread leave most of a warp idle`
	_ = scaling.Launch(s, launch.Config{Grid: launch.Dim3{X: 4}}, p, float32(1), v, n)
	_ = scaling.Launch(s, launch.Config{Block: launch.Dim3{X: 1}}, p, float32(1), v, n)
	launched(s, host)
	_ = scaling.Launch(s, cfg, p, 2, v, n)            // want `argument 2 \(f\): have int, want float32; write float32\(2\)`
	_ = scaling.Launch(s, cfg, p, float32(1), n, v)   // want `argument 3 \(v\): have \*heddle/launch.Buffer\[int32\], want \*launch.Buffer\[float32\]` `argument 4`
	_ = scaling.Launch(s, cfg, p, float32(1), *v, n)  // want `pass the pointer`
	_ = scaling.Launch(s, cfg, p, float32(1))         // want `have 2 arguments, want 4: \(p pair, f float32, v \*launch.Buffer\[float32\], total \*launch.Buffer\[int32\]\)`
	_ = scaling.Launch(s, cfg)                        // want `have 0 arguments, want 4`
	_ = scaling.Launch(s, cfg, nil, float32(1), v, n) // want `argument 1 \(p\) is nil, want pair`
	_ = scaling.Launch(s, cfg, "p", float32(1), v, n) // want `argument 1 \(p\): have string, want pair`
	local := kernel.New(func(v []float32) { v[0] = 1 })
	go func() { _ = local.Launch(s, cfg, [1]float32{1}) }() // want `upload it: launch.Upload\(dev, .*\[:\]\)`
	local2 := kernel.New(func(v []float32) { v[0] = 1 })
	_ = local2.Launch(s, cfg, 1) // want `argument 1 \(v\): have int, want \*launch.Buffer\[float32\]`
	if one > 0 {
		reassigned = kernel.New(scale)
	}
	_ = reassigned.Launch(s, cfg, 1)
}

var table [4]int32

func input(n int) []float32 { return append(make([]float32, n), 1) }

func launched(s *launch.Stream, in []float32) {
	_ = scaling.Launch(s, launch.Linear(1, 1), pair{}, float32(1), in, nil) // want `argument 3 \(v\) is host memory` `argument 4 \(total\) is nil`
}

var reassigned = kernel.New(early)

func takesAny(x any, v []int32) {} // want `parameter x: interface cannot be passed to a kernel`

var anyKernel = kernel.New(takesAny)

func launchesAny(s *launch.Stream, v *launch.Buffer[int32]) {
	_ = anyKernel.Launch(s, launch.Linear(1, 1), 1, v)
}

func captures() {
	n := 1
	made, literal, pointer, fresh := make([]int, 3), []int{1}, &n, new(int) // want `captured variable made is a slice of host memory \(capture a \*launch.Buffer and take its Device\(\)\)` `captured variable literal is a slice` `captured variable pointer is a pointer of host memory \(capture the value it points to\)` `captured variable fresh is a pointer`
	_ = kernel.New(func(v []int) { v[0] = made[0] + literal[0] + *pointer + *fresh + n })
}

// kernels that come through tables, slices, maps, registries and methods

type counting struct{ n int32 }

func (c *counting) count(v []int32) {
	_ = map[int32]int32{} // want `map in kernel`
	v[0] = c.n
}

var tableOfKernels = []struct {
	name string
	f    func([]int32)
}{
	{"literal", func(v []int32) {
		_ = make(map[int]int) // want `map in kernel`
	}},
	{"declared", inTable},
}

func inTable(v []int32) {
	_ = make(chan int) // want `channel in kernel`
}

func register(name string, f func(int32) int32) bool {
	kernel.New(func(v []int32) { v[0] = f(v[0]) })
	return true
}

var _ = register("a", func(x int32) int32 {
	defer func() {}() // want `defer in kernel`
	return x
})

func fromTables(c *counting) {
	for _, row := range tableOfKernels {
		kernel.New(row.f)
	}
	for _, f := range []func([]int32){c.count, func(v []int32) {
		go inTable(v) // want `go statement in kernel`
	}} {
		kernel.New(f)
	}
	for _, f := range map[string]func([]int64){"x": func(v []int64) {
		select {} // want `select in kernel`
	}} {
		kernel.New(f)
	}
}

// What a comment silences.

func silentLine(v []int32) {
	//lint:ignore heddle the next line
	_ = make(chan int)
	_ = make(chan bool) //lint:ignore SA4010,heddle this line
	_ = make(chan uint) // want `channel in kernel`
}

//lint:ignore heddle all of the function
func silentFunc(v []int32) {
	m := map[int]int{}
	for k := range m {
		v[0] += int32(k)
	}
}

//lint:ignore heddle nothing is wrong // want `nothing is wrong where this comment silences heddle`
func silentNothing(v []int32) { v[0] = 1 }

func silentWrong(v []int32) {
	//lint:ignore SA4010 another tool's
	_ = make(chan int) // want `channel in kernel`
	//lint:ignore heddle // want `silences nothing without a reason`
	_ = make(chan bool) // want `channel in kernel`
}

var _ = []*kernel.Kernel{kernel.New(silentLine), kernel.New(silentFunc), kernel.New(silentNothing), kernel.New(silentWrong)}

// Kernels that are launched by calls of their own type.

func typedGo(v []int32) { _ = make(chan int) } // want `channel in kernel`

func typedKept(v []int32) { _ = make(chan int) } // want `channel in kernel`

func typedLaunches(s *launch.Stream, v []int32) {
	kernel.Go(s, launch.Config{}, typedGo)(v)         // want `without Grid and Block`
	kernel.Typed(typedKept).Go(s, launch.Config{})(v) // want `without Grid and Block`
}

// textures

var sampled = kernel.New(func(t dsl.Texture2D[float32], v []float32) { v[0] = t.Sample(0, 0) })

func launchesTextures(s *launch.Stream, line *launch.Texture[dsl.Texture1D[float32]], plane *launch.Texture[dsl.Texture2D[float32]], rows *launch.Pitched[int32]) {
	cfg := launch.Linear(1, 1)
	_ = sampled.Launch(s, cfg, line, rows)                      // want `argument 1 \(t\): have \*heddle/launch.Texture\[.*Texture1D\[float32\]\], want \*launch.Texture\[.*Texture2D\[float32\]\]` `argument 2 \(v\): have \*heddle/launch.Pitched\[int32\], want \*launch.Buffer\[float32\]`
	_ = sampled.Launch(s, cfg, *plane, rows)                    // want `pass the pointer` `argument 2`
	kernel.Go(s, launch.Config{}, func(v []int32) { v[0] = 1 }) // want `a launch.Config without Grid and Block launches one thread`
}
