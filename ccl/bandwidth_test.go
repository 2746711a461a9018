package ccl_test

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"heddle/ccl"
	"heddle/launch"
)

var (
	bandwidthOf = flag.String("bandwidth", "", "kind of device to measure the bandwidth of collectives on")
	beside      = flag.String("beside", "", "the program of testdata/bandwidth.cpp, to compare with")
	bandRanks   = flag.Int("ranks", 2, "ranks of -bandwidth")
	bandMost    = flag.Int("most", 1<<32, "most bytes of -bandwidth")
	bandThreads = flag.Bool("threads", false, "-bandwidth with one goroutine for each rank, instead of one for all")
	bandReg     = flag.Bool("registered", false, "-bandwidth with memory of ccl.Alloc")
)

// A band is one operation that is measured. Bus is the part of the bytes that crosses each link, by nccl-tests.
type band struct {
	name string
	bus  func(ranks float64) float64
	// block says which buffer is one rank's part of the other, if any.
	block string
	// several: it is more than one call, which one rank makes in a group.
	several bool
	call    func(c *ccl.Comm, s *launch.Stream, dst, src *launch.Buffer[float32]) error
}

var bands = []band{
	{"AllReduce", func(n float64) float64 { return 2 * (n - 1) / n }, "", false, func(c *ccl.Comm, s *launch.Stream, dst, src *launch.Buffer[float32]) error {
		return ccl.AllReduce(c, s, ccl.Sum, dst, src)
	}},
	{"AllGather", func(n float64) float64 { return (n - 1) / n }, "src", false, func(c *ccl.Comm, s *launch.Stream, dst, src *launch.Buffer[float32]) error {
		return ccl.AllGather(c, s, dst, src)
	}},
	{"ReduceScatter", func(n float64) float64 { return (n - 1) / n }, "dst", false, func(c *ccl.Comm, s *launch.Stream, dst, src *launch.Buffer[float32]) error {
		return ccl.ReduceScatter(c, s, ccl.Sum, dst, src)
	}},
	{"Broadcast", func(float64) float64 { return 1 }, "", false, func(c *ccl.Comm, s *launch.Stream, dst, src *launch.Buffer[float32]) error {
		return ccl.Broadcast(c, s, 0, src)
	}},
	{"SendRecv", func(float64) float64 { return 1 }, "", true, func(c *ccl.Comm, s *launch.Stream, dst, src *launch.Buffer[float32]) error {
		right, left := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
		return errors.Join(ccl.Send(c, s, right, src), ccl.Recv(c, s, left, dst))
	}},
}

// A measured is an operation and its bytes.
type measured struct {
	name  string
	bytes int
}

// TestBandwidth prints microseconds and bus bandwidth of each operation from 8 bytes on, and beside them those of the
// program in C++. Without -bandwidth it only sees to it that it runs.
func TestBandwidth(t *testing.T) {
	kind, most, rounds := *bandwidthOf, *bandMost, 9
	if kind == "" {
		kind, most, rounds = "sim", 4096, 1
	}
	p := newParty(t, kind, *bandRanks)
	dst, src := bandBuffers(t, p, most/4)
	ours, theirs := map[measured]float64{}, map[measured]float64{}
	passes := min(rounds, 2) // one after the other: the better of each counts
	if most <= 1<<20 {
		passes = min(rounds, 6) // a virtual processor that others use makes both twice as slow for a while
	}
	for range passes {
		if *beside != "" {
			runBeside(t, most, theirs)
		}
		for _, o := range bands {
			for size := 8; size <= most; size = nextSize(size, most) {
				us := bandTime(t, p, o, dst, src, size, rounds)
				keepLeast(ours, measured{o.name, size}, us)
			}
		}
	}
	if *bandwidthOf == "" {
		return
	}
	fmt.Printf("%d ranks on %v; NCCL's bus bandwidth in GB/s, microseconds a call\n", *bandRanks, p.devs[0])
	fmt.Printf("%-13s %11s %10s %10s %8s %9s %9s %7s\n", "operation", "bytes", "us", "C++ us", "more us", "GB/s", "C++ GB/s", "ratio")
	for _, o := range bands {
		for size := 8; size <= most; size = nextSize(size, most) {
			m := measured{o.name, size}
			us, other := ours[m], theirs[m]
			bus := float64(size) * o.bus(float64(*bandRanks)) / 1e3
			if other == 0 {
				fmt.Printf("%-13s %11d %10.2f %10s %8s %9.2f\n", o.name, size, us, "-", "-", bus/us)
				continue
			}
			fmt.Printf("%-13s %11d %10.2f %10.2f %8.2f %9.2f %9.2f %7.3f\n", o.name, size, us, other, us-other, bus/us, bus/other, other/us)
		}
	}
}

