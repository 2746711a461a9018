package emu

import (
	"strconv"

	"heddle/internal/driver"
)

// A chip is what a compute unit of a processor has, and the memory of its product.
type chip struct {
	arch  string
	simds int // of a unit
	waves int // slots of a SIMD
	// registers of a lane in a SIMD, for waves of 32 threads where the processor has them;
	// granule is what they are given out in. Waves of 64 have half of both.
	registers, granule int
	l2                 int // bytes
	clock, bus         int // of the memory: kHz, bits
	singles            int // float32 results for one of float64
}

// chips are in the order of processors. Their registers are those of LLVM's tables, which
// TestOccupancy holds them against; L2, clock and bus are the product's.
var chips = [...]chip{
	{"gfx942", 4, 8, 1024, 16, 4 << 20, 1300e3, 8192, 1},
	{"gfx90a", 4, 8, 1024, 16, 8 << 20, 1600e3, 4096, 1},
	{"gfx1030", 2, 16, 1024, 16, 4 << 20, 1000e3, 256, 32},
	{"gfx1100", 2, 16, 1536, 24, 6 << 20, 1249e3, 384, 32},
	{"gfx1201", 2, 16, 1536, 24, 8 << 20, 1258e3, 256, 32},
}

func chipOf(arch string) *chip {
	for i := range chips {
		if chips[i].arch == arch {
			return &chips[i]
		}
	}
	return &chips[0]
}

// maxGroups is how many blocks of more than one wave a unit holds: so many barriers it has.
const maxGroups = 16

// ldsGranule is what shared memory is given out in, bytes.
const ldsGranule = 512

// lane is how many registers a lane of a SIMD has for waves of a size, and their granule.
func (c *chip) lane(wave int) (registers, granule int) {
	return c.registers * 32 / wave, c.granule * 32 / wave
}

// scalarWaves is how many waves of a SIMD the scalar registers allow: 800 before gfx10, in
// steps of 8 for each wave up to 100; later processors have enough for all.
func (c *chip) scalarWaves(sgprs int) int {
	switch {
	case c.simds == 2 || sgprs <= 100:
		return c.waves
	}
	return min(c.waves, 7)
}

// wavesPerSIMD is how many waves of so many registers a SIMD holds.
func (c *chip) wavesPerSIMD(wave, vgprs, sgprs int) int {
	registers, granule := c.lane(wave)
	given := max(1, (vgprs+granule-1)/granule) * granule
	return min(c.scalarWaves(sgprs), c.waves, registers/given)
}

// occupancy is how many blocks of threads threads and lds bytes a unit holds at once.
func (c *chip) occupancy(wave, threads, vgprs, sgprs, lds, ldsOfUnit int) int {
	group := (threads + wave - 1) / wave
	n := c.simds * c.wavesPerSIMD(wave, vgprs, sgprs) / group
	if group > 1 {
		n = min(n, maxGroups)
	}
	if lds > 0 {
		n = min(n, ldsOfUnit/((lds+ldsGranule-1)/ldsGranule*ldsGranule))
	}
	return n
}

// Occupancy implements driver.Measured: what the emulated processor would hold, which is not
// how many blocks the emulator runs at once.
func (f *function) Occupancy(threads, shared int) (int, error) {
	r, i := &f.object.Res, &f.engine.info
	return chipOf(i.Arch).occupancy(i.WarpSize, threads, r.VGPR, r.SGPR, r.LDS+shared, i.SharedPerBlockMax), nil
}

// Attributes implements driver.Measured.
func (f *function) Attributes() (*driver.FunctionAttributes, error) {
	return &driver.FunctionAttributes{Res: f.object.Res, Binary: archNumber(f.engine.info.Arch), Carveout: -1}, nil
}

// PreferShared implements driver.Measured: AMD's shared memory is memory of its own.
func (f *function) PreferShared(int) error { return nil }

// archNumber is HIP's number of an architecture, whose last two digits are hexadecimal: 910 of gfx90a.
func archNumber(arch string) int {
	major, minor := version(arch)
	step, _ := strconv.ParseInt(arch[len(arch)-1:], 16, 0)
	return major*100 + minor*10 + int(step)
}

// version is the compute capability: 9, 0 of gfx90a.
func version(arch string) (major, minor int) {
	digits := arch[len("gfx"):]
	major, _ = strconv.Atoi(digits[:len(digits)-2])
	minor, _ = strconv.Atoi(digits[len(digits)-2 : len(digits)-1])
	return major, minor
}

// Describe implements host.Describer.
func (e *engine) Describe(p *driver.Properties) {
	c := chipOf(e.info.Arch)
	registers, _ := c.lane(e.info.WarpSize)
	major, minor := version(e.info.Arch)
	p.Set(driver.CapabilityMajor, major)
	p.Set(driver.CapabilityMinor, minor)
	p.Set(driver.MaxThreadsPerUnit, c.simds*c.waves*e.info.WarpSize)
	p.Set(driver.MaxBlocksPerUnit, c.simds*c.waves)
	p.Set(driver.RegistersPerUnit, registers*e.info.WarpSize*c.simds)
	p.Set(driver.RegistersPerBlock, registers*e.info.WarpSize*c.simds)
	p.Set(driver.ClockInstructionRate, e.info.WallClockRate)
	p.Set(driver.SingleToDouble, c.singles)
	p.Set(driver.ConstantMemory, 1<<31-1)
	p.Set(driver.L2Cache, c.l2)
	p.Set(driver.MemoryClockRate, c.clock)
	p.Set(driver.MemoryBusWidth, c.bus)
	p.Yes(driver.GlobalL1, driver.LocalL1)
	p.Set(driver.Integrated, 0)
}
