package wrong

// This file has the program around the kernels.

// mainFile asks the compiler about each kernel and prints what it says.
const mainFile = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"heddle/kernel"
)

type result struct {
	Name, Check, Object, Panic string
	Arch                       string
	Seconds                    float64
}

// spent is the processor's time that the program has taken, where it can be known.
var spent = func() time.Duration { return time.Since(begin) }

var begin = time.Now()

var all []func() (string, *kernel.Kernel)

// add adds a kernel. try evaluates its function: what that panics with, such as a method
// by way of an embedded pointer that is nil, is Go's.
func add(name string, try func(), make func() *kernel.Kernel) {
	all = append(all, func() (string, *kernel.Kernel) {
		if panics(try) {
			return name, nil
		}
		return name, make()
	})
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func main() {
	archs := strings.Split(os.Args[1], ",")
	out := json.NewEncoder(os.Stdout)
	for i, make := range all {
		var r result
		before := spent()
		func() {
			defer func() {
				if p := recover(); p != nil {
					r.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
				}
			}()
			var k *kernel.Kernel
			if r.Name, k = make(); k == nil {
				return
			}
			r.Arch = archs[i%len(archs)]
			if err := k.Check(); err != nil {
				r.Check = err.Error()
				return
			}
			if _, err := k.Object(r.Arch, 0); err != nil {
				r.Object = err.Error()
			}
		}()
		r.Seconds = (spent() - before).Seconds()
		if err := out.Encode(r); err != nil {
			panic(err)
		}
	}
}
`

// unixFile measures what the program itself took. The first kernel also waits for
// the go command and for libLLVM to come from the disk.
const unixFile = `//go:build unix

package main

import (
	"syscall"
	"time"
)

func init() {
	spent = func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
}
`
