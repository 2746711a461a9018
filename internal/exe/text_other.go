//go:build !amd64 && !arm64

package exe

// On other architectures the code that allocates a closure is not read:
// closures with captured variables are refused, other functions work.

func ScanAddresses(lo, hi uintptr, report func(target, at uintptr)) {}

func ScanCalls(lo, hi uintptr, report func(target, at uintptr)) {}

func allocatedType(entry, ref uintptr, strict bool) uintptr { return 0 }
