package ccl

import (
	"os"
	"os/signal"
	"syscall"
	"time"
	"unsafe"
)

// keepSignals returns a func that gives all signals the handlers that they have now: MPI's own, of SIGSEGV and the like, do
// not run on Go's signal stacks and would end the process where Go panics.
func keepSignals() (restore func()) {
	const signals, setBytes = 64, 8
	type action [32]byte // the kernel's, which has no more on amd64 and arm64
	var all [signals + 1]action
	for s := 1; s <= signals; s++ {
		syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), 0, uintptr(unsafe.Pointer(&all[s])), setBytes, 0, 0)
	}
	return func() {
		for s := 1; s <= signals; s++ {
			if s != int(syscall.SIGKILL) && s != int(syscall.SIGSTOP) {
				syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&all[s])), 0, setBytes, 0, 0)
			}
		}
	}
}

// hearSignals has Go take the signal by which MPICH's mpirun says that another process has ended. Go leaves one that nobody
// takes without effect, but not on a thread that MPI has made: there it would end the process.
func hearSignals() { signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR1) }

// nap has the thread sleep, without Go's scheduler, to which a thread with one goroutine costs more than such a nap.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // a signal ends it early
}

// yield lets other threads run.
func yield() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
