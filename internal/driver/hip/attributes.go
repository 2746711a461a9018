package hip

import (
	"encoding/binary"
	"strings"

	"heddle/internal/driver"
	"heddle/internal/driver/gpu"
)

// attributes are numbers of hipDeviceAttribute_t, release 5 and later.
var attributes = [...]gpu.Attribute{
	{Property: driver.CapabilityMajor, Number: 23},
	{Property: driver.CapabilityMinor, Number: 61},
	{Property: driver.MaxThreadsPerUnit, Number: 57},
	{Property: driver.MaxBlocksPerUnit, Number: 25},
	{Property: driver.PhysicalUnits, Number: 10015},
	{Property: driver.RegistersPerBlock, Number: 71},
	{Property: driver.RegistersPerUnit, Number: 72},
	{Property: driver.SharedPerBlockDefault, Number: 74},
	{Property: driver.SharedPerUnit, Number: 76},
	{Property: driver.SharedReserved, Number: 73},
	{Property: driver.SingleToDouble, Number: 77},
	{Property: driver.ClockInstructionRate, Number: 10000},
	{Property: driver.ComputeMode, Number: 6},
	{Property: driver.ConcurrentKernels, Number: 8},
	{Property: driver.CooperativeLaunch, Number: 10},
	{Property: driver.CooperativeMultiDevice, Number: 11},
	{Property: driver.UnmatchedFunc, Number: 10007},
	{Property: driver.UnmatchedGrid, Number: 10008},
	{Property: driver.UnmatchedBlock, Number: 10009},
	{Property: driver.UnmatchedShared, Number: 10010},
	{Property: driver.Preemption, Number: 7},
	{Property: driver.KernelTimeout, Number: 18},
	{Property: driver.StreamPriorities, Number: 78},
	{Property: driver.StreamWaitValue, Number: 10013},
	{Property: driver.ConstantMemory, Number: 83},
	{Property: driver.MaxPitch, Number: 58},
	{Property: driver.MemoryClockRate, Number: 60},
	{Property: driver.MemoryBusWidth, Number: 59},
	{Property: driver.L2Cache, Number: 19},
	{Property: driver.L2Persisting, Number: 70},
	{Property: driver.L2Window, Number: 1},
	{Property: driver.GlobalL1, Number: 14},
	{Property: driver.LocalL1, Number: 20},
	{Property: driver.ECC, Number: 0},
	{Property: driver.CopyEngines, Number: 2},
	{Property: driver.UnifiedAddressing, Number: 85},
	{Property: driver.MapHost, Number: 3},
	{Property: driver.HostRegister, Number: 90},
	{Property: driver.RegisteredAddress, Number: 4},
	{Property: driver.HostAtomics, Number: 15},
	{Property: driver.Pageable, Number: 65},
	{Property: driver.PageableByHostTables, Number: 66},
	{Property: driver.ManagedMemory, Number: 24},
	{Property: driver.ConcurrentManaged, Number: 9},
	{Property: driver.ManagedFromHost, Number: 13},
	{Property: driver.FineGrain, Number: 10016},
	{Property: driver.MemoryPools, Number: 88},
	{Property: driver.PoolHandles, Number: 91},
	{Property: driver.VirtualManagement, Number: 89},
	{Property: driver.LargeBAR, Number: 10011},
	{Property: driver.Integrated, Number: 16},
	{Property: driver.MultiGPU, Number: 17},
	{Property: driver.MultiGPUGroup, Number: 62},
	{Property: driver.TCC, Number: 80},
	{Property: driver.Revision, Number: 10012},
	{Property: driver.PCIDomain, Number: 69},
	{Property: driver.PCIBus, Number: 67},
	{Property: driver.PCIDevice, Number: 68},
	{Property: driver.ImageSupport, Number: 10014},
	{Property: driver.Texture1D, Number: 39},
	{Property: driver.Texture1DMipmap, Number: 42},
	{Property: driver.Texture1DLinear, Number: 41},
	{Property: driver.Texture2D, Number: 43},
	{Property: driver.Texture2D + 1, Number: 44},
	{Property: driver.Texture3D, Number: 49},
	{Property: driver.Texture3D + 1, Number: 50},
	{Property: driver.Texture3D + 2, Number: 51},
	{Property: driver.TextureAlignment, Number: 81},
	{Property: driver.TexturePitchAlignment, Number: 82},
	{Property: driver.SurfaceAlignment, Number: 79},
}

// fields are where hipDeviceProp_t of release 6 and later (hipGetDevicePropertiesR0600) has
// what no attribute tells: ints, several of them in a row where the property is several.
var fields = [...]field{
	{driver.ClusterLaunch, 772, 1},
	{driver.FunctionPointers, 776, 1},
	{driver.HostRegisterReadOnly, 736, 1},
	{driver.RDMA, 748, 1},
	{driver.RDMAFlush, 752, 1},
	{driver.RDMAOrdering, 756, 1},
	{driver.IPCEvents, 768, 1},
	{driver.TimelineSemaphores, 740, 1},
	{driver.Texture1DLayered, 484, 2},
	{driver.Texture2DMipmap, 428, 2},
	{driver.Texture2DLinear, 436, 3},
	{driver.Texture2DGather, 448, 2},
	{driver.Texture2DLayered, 492, 3},
	{driver.Texture3DAlternate, 468, 3},
	{driver.Cubemap, 480, 1},
	{driver.CubemapLayered, 504, 2},
	{driver.Surface1D, 512, 1},
	{driver.Surface1DLayered, 536, 2},
	{driver.Surface2D, 516, 2},
	{driver.Surface2DLayered, 544, 3},
	{driver.Surface3D, 524, 3},
	{driver.SurfaceCubemap, 556, 1},
	{driver.SurfaceCubemapLayered, 560, 2},
	{driver.SparseArrays, 732, 1},
	{driver.DeferredArrays, 764, 1},
}

type field struct {
	property driver.Property
	offset   int
	count    int
}

// complete adds the fields of hipDeviceProp_t. Before release 6 the library tells only the
// architecture in it at a place that is known here.
func complete(l *gpu.Lib, dev int, p *driver.Properties) error {
	p.UUID = l.UUID("hipDeviceGetUuid", dev)
	prop, at, err := deviceProp(l, dev)
	if err != nil {
		return err
	}
	p.FullArch, _, _ = strings.Cut(string(prop[at.offset:at.offset+archNameSize]), "\x00")
	if at.symbol != properties[0].symbol {
		return nil
	}
	for _, f := range fields {
		for i := range f.count {
			p.Values[int(f.property)+i] = int(int32(binary.LittleEndian.Uint32(prop[f.offset+4*i:])))
		}
	}
	return nil
}
