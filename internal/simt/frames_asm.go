//go:build amd64 || arm64

package simt

// frames fills s with the return addresses of the caller's caller and so on
// outwards, by following the frame pointers. It is some thirty times as fast as
// runtime.Callers and finds the same, except that functions which are inlined have no
// frame: runtime.CallersFrames adds them.
//
//go:noescape
func frames(s *stack)

// haveFrames reports whether frames works.
const haveFrames = true
