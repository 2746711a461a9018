package sim

import "heddle/internal/driver"

// Describe implements host.Describer.
func (e *engine) Describe(p *driver.Properties) { p.Yes(driver.FunctionPointers) }

// Attributes implements driver.Measured: a Go function has no registers of its own to tell.
func (f *function) Attributes() (*driver.FunctionAttributes, error) {
	return &driver.FunctionAttributes{Res: f.object.Res, Carveout: -1}, nil
}

// Occupancy implements driver.Measured: one block runs after the other.
func (f *function) Occupancy(threads, shared int) (int, error) { return 1, nil }

// PreferShared implements driver.Measured: there is nothing to divide.
func (f *function) PreferShared(int) error { return nil }
