//go:build primfuzz

package prim_test

// Random calls of all types: `make test-all` and `go test -tags primfuzz ./prim -run TestRandom` have them. Go's compiler
// takes two minutes and 5 GB for their instances.
func init() {
	moreCalls = func() (all []call) {
		all = append(all, numberCalls[int8]("int8")...)
		all = append(all, numberCalls[uint16]("uint16")...)
		all = append(all, numberCalls[int16]("int16")...)
		all = append(all, numberCalls[uint32]("uint32")...)
		all = append(all, numberCalls[int32]("int32")...)
		all = append(all, numberCalls[int64]("int64")...)
		all = append(all, numberCalls[float64]("float64")...)
		return append(all, anyCalls(wideKind)...)
	}
}
