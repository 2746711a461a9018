package typed

// The registers that arguments are passed in.
const (
	intRegs   = 16
	floatRegs = 16
)
