//go:build !linux

package ccl

// keepSignals does nothing: there is no MPI here.
func keepSignals() (restore func()) { return func() {} }
