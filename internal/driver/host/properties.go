package host

import "heddle/internal/driver"

// A Describer is an Engine that tells its device's properties.
type Describer interface {
	Describe(*driver.Properties)
}

// Properties implements driver.Describer: what all devices on the host have, and then what
// the engine says.
func (d *device) Properties() (*driver.Properties, error) {
	p := &driver.Properties{FullArch: d.info.Arch}
	p.Set(driver.SharedPerBlockDefault, d.info.SharedPerBlock)
	p.Set(driver.SharedPerUnit, max(d.info.SharedPerBlock, d.info.SharedPerBlockMax))
	p.Set(driver.MaxThreadsPerUnit, d.info.MaxThreads)
	p.Set(driver.MaxBlocksPerUnit, 1)
	p.Set(driver.PhysicalUnits, d.info.ComputeUnits)
	p.Set(driver.MaxPitch, 1<<31-1)
	p.Set(driver.RDMAOrdering, 0)
	// Memory of the device is the host's own, at the same address.
	p.Yes(driver.ConcurrentKernels, driver.CooperativeLaunch, driver.UnifiedAddressing, driver.MapHost,
		driver.HostRegister, driver.RegisteredAddress, driver.HostAtomics, driver.ManagedMemory,
		driver.ConcurrentManaged, driver.ManagedFromHost, driver.FineGrain, driver.Integrated)
	if e, ok := d.engine.(Describer); ok {
		e.Describe(p)
	}
	return p, nil
}
