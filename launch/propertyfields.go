package launch

import "heddle/internal/driver"

// fields are the fields of p and the properties that they hold.
func fields(p *Properties) []propertyField {
	rows := append(workFields(&p.Work), memoryFields(&p.Mem)...)
	rows = append(rows, boardFields(&p.Board)...)
	return append(rows, imageFields(&p.Images)...)
}

func workFields(w *WorkProperties) []propertyField {
	return []propertyField{
		{driver.CapabilityMajor, &w.Major},
		{driver.CapabilityMinor, &w.Minor},
		{driver.MaxThreadsPerUnit, &w.MaxThreadsPerUnit},
		{driver.MaxBlocksPerUnit, &w.MaxBlocksPerUnit},
		{driver.PhysicalUnits, &w.PhysicalUnits},
		{driver.RegistersPerBlock, &w.RegistersPerBlock},
		{driver.RegistersPerUnit, &w.RegistersPerUnit},
		{driver.SharedPerBlockDefault, &w.SharedPerBlockDefault},
		{driver.SharedPerUnit, &w.SharedPerUnit},
		{driver.SharedReserved, &w.SharedReserved},
		{driver.SingleToDouble, &w.SingleToDouble},
		{driver.ClockInstructionRate, &w.ClockInstructionRate},
		{driver.ComputeMode, &w.ComputeMode},
		{driver.ConcurrentKernels, &w.ConcurrentKernels},
		{driver.CooperativeLaunch, &w.CooperativeLaunch},
		{driver.CooperativeMultiDevice, &w.CooperativeMultiDevice},
		{driver.UnmatchedFunc, &w.UnmatchedFunc},
		{driver.UnmatchedGrid, &w.UnmatchedGrid},
		{driver.UnmatchedBlock, &w.UnmatchedBlock},
		{driver.UnmatchedShared, &w.UnmatchedShared},
		{driver.ClusterLaunch, &w.ClusterLaunch},
		{driver.Preemption, &w.Preemption},
		{driver.KernelTimeout, &w.KernelTimeout},
		{driver.StreamPriorities, &w.StreamPriorities},
		{driver.StreamWaitValue, &w.StreamWaitValue},
		{driver.FunctionPointers, &w.FunctionPointers},
	}
}

func memoryFields(m *MemoryProperties) []propertyField {
	return []propertyField{
		{driver.ConstantMemory, &m.Constant},
		{driver.MaxPitch, &m.MaxPitch},
		{driver.MemoryClockRate, &m.ClockRate},
		{driver.MemoryBusWidth, &m.BusWidth},
		{driver.L2Cache, &m.L2},
		{driver.L2Persisting, &m.L2Persisting},
		{driver.L2Window, &m.L2Window},
		{driver.GlobalL1, &m.GlobalL1},
		{driver.LocalL1, &m.LocalL1},
		{driver.ECC, &m.ECC},
		{driver.CopyEngines, &m.CopyEngines},
		{driver.UnifiedAddressing, &m.UnifiedAddressing},
		{driver.MapHost, &m.MapHost},
		{driver.HostRegister, &m.Register},
		{driver.HostRegisterReadOnly, &m.RegisterReadOnly},
		{driver.RegisteredAddress, &m.RegisteredAddress},
		{driver.HostAtomics, &m.HostAtomics},
		{driver.Pageable, &m.Pageable},
		{driver.PageableByHostTables, &m.PageableByHostTables},
		{driver.Managed, &m.Managed},
		{driver.ConcurrentManaged, &m.ConcurrentManaged},
		{driver.ManagedFromHost, &m.ManagedFromHost},
		{driver.FineGrain, &m.FineGrain},
		{driver.MemoryPools, &m.Pools},
		{driver.PoolHandles, &m.PoolHandles},
		{driver.VirtualManagement, &m.VirtualManagement},
		{driver.LargeBAR, &m.LargeBAR},
		{driver.RDMA, &m.RDMA},
		{driver.RDMAFlush, &m.RDMAFlush},
		{driver.RDMAOrdering, &m.RDMAOrdering},
	}
}

func boardFields(b *BoardProperties) []propertyField {
	return []propertyField{
		{driver.Integrated, &b.Integrated},
		{driver.MultiGPU, &b.MultiGPU},
		{driver.MultiGPUGroup, &b.MultiGPUGroup},
		{driver.TCC, &b.TCC},
		{driver.Revision, &b.Revision},
		{driver.IPCEvents, &b.IPCEvents},
		{driver.TimelineSemaphores, &b.TimelineSemaphores},
	}
}

func imageFields(i *ImageProperties) []propertyField {
	return []propertyField{
		{driver.ImageSupport, &i.Support},
		{driver.ImageHardware, &i.Hardware},
		{driver.Texture1D, &i.Texture1D},
		{driver.Texture1DMipmap, &i.Texture1DMipmap},
		{driver.Texture1DLinear, &i.Texture1DLinear},
		{driver.Texture1DLayered, i.Texture1DLayered[:]},
		{driver.Texture2D, i.Texture2D[:]},
		{driver.Texture2DMipmap, i.Texture2DMipmap[:]},
		{driver.Texture2DLinear, i.Texture2DLinear[:]},
		{driver.Texture2DGather, i.Texture2DGather[:]},
		{driver.Texture2DLayered, i.Texture2DLayered[:]},
		{driver.Texture3D, i.Texture3D[:]},
		{driver.Texture3DAlternate, i.Texture3DAlternate[:]},
		{driver.Cubemap, &i.Cubemap},
		{driver.CubemapLayered, i.CubemapLayered[:]},
		{driver.Surface1D, &i.Surface1D},
		{driver.Surface1DLayered, i.Surface1DLayered[:]},
		{driver.Surface2D, i.Surface2D[:]},
		{driver.Surface2DLayered, i.Surface2DLayered[:]},
		{driver.Surface3D, i.Surface3D[:]},
		{driver.SurfaceCubemap, &i.SurfaceCubemap},
		{driver.SurfaceCubemapLayered, i.SurfaceCubemapLayered[:]},
		{driver.TextureAlignment, &i.TextureAlignment},
		{driver.TexturePitchAlignment, &i.TexturePitchAlignment},
		{driver.SurfaceAlignment, &i.SurfaceAlignment},
		{driver.SparseArrays, &i.SparseArrays},
		{driver.DeferredArrays, &i.DeferredArrays},
	}
}
