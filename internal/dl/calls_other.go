//go:build !amd64 || !unix

package dl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// run makes the calls.
func (c *Calls) run(always bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	failed := false
	for i := range c.List {
		one := &c.List[i]
		if !failed || always && i == len(c.List)-1 {
			one.Result, _, _ = purego.SyscallN(one.At, one.Args[:]...)
			failed = failed || int32(one.Result) != 0
		}
	}
}
