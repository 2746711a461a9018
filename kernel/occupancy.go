package kernel

import (
	"unsafe"

	"heddle/internal/errs"
	"heddle/internal/inside"
	"heddle/launch"
)

// Attributes are what a kernel needs of a device (hipFuncAttributes). Sizes are in bytes; what
// a device does not tell, or does not have, is 0.
type Attributes struct {
	// Registers a thread has: of 32 bits; on AMD's GPUs, whose compiler counts the three
	// kinds, the vector registers (numRegs).
	Registers int
	// ScalarRegisters of a warp and AccumulationRegisters of a thread (AMD).
	ScalarRegisters, AccumulationRegisters int
	// SpilledScalar and SpilledVector are registers that are kept in memory for want of more (AMD).
	SpilledScalar, SpilledVector int
	// Shared is static shared memory of a block (sharedSizeBytes), Local private memory of
	// a thread (localSizeBytes), Constant the kernel's own constant memory (constSizeBytes).
	Shared, Local, Constant int
	// MaxThreads is how many threads a block may have, with the kernel's registers and its launch
	// bound (maxThreadsPerBlock); MaxShared how much dynamic shared memory
	// (maxDynamicSharedSizeBytes).
	MaxThreads, MaxShared int
	Code                  int // size of the machine code; 0 where the driver makes it
	// BinaryVersion and PTXVersion are ten times the architecture's: 90 of sm_90
	// (binaryVersion, ptxVersion); of gfx90a, 910.
	BinaryVersion, PTXVersion int
	// CacheAll: global loads are kept in the first level's cache (cacheModeCA).
	CacheAll bool
	// PreferredShared is the part of a unit's memory to be shared memory, in percent, -1 for the
	// driver's choice (preferredShmemCarveout): see [Kernel.PreferShared].
	PreferredShared int
}

// Attributes tells what the kernel needs of dev (hipFuncGetAttributes). It compiles the kernel
// if need be.
func (k *Kernel) Attributes(dev *launch.Device) (Attributes, error) {
	m, err := k.measurer(dev)
	if err != nil {
		return Attributes{}, err
	}
	a, threads, shared, err := m.Measure()
	if err != nil {
		return Attributes{}, errs.F("kernel %s: %w", k.Name(), err)
	}
	r := &a.Res
	return Attributes{
		Registers: r.VGPR, ScalarRegisters: r.SGPR, AccumulationRegisters: r.AGPR,
		SpilledScalar: r.SGPRSpill, SpilledVector: r.VGPRSpill,
		Shared: r.LDS, Local: r.Scratch, Constant: a.Constant,
		MaxThreads: threads, MaxShared: shared, Code: r.CodeBytes,
		BinaryVersion: a.Binary, PTXVersion: a.PTX, CacheAll: a.CacheAll, PreferredShared: a.Carveout,
	}, nil
}

func (k *Kernel) measurer(dev *launch.Device) (inside.Measurer, error) {
	l, err := k.ahead(dev)
	if err != nil {
		return nil, err
	}
	return l.f.(inside.Measurer), nil
}

// An Occupancy is how full a kernel's blocks make a device's compute units.
type Occupancy struct {
	Blocks     int // of the launch's shape, that a unit holds at once
	Threads    int // of these blocks
	MaxThreads int // that a unit holds at once, of any kernel
	Units      int // of the device
}

// Fraction is Threads of MaxThreads: 1 is full.
func (o Occupancy) Fraction() float64 {
	if o.MaxThreads == 0 {
		return 0
	}
	return float64(o.Threads) / float64(o.MaxThreads)
}

