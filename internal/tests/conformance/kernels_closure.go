package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Closures as kernels: what they capture, by value and by reference, and how
// it changes between launches.

const rowClosures = "closures and method values as kernels"

// closureCase launches k with one result for each of its four threads, after
// each change that steps makes to what it captures.
func closureCase(name string, k *kernel.Kernel, steps func(), want func(i int) int) Case {
	return Case{name, rowClosures, []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 4)
		for range 3 {
			t.run(k, launch.Linear(4, 4), out)
			same(t, download(t, out), filled(4, want))
			steps()
		}
	}}
}

// thread is the calling thread's number.
func thread() int { return dsl.GlobalIdx().X }

func closureCases() []Case {
	return []Case{
		byValue(), byReference(), manyTypes(), bigCapture(), loopVariables(),
		capturedFuncs(), changedFunc(), nestedClosures(), methodValue(), genericClosure[int16]("closure/generic/int16", 9),
		genericClosure[float32]("closure/generic/float32", 2.5), innerClosures(), capturedMethod(), iterationClosures(),
	}
}

func byValue() Case {
	a, b := 3, uint8(200)
	k := kernel.New(func(out []int) { out[thread()] = a*10 + int(b+100) + thread() })
	return closureCase("closure/by-value", k, func() {}, func(i int) int { return 30 + 44 + i })
}

func byReference() Case {
	n := 1
	k := kernel.New(func(out []int) { out[thread()] = n * (thread() + 1) })
	return closureCase("closure/by-reference", k, func() { n += 7 }, func(i int) int { return n * (i + 1) })
}

func manyTypes() Case {
	var (
		yes  = true
		i8   = int8(-5)
		u16  = uint16(65535)
		f32  = float32(1.5)
		f64  = -2.25
		c    = complex(3, 4)
		arr  = [3]int16{1, 2, 3}
		p    = particle{Mass: 8, ID: 4, Pos: vec3{X: 2}}
		none struct{}
	)
	sum := func(i int) int {
		s := int(i8) + int(u16) + int(f32*2) + int(f64*4) + int(real(c)+imag(c)) + int(arr[i%3]) + int(p.Mass) + int(p.ID) + int(p.Pos.X)
		if yes && none == struct{}{} {
			s *= 2
		}
		return s
	}
	k := kernel.New(func(out []int) {
		s := int(i8) + int(u16) + int(f32*2) + int(f64*4) + int(real(c)+imag(c)) + int(arr[thread()%3]) + int(p.Mass) + int(p.ID) + int(p.Pos.X)
		if yes && none == struct{}{} {
			s *= 2
		}
		out[thread()] = s
	})
	return closureCase("closure/types", k, func() {
		yes, i8, u16, f32, f64, c = !yes, i8*3, u16-9, f32+1, f64/2, c*2i
		arr[1] += 50
		p.ID, p.Pos.X = 77, p.Pos.X+1
	}, sum)
}

func bigCapture() Case {
	var table [300]int32
	for i := range table {
		table[i] = int32(i * i)
	}
	k := kernel.New(func(out []int) { out[thread()] = int(table[thread()*50+7]) + len(table) })
	return closureCase("closure/big-array", k, func() { table[57], table[7] = -1, table[7]+1 },
		func(i int) int { return int(table[i*50+7]) + 300 })
}

func loopVariables() Case {
	var ks []*kernel.Kernel
	for i := range 3 {
		j := i * i
		ks = append(ks, kernel.New(func(out []int) { out[thread()] = i*100 + j*10 + thread() }))
	}
	return Case{"closure/loop-variables", rowClosures, ks, func(t *T) {
		out := alloc[int](t, 4)
		for i, k := range ks {
			t.run(k, launch.Linear(4, 4), out)
			same(t, download(t, out), filled(4, func(x int) int { return i*100 + i*i*10 + x }))
		}
	}}
}

