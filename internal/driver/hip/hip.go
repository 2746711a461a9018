// Package hip drives AMD GPUs through libamdhip64, HIP's run time, without
// cgo. All but the tables below is package gpu's. Kernels arrive as AMDGPU
// code objects.
//
// Releases 5 to 7 of the library are known. Their device attributes have the
// same numbers (4 and earlier numbered them otherwise and are refused); the
// properties struct changed with release 6, which exports the new one as
// hipGetDevicePropertiesR0600 and keeps the plain name for the old one. The
// code object version and with it the layout of the hidden arguments follow the
// release, too. TestHeaders holds all numbers below against HIP's own headers.
package hip

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/gpu"
)

// New returns the vendor "hip". The library is loaded at the first question.
func New() driver.Vendor { return gpu.New(&spec) }

var spec = gpu.Spec{
	Vendor: "hip",
	Target: "amdgpu",
	Kind:   abi.HSACO,
	Libraries: []string{
		"$ROCM_PATH/lib/libamdhip64.so",
		"libamdhip64.so.8", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
		"/opt/rocm/lib/libamdhip64.so", "/opt/rocm*/lib/libamdhip64.so",
	},
	// The driver puts one into the system's directory, the HIP SDK another into its own.
	DLLs: []string{"amdhip64_8.dll", "amdhip64_7.dll", "amdhip64_6.dll", "amdhip64.dll", "$HIP_PATH/bin/amdhip64*.dll"},
	Symbols: [gpu.NumCalls]string{
		gpu.Init:              "hipInit",
		gpu.Version:           "hipRuntimeGetVersion",
		gpu.ErrorName:         "hipGetErrorName",
		gpu.ErrorString:       "hipGetErrorString",
		gpu.DeviceCount:       "hipGetDeviceCount",
		gpu.DeviceGet:         "hipDeviceGet",
		gpu.DeviceName:        "hipDeviceGetName",
		gpu.DeviceMemory:      "hipDeviceTotalMem",
		gpu.DeviceAttribute:   "hipDeviceGetAttribute",
		gpu.SetCurrent:        "hipSetDevice",
		gpu.MemAlloc:          "hipMalloc",
		gpu.MemFree:           "hipFree",
		gpu.HostAlloc:         "hipHostMalloc",
		gpu.HostFree:          "hipHostFree",
		gpu.HostRegister:      "hipHostRegister",
		gpu.HostDeviceAddress: "hipHostGetDevicePointer",
		gpu.CopyIn:            "hipMemcpyHtoDAsync",
		gpu.CopyOut:           "hipMemcpyDtoHAsync",
		gpu.Copy:              "hipMemcpyDtoDAsync",
		gpu.Fill:              "hipMemsetD8Async",
		gpu.StreamCreate:      "hipStreamCreateWithPriority",
		gpu.StreamDestroy:     "hipStreamDestroy",
		gpu.StreamSync:        "hipStreamSynchronize",
		gpu.StreamQuery:       "hipStreamQuery",
		gpu.StreamWait:        "hipStreamWaitEvent",
		gpu.EventCreate:       "hipEventCreateWithFlags",
		gpu.EventDestroy:      "hipEventDestroy",
		gpu.EventRecord:       "hipEventRecord",
		gpu.EventSync:         "hipEventSynchronize",
		gpu.EventQuery:        "hipEventQuery",
		gpu.EventElapsed:      "hipEventElapsedTime",
		gpu.ModuleLoad:        "hipModuleLoadData",
		gpu.ModuleUnload:      "hipModuleUnload",
		gpu.ModuleFunction:    "hipModuleGetFunction",
		gpu.ModuleGlobal:      "hipModuleGetGlobal",
		gpu.FunctionGet:       "hipFuncGetAttribute",
		gpu.LaunchKernel:      "hipModuleLaunchKernel",
		gpu.LaunchCooperative: "hipModuleLaunchCooperativeKernel",
		gpu.Occupancy:         "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
	},
	Attrs: [gpu.NumAttrs]int{ // hipDeviceAttribute_t, release 5 and later
		gpu.WarpSize:       87,
		gpu.MaxThreads:     56,
		gpu.MaxBlockX:      26,
		gpu.MaxBlockY:      27,
		gpu.MaxBlockZ:      28,
		gpu.MaxGridX:       29,
		gpu.MaxGridY:       30,
		gpu.MaxGridZ:       31,
		gpu.SharedPerBlock: 74,
		gpu.SharedOptIn:    75,
		gpu.ComputeUnits:   63,
		gpu.ClockRate:      5,
	},
	Extras:       &extras,
	Box:          box,
	NonCoherent:  nonCoherent,
	ParamEnd:     3,                    // HIP_LAUNCH_PARAM_END
	HostFlags:    0x1 | 2 | 0x40000000, // hipHostMallocPortable | Mapped | Coherent
	TextIsResult: true,
	VersionText:  func(v int) string { return fmt.Sprintf("HIP %d.%d.%d", v/1e7, v/1e5%100, v%1e5) },
	Describe:     describe,
	Load:         load,
	Queries:      gpu.Queries{Attributes: attributes[:], LimitGet: "hipDeviceGetLimit", LimitSet: "hipDeviceSetLimit", Complete: complete},
	// Release 5.2 answers hipInit with 101 (hipErrorInvalidDevice) and
	// hipGetDeviceCount with 100 (hipErrorNoDevice), and has no texts.
	NoDevice:     "no ROCm-capable device",
	NoDeviceCode: []int{100, 101},
	MissingFix:   "install HIP's run time: apt install libamdhip64-5, or ROCm's hip-runtime-amd",
	NoDeviceFix:  "check that /dev/kfd is there and that you may open it: usermod -aG render,video $USER",
}

