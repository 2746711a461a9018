//go:build !amd64 && !arm64

package typed

// The registers that arguments are passed in: not known.
const (
	intRegs   = 0
	floatRegs = 0
)

// Regs are the registers of a call.
type Regs [1]uint64

const code = uintptr(0)