// Occupancy tells how many blocks of cfg.Block threads and cfg.Shared bytes of dynamic shared
// memory a unit of dev holds at once (hipOccupancyMaxActiveBlocksPerMultiprocessor). An emulated
// GPU answers for the one that it emulates; cpu and sim do one block at a time. It compiles the
// kernel if need be.
func (k *Kernel) Occupancy(dev *launch.Device, cfg launch.Config) (Occupancy, error) {
	m, err := k.measurer(dev)
	if err != nil {
		return Occupancy{}, err
	}
	blocks, threads, err := m.Occupancy(unsafe.Pointer(&cfg))
	if err != nil {
		return Occupancy{}, err
	}
	return Occupancy{Blocks: blocks, Threads: blocks * threadsOf(cfg.Block), MaxThreads: threads, Units: dev.Info().ComputeUnits}, nil
}

// threadsOf is how many threads a block has; an axis of 0 counts as 1.
func threadsOf(block launch.Dim3) int { return max(block.X, 1) * max(block.Y, 1) * max(block.Z, 1) }

// MaxBlocksPerSM is the Blocks of [Kernel.Occupancy] for blocks of so many threads and so many
// bytes of dynamic shared memory.
func (k *Kernel) MaxBlocksPerSM(dev *launch.Device, threads, shared int) (int, error) {
	o, err := k.Occupancy(dev, launch.Config{Block: launch.Dim3{X: threads}, Shared: shared})
	return o.Blocks, err
}

// SuggestBlock looks for the number of threads a block that fills dev's units best, and of
// those that fill it alike takes the largest; grid is how many such blocks the device holds at
// once (hipOccupancyMaxPotentialBlockSize). Shared is how many bytes of dynamic shared memory a
// block of so many threads needs, nil for none
// (hipOccupancyMaxPotentialBlockSizeVariableSMem); a block that needs more than there is is left out. Most
// is the largest block to think of, 0 for no limit. It compiles the kernel if need be.
func (k *Kernel) SuggestBlock(dev *launch.Device, shared func(threads int) int, most int) (threads, grid int, err error) {
	a, err := k.Attributes(dev)
	if err != nil {
		return 0, 0, err
	}
	if most < 0 {
		return 0, 0, errs.F("kernel %s: SuggestBlock: the largest block is %d threads; it is at least 1, or 0 for no limit", k.Name(), most)
	}
	if most == 0 || most > a.MaxThreads {
		most = a.MaxThreads
	}
	info := dev.Info()
	var best Occupancy
	var last error
	for n := most; n > 0; n = (n - 1) / info.WarpSize * info.WarpSize {
		cfg := launch.Config{Block: launch.Dim3{X: n}}
		if shared != nil {
			cfg.Shared = shared(n)
		}
		if cfg.Shared > a.MaxShared && a.MaxShared >= 0 {
			last = errs.F("a block of %d threads needs %d bytes of shared memory, and the device has %d", n, cfg.Shared, a.MaxShared)
			continue
		}
		o, err := k.Occupancy(dev, cfg)
		if err != nil {
			return 0, 0, err
		}
		if o.Threads > best.Threads {
			best, threads = o, n
		} else if o.Blocks == 0 {
			last = errs.F("a unit holds no block of %d threads", n)
		}
		if best.Threads == best.MaxThreads {
			break
		}
	}
	if threads == 0 {
		return 0, 0, errs.F("kernel %s: SuggestBlock: no block fits %s: %w", k.Name(), info.Name, last)
	}
	return threads, best.Blocks * best.Units, nil
}

// PreferShared asks dev to make so many percent of the memory that is a unit's shared memory and
// its first level's cache shared memory while this kernel runs; -1 leaves it to the driver. It is a hint,
// which takes effect on NVIDIA's GPUs since 2017 (hipFuncAttributePreferredSharedMemoryCarveout,
// hipFuncSetCacheConfig); other devices have nothing to divide. All kernels of the same code share it.
func (k *Kernel) PreferShared(dev *launch.Device, percent int) error {
	if percent < -1 || percent > 100 {
		return errs.F("kernel %s: PreferShared of %d percent; want 0 to 100, or -1", k.Name(), percent)
	}
	m, err := k.measurer(dev)
	if err != nil {
		return err
	}
	return m.PreferShared(percent)
}