// attrWallClockRate is the first of HIP's own attributes that heddle needs;
// libraries before 5.3 do not know it.
const attrWallClockRate = 10017

// A propertiesCall fills a struct. Of every release one field of it is of use: the
// architecture, which no attribute tells.
type propertiesCall struct {
	symbol string
	offset int // of gcnArchName
}

var properties = []propertiesCall{
	{"hipGetDevicePropertiesR0600", 1160},
	{"hipGetDeviceProperties", 396},
}

const archNameSize = 256

// codeObjects says what the loader of each release takes, oldest first. All of
// them take version 4. Some time in release 5 the loader learnt version 5 and
// the run time its hidden arguments; 5.2's refuses it as error 303. Version 6 adds
// only code for families of processors, which heddle has no use for.
var codeObjects = []struct{ major, codeObject int }{{5, 4}, {6, 5}}

func describe(l *gpu.Lib, dev, version int, i *driver.Info) error {
	major := version / 1e7
	for _, r := range codeObjects {
		if major >= r.major {
			i.CodeObject = r.codeObject
		}
	}
	if i.CodeObject == 0 {
		return fmt.Errorf("%s is release %d; heddle needs %d or later", l.Path, major, codeObjects[0].major)
	}
	arch, err := archName(l, dev)
	if err != nil {
		return err
	}
	i.Arch = arch
	i.WallClockRate = l.Attribute(attrWallClockRate, dev)
	i.GridThreads = math.MaxUint32
	return nil
}

// archName is the device's architecture without its feature flags: of
// "gfx90a:sramecc+:xnack-", gfx90a.
func archName(l *gpu.Lib, dev int) (string, error) {
	prop, p, err := deviceProp(l, dev)
	if err != nil {
		return "", err
	}
	name, _, _ := strings.Cut(string(prop[p.offset:p.offset+archNameSize]), "\x00")
	name, _, _ = strings.Cut(name, ":")
	if !strings.HasPrefix(name, "gfx") {
		return "", fmt.Errorf("%s gives the architecture as %q, want gfx...: unknown struct layout", p.symbol, name)
	}
	return name, nil
}

// deviceProp is the library's hipDeviceProp_t, and which of its forms.
func deviceProp(l *gpu.Lib, dev int) (*[8192]byte, propertiesCall, error) {
	for _, p := range properties {
		f := l.Symbol(p.symbol)
		if f == 0 {
			continue
		}
		buf := new([8192]byte) // five times the largest known struct
		if r, _, _ := purego.SyscallN(f, uintptr(unsafe.Pointer(buf)), uintptr(dev)); int32(r) != 0 {
			return nil, p, fmt.Errorf("%s: result %d", p.symbol, int32(r))
		}
		return buf, p, nil
	}
	return nil, propertiesCall{}, fmt.Errorf("%s has no hipGetDeviceProperties", l.Path)
}

// load loads a code object. The run time reads it until the module is
// unloaded; gpu.Function keeps it alive that long. An error says what was
// refused: HIP tells no reason.
func load(d *gpu.Device, image []byte) (uintptr, error) {
	if len(image) < elfHeader {
		return 0, fmt.Errorf("the code object has %d bytes", len(image))
	}
	module := new(uintptr)
	err := d.Do(gpu.ModuleLoad, uintptr(unsafe.Pointer(module)), uintptr(unsafe.Pointer(&image[0])))
	if err != nil {
		err = fmt.Errorf("%w (code object v%d, %s)", err, image[elfABIVersion]+2, d.Info().Driver)
	}
	return *module, err
}

// In a code object's ELF header the ABI version is the code object version less 2.
const (
	elfABIVersion = 8
	elfHeader     = 64
)