func capturedFuncs() Case {
	weight := 5
	scale := func(x int) int { return x * weight }
	k := kernel.New(func(out []int) { out[thread()] = square(scale(thread())) + apply(scale, 1) })
	return closureCase("closure/func", k, func() { weight -= 2 }, func(i int) int { return square(i*weight) + weight*weight })
}

func changedFunc() Case {
	op := increment
	which := 0
	k := kernel.New(func(out []int) { out[thread()] = op(thread() + 3) })
	return closureCase("closure/func-changed", k, func() {
		which++
		op = []func(int) int{increment, square}[which%2]
	}, func(i int) int { return op(i + 3) })
}

func nestedClosures() Case {
	depth := 1
	make := func(a int) func() *kernel.Kernel {
		b := a * 2
		return func() *kernel.Kernel {
			c := b + 1
			return kernel.New(func(out []int) { out[thread()] = a + b*10 + c*100 + depth*1000 + thread() })
		}
	}
	return closureCase("closure/nested", make(3)(), func() { depth++ }, func(i int) int { return 3 + 60 + 700 + depth*1000 + i })
}

// A scaler's method is a kernel.
type scaler struct {
	By    int
	Shift [2]int
}

func (s scaler) fill(out []int) { out[thread()] = thread()*s.By + s.Shift[thread()&1] }

func methodValue() Case {
	s := scaler{4, [2]int{100, 200}}
	k := kernel.New(s.fill) // binds a copy
	return closureCase("closure/method-value", k, func() { s.By = 0 }, func(i int) int { return i*4 + [2]int{100, 200}[i&1] })
}

// capturedMethod calls a method of a captured value.
func capturedMethod() Case {
	v := scaler{4, [2]int{100, 200}}
	k := kernel.New(func(out []int) { v.fillOne(&out[thread()]) })
	return closureCase("closure/method-of-capture", k, func() { v.By++ }, func(i int) int { return i*v.By + v.Shift[i&1] })
}

func (s scaler) fillOne(out *int) { *out = thread()*s.By + s.Shift[thread()&1] }

// genericClosure's type argument is known from the kernel's parameter.
func genericClosure[N number](name string, by N) Case {
	k := kernel.New(func(out []N) { out[thread()] = by * N(thread()+1) * N(2) })
	return Case{name, rowClosures, []*kernel.Kernel{k}, func(t *T) {
		out := alloc[N](t, 4)
		for range 3 {
			t.run(k, launch.Linear(4, 4), out)
			same(t, download(t, out), filled(4, func(i int) N { return by * N(i+1) * N(2) }))
			by++
		}
	}}
}

// innerClosures are made and called within the kernel.
func innerClosures() Case {
	base := 10
	k := kernel.New(func(out []int) {
		total := base
		add := func(n int) { total += n }
		twice := func(f func(int), n int) { f(n); f(n) }
		for i := range 3 {
			add(i)
			twice(add, thread())
		}
		func() {
			inner := func() int { return total * 2 }
			out[thread()] = inner()
		}()
	})
	return closureCase("closure/inner", k, func() { base++ }, func(i int) int { return (base + 3 + 6*i) * 2 })
}

// Closures of closures of a loop's variable, in a loop with iterations that make none.
func iterationClosures() Case {
	skip := 2
	k := kernel.New(func(out []int) {
		sum := 0
		for i, j := 6, thread(); i > 0 && j < 50; i, j = i-1, j+i {
			if j%3 == skip {
				continue
			}
			add := func(n int) int { j++; return j + n }
			twice := func(n int) int { return add(n) + add(i) }
			var none int
			last := &none
			if i%2 == 0 {
				n := i * j
				last = &n
			}
			get := func() int { return *last }
			sum = sum*3 + twice(i*10) + get()
		}
		out[thread()] = sum
	})
	return closureCase("closure/iterations", k, func() { skip-- }, func(x int) (sum int) {
		for i, j := 6, x; i > 0 && j < 50; i, j = i-1, j+i {
			if j%3 != skip {
				n := (1 - i%2) * i * j
				j += 2
				sum = sum*3 + j - 1 + i*10 + j + i + n
			}
		}
		return sum
	})
}
