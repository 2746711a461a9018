package kernel_test

import "heddle/kernel"

// This file has shapes of code of which compile time has grown faster than n log n, for
// BenchmarkSize. RATIONALE.md says what became of each.

// countStep is a loop whose count is the same for all lanes and all such loops.
type countStep struct{}

func (countStep) Do(x []float32, v float32) (float32, func()) {
	for k := range x {
		v = v*x[k] + 1
	}
	return v, nothing
}

// laneStep is a loop whose count differs between lanes.
type laneStep struct{}

func (laneStep) Do(x []float32, v float32) (float32, func()) {
	for k := range int(v) & 15 {
		v = v*3 + float32(k)
	}
	return v, nothing
}

// switchStep lets the lanes take four ways.
type switchStep struct{}

func (switchStep) Do(x []float32, v float32) (float32, func()) {
	switch int(v) & 3 {
	case 0:
		v = v*v + 1
	case 1:
		x[0] = v
		v = v*3 - 2
	case 2:
		v = -v / 2
	default:
		v += x[1]
	}
	return v, nothing
}

// failStep has three checks, which report what is computed before each.
type failStep struct{}

func (failStep) Do(x []float32, v float32) (float32, func()) {
	i := int(v)
	v = v*x[i] + 1
	v += x[i*7+int(v)]
	return v - x[i^int(v)], nothing
}

type (
	count64  = twice[twice[twice[twice[twice[twice[countStep]]]]]]
	lane64   = twice[twice[twice[twice[twice[twice[laneStep]]]]]]
	switch64 = twice[twice[twice[twice[twice[twice[switchStep]]]]]]
	fail64   = twice[twice[twice[twice[twice[twice[failStep]]]]]]
)

// A sized is a kernel of a benchmark, of size n.
type sized struct {
	n   int
	new func() *kernel.Kernel // each in a line of its own: see kernel.New
}

// A sizeAxis is kernels whose sizes double.
type sizeAxis struct {
	name  string
	sizes []sized
}

// shapes are kernels of n pieces of code of one shape, alone and all in a loop.
var shapes = []sizeAxis{
	{"count", []sized{
		{64, func() *kernel.Kernel { return kernel.New(stepped[count64]) }},
		{128, func() *kernel.Kernel { return kernel.New(stepped[twice[count64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[count64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[count64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[twice[count64]]]]]) }},
	}},
	{"count-in-loop", []sized{
		{64, func() *kernel.Kernel { return kernel.New(loopSteps[count64]) }},
		{128, func() *kernel.Kernel { return kernel.New(loopSteps[twice[count64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[count64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[count64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[twice[count64]]]]]) }},
	}},
	{"lane", []sized{
		{64, func() *kernel.Kernel { return kernel.New(stepped[lane64]) }},
		{128, func() *kernel.Kernel { return kernel.New(stepped[twice[lane64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[lane64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[lane64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[twice[lane64]]]]]) }},
	}},
	{"lane-in-loop", []sized{
		{64, func() *kernel.Kernel { return kernel.New(loopSteps[lane64]) }},
		{128, func() *kernel.Kernel { return kernel.New(loopSteps[twice[lane64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[lane64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[lane64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[twice[lane64]]]]]) }},
	}},
	{"switch", []sized{
		{64, func() *kernel.Kernel { return kernel.New(stepped[switch64]) }},
		{128, func() *kernel.Kernel { return kernel.New(stepped[twice[switch64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[switch64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[switch64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[twice[switch64]]]]]) }},
	}},
	{"switch-in-loop", []sized{
		{64, func() *kernel.Kernel { return kernel.New(loopSteps[switch64]) }},
		{128, func() *kernel.Kernel { return kernel.New(loopSteps[twice[switch64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[switch64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[switch64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[twice[switch64]]]]]) }},
	}},
	{"fail", []sized{
		{64, func() *kernel.Kernel { return kernel.New(stepped[fail64]) }},
		{128, func() *kernel.Kernel { return kernel.New(stepped[twice[fail64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[fail64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[fail64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[twice[twice[fail64]]]]]) }},
	}},
	{"fail-in-loop", []sized{
		{64, func() *kernel.Kernel { return kernel.New(loopSteps[fail64]) }},
		{128, func() *kernel.Kernel { return kernel.New(loopSteps[twice[fail64]]) }},
		{256, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[fail64]]]) }},
		{512, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[fail64]]]]) }},
		{1024, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[twice[twice[fail64]]]]]) }},
	}},
}
