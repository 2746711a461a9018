package kernel_test

//lint:file-ignore heddle the kernels are wrong on purpose

import (
	"heddle/dsl"
	"heddle/launch"
)

// Closures that capture what a device cannot have, or change what they
// capture. The form is that of bad_types_test.go.

// closureKernels makes the closures; they are not called on the host.
func closureKernels() map[string]any {
	n, weights, table := 1, []float32{1, 2}, map[int]int{1: 2}
	channel := make(chan int)
	var named struct {
		name string
		n    int
	}
	var buffer *launch.Buffer[int]
	var held struct{ b *launch.Buffer[int] }
	var anything any = n
	var none func(int) int
	return map[string]any{
		// bad captured map
		"captured map": func(out []int) {
			out[0] = table[1] // want nowhere "captured variable table: map cannot be passed to a kernel \\("
		},
		// bad captured struct with string
		"captured struct with string": func(out []int) {
			out[0] = named.n // want nowhere "captured variable named: string cannot be passed to a kernel \\(only constant"
		},
		// bad captured struct with buffer
		"captured struct with buffer": func(out []int) {
			out[0] = len(held.b.Device()) // want nowhere "captured variable held: \\*launch.Buffer in field b cannot be passed to a kernel \\(put its Device"
		},
		// bad compared buffer
		"compared buffer": func(out []int) {
			if buffer == nil { // want "comparison of \\*launch.Buffer in kernel \\("
				out[0] = buffer.Len()
			}
		},
		// bad captured channel
		"captured channel": func(out []int) {
			out[0] = <-channel // want nowhere "captured variable channel: channel cannot be passed to a kernel \\("
		},
		// bad captured interface
		"captured interface": func(out []int) {
			_ = anything // want nowhere "captured variable anything: interface cannot be passed to a kernel \\("
		},
		// bad captured nil func
		"captured nil func": func(out []int) {
			out[0] = none(1) // want nowhere "none.*nil.*\\("
		},
		// bad captured slice written
		"captured slice written": func(out []int) {
			weights = append(weights, 3) // want "write to captured variable weights in kernel \\("
			out[0] = len(weights)
		},
		// bad captured written
		"captured written": func(out []int) {
			n++ // want "write to captured variable n in kernel \\(copy it to a local variable"
			out[0] = n
		},
		// bad captured written in helper
		"captured written in helper": func(out []int) {
			add := func() { n += 2 } // want "write to captured variable n in kernel \\("
			add()
			out[0] = n
		},
	}
}

// bad alike literals
func alike() (func([]int), func([]int)) {
	return func(out []int) { out[0]++ }, func(out []int) { out[0]++ } // want "\\(.*lines"
}

func alikeKernels() map[string]any {
	a, _ := alike()
	return map[string]any{"alike literals": a}
}

// bad buffer parameters
type pairOf[A, B any] struct {
	A A
	B B
}

func badBufferParams(
	a *launch.Buffer[byte], // want "2: parameter a: \\*launch.Buffer cannot be passed to a kernel \\(take a slice"
	b *launch.Buffer[struct{ X []int }], // want "2: parameter b: \\*launch.Buffer cannot"
	c *launch.Buffer[pairOf[*pairOf[[]*launch.Buffer[int], rune], []launch.Buffer[any]]], // want "2: parameter c: \\*launch.Buffer cannot"
	d [2]*launch.Buffer[func(x int) (y, z error)], // want "2: parameter d: \\*launch.Buffer in an element cannot"
	out []int,
) {
	out[0] = 1
}

// bad buffer parameter of a generic
func badBufferOf[T any](b *launch.Buffer[T], out []int) { // want "25: parameter b: \\*launch.Buffer cannot be passed to a kernel \\(take a slice"
	out[0] = 1
}

// bad shared buffer
func badSharedBuffer(out []int) {
	_ = dsl.Shared[launch.Buffer[int]]() // want "36: call of heddle/dsl.Shared\\[.*\\], which makes a launch.Buffer by value \\(use the \\*launch.Buffer"
	out[0] = 1
}

var bufferKernels = map[string]any{
	"shared buffer":     badSharedBuffer,
	"buffer parameters": badBufferParams, "buffer parameter of a generic": badBufferOf[struct{ X []byte }],
}
