package launch

import (
	"fmt"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Config is the shape of one launch: Grid blocks of Block threads each, and
// Shared bytes of dynamic shared memory a block. An axis left 0 means 1.
type Config struct {
	Grid, Block Dim3
	Shared      int
	// Cooperative has all blocks run at once, so that they may wait for each other, as at
	// the barrier of a grid (HIP hipModuleLaunchCooperativeKernel). A grid of more blocks
	// than the device can hold at once is refused with a *TooManyBlocks.
	Cooperative bool

	empty bool   // of Linear(0, b) and its like: there is nothing to do
	fault string // what was wrong with the helper's arguments; told at launch
}

// Linear is one thread for each of n elements, in blocks of block threads
// along X; the last block may have threads to spare, which a kernel skips with
// "if i < n". Linear(0, block) launches nothing.
func Linear(n, block int) Config {
	if n < 0 || block <= 0 {
		return Config{fault: fmt.Sprintf("Linear(%d, %d): want n >= 0 and block >= 1", n, block)}
	}
	return Config{Grid: Dim3{X: ceilDiv(n, block)}, Block: Dim3{X: block}, empty: n == 0}
}

// Grid2D is one thread for each element of a w by h plane, in blocks of bx by
// by threads: X runs along w. Where w or h is 0 it launches nothing.
func Grid2D(w, h, bx, by int) Config {
	if w < 0 || h < 0 || bx <= 0 || by <= 0 {
		return Config{fault: fmt.Sprintf("Grid2D(%d, %d, %d, %d): want w, h >= 0 and bx, by >= 1", w, h, bx, by)}
	}
	return Config{
		Grid:  Dim3{X: ceilDiv(w, bx), Y: ceilDiv(h, by)},
		Block: Dim3{X: bx, Y: by},
		empty: w == 0 || h == 0,
	}
}

// ceilDiv is a/b rounded up, without a+b overflowing.
func ceilDiv(a, b int) int {
	q := a / b
	if q*b < a {
		q++
	}
	return q
}

// axes is d with its zero axes made 1.
func axes(d Dim3) driver.Dim {
	v := driver.Dim{d.X, d.Y, d.Z}
	for i := range v {
		if v[i] == 0 {
			v[i] = 1
		}
	}
	return v
}

// check validates c for f and stores what the driver takes in out.
func (c *Config) check(f *function, out *driver.Config) error {
	if c.fault != "" {
		return errs.F("%s", c.fault)
	}
	i := f.dev.info
	out.Grid, out.Block, out.Shared, out.Cooperative = axes(c.Grid), axes(c.Block), c.Shared, c.Cooperative
	if err := checkAxes("grid", &out.Grid, &i.MaxGrid, i.Name); err != nil {
		return err
	}
	if err := checkAxes("block", &out.Block, &i.MaxBlock, i.Name); err != nil {
		return err
	}
	for a, n := range out.Grid {
		if n *= out.Block[a]; n > i.GridThreads && i.GridThreads > 0 {
			return errs.F("grid.%[1]c*block.%[1]c is %[2]d threads; the limit of %[3]s is %[4]d: give each thread several elements", 'X'+rune(a), n, i.Name, i.GridThreads)
		}
	}
	// No axis is over its limit, so the product cannot overflow.
	if n := out.Block[0] * out.Block[1] * out.Block[2]; n > f.maxThreads {
		return f.blockError(n, out.Block)
	}
	if c.Shared < 0 || c.Shared > f.maxShared {
		return f.sharedError(c.Shared)
	}
	if c.Cooperative && f.drv != nil { // else it is asked when there is code
		return f.checkResident(out)
	}
	return nil
}

// TooManyBlocks is the error of a cooperative launch whose grid the device cannot hold at
// once.
type TooManyBlocks struct {
	Device string
	Blocks int // of the grid
	Limit  int // how many such blocks the device holds
}

func (e *TooManyBlocks) Error() string {
	return fmt.Sprintf("a cooperative grid of %d blocks; %s holds %d such blocks at once", e.Blocks, e.Device, e.Limit)
}

// resident is inside.Resident.
func (f *function) resident(c Config) (int, error) {
	c.Grid, c.Cooperative = Dim3{}, false
	if err := f.dev.enter(); err != nil {
		return 0, err
	}
	defer f.dev.leave()
	var shape driver.Config
	f, err := c.fit(f, &shape)
	if err != nil {
		return 0, errs.F("%s: %w", f.obj.Name, err)
	}
	n, err := f.drv.Resident(&shape)
	return n, f.dev.vendor(err, f)
}

// checkResident says whether all blocks of a cooperative launch can run at once.
func (f *function) checkResident(c *driver.Config) error {
	limit, err := f.drv.Resident(c)
	if err != nil {
		return err
	}
	blocks := c.Grid[0]
	for _, n := range c.Grid[1:] {
		if blocks > limit || n > limit {
			break
		}
		blocks *= n
	}
	if blocks > limit {
		return &TooManyBlocks{f.dev.Name(), c.Grid[0] * c.Grid[1] * c.Grid[2], limit}
	}
	return nil
}

func checkAxes(what string, d, limit *driver.Dim, device string) error {
	for a, n := range d {
		if n < 0 {
			return errs.F("%s.%c is %d; an axis is at least 1 (0 means 1)", what, 'X'+rune(a), n)
		}
		if n > limit[a] {
			return errs.F("%s.%c is %d; the limit of %s is %d", what, 'X'+rune(a), n, device, limit[a])
		}
	}
	return nil
}

// blockError says which of the three limits on a block's threads n is over.
func (f *function) blockError(n int, d driver.Dim) error {
	i := f.dev.info
	switch {
	case n > i.MaxThreads:
		return errs.F("a block of %d threads %v; the limit of %s is %d", n, d, i.Name, i.MaxThreads)
	case f.obj.MaxThreads > 0 && n > f.obj.MaxThreads:
		return errs.F("a block of %d threads %v; the kernel's launch bound is %d (//heddle:launchbounds)",
			n, d, f.obj.MaxThreads)
	}
	return &registersError{errs.F("a block of %d threads %v; the kernel, with its %d registers a thread, can have %d on %s; "+
		"use smaller blocks or //heddle:launchbounds %d", n, d, f.obj.Res.VGPR, f.obj.Res.MaxThreads, i.Name, n), n}
}

func (f *function) sharedError(n int) error {
	if n < 0 {
		return errs.F("Config.Shared is %d bytes; it is at least 0", n)
	}
	i := f.dev.info
	return errs.F("%d bytes of dynamic and %d of static shared memory; the limit of %s is %d a block",
		n, f.static(), i.Name, max(i.SharedPerBlock, i.SharedPerBlockMax))
}
