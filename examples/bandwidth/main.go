// Command bandwidth measures how fast bytes move: from the host to the device and back,
// and between two places of the device by a kernel. The time is
// the device's, by events.
//
//	go run ./examples/bandwidth -mib 256
package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Copy moves 16 bytes a thread.
func Copy(dst, src []vector.Float4) {
	if i := dsl.GlobalIdx().X; i < len(dst) {
		dst[i] = src[i]
	}
}

var copyKernel = kernel.New(Copy)

var mib = flag.Int("mib", 4, "how many `MiB` to move at a time")

// rate is how many GB move in a second, where each call of move moves so many bytes.
func rate(s *launch.Stream, bytes int, move func() error) (float64, error) {
	const times = 5
	if err := move(); err != nil { // once without the clock
		return 0, err
	}
	start, err := s.Record()
	if err != nil {
		return 0, err
	}
	for range times {
		if err := move(); err != nil {
			return 0, err
		}
	}
	end, err := s.Record()
	if err != nil {
		return 0, err
	}
	took, err := end.Since(start)
	return float64(bytes) * times / float64(max(took.Nanoseconds(), 1)), err
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	n := *mib << 20 / 16
	host := make([]vector.Float4, n)
	for i := range host {
		host[i] = vector.MakeFloat4(float32(i), 1, 2, 3)
	}
	a, err := launch.Alloc[vector.Float4](dev, n)
	if err != nil {
		return err
	}
	b, err := launch.Alloc[vector.Float4](dev, n)
	if err != nil {
		return err
	}
	s := dev.Stream()
	for _, m := range []struct {
		what  string
		bytes int
		move  func() error
	}{
		{"host to device", 16 * n, func() error { return a.UploadAsync(s, host) }},
		{"device to device", 2 * 16 * n, func() error { return copyKernel.Launch(s, launch.Linear(n, 256), b, a) }},
		{"device to host", 16 * n, func() error { return b.DownloadAsync(s, host) }},
	} {
		r, err := rate(s, m.bytes, m.move)
		if err != nil {
			return err
		}
		fmt.Fprintf(detail, "%-17s %7.2f GB/s\n", m.what, r)
		fmt.Fprintf(w, "%-17s %v\n", m.what, r > 0)
	}
	if err := dev.Sync(); err != nil {
		return err
	}
	for i, v := range host {
		if v.X != float32(i) {
			return fmt.Errorf("element %d has come back as %v", i, v)
		}
	}
	return nil
}

// detail is where what differs from run to run goes.
var detail io.Writer = os.Stderr

func main() {
	flag.Parse()
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
