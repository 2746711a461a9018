package launch

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/logs"
)

// A Device is one opened device (hipSetDevice, without the "current" of it: a
// Device is a value, and any goroutine may use any number of them).
type Device struct {
	drv  driver.Device
	info *driver.Info

	use  gate                  // calls under way
	lost atomic.Pointer[error] // set for good once the device's context is lost

	stream  *Stream       // the default stream
	service driver.Stream // for copies that wait: nobody else's work is in it
	// what HEDDLE_LOG asks for
	logLeak, logLaunch bool
	// unitThreads is how many threads a unit holds, once somebody has asked.
	unitThreads atomic.Int64

	all struct { // what Close must close; guarded by its own lock
		sync.Mutex
		streams []*Stream
		events  []driver.Event           // open and spare
		funcs   map[driver.Function]bool // loaded
		graphs  map[driver.Graph]bool
		modules map[*Module]bool
		// Closed ones, to be used again.
		spareStreams map[driver.StreamOptions][]driver.Stream
		spareEvents  []driver.Event
	}
	mem     memory
	prints  prints
	symbols symbols
	pools   pools
	peers   atomic.Pointer[[]*Device] // whose memory the device's kernels may use
}

func newDevice(drv driver.Device) (*Device, error) {
	d := &Device{drv: drv, info: drv.Info(), logLeak: logging("leaks"), logLaunch: logging("launch")}
	d.prints.dev = d
	d.use.idle = make(chan struct{}, 1)
	d.all.funcs = map[driver.Function]bool{}
	d.all.spareStreams = map[driver.StreamOptions][]driver.Stream{}
	var err error
	if d.service, err = drv.NewStream(driver.StreamOptions{NonBlocking: true}); err == nil {
		d.stream, err = d.newStream(driver.StreamOptions{Default: true})
	}
	if err != nil {
		return nil, errs.Join(errs.F("launch: opening %s: %w", d.info.Name, err), drv.Close())
	}
	d.register()
	return d, nil
}

// logging reports whether HEDDLE_LOG asks to hear of topic.
func logging(topic string) bool {
	return slices.Contains(strings.Split(env.Get(env.Log), ","), topic)
}

// enter begins a use of the device; where it returns nil, leave must follow.
func (d *Device) enter() error {
	if d == nil {
		return errors.New("launch: nil Device")
	}
	if !d.use.enter() {
		return errs.F("launch: device %s is closed", d.info.Name)
	}
	if e := d.lost.Load(); e != nil {
		d.use.leave()
		return *e
	}
	return nil
}

func (d *Device) leave() { d.use.leave() }

// Name is the device's name as Open takes it: "cuda:0".
func (d *Device) Name() string { return d.info.Name }

// besides is d's name in a sentence that has named other, which may be the same
// device opened another time.
//
//go:noinline
func (d *Device) besides(other *Device) string {
	if d.info.Name == other.info.Name {
		return "another opening of " + d.info.Name
	}
	return d.info.Name
}

// String is the name and what is behind it: "cuda:0 (NVIDIA H200, sm_90)".
func (d *Device) String() string {
	var what []string
	for _, s := range []string{d.info.Product, d.info.Arch} {
		if s != "" {
			what = append(what, s)
		}
	}
	return d.info.Name + " (" + strings.Join(what, ", ") + ")"
}

// Info is what the device says of itself.
func (d *Device) Info() DeviceInfo { return infoOf(d.info) }

// Stream is the device's default stream. Like HIP's null stream it and every
// stream that is not NonBlocking wait for each other's work.
func (d *Device) Stream() *Stream { return d.stream }

// Sync waits for all work on all of the device's streams and returns, and so
// clears, their errors (hipDeviceSynchronize).
func (d *Device) Sync() error { return d.SyncContext(context.Background()) }

