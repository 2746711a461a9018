package gpu

import (
	"sync"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file calls functions that not every program needs: they are looked up at their first
// call.

// named are the addresses of a library's functions, by name.
type named struct {
	mu  sync.Mutex
	all map[string]uintptr
}

// address is the address of the first of some functions that the library has, with its name.
func (l *Lib) address(names ...string) (string, uintptr) {
	l.named.mu.Lock()
	defer l.named.mu.Unlock()
	for _, name := range names {
		if name == "" {
			continue
		}
		at, ok := l.named.all[name]
		if !ok {
			at = l.Symbol(name)
			if l.named.all == nil {
				l.named.all = map[string]uintptr{}
			}
			l.named.all[name] = at
		}
		if at != 0 {
			return name, at
		}
	}
	return names[0], 0
}

// Named makes the device current and calls the first of some functions that the library has;
// about args see Lib.Call.
//
//go:uintptrescapes
func (d *Device) Named(names []string, args ...uintptr) error {
	name, at := d.lib.address(names...)
	if at == 0 {
		return errs.F("%s: %s lacks %s; install a newer driver", d.info.Name, d.lib.Path, name)
	}
	code, err := d.call(at, args)
	if err == nil && code != codeOK {
		err = d.lib.failure(name, code)
	}
	return err
}

// named is Named for one function.
//
//go:uintptrescapes
func (d *Device) named(name string, args ...uintptr) error { return d.Named([]string{name}, args...) }

// vendorName is a function of both vendors under the name of this one: "GraphLaunch".
func (d *Device) vendorName(name string) []string {
	if d.spec.Vendor == "hip" {
		return []string{"hip" + name}
	}
	if name == "GraphAddKernelNode" || name == "GraphExecKernelNodeSetParams" {
		return []string{"cu" + name + "_v2", "cu" + name} // one struct serves both
	}
	return []string{"cu" + name}
}

// call calls a function of both vendors.
//
//go:uintptrescapes
func (d *Device) callBoth(name string, args ...uintptr) error {
	return d.Named(d.vendorName(name), args...)
}

var (
	_ driver.Graphs      = (*Device)(nil)
	_ driver.Caller      = (*Stream)(nil)
	_ driver.Prioritized = (*Device)(nil)
	_ driver.EventMaker  = (*Device)(nil)
)
