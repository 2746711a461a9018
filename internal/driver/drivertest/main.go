package drivertest

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// Main is TestMain of a driver's tests: it also checks that they leave no goroutine
// behind, as closed devices do not.
func Main(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	for wait := time.Now(); runtime.NumGoroutine() > before && time.Since(wait) < time.Second; {
		time.Sleep(time.Millisecond) // a goroutine ends a moment after it is told
	}
	if n := runtime.NumGoroutine(); code == 0 && n > before {
		fmt.Printf("%d goroutines are left, %d were there before\n", n, before)
		code = 1
	}
	os.Exit(code)
}
