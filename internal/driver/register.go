package driver

import (
	"slices"
	"sync"
)

// registered are the vendors that a program adds by blank imports.
var registered struct {
	sync.Mutex
	vendors []Vendor
}

// Register adds a vendor to those that launch opens devices of. It is for the init
// function of a package that is imported for nothing else.
func Register(v Vendor) {
	registered.Lock()
	defer registered.Unlock()
	registered.vendors = append(registered.vendors, v)
}

// Registered are the vendors of Register, in the order of their registration.
func Registered() []Vendor {
	registered.Lock()
	defer registered.Unlock()
	return slices.Clone(registered.vendors)
}
