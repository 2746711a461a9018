package launch

import (
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/internal/inside"
)

var _ inside.Measurer = (*function)(nil)

// Measure implements inside.Measurer.
func (f *function) Measure() (*driver.FunctionAttributes, int, int, error) {
	if err := f.dev.enter(); err != nil {
		return nil, 0, 0, err
	}
	defer f.dev.leave()
	m, err := f.measured()
	if err != nil {
		return nil, 0, 0, err
	}
	a, err := m.Attributes()
	if err != nil {
		return nil, 0, 0, f.dev.vendor(err)
	}
	own := *a
	own.Res.LDS = f.static()
	return &own, f.maxThreads, f.maxShared, nil
}

// Occupancy implements inside.Measurer.
func (f *function) Occupancy(cfg unsafe.Pointer) (blocks, threads int, err error) {
	if err := f.dev.enter(); err != nil {
		return 0, 0, err
	}
	defer f.dev.leave()
	c := *(*Config)(cfg)
	c.Grid, c.Cooperative = Dim3{}, false
	var shape driver.Config
	f, err = c.fit(f, &shape)
	if err != nil {
		return 0, 0, errs.F("%s: %w", f.obj.Name, err)
	}
	m, err := f.measured()
	if err != nil {
		return 0, 0, err
	}
	if threads, err = f.dev.threadsPerUnit(); err != nil {
		return 0, 0, err
	}
	blocks, err = m.Occupancy(shape.Block[0]*shape.Block[1]*shape.Block[2], shape.Shared)
	return blocks, threads, f.dev.vendor(err)
}

// PreferShared implements inside.Measurer.
func (f *function) PreferShared(percent int) error {
	if err := f.dev.enter(); err != nil {
		return err
	}
	defer f.dev.leave()
	m, err := f.measured()
	if err != nil {
		return err
	}
	return f.dev.vendor(m.PreferShared(percent))
}

func (f *function) measured() (driver.Measured, error) {
	m, ok := f.drv.(driver.Measured)
	if !ok {
		return nil, errs.F("%s: %s tells nothing of its kernels", f.obj.Name, f.dev.Name())
	}
	return m, nil
}

// threadsPerUnit is how many threads a unit of the device holds.
func (d *Device) threadsPerUnit() (int, error) {
	if n := d.unitThreads.Load(); n != 0 {
		return int(n), nil
	}
	p, err := d.Properties()
	if err != nil {
		return 0, err
	}
	d.unitThreads.Store(int64(p.Work.MaxThreadsPerUnit))
	return p.Work.MaxThreadsPerUnit, nil
}