func nextSize(size, most int) int {
	if size < most && size*8 > most {
		return most
	}
	return size * 8
}

func keepLeast(in map[measured]float64, m measured, us float64) {
	if old := in[m]; old == 0 || us < old {
		in[m] = us
	}
}

func bandBuffers(t *testing.T, p *party, n int) (dst, src []*launch.Buffer[float32]) {
	for i, d := range p.devs {
		for _, list := range []*[]*launch.Buffer[float32]{&dst, &src} {
			b, err := func() (*launch.Buffer[float32], error) {
				if *bandReg {
					return ccl.Alloc[float32](p.comms[i], n)
				}
				return launch.Alloc[float32](d, n)
			}()
			if err != nil {
				t.Fatal(err)
			}
			*list = append(*list, b)
		}
	}
	return dst, src
}

// bandTime is the median of some rounds of calls, in microseconds a call.
func bandTime(t *testing.T, p *party, o band, dst, src []*launch.Buffer[float32], size, rounds int) float64 {
	var d, s []*launch.Buffer[float32]
	for i := range src {
		dsts, srcs := size/4, size/4
		switch block := size / 4 / len(src); o.block {
		case "dst":
			dsts, srcs = block, block*len(src)
		case "src":
			dsts, srcs = block*len(src), block
		}
		d, s = append(d, dst[i].Slice(0, dsts)), append(s, src[i].Slice(0, srcs))
	}
	all := func(n int) {
		if *bandThreads {
			bandEach(t, p, o, d, s, n)
		} else {
			bandTogether(t, p, o, d, s, n)
		}
	}
	calls := 20
	if *bandThreads && size <= 1<<20 {
		calls = 200 // threads take some time to start
	}
	if size > 1<<28 {
		rounds = min(rounds, 3)
	}
	all(5)
	var times []float64
	for range rounds {
		begin := time.Now()
		all(calls)
		times = append(times, time.Since(begin).Seconds()*1e6/float64(calls))
	}
	slices.Sort(times)
	return times[rounds/2]
}

// bandTogether makes n calls of all ranks, from one goroutine, and waits for them.
func bandTogether(t *testing.T, p *party, o band, dst, src []*launch.Buffer[float32], n int) {
	for range n {
		err := ccl.Group(func(g *ccl.Batch) (err error) {
			for i, c := range p.comms {
				err = errors.Join(err, o.call(c.In(g), p.streams[i], dst[i], src[i]))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range p.streams {
		if err := s.Sync(); err != nil {
			t.Fatal(err)
		}
	}
}

// bandEach makes n calls of each rank, from a goroutine of its own, and waits for them.
func bandEach(t *testing.T, p *party, o band, dst, src []*launch.Buffer[float32], n int) {
	var ranks sync.WaitGroup
	for i, c := range p.comms {
		ranks.Go(func() {
			var err error
			for range n {
				if o.several {
					err = errors.Join(err, ccl.Group(func(g *ccl.Batch) error { return o.call(c.In(g), p.streams[i], dst[i], src[i]) }))
				} else {
					err = errors.Join(err, o.call(c, p.streams[i], dst[i], src[i]))
				}
			}
			if err = errors.Join(err, p.streams[i].Sync()); err != nil {
				t.Error(err)
			}
		})
	}
	ranks.Wait()
}

// runBeside runs the program in C++.
func runBeside(t *testing.T, most int, into map[measured]float64) {
	args := []string{strconv.Itoa(*bandRanks), strconv.Itoa(most)}
	if *bandReg {
		args = append(args, "registered")
	}
	if *bandThreads {
		args = append(args, "threads")
	}
	cmd := exec.CommandContext(t.Context(), *beside, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", *beside, err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var m measured
		var us float64
		if _, err := fmt.Sscan(lines.Text(), &m.name, &m.bytes, &us); err != nil {
			t.Fatalf("%s says %q: %v", *beside, lines.Text(), err)
		}
		keepLeast(into, m, us)
	}
}
