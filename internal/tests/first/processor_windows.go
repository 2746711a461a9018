package main

import (
	"syscall"
	"time"
)

// processor is the time that all threads of this process have used.
func processor() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, system, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &exited, &system, &user) != nil {
		return 0
	}
	count := func(t syscall.Filetime) int64 { // of 100 ns
		return int64(t.HighDateTime)<<32 | int64(t.LowDateTime)
	}
	return time.Duration(100 * (count(system) + count(user)))
}