// SyncContext is [Device.Sync] for as long as ctx lasts; then it does to every
// stream what [Stream.SyncContext] does to one.
func (d *Device) SyncContext(ctx context.Context) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	var found faults
	for _, s := range d.streams() {
		found.add(s.waitContext(ctx))
	}
	if ctx.Err() == nil {
		found.add(d.drain())
	}
	return found.err()
}

func (d *Device) streams() []*Stream {
	d.all.Lock()
	defer d.all.Unlock()
	return slices.Clone(d.all.streams)
}

// Close waits for the device's work and frees everything on it: buffers,
// streams, events and loaded kernels, whose later use is an error. It returns
// the errors of that work. Closing twice is fine.
func (d *Device) Close() error { return d.CloseContext(context.Background()) }

// CloseContext is [Device.Close] for as long as ctx lasts. Once ctx is done, work
// that has not ended is stopped, and the error is a *[Stopped]. Where the device
// cannot stop it, nothing is freed before the process ends: the memory may still be
// in use.
func (d *Device) CloseContext(ctx context.Context) error {
	if d == nil || !d.use.close() {
		return nil
	}
	for _, s := range d.streams() {
		_ = s.dropCapture() // its graph is lost with the device
	}
	known := d.lost.Load() != nil
	found, idle := d.finish(ctx)
	if !idle {
		return found.err()
	}
	d.reportLeaks()
	d.unregister()
	rest := d.closeAll()
	switch {
	case known: // everything fails in the same way, as somebody has been told
		return nil
	case d.lost.Load() == nil:
		found.add(rest)
	}
	return found.err()
}

// finish waits for the work of a device that is closed, and for the calls under way,
// which may be waiting for that work too; both for as long as ctx lasts. It reports
// whether all have ended.
func (d *Device) finish(ctx context.Context) (found faults, idle bool) {
	idle = true
	wait := func(s *Stream) {
		err := s.waitContext(ctx)
		found.add(err)
		idle = idle && !stillRunning(err)
	}
	for _, s := range d.streams() {
		wait(s)
	}
	if !idle || !d.use.wait(ctx) {
		return found, false
	}
	for _, s := range d.streams() { // what those calls have queued meanwhile
		if !s.past(s.submitted()) {
			wait(s)
		}
	}
	err := d.waitForeign(ctx)
	found.add(err)
	return found, idle && !stillRunning(err)
}

// Closed reports whether Close was called.
func (d *Device) Closed() bool { return d.use.closed() }

// closeAll gives back all that the driver handed out.
func (d *Device) closeAll() error {
	var found faults
	found.add(d.prints.close())
	found.add(d.mem.freeAll(d))
	found.add(d.pools.close())
	for g := range d.all.graphs {
		found.add(g.Close())
	}
	for _, e := range d.all.events {
		found.add(e.Close())
	}
	for m := range d.all.modules {
		found.add(m.unload())
	}
	for f := range d.all.funcs {
		found.add(f.Close())
	}
	for _, s := range d.all.streams {
		found.add(s.real.Close())
	}
	for _, spare := range d.all.spareStreams {
		for _, s := range spare {
			found.add(s.Close())
		}
	}
	found.add(d.service.Close())
	found.add(d.drv.Close())
	return found.err()
}

// A function is a kernel loaded on a device.
type function struct {
	dev *Device
	drv driver.Function
	obj *abi.Object
	// Limits of a launch: what the device, the launch bound and the kernel's
	// registers leave of threads a block and of dynamic shared memory.
	maxThreads, maxShared int
	// noShared says of the latest launch that the kernel uses dynamic shared memory
	// and got none.
	noShared atomic.Bool
	bank     []copied
	wider    struct { // with fewer registers, see forBlocks
		sync.Mutex
		f *function
	}
}

// A loadedKernel is what the device has to give back of a function.
type loadedKernel struct {
	drv    driver.Function
	prints uint32 // its number among those that print, 0 for none
	bank   []copied
}

