package cases

import (
	"os"

	"example.com/matrix/internal/inner"
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Device variables, whose places the host and the compiler must agree on.

var own = dsl.NewGlobal([2]int64{7, computed()})

// computed is an initial value that the host finds.
func computed() int64 { return int64(max(30, -len(os.Args))) }

func readVariables(out []int64) {
	out[0] = own.Ptr()[0] + own.Ptr()[1] + *inner.Variable.Ptr()
}

// Variables makes a Value of a kernel that reads device variables, and of what it then writes.
func Variables(f func([]int64), want int64) Value {
	k := kernel.New(f)
	return Launched(k, func(out []int64) { out[0] = want }, func(out *launch.Buffer[int64]) []any { return []any{out} })
}

var symbols = []Case{
	{Name: "device variables", Make: func(*launch.Device) Value { return Variables(readVariables, 7+30+500) }},
}
