package typed

// The registers that arguments are passed in.
const (
	intRegs   = 9
	floatRegs = 15
)
