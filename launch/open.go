package launch

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"heddle/internal/driver"
	"heddle/internal/driver/cpu"
	"heddle/internal/driver/cuda"
	"heddle/internal/driver/hip"
	"heddle/internal/driver/sim"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/llvm"
	"heddle/internal/module"
	"heddle/vector"
)

// Dim3 is three extents or indices: of a grid in blocks, of a block in threads.
type Dim3 = vector.Dim3

// builtin are the kinds of device that every program has, the ones to prefer
// first.
var builtin = []driver.Vendor{hip.New(), cuda.New(), cpu.New(), sim.New()}

// vendors are the kinds of device of this program: builtin, and behind them what
// it has added by blank imports.
func vendors() []driver.Vendor { return slices.Concat(builtin, driver.Registered()) }

// addable are the kinds of device that a program adds by a blank import, and the
// package to import.
var addable = map[string]string{"emu": module.Emu}

// EnvDevice names the environment variable that chooses the device of Open("").
const EnvDevice = "HEDDLE_DEVICE"

// DeviceInfo is what a device says of itself (hipDeviceProp_t). Sizes are in
// bytes and rates in kHz.
type DeviceInfo struct {
	Name     string // as Open takes it: "cuda:0"
	Product  string // "NVIDIA H200"
	Arch     string // "gfx942", "sm_90"; "" on the simulator
	Driver   string // the vendor's driver and its version
	WarpSize int
	// MaxThreads is threads a block; MaxBlock and MaxGrid are each axis' limit.
	MaxThreads        int
	MaxBlock, MaxGrid Dim3
	// SharedPerBlock is the shared memory a block may have, static and dynamic
	// together.
	SharedPerBlock int
	ComputeUnits   int // multiprocessors, CUs
	Memory         int64
	ClockRate      int
	WallClockRate  int // of dsl.WallClock64; 0 if unknown
}

func infoOf(i *driver.Info) DeviceInfo {
	return DeviceInfo{
		Name: i.Name, Product: i.Product, Arch: i.Arch, Driver: i.Driver,
		WarpSize: i.WarpSize, MaxThreads: i.MaxThreads,
		MaxBlock: dim3(i.MaxBlock), MaxGrid: dim3(i.MaxGrid),
		SharedPerBlock: max(i.SharedPerBlock, i.SharedPerBlockMax),
		ComputeUnits:   i.ComputeUnits, Memory: i.Memory,
		ClockRate: i.ClockRate, WallClockRate: i.WallClockRate,
	}
}

func dim3(d driver.Dim) Dim3 { return Dim3{X: d[0], Y: d[1], Z: d[2]} }

// Open opens a device by its name:
//
//	hip:N     the N-th AMD GPU, through HIP
//	cuda:N    the N-th NVIDIA GPU, through its driver
//	cpu       this machine's processor; cpu:64 with warps of 64 threads
//	sim       the simulator; sim:64 with warps of 64 threads
//	emu:gfxN  an emulated AMD GPU: emu:gfx942; emu:gfx1100:64 with warps of 64
//	          threads. The program has to import the emulator:
//	          import _ "heddle/launch/emu"
//
// A kind alone means its first device. The name "" means the one that the
// environment variable HEDDLE_DEVICE names, else the first of these kinds that
// this machine has; there is always the simulator. The processor is a device where
// there is one of LLVM's libraries, which compiles for it, or the program carries
// kernels that "heddle build" compiled.
//
// A variable HEDDLE_* of the environment that has no meaning is an error.
func Open(name string) (*Device, error) {
	if err := env.Check(); err != nil {
		return nil, errs.F("launch: %w", err)
	}
	from := ""
	if name == "" {
		name = env.Get(EnvDevice)
		from = " (from " + EnvDevice + ")"
	}
	if name == "" {
		return openBest()
	}
	kind, id, _ := strings.Cut(name, ":")
	for _, v := range vendors() {
		if v.Name() == kind {
			return open(v, id)
		}
	}
	if path, ok := addable[kind]; ok {
		return nil, errs.F("launch: device %q%s is not in this program; add to it: import _ %q", name, from, path)
	}
	return nil, errs.F("launch: unknown device %q%s; the kinds are %s", name, from, kinds())
}

