package gpu

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Vendor is one kind of device, its library loaded at the first question.
type Vendor struct {
	spec *Spec
	load func() (*Lib, error) // loads and initialises, once
}

// New returns the vendor that spec describes. It touches nothing yet.
func New(spec *Spec) *Vendor {
	return &Vendor{spec, sync.OnceValues(func() (*Lib, error) {
		l, err := open(spec)
		if err != nil {
			return nil, err
		}
		return l, l.noDevice(l.Call(Init, 0))
	})}
}

// Name is the prefix of the vendor's device names.
func (v *Vendor) Name() string { return v.spec.Vendor }

// Probe implements driver.Vendor.
func (v *Vendor) Probe() driver.Probe {
	var p driver.Probe
	l, err := v.load()
	if l != nil {
		p.Library = l.Path
		p.Version, _ = l.version()
	}
	if errors.Is(err, errMissing) {
		p.Problem, p.Fix = err.Error(), v.spec.MissingFix
		return p
	}
	n := 0
	if err == nil {
		n, err = l.count()
	}
	for i := 0; i < n && err == nil; i++ {
		var info *driver.Info
		if info, _, err = v.describe(l, i); err == nil {
			p.Devices = append(p.Devices, *info)
		}
	}
	switch {
	case err != nil:
		p.Problem, p.Fix = err.Error(), v.spec.NoDeviceFix
	case n == 0:
		p.Problem, p.Fix = "no device", v.spec.NoDeviceFix
	}
	return p
}

// Open implements driver.Vendor: id is the device's number, "" is 0.
func (v *Vendor) Open(id string) (driver.Device, error) {
	n := 0
	if id != "" {
		var err error
		if n, err = strconv.Atoi(id); err != nil || n < 0 {
			return nil, errs.F("%s:%s: the device number is %q, want 0, 1 and so on", v.spec.Vendor, id, id)
		}
	}
	l, err := v.load()
	if errors.Is(err, errMissing) {
		return nil, errs.F("%s: %w (%s)", v.spec.Vendor, err, v.spec.MissingFix)
	}
	count := 0
	if err == nil {
		count, err = l.count()
	}
	if err != nil {
		return nil, errs.F("%s: %w (%s)", v.spec.Vendor, err, v.spec.NoDeviceFix)
	}
	if n >= count {
		return nil, errs.F("%s:%d: no such device; this machine has %d", v.spec.Vendor, n, count)
	}
	return v.open(l, n)
}

func (v *Vendor) open(l *Lib, n int) (driver.Device, error) {
	info, handle, err := v.describe(l, n)
	if err != nil {
		return nil, errs.F("%s:%d: %w", v.spec.Vendor, n, err)
	}
	d := &Device{lib: l, spec: v.spec, info: *info, handle: uintptr(handle), current: []uintptr{uintptr(n)}}
	if v.spec.Symbols[PrimaryRetain] != "" {
		if d.current[0], err = l.word(PrimaryRetain, uintptr(handle)); err != nil {
			return nil, errs.F("%s: %w", info.Name, err)
		}
	}
	if d.service, err = d.newStream(driver.StreamOptions{NonBlocking: true}); err != nil {
		return nil, errs.Join(errs.F("%s: %w", info.Name, err), d.release())
	}
	return d, nil
}

// count is how many devices there are.
func (l *Lib) count() (int, error) {
	n, err := l.number(DeviceCount, 0, 0)
	return n, l.noDevice(err)
}

// noDevice makes it plain where an error of Init or DeviceCount only means that
// there is no device.
func (l *Lib) noDevice(err error) error {
	var e *driver.Error
	if l.spec.NoDevice == "" || !errors.As(err, &e) || !slices.Contains(l.spec.NoDeviceCode, e.Code) {
		return err
	}
	return errs.F("%s: %w", l.spec.NoDevice, err)
}

// version is the text of the driver's version and its number.
func (l *Lib) version() (string, int) {
	v, err := l.number(Version, 0, 0)
	if err != nil || v == 0 {
		return "", 0
	}
	return l.spec.VersionText(v), v
}

// describe asks the n-th device about itself.
func (v *Vendor) describe(l *Lib, n int) (*driver.Info, int, error) {
	dev, err := l.number(DeviceGet, uintptr(n), 0)
	if err != nil {
		return nil, 0, err
	}
	var at [NumAttrs]int
	for a, number := range v.spec.Attrs {
		at[a], err = l.number(DeviceAttribute, uintptr(number), uintptr(dev))
		if err != nil && Attr(a) != SharedOptIn { // some releases of HIP do not know that one
			return nil, 0, errs.F("attribute %d: %w", number, err)
		}
	}
	memory, err := l.word(DeviceMemory, uintptr(dev))
	if err != nil {
		return nil, 0, err
	}
	name := new([256]byte)
	if err := l.Call(DeviceName, uintptr(unsafe.Pointer(name)), uintptr(len(name)), uintptr(dev)); err != nil {
		return nil, 0, err
	}
	text, version := l.version()
	i := &driver.Info{
		Name:              fmt.Sprintf("%s:%d", v.spec.Vendor, n),
		Product:           cString(name[:]),
		Target:            v.spec.Target,
		WarpSize:          at[WarpSize],
		MaxThreads:        at[MaxThreads],
		MaxBlock:          driver.Dim{at[MaxBlockX], at[MaxBlockY], at[MaxBlockZ]},
		MaxGrid:           driver.Dim{at[MaxGridX], at[MaxGridY], at[MaxGridZ]},
		SharedPerBlock:    at[SharedPerBlock],
		SharedPerBlockMax: max(at[SharedPerBlock], at[SharedOptIn]),
		ComputeUnits:      at[ComputeUnits],
		Memory:            int64(memory),
		ClockRate:         at[ClockRate],
		Driver:            text,
	}
	return i, dev, v.spec.Describe(l, dev, version, i)
}

// Attribute asks for an attribute outside the table, 0 if the device has none.
func (l *Lib) Attribute(number, dev int) int {
	n, err := l.number(DeviceAttribute, uintptr(number), uintptr(dev))
	if err != nil {
		return 0
	}
	return n
}

func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
