// Package cuda drives NVIDIA GPUs through libcuda, the driver that comes with
// the kernel module: no CUDA toolkit is needed, and no cgo. All but the tables
// below is package gpu's. Kernels arrive as PTX text, which the driver compiles
// for the device at hand.
package cuda

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/gpu"
)

// New returns the vendor "cuda". The library is loaded at the first question.
func New() driver.Vendor { return gpu.New(&spec) }

var spec = gpu.Spec{
	Vendor:    "cuda",
	Target:    "nvptx",
	Kind:      abi.PTX,
	Libraries: []string{"libcuda.so.1", "libcuda.so"},
	DLLs:      []string{"nvcuda.dll"},
	Symbols: [gpu.NumCalls]string{
		gpu.Init:              "cuInit",
		gpu.Version:           "cuDriverGetVersion",
		gpu.ErrorName:         "cuGetErrorName",
		gpu.ErrorString:       "cuGetErrorString",
		gpu.DeviceCount:       "cuDeviceGetCount",
		gpu.DeviceGet:         "cuDeviceGet",
		gpu.DeviceName:        "cuDeviceGetName",
		gpu.DeviceMemory:      "cuDeviceTotalMem_v2",
		gpu.DeviceAttribute:   "cuDeviceGetAttribute",
		gpu.PrimaryRetain:     "cuDevicePrimaryCtxRetain",
		gpu.PrimaryRelease:    "cuDevicePrimaryCtxRelease_v2",
		gpu.SetCurrent:        "cuCtxSetCurrent",
		gpu.MemAlloc:          "cuMemAlloc_v2",
		gpu.MemFree:           "cuMemFree_v2",
		gpu.HostAlloc:         "cuMemHostAlloc",
		gpu.HostFree:          "cuMemFreeHost",
		gpu.HostRegister:      "cuMemHostRegister_v2",
		gpu.HostDeviceAddress: "cuMemHostGetDevicePointer_v2",
		gpu.CopyIn:            "cuMemcpyHtoDAsync_v2",
		gpu.CopyOut:           "cuMemcpyDtoHAsync_v2",
		gpu.Copy:              "cuMemcpyDtoDAsync_v2",
		gpu.Fill:              "cuMemsetD8Async",
		gpu.StreamCreate:      "cuStreamCreateWithPriority",
		gpu.StreamDestroy:     "cuStreamDestroy_v2",
		gpu.StreamSync:        "cuStreamSynchronize",
		gpu.StreamQuery:       "cuStreamQuery",
		gpu.StreamWait:        "cuStreamWaitEvent",
		gpu.EventCreate:       "cuEventCreate",
		gpu.EventDestroy:      "cuEventDestroy_v2",
		gpu.EventRecord:       "cuEventRecord",
		gpu.EventSync:         "cuEventSynchronize",
		gpu.EventQuery:        "cuEventQuery",
		gpu.EventElapsed:      "cuEventElapsedTime",
		gpu.ModuleLoad:        "cuModuleLoadDataEx",
		gpu.ModuleUnload:      "cuModuleUnload",
		gpu.ModuleFunction:    "cuModuleGetFunction",
		gpu.ModuleGlobal:      "cuModuleGetGlobal_v2",
		gpu.FunctionGet:       "cuFuncGetAttribute",
		gpu.FunctionSet:       "cuFuncSetAttribute",
		gpu.LaunchKernel:      "cuLaunchKernel",
		gpu.LaunchCooperative: "cuLaunchCooperativeKernel",
		gpu.Occupancy:         "cuOccupancyMaxActiveBlocksPerMultiprocessor",
	},
	Images: [gpu.NumImageCalls]string{
		gpu.ArrayCreate:    "cuArray3DCreate_v2",
		gpu.ArrayDestroy:   "cuArrayDestroy",
		gpu.MipmapCreate:   "cuMipmappedArrayCreate",
		gpu.MipmapDestroy:  "cuMipmappedArrayDestroy",
		gpu.MipmapLevel:    "cuMipmappedArrayGetLevel",
		gpu.CopyImage:      "cuMemcpy3DAsync_v2",
		gpu.TextureCreate:  "cuTexObjectCreate",
		gpu.TextureDestroy: "cuTexObjectDestroy",
		gpu.SurfaceCreate:  "cuSurfObjectCreate",
		gpu.SurfaceDestroy: "cuSurfObjectDestroy",
	},
	Attrs: [gpu.NumAttrs]int{ // CU_DEVICE_ATTRIBUTE_*
		gpu.WarpSize:       10,
		gpu.MaxThreads:     1,
		gpu.MaxBlockX:      2,
		gpu.MaxBlockY:      3,
		gpu.MaxBlockZ:      4,
		gpu.MaxGridX:       5,
		gpu.MaxGridY:       6,
		gpu.MaxGridZ:       7,
		gpu.SharedPerBlock: 8,
		gpu.SharedOptIn:    97,
		gpu.ComputeUnits:   16,
		gpu.ClockRate:      13,
	},
	Extras:      &extras,
	Box:         box,
	ParamEnd:    0,       // CU_LAUNCH_PARAM_END
	HostFlags:   0x1 | 2, // CU_MEMHOSTALLOC_PORTABLE | _DEVICEMAP
	NonCoherent: 0x1 | 2, // all of it is coherent
	VersionText: func(v int) string { return fmt.Sprintf("CUDA %d.%d", v/1000, v%1000/10) },
	Describe:    describe,
	Load:        load,
	Bound:       bound,
	Overlap:     &overlap,
	Queries:     gpu.Queries{Attributes: attributes[:], LimitGet: "cuCtxGetLimit", LimitSet: "cuCtxSetLimit", Complete: complete},
	MissingFix:  "install the NVIDIA driver: apt install nvidia-driver",
	NoDeviceFix: "check that an NVIDIA GPU is visible: nvidia-smi",
}

// More CU_DEVICE_ATTRIBUTE_* numbers.
const (
	attrMajor = 75
	attrMinor = 76
)

func describe(l *gpu.Lib, dev, _ int, i *driver.Info) error {
	i.Arch = fmt.Sprintf("sm_%d%d", l.Attribute(attrMajor, dev), l.Attribute(attrMinor, dev))
	i.WallClockRate = 1e6 // %globaltimer counts nanoseconds
	return nil
}

// Options of cuModuleLoadDataEx (CU_JIT_*). A size travels in the pointer's place.
const (
	jitErrorLog     = 5
	jitErrorLogSize = 6
	jitLineInfo     = 13
	logSize         = 8192
)

// load compiles PTX text. What the driver's assembler says of a bad program
// becomes part of the error.
func load(d *gpu.Device, ptx []byte) (uintptr, error) {
	text := append(bytes.Clone(ptx), 0)
	log := make([]byte, logSize)
	options := &[3]int32{jitErrorLog, jitErrorLogSize, jitLineInfo}
	values := &struct {
		log            unsafe.Pointer
		size, lineInfo uintptr
	}{unsafe.Pointer(&log[0]), logSize, 1}
	module := new(uintptr)
	err := d.Do(gpu.ModuleLoad, uintptr(unsafe.Pointer(module)), uintptr(unsafe.Pointer(&text[0])),
		uintptr(len(options)), uintptr(unsafe.Pointer(options)), uintptr(unsafe.Pointer(values)))
	if err != nil {
		if i := bytes.IndexByte(log, 0); i > 0 {
			err = fmt.Errorf("%w\n%s", err, strings.TrimSpace(string(log[:i])))
		}
		return 0, err
	}
	return *module, nil
}
