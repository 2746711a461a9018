// Package gpu is what CUDA's driver API and HIP have in common, which is
// nearly everything: HIP was made as a twin of CUDA, so one set of methods
// serves both, driven by a table of symbol names. A vendor is a [Spec]:
//
//	cuda.New, hip.New   fill a Spec: symbols, attribute numbers, arch, loader
//	Vendor              dlopens the library once, probes, opens devices
//	Device              memory, streams, events, modules; implements driver.Device
//	Stream, Event       ordered work; implement driver.Stream and driver.Event
//	Function            a loaded kernel and its panic slot
//
// # Threads
//
// Both libraries keep a "current" context or device for each OS thread, while
// a goroutine may wake up on any thread. Every call that needs it therefore
// locks its goroutine to the thread, sets the current context and calls
// (Device.do). Setting it costs about as much as asking for it, so it is
// always set; that also guards against other code in the process.
//
// # Memory that C holds on to
//
// Addresses of Go memory are passed only to calls that are done with them when
// they return, with three exceptions, all kept alive by Go pointers: a loaded
// image (Function), a launch's argument frame (Stream) and the ends of
// asynchronous copies, which are the caller's duty by the contract of
// driver.Stream.
package gpu
