// Command events times a kernel on the device's own clock: an event marks a point in a
// stream, and the time between two is what passed on the device, without the way there and back.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Square squares v so often that it takes a while.
func Square(v []uint32, times int) {
	i := dsl.GlobalIdx().X
	if i >= len(v) {
		return
	}
	x := v[i]
	for range times {
		x = x*x + 1
	}
	v[i] = x
}

var square = kernel.New(Square)

// timed is how long the device takes for a launch.
func timed(s *launch.Stream, v *launch.Buffer[uint32], times int) (time.Duration, error) {
	start, err := s.Record()
	if err != nil {
		return 0, err
	}
	if err := square.Launch(s, launch.Linear(v.Len(), 128), v, times); err != nil {
		return 0, err
	}
	end, err := s.Record()
	if err != nil {
		return 0, err
	}
	return end.Since(start) // waits for end
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	v, err := launch.Alloc[uint32](dev, 2000)
	if err != nil {
		return err
	}
	s, err := dev.NewStream()
	if err != nil {
		return err
	}
	if err := square.Compile(dev); err != nil { // or the first launch has it in its time
		return err
	}
	for _, times := range []int{10, 100} {
		took, err := timed(s, v, times)
		if err != nil {
			return err
		}
		fmt.Fprintf(detail, "%d times: %v\n", times, took)
		fmt.Fprintf(w, "%3d times: more than no time: %v\n", times, took > 0)
	}
	// An event can also be asked whether the stream has come to it.
	e, err := s.Record()
	if err != nil {
		return err
	}
	if err := e.Sync(); err != nil {
		return err
	}
	fmt.Fprintln(w, "done:", e.Done())
	return nil
}

// detail is where what differs from run to run goes.
var detail io.Writer = os.Stderr

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
