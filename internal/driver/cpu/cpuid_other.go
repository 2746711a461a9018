//go:build !amd64

package cpu

// x86Level is 0: the processor has no level of x86-64.
func x86Level() int { return 0 }
