// Command streams cuts a computation into pieces and keeps copies in, kernels
// and copies out going at the same time, each piece on one of two streams.
// Work on one stream is done in order; work on different streams overlaps
// where the hardware can. Events order work across streams, and time it.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Collatz replaces each number by the number of steps of its Collatz sequence.
func Collatz(v []uint32) {
	i := dsl.GlobalIdx().X
	if i >= len(v) {
		return
	}
	steps := uint32(0)
	for n := uint64(v[i]); n > 1; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	v[i] = steps
}

// Longest stores the largest element in longest[0]. One block does it.
func Longest(v []uint32, longest []uint32) {
	for i := dsl.ThreadIdx().X; i < len(v); i += dsl.BlockDim().X {
		dsl.AtomicMax(&longest[0], v[i])
	}
}

var (
	collatz = kernel.New(Collatz)
	longest = kernel.New(Longest)
)

const (
	n      = 20_000
	pieces = 5
	piece  = n / pieces
)

// pipeline sends the pieces of host through the device, on two streams in
// turn, and returns an event after the last work of each.
func pipeline(dev *launch.Device, device *launch.Buffer[uint32], host []uint32) (ends [2]*launch.Event, err error) {
	var streams [2]*launch.Stream
	for i := range streams {
		if streams[i], err = dev.NewStream(launch.StreamOptions{NonBlocking: true}); err != nil {
			return ends, err
		}
	}
	for p := range pieces {
		s := streams[p%2]
		mine := host[p*piece:][:piece]
		there := device.Slice(p*piece, (p+1)*piece) // the same memory, like a Go slice
		// Three calls that only queue work. Until the stream has been waited
		// for, mine must be left alone.
		err := errors.Join(
			there.UploadAsync(s, mine),
			collatz.Launch(s, launch.Linear(piece, 128), there),
			there.DownloadAsync(s, mine))
		if err != nil {
			return ends, err
		}
	}
	for i, s := range streams {
		if ends[i], err = s.Record(); err != nil {
			return ends, err
		}
	}
	return ends, nil
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close() // closes streams, events and buffers too

	host := make([]uint32, n)
	for i := range host {
		host[i] = uint32(i + 1)
	}
	all, err := launch.Alloc[uint32](dev, n)
	if err != nil {
		return err
	}
	most, err := launch.Alloc[uint32](dev, 1)
	if err != nil {
		return err
	}
	if err := dev.Sync(); err != nil { // the memory is allocated
		return err
	}

	ends, err := pipeline(dev, all, host)
	if err != nil {
		return err
	}

	// The default stream goes on when both are done; the host does not wait.
	s := dev.Stream()
	start, err := s.Record()
	if err != nil {
		return err
	}
	if err := errors.Join(s.Wait(ends[0]), s.Wait(ends[1])); err != nil {
		return err
	}
	if err := longest.Launch(s, launch.Config{Block: launch.Dim3{X: 256}}, all, most); err != nil {
		return err
	}
	end, err := s.Record()
	if err != nil {
		return err
	}

	got := make([]uint32, 1)
	if err := most.Download(got); err != nil { // waits for the default stream
		return err
	}
	fmt.Fprintf(w, "27 takes %d steps, the longest sequence below %d takes %d\n", host[26], n+1, got[0])

	took, err := end.Since(start)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "the events' time is positive:", took >= 0)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
