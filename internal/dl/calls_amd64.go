//go:build unix

package dl

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// runAt is the address of run in assembly, a C function.
var runAt uintptr

// run makes the calls.
func (c *Calls) run(always bool) {
	// Arguments that are written out in a call of SyscallN would go to the heap each time.
	c.args = [3]uintptr{uintptr(unsafe.Pointer(&c.List[0])), uintptr(len(c.List))}
	if always {
		c.args[2] = 1
	}
	purego.SyscallN(runAt, c.args[:]...)
}