// OpenAll opens all devices of a list, separated by commas, each a kind or a name as [Open] takes it: of a kind of GPU ("cuda",
// "hip") all that the machine has, of another kind or a name that one. A name may be there several times where the device is on
// the host: "cpu,cpu" is two. "" is all devices of the kind of Open(""). If one cannot be opened, none stays open, and
// the error has all reasons.
func OpenAll(list string) (devs []*Device, err error) {
	if list == "" {
		first, err := Open("")
		if err != nil {
			return nil, err
		}
		devs = append(devs, first)
		kind, id, _ := strings.Cut(first.Name(), ":")
		for i := range gpusOf(kind) {
			if name := fmt.Sprintf("%s:%d", kind, i); strconv.Itoa(i) != id {
				list = strings.TrimPrefix(list+","+name, ",")
			}
		}
		if list == "" {
			return devs, nil
		}
	}
	for item := range strings.SplitSeq(list, ",") {
		names := []string{item}
		if n := gpusOf(item); n > 0 {
			names = nil
			for i := range n {
				names = append(names, fmt.Sprintf("%s:%d", item, i))
			}
		}
		for _, name := range names {
			d, e := Open(name)
			if name == "" {
				e = errs.Join(e, errs.F("launch: OpenAll: an empty name in %q", list))
			}
			if err = errs.Join(err, e); d != nil {
				devs = append(devs, d)
			}
		}
	}
	if err == nil {
		return devs, nil
	}
	for _, d := range devs {
		err = errs.Join(err, d.Close())
	}
	return nil, err
}

// gpusOf is how many devices of a kind of GPU there are, 0 for other kinds and names.
func gpusOf(kind string) int {
	if kind != "cuda" && kind != "hip" {
		return 0
	}
	for _, v := range vendors() {
		if v.Name() == kind {
			return len(v.Probe().Devices)
		}
	}
	return 0
}

var compiled atomic.Bool

// unusable is why code that the program carries cannot be used.
var unusable atomic.Pointer[error]

// setCompiled tells that the program carries code for this machine's processor, so
// that the device cpu is of use without libLLVM, or why what it carries cannot be
// used; for package kernel.
func setCompiled(problem error) {
	if problem != nil {
		unusable.CompareAndSwap(nil, &problem)
		return
	}
	compiled.Store(true)
}

// missingCompiler says why no kernel can be compiled for a kind of device, nil if one can.
func missingCompiler(v driver.Vendor) error {
	if v.Name() != "cpu" || compiled.Load() {
		return nil
	}
	_, _, err := llvm.Find()
	if why := unusable.Load(); why != nil && err != nil {
		err = errs.F("%w, and the program's archive cannot be used (%v)", err, *why)
	}
	return err
}

// tellSim says, once, that kernels run on the simulator for want of anything better,
// and what to install: nobody who measures is to wonder.
var tellSim = onceWith(func(w io.Writer) { _, _ = io.WriteString(w, simNotice()) })

func simNotice() string {
	why := "no GPU was found"
	for _, v := range builtin {
		if err := missingCompiler(v); err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			why += ", and no compiler for the processor (" + first + ")"
		}
	}
	return fmt.Sprintf("heddle: %s: kernels run on the simulator, which is slow. For the processor: %s. To silence this: %s=sim\n", why, llvm.Fix(), EnvDevice)
}

func onceWith[T any](f func(T)) func(T) {
	var once sync.Once
	return func(v T) { once.Do(func() { f(v) }) }
}

func openBest() (*Device, error) {
	var all error
	for _, v := range vendors() {
		d, err := open(v, "")
		if err == nil {
			if v.Name() == "sim" {
				tellSim(os.Stderr)
			}
			return d, nil
		}
		all = errs.Join(all, err)
	}
	return nil, all
}

func open(v driver.Vendor, id string) (*Device, error) {
	if err := missingCompiler(v); err != nil {
		return nil, errs.F("launch: the device %s has no compiler: %w", v.Name(), err)
	}
	drv, err := v.Open(id)
	if err != nil {
		return nil, told("", errs.F("launch: %w", err))
	}
	return newDevice(drv)
}

func kinds() string {
	var names []string
	for _, v := range vendors() {
		names = append(names, v.Name())
	}
	return strings.Join(names, ", ")
}

// Devices lists the devices of this machine, the preferred kinds first. Emulated
// GPUs are among them if the program imports heddle/launch/emu.
func Devices() []DeviceInfo {
	var all []DeviceInfo
	for _, p := range Probes() {
		all = append(all, p.Devices...)
	}
	return all
}

// A Probe is what was found of one kind of device.
type Probe struct {
	Kind    string // "cuda"
	Library string // the vendor's library that was loaded, "" if none
	Version string
	Devices []DeviceInfo
	Problem string // what is missing, in one line; "" if all is well
	Fix     string // what to do about it
}

// Probes looks for every kind of device that the program has. It never fails: what is absent is a
// Probe's Problem.
func Probes() []Probe {
	var all []Probe
	for _, v := range vendors() {
		p := v.Probe()
		if err := missingCompiler(v); err != nil && p.Problem == "" {
			why, _, _ := strings.Cut(err.Error(), "\n")
			p.Devices, p.Problem, p.Fix = nil, "no compiler: "+why, llvm.Fix()
		}
		q := Probe{Kind: v.Name(), Library: p.Library, Version: p.Version, Problem: p.Problem, Fix: p.Fix}
		for i := range p.Devices {
			q.Devices = append(q.Devices, infoOf(&p.Devices[i]))
		}
		all = append(all, q)
	}
	return all
}