// load loads a compiled kernel. It stays until nothing refers to the function any more,
// or the device is closed.
func (d *Device) load(obj *abi.Object) (*function, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if n, limit := max(obj.Shared, obj.Res.LDS), max(d.info.SharedPerBlock, d.info.SharedPerBlockMax); n > limit {
		return nil, &abi.SharedError{Need: strconv.Itoa(n), Limit: strconv.Itoa(limit), Of: d.info.Name}
	}
	drv, err := d.drv.Load(obj)
	if err != nil {
		return nil, d.vendor(err)
	}
	f := &function{dev: d, drv: drv, obj: drv.Object(), maxThreads: d.info.MaxThreads}
	own := loadedKernel{drv: drv}
	if len(f.obj.Prints) > 0 {
		if own.prints, err = d.prints.load(drv); err != nil {
			return nil, errs.Join(d.vendor(err), drv.Close())
		}
	}
	if len(f.obj.Symbols) > 0 {
		at, err := d.symbols.bind(d, f.obj.Symbols)
		if err == nil {
			err = drv.SetSymbols(at)
		}
		if err == nil {
			own.bank, err = d.symbols.bank(d, drv, f.obj.Symbols, at)
			f.bank = own.bank
		}
		if err != nil {
			d.symbols.forget(own.bank)
			return nil, errs.Join(d.vendor(err), drv.Close())
		}
	}
	for _, limit := range []int{f.obj.MaxThreads, f.obj.Res.MaxThreads} {
		if limit > 0 {
			f.maxThreads = min(f.maxThreads, limit)
		}
	}
	f.maxShared = max(d.info.SharedPerBlock, d.info.SharedPerBlockMax) - f.static()
	d.all.Lock()
	defer d.all.Unlock()
	d.all.funcs[drv] = true
	runtime.AddCleanup(f, d.unload, own)
	return f, nil
}

// pending is inside.Pending. What its code will leave of the limits is not known.
func (d *Device) pending(obj *abi.Object) *function {
	return &function{dev: d, obj: obj, maxThreads: math.MaxInt, maxShared: math.MaxInt}
}

// unload gives a kernel back that nothing refers to any more. Streams refer to
// those that they run.
func (d *Device) unload(own loadedKernel) {
	f := own.drv
	if d.enter() != nil {
		return // closed, and so unloaded
	}
	defer d.leave()
	d.all.Lock()
	delete(d.all.funcs, f)
	d.all.Unlock()
	d.symbols.forget(own.bank)
	if own.prints != 0 {
		d.prints.forget(own.prints)
	}
	if err := d.vendor(f.Close()); err != nil {
		logs.Warn("launch: unloading a kernel", "device", d.info.Name, "error", err)
	}
}

func (f *function) static() int { return max(f.obj.Shared, f.obj.Res.LDS) }

// vendor gives an error of the driver its place, and takes note of one after
// which the device is lost; running are the kernels that may be to blame.
func (d *Device) vendor(err error, running ...*function) error {
	if err == nil {
		return nil
	}
	err = d.stopped(simulated(err), running)
	var v *driver.Error
	if !errors.As(err, &v) || !v.Lost {
		return told(d.info.Name, err)
	}
	text := "no kernel was running"
	var names []string
	for _, f := range running {
		names = append(names, f.obj.Name)
	}
	if len(names) > 0 {
		text = "while running " + strings.Join(names, ", ")
	}
	err = errs.F("%s: %w (%s); device lost: restart the process", d.info.Name, err, text)
	err = told(d.info.Name, err)
	if d.lost.CompareAndSwap(nil, &err) {
		return err
	}
	return *d.lost.Load()
}

// faults collects errors, each once, in order.
type faults []error

//go:noinline
func (f *faults) add(err error) {
	if err != nil && !slices.Contains(*f, err) {
		*f = append(*f, err)
	}
}

//go:noinline
func (f faults) err() error {
	if len(f) == 1 {
		return f[0] // as it is, so that a type assertion works too
	}
	return errs.Join(f...)
}
