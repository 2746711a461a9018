package launch

import (
	"fmt"
	"strings"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// Properties are all that a device says of itself (hipDeviceProp_t and hipDeviceAttribute_t;
// docs/properties.md has a row for each of their names). What a device does not tell, and
// what it does not have, is 0.
type Properties struct {
	DeviceInfo
	// FullArch is Arch with the features that the device runs with, as AMD writes them:
	// "gfx90a:sramecc+:xnack-".
	FullArch string
	// UUID is the device's own number, the same on each start of the machine; all 0 if it
	// has none.
	UUID UUID
	// PCI is the address on the bus, "0000:1b:00.0": domain, bus, device, function; ""
	// where there is none (hipDeviceGetPCIBusId).
	PCI      string
	Work     WorkProperties
	Mem      MemoryProperties
	Board    BoardProperties
	Images   ImageProperties
	Features FeatureProperties
}

// A UUID is a device's own number (hipUUID).
type UUID [16]byte

// String writes the number as nvidia-smi does, without its "GPU-": groups of 8, 4, 4, 4 and
// 12 hexadecimal digits; "" for all 0.
func (u UUID) String() string {
	if u == (UUID{}) {
		return ""
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// WorkProperties are what runs at once on a device, and what a kernel may use. Sizes are
// in bytes unless a comment gives another unit.
type WorkProperties struct {
	Major                  int // of the compute capability: 9 of 9.0; on AMD of the gfx number
	Minor                  int
	MaxThreadsPerUnit      int  // threads that a unit holds at once
	MaxBlocksPerUnit       int  // blocks that a unit holds at once; 0 where the driver does not tell
	PhysicalUnits          int  // units of the chip, those switched off too; 0 if unknown
	RegistersPerBlock      int  // of 32 bits
	RegistersPerUnit       int  // of 32 bits
	SharedPerBlockDefault  int  // shared memory a block has without asking for more; heddle asks when need be
	SharedPerUnit          int  // shared memory of a unit
	SharedReserved         int  // of a block's shared memory, what the driver keeps
	SingleToDouble         int  // how much faster float32 is than float64; 0 if unknown
	ClockInstructionRate   int  // kHz of what dsl.Clock counts; 0: the unit's own clock
	ComputeMode            int  // 0 any process and thread may use the device, 2 none may, 3 one process may
	ConcurrentKernels      bool // kernels of different streams run at once
	CooperativeLaunch      bool // launch.Config.Cooperative
	CooperativeMultiDevice bool
	UnmatchedFunc          bool // such launches may differ in the kernel
	UnmatchedGrid          bool // in the grid
	UnmatchedBlock         bool // in the block
	UnmatchedShared        bool // in the shared memory
	ClusterLaunch          bool // clusters of blocks
	Preemption             bool // the device can leave a kernel in the middle
	KernelTimeout          bool // the system ends kernels that run for long, as where a display hangs on the device
	StreamPriorities       bool
	StreamWaitValue        bool // streams can wait for a value in memory
	FunctionPointers       bool // one address of a function on all devices
}

// MemoryProperties are a device's memory, and how it and the host reach each other's. Sizes are
// in bytes unless a comment gives another unit.
type MemoryProperties struct {
	Constant             int  // constant memory
	MaxPitch             int  // of copies in two and three dimensions
	ClockRate            int  // kHz
	BusWidth             int  // bits
	L2                   int  // the second level's cache
	L2Persisting         int  // of it, for data that is to stay
	L2Window             int  // the largest window of an access policy
	GlobalL1             bool // the first level's cache keeps global memory
	LocalL1              bool // and private memory
	ECC                  bool
	CopyEngines          int  // copies that run beside kernels: 0 none, 1 one way, 2 and more both ways at once
	UnifiedAddressing    bool // one space of addresses with the host
	MapHost              bool // kernels reach page-locked memory of the host
	Register             bool // memory of Go can be page-locked
	RegisterReadOnly     bool // memory that cannot be written too
	RegisteredAddress    bool // such memory has one address on host and device
	HostAtomics          bool // atomics on the host's memory are native to the link
	Pageable             bool // kernels reach any memory of the host
	PageableByHostTables bool // by the host's page tables
	Managed              bool // managed memory
	ConcurrentManaged    bool // host and device use it at the same time
	ManagedFromHost      bool // the host reaches it without a move
	FineGrain            bool // coherent with the host while a kernel runs
	Pools                bool // stream-ordered allocation
	PoolHandles          int  // mask of the kinds of handle by which pools are shared
	VirtualManagement    bool // the program places memory itself
	LargeBAR             bool // the host reaches all of the device's memory
	RDMA                 bool // other devices of the bus reach it
	RDMAFlush            int  // mask of ways to flush such writes
	RDMAOrdering         int  // whom such writes are ordered for: 0 nobody, 100 the device, 200 all devices
}

// BoardProperties are where a device is. Sizes are in bytes unless a comment gives another unit.
type BoardProperties struct {
	Integrated         bool // shares the host's memory
	MultiGPU           bool // one of several on a board
	MultiGPUGroup      int  // which board
	TCC                bool // Windows: no display driver
	Revision           int  // of the chip (AMD)
	IPCEvents          bool // other processes can wait for events
	TimelineSemaphores bool // of other interfaces
}

// ImageProperties are the largest textures and surfaces that kernels can use on a device: the
// hardware's, or those of the software form.
type ImageProperties struct {
	Support               bool // kernels use textures and surfaces (hipDeviceAttributeImageSupport)
	Hardware              bool // those of the device; else the software form serves
	Texture1D             int  // texels
	Texture1DMipmap       int
	Texture1DLinear       int
	Texture1DLayered      [2]int // width, layers
	Texture2D             [2]int // width, height
	Texture2DMipmap       [2]int
	Texture2DLinear       [3]int // width, height, bytes of a row
	Texture2DGather       [2]int
	Texture2DLayered      [3]int // width, height, layers
	Texture3D             [3]int // width, height, depth
	Texture3DAlternate    [3]int // the other choice of them
	Cubemap               int
	CubemapLayered        [2]int // width, layers
	Surface1D             int
	Surface1DLayered      [2]int
	Surface2D             [2]int
	Surface2DLayered      [3]int
	Surface3D             [3]int
	SurfaceCubemap        int
	SurfaceCubemapLayered [2]int
	TextureAlignment      int // bytes
	TexturePitchAlignment int // bytes
	SurfaceAlignment      int // bytes
	SparseArrays          bool
	DeferredArrays        bool // arrays whose memory comes later
}

// FeatureProperties are what kernels can use (hipDeviceArch_t). All devices that there are have
// nearly all of it, in hardware or in code that does the same.
type FeatureProperties struct {
	// Atomics on integers of 32 and 64 bits in global and in shared memory.
	GlobalAtomics32, SharedAtomics32, GlobalAtomics64, SharedAtomics64 bool
	// Atomics on float32.
	GlobalFloatExchange, SharedFloatExchange, FloatAtomicAdd bool
	Doubles                                                  bool // float64
	WarpVote, WarpBallot, WarpShuffle                        bool
	FunnelShift                                              bool
	ThreadFenceSystem                                        bool
	SyncThreadsExtended                                      bool // dsl.SyncThreadsCount, And, Or
	Surfaces                                                 bool
	Grid3D                                                   bool
	DynamicParallelism                                       bool // kernels that launch kernels: none in Go
}

// Properties asks the device for all that it says of itself (hipGetDeviceProperties,
// hipDeviceGetAttribute). Info tells the usual part of it without asking.
func (d *Device) Properties() (*Properties, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	drv, ok := d.drv.(driver.Describer)
	if !ok {
		return nil, errs.F("launch: %s tells no properties beside Info", d.info.Name)
	}
	all, err := drv.Properties()
	if err != nil {
		return nil, d.vendor(err)
	}
	return propertiesOf(infoOf(d.info), all), nil
}

// PropertiesOf is [Device.Properties] of a device by its name, which need not be open: a
// GPU is not opened for it.
func PropertiesOf(name string) (*Properties, error) {
	kind, id, _ := strings.Cut(name, ":")
	for _, v := range vendors() {
		asked, ok := v.(interface {
			PropertiesOf(id string) (*driver.Properties, error)
		})
		if v.Name() != kind || !ok {
			continue
		}
		if id == "" {
			id, name = "0", name+":0"
		}
		for _, i := range v.Probe().Devices {
			if i.Name != name {
				continue
			}
			all, err := asked.PropertiesOf(id)
			if err != nil {
				return nil, errs.F("launch: %s: %w", name, told(name, err))
			}
			return propertiesOf(infoOf(&i), all), nil
		}
	}
	dev, err := Open(name)
	if err != nil {
		return nil, err
	}
	p, err := dev.Properties()
	return p, errs.Join(err, dev.Close())
}

// Choose returns the name of the device that scores highest, the first of them in the order
// of [Devices] (hipChooseDevice). A score below 0 refuses a device; without one that is left, or without
// a device, there is an error.
//
//	name, err := launch.Choose(func(p *launch.Properties) float64 {
//		if p.WarpSize != 32 {
//			return -1
//		}
//		return float64(p.Memory)
//	})
func Choose(score func(*Properties) float64) (name string, err error) {
	best := -1.0
	asked := 0
	for _, i := range Devices() {
		p, fault := PropertiesOf(i.Name)
		if fault != nil {
			err = errs.Join(err, fault)
			continue
		}
		asked++
		if s := score(p); s >= 0 && s > best {
			best, name = s, i.Name
		}
	}
	if name == "" {
		return "", errs.Join(errs.F("launch: Choose: none of the machine's %d devices is suitable", asked), err)
	}
	return name, nil
}

// propertiesOf puts a driver's numbers into the fields that they belong to.
func propertiesOf(i DeviceInfo, all *driver.Properties) *Properties {
	p := &Properties{DeviceInfo: i, FullArch: all.FullArch, UUID: all.UUID}
	if p.FullArch == "" {
		p.FullArch = i.Arch
	}
	v := &all.Values
	if all.PCI {
		p.PCI = fmt.Sprintf("%04x:%02x:%02x.0", v[driver.PCIDomain], v[driver.PCIBus], v[driver.PCIDevice])
	}
	for _, row := range fields(p) {
		switch to := row.to.(type) {
		case *int:
			*to = v[row.from]
		case *bool:
			*to = v[row.from] != 0
		case []int:
			copy(to, v[row.from:])
		}
	}
	if !p.Images.Hardware {
		p.Images = softImages
	}
	p.Features = FeatureProperties{
		GlobalAtomics32: true, SharedAtomics32: true, GlobalAtomics64: true, SharedAtomics64: true,
		GlobalFloatExchange: true, SharedFloatExchange: true, FloatAtomicAdd: true, Doubles: true,
		WarpVote: true, WarpBallot: true, WarpShuffle: true, FunnelShift: true,
		ThreadFenceSystem: true, SyncThreadsExtended: true, Surfaces: p.Images.Support, Grid3D: true,
	}
	return p
}

// A propertyField is where a property goes: an *int, a *bool, or a []int of several.
type propertyField struct {
	from driver.Property
	to   any
}
