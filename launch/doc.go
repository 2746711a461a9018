// Package launch is the host's side of a kernel: devices, device memory,
// streams, events and the shape of a launch. Package kernel sits on top of it
// and turns a Go function into what is launched.
//
//	dev, err := launch.Open("")              // the best device here
//	defer dev.Close()
//	x, err := launch.Upload(dev, hostX)      // *launch.Buffer[float32]
//	s := dev.Stream()
//	err = saxpy.Launch(s, launch.Linear(n, 256), float32(2), x, y)
//	err = y.Download(hostY)                  // waits, and reports a failed launch
//
// # Streams and errors
//
// Work on a stream is asynchronous and in order. An error of a call's own
// arguments (a block too large, a host slice for a buffer) is returned by that
// very call, which queues nothing; the stream stays as it was.
//
// An error of work under way - a kernel that panicked, a copy that failed - is
// found later, and is then the stream's: the calls that queue work refuse with
// it and queue nothing, [Stream.Err] tells it, and the first call that waits
// (Stream.Sync, Device.Sync, Buffer.Download, Buffer.Upload, Event.Sync)
// returns it and so clears it. After that the stream is as good as new: a
// kernel's panic ([KernelPanic]) harms neither the device nor the process.
// Where a kernel that runs on several streams at once panics, each of them
// reports it.
//
// # Kernels that do not end
//
// Every call that waits has a form that takes a [context.Context] and waits no longer
// than the context lasts (Stream.SyncContext, Device.SyncContext,
// Buffer.DownloadContext, Buffer.UploadContext, Event.SyncContext;
// Stream.CloseContext and Device.CloseContext; LaunchContext of a kernel). Once the
// context is done, cpu, emu and sim stop the work that the call waited for, and all
// that is queued before the end of that work. The error, a [Stopped], says which
// kernel ran and in which loop. The stream and the device are as good as new after
// that. A GPU cannot stop a kernel: there the call returns, the error names the kernel
// that may still run, and Device.CloseContext leaves what the kernel uses to the end of
// the process.
//
// On sim a kernel stops at its next call of package dsl. The simulator cannot stop a
// loop without such a call: the error names the loop, which goes on in a goroutine.
// The simulator runs one kernel of the process at a time, and runs no other until that
// one has ended.
//
// Blocks that wait in a loop for blocks which cannot begin before they have ended are
// an error of their own, which names the loop's line after some seconds. On cpu and
// sim it is found where all blocks that run only look at memory or repeat atomic
// operations that change nothing, on emu where no wave stores anything for too long.
//
// # Losing the device
//
// A few failures of the hardware or of the vendor's driver, such as an illegal
// address in a kernel built without bounds checks, lose the device's context
// for good: every later call on the device returns that first error, which
// names the kernels that were running.
//
// # Memory
//
// A [Buffer] is device memory with a length and an element type. Close returns
// the memory once the work that uses it is past it, and never waits. A Buffer
// that is forgotten is closed the same way some time after the garbage
// collector has found it unreachable: a backstop, not a plan, since device
// memory does not press on Go's collector. Set HEDDLE_LOG=leaks to hear of
// both kinds of forgetting, or ask [Device.Allocations].
//
// Device memory has addresses ([Buffer.Device]), of which parts can be taken: a
// launch takes x.Device(), x.Device()[i:j] and &x.Device()[i] where it takes a
// Buffer, and checks that they lie in a live buffer of its device. Upload and
// Download copy from and to such memory too, of any open device.
//
// # Concurrency
//
// Everything here is safe for concurrent use: a Buffer may be closed while other
// goroutines use it, and each of their calls does what it should or returns an
// error. What a buffer holds is ordered by streams, events and the calls that
// wait, and by nothing else. Download and Upload wait for the work that was queued
// before. A kernel that another goroutine launches meanwhile, on the same buffer,
// may run beside the copy, as two kernels on two streams may run beside each
// other: then it is the program that has a data race, which -race reports on
// devices that run on the host.
package launch
