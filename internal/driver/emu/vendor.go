package emu

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/driver"
	"heddle/internal/driver/host"
	"heddle/internal/env"
	"heddle/internal/llvm"
)

// Env names the environment variable with the options.
const Env = env.Emu

// New returns the vendor of emulated devices.
func New() driver.Vendor { return vendor{} }

type vendor struct{}

// A processor is one that is emulated: those that the test suite runs on.
type processor struct {
	arch    string
	product string
	waves   []int // wave sizes, the usual one first
	units   int   // compute units of the largest product
	clock   int   // kHz
	llvm    int   // the first release that knows it
}

var processors = []processor{
	{"gfx942", "AMD Instinct MI300X", []int{64}, 304, 2100e3, 17},
	{"gfx90a", "AMD Instinct MI200", []int{64}, 104, 1700e3, 15},
	{"gfx1030", "AMD Radeon RX 6900 XT", []int{32, 64}, 80, 2250e3, 15},
	{"gfx1100", "AMD Radeon RX 7900 XTX", []int{32, 64}, 96, 2500e3, 15},
	{"gfx1201", "AMD Radeon RX 9070 XT", []int{32, 64}, 64, 2970e3, 18},
}

// Name implements driver.Vendor.
func (vendor) Name() string { return "emu" }

// Probe implements driver.Vendor.
func (vendor) Probe() driver.Probe {
	p := driver.Probe{Library: "built in", Version: "emulator"}
	if _, err := parseOptions(env.Get(Env)); err != nil {
		p.Problem, p.Fix = err.Error(), "correct "+Env
		return p
	}
	lib, err := llvm.Open()
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		p.Problem, p.Fix = "the emulator decodes instructions with libLLVM: "+why, llvm.Fix()
		return p
	}
	if why := llvm.Refusal(lib.Major, llvm.AMDGPU); why != "" && env.Get(llvm.EnvLLVM) == "" {
		p.Problem = fmt.Sprintf("LLVM %d is not one that heddle uses for AMDGPU: %s; only modules of other compilers run", lib.Major, why)
		p.Fix = llvm.Fix()
		return p
	}
	for _, c := range processors {
		if c.llvm > lib.Major {
			continue
		}
		for _, w := range c.waves {
			p.Devices = append(p.Devices, info(c, w))
		}
	}
	return p
}

// Open implements driver.Vendor: id is a processor, gfx942 if empty (gfx90a with
// an LLVM that does not know that), and behind
// a colon the wave size.
func (vendor) Open(id string) (driver.Device, error) {
	arch, size, _ := strings.Cut(id, ":")
	if arch == "" {
		arch = usual()
	}
	i := slices.IndexFunc(processors, func(p processor) bool { return p.arch == arch })
	if i < 0 {
		return nil, fmt.Errorf("emu:%s: processor %q is not emulated; these are: %s", id, arch, archs())
	}
	c := processors[i]
	wave := c.waves[0]
	if size != "" {
		wave, _ = strconv.Atoi(size)
	}
	if !slices.Contains(c.waves, wave) {
		return nil, fmt.Errorf("emu:%s: %s has waves of %v, not %q", id, arch, c.waves, size)
	}
	o, err := parseOptions(env.Get(Env))
	if err != nil {
		return nil, fmt.Errorf("emu:%s: %w", id, err)
	}
	lib, err := llvm.Open()
	if err != nil {
		return nil, fmt.Errorf("emu:%s: the emulator decodes instructions with libLLVM: %w", id, err)
	}
	if c.llvm > lib.Major {
		return nil, fmt.Errorf("emu:%s: %s needs LLVM %d or later, and this is LLVM %d: install a newer libLLVM, or set %s to one",
			id, arch, c.llvm, lib.Major, llvm.EnvLLVM)
	}
	r, err := record(o)
	if err != nil {
		return nil, fmt.Errorf("emu:%s: %w", id, err)
	}
	in := info(c, wave)
	e := newEngine(in, r, lib.Disassemble)
	in.Alone = e.memory.Alone()
	return host.New(in, e, true), nil
}

// usual is the processor that is meant where none is named: the first of the
// table that the LLVM at hand knows.
func usual() string {
	if lib, err := llvm.Open(); err == nil {
		for _, p := range processors {
			if p.llvm <= lib.Major {
				return p.arch
			}
		}
	}
	return processors[0].arch
}

// archs lists the processors.
func archs() string {
	var all []string
	for _, p := range processors {
		all = append(all, p.arch)
	}
	return strings.Join(all, ", ")
}

func info(c processor, wave int) driver.Info {
	name := "emu:" + c.arch
	if wave != c.waves[0] {
		name += ":" + strconv.Itoa(wave)
	}
	return driver.Info{
		Name: name, Product: c.product + ", emulated", Target: "amdgpu", Arch: c.arch, WarpSize: wave,
		MaxThreads: 1024,
		MaxBlock:   driver.Dim{1024, 1024, 1024}, MaxGrid: driver.Dim{1<<31 - 1, 65535, 65535}, GridThreads: math.MaxUint32,
		SharedPerBlock: 64 << 10, SharedPerBlockMax: 64 << 10,
		ComputeUnits: c.units, Memory: 8 << 30, ClockRate: c.clock,
		WallClockRate: 100e3, Driver: "emulator", CodeObject: 5,
	}
}
