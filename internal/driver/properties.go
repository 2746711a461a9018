package driver

// A Property is a number that a device has beside its Info: HIP's attributes and properties
// under names of our own. Those that are of several numbers (width, height, depth) take as
// many of them in a row.
type Property int

// The properties, in the order and with the meaning of the fields of launch.Properties.
const (
	CapabilityMajor Property = iota
	CapabilityMinor
	MaxThreadsPerUnit
	MaxBlocksPerUnit
	PhysicalUnits
	RegistersPerBlock
	RegistersPerUnit
	SharedPerBlockDefault
	SharedPerUnit
	SharedReserved
	SingleToDouble
	ClockInstructionRate
	ComputeMode
	ConcurrentKernels
	CooperativeLaunch
	CooperativeMultiDevice
	UnmatchedFunc
	UnmatchedGrid
	UnmatchedBlock
	UnmatchedShared
	ClusterLaunch
	Preemption
	KernelTimeout
	StreamPriorities
	StreamWaitValue
	FunctionPointers

	ConstantMemory
	MaxPitch
	MemoryClockRate
	MemoryBusWidth
	L2Cache
	L2Persisting
	L2Window
	GlobalL1
	LocalL1
	ECC
	CopyEngines
	UnifiedAddressing
	MapHost
	HostRegister
	HostRegisterReadOnly
	RegisteredAddress
	HostAtomics
	Pageable
	PageableByHostTables
	Managed
	ConcurrentManaged
	ManagedFromHost
	FineGrain
	MemoryPools
	PoolHandles
	VirtualManagement
	LargeBAR
	RDMA
	RDMAFlush
	RDMAOrdering

	Integrated
	MultiGPU
	MultiGPUGroup
	TCC
	Revision
	IPCEvents
	TimelineSemaphores
	PCIDomain
	PCIBus
	PCIDevice

	// ImageHardware: kernels use the device's own images (driver.Images). Elsewhere package launch
	// says what the software form has.
	ImageHardware
	ImageSupport
	Texture1D
	Texture1DMipmap
	Texture1DLinear
	Texture1DLayered
	_
	Texture2D
	_
	Texture2DMipmap
	_
	Texture2DLinear
	_
	_
	Texture2DGather
	_
	Texture2DLayered
	_
	_
	Texture3D
	_
	_
	Texture3DAlternate
	_
	_
	Cubemap
	CubemapLayered
	_
	Surface1D
	Surface1DLayered
	_
	Surface2D
	_
	Surface2DLayered
	_
	_
	Surface3D
	_
	_
	SurfaceCubemap
	SurfaceCubemapLayered
	_
	TextureAlignment
	TexturePitchAlignment
	SurfaceAlignment
	SparseArrays
	DeferredArrays

	NumProperties
)

// Properties are what a device says of itself beside its Info. What it does not tell is 0.
type Properties struct {
	Values [NumProperties]int
	// UUID is the device's own number, all 0 if it has none.
	UUID [16]byte
	// FullArch is the architecture with its features: "gfx90a:sramecc+:xnack-".
	FullArch string
	// PCI: the numbers of the bus are meant.
	PCI bool
}

// Set sets a property of one number or several.
func (p *Properties) Set(at Property, values ...int) {
	copy(p.Values[at:], values)
}

// Yes sets properties that say that a device can do something.
func (p *Properties) Yes(at ...Property) {
	for _, a := range at {
		p.Values[a] = 1
	}
}

// A Describer is a Device that tells its properties.
type Describer interface {
	Properties() (*Properties, error)
}
