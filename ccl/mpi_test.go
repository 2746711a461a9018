package ccl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"heddle/ccl"
	"heddle/launch"
	"heddle/vector"
)

// This file runs the test's binary as the ranks of a job of Open MPI and of MPICH.

// Variables that make the test's binary a rank: what it does, on which kind of device, and where it writes what it saw.
const (
	mpiDo     = "CCL_TEST_MPI"
	mpiDevice = "CCL_TEST_DEVICE"
	mpiSaw    = "CCL_TEST_SAW"
)

// A starter starts ranks.
type starter struct {
	name, program string
	args          []string
	goOn          []string // where a process is killed, the others are not
	shell         bool     // and that is seen of one that ends by itself only
	env, goOnEnv  []string
}

var starters = []starter{
	{"Open MPI", "mpirun.openmpi", []string{"--oversubscribe", "--allow-run-as-root", "--bind-to", "none"}, []string{"--enable-recovery"}, false,
		[]string{"OMPI_MCA_btl_vader_single_copy_mechanism=none", "OMPI_MCA_btl=self,vader,tcp", "OMPI_MCA_pml=ob1"}, nil},
	{"MPICH", "mpirun.mpich", nil, []string{"-disable-auto-cleanup"}, true,
		nil, []string{"UCX_TLS=^cma"}}, // with CMA, UCX ends a process whose copy from one that was killed fails
}

// startMPI runs what of TestRank on n ranks of a kind of device, and returns what each rank says, and whether all went well.
func startMPI(t *testing.T, s starter, n int, what, kind string, goOn bool) (saw []string, out string, err error) {
	t.Helper()
	program, err := exec.LookPath(s.program)
	if err != nil {
		t.Skipf("%s is not here (scripts/setup.sh test installs it): %v", s.name, err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args, env := slices.Clone(s.args), slices.Clone(s.env)
	if goOn {
		args = append(args, s.goOn...)
		env = append(env, s.goOnEnv...)
	}
	args = append(args, "-np", strconv.Itoa(n))
	if goOn && s.shell {
		args = append(args, "sh", "-c", `trap : USR1; "$0" "$@"; exit $?`)
	}
	args = append(args, exe, "-test.run=^TestRank$", "-test.count=1", "-test.timeout=2m")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), mpiDo+"="+what, mpiDevice+"="+kind, mpiSaw+"="+dir)
	cmd.Env = append(cmd.Env, env...)
	own, err := os.MkdirTemp("", "mpi") // mpiruns that end and begin at once take each other's folder away; t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(own)
	cmd.Env = append(cmd.Env, "TMPDIR="+own)
	text, err := cmd.CombinedOutput()
	for i := range n {
		b, _ := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)))
		saw = append(saw, string(b))
	}
	return saw, string(text), err
}

// TestMPI: the operations, between processes.
func TestMPI(t *testing.T) {
	t.Parallel() // with tests that wait
	for _, s := range starters {
		for _, c := range []struct {
			kind string
			n    int
			what string
		}{{"cpu", 2, "operations"}, {"sim", 3, "operations"}, {"emu:gfx1100", 2, "operations"}, {"sim", 4, "split"}, {"sim", 2, "close"}} {
			t.Run(fmt.Sprintf("%s/%s/%s/%d", s.name, c.what, c.kind, c.n), func(t *testing.T) {
				saw, out, err := startMPI(t, s, c.n, c.what, c.kind, false)
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				for i, text := range saw {
					if text != "ended" {
						t.Errorf("rank %d says %q\n%s", i, text, out)
					}
				}
			})
		}
	}
}

// TestMPIFaults: what goes wrong between processes.
func TestMPIFaults(t *testing.T) {
	t.Parallel()
	for _, s := range starters {
		for _, c := range []struct {
			what string
			n    int
			goOn bool
			want []string // in what each rank says, "" for a rank that is killed
		}{
			{"mismatch", 2, true, []string{"mismatch: ", "mismatch: "}},
			{"late", 3, true, []string{"late: ", "late: ", "late: "}},
			{"killed", 3, true, []string{"late: |lost: ", "", "late: |lost: "}}, // MPICH sees it by itself
			{"closed", 2, true, []string{"closed: ", "fine"}},
			{"panic", 2, false, []string{"fine", "fine"}},
			{"absent", 2, true, []string{"late: ", ""}},
			{"size", 2, true, []string{"size: ", "size: "}},
		} {
			t.Run(s.name+"/"+c.what, func(t *testing.T) {
				saw, out, err := startMPI(t, s, c.n, c.what, "sim", c.goOn)
				for i, want := range c.want {
					begins := func(with string) bool { return strings.HasPrefix(saw[i], with) && (with != "" || saw[i] == "") }
					if !slices.ContainsFunc(strings.Split(want, "|"), begins) {
						t.Errorf("rank %d says %q, want %q (%v)\n%s", i, saw[i], want, err, out)
					}
				}
				t.Log(saw, err, out)
			})
		}
	}
}

// TestRank is a rank of a test above.
func TestRank(t *testing.T) {
	what := os.Getenv(mpiDo)
	if what == "" {
		t.Skip("it is for TestMPI")
	}
	place, err := ccl.Environment()
	if err != nil {
		t.Fatal(err)
	}
	say := func(text string) {
		if err := os.WriteFile(filepath.Join(os.Getenv(mpiSaw), strconv.Itoa(place.Rank)), []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	dev, gpu := deviceOf(t, place)
	if f := joinFaults[what]; f != nil {
		if err := f(place, dev); err != nil {
			say(sort(err))
		}
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := place.Join(ctx, dev)
	if err != nil {
		t.Fatal(err)
	}
	if !gpu { // which may join again, when all do
		if err := second(place.Join(ctx, dev)); err == nil || !strings.Contains(err.Error(), "has begun") {
			t.Errorf("joined again: %v", err)
		}
	}
	s, err := dev.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	p := &party{t: t, first: c.Rank(), devs: []*launch.Device{dev}, comms: []*ccl.Comm{c}, streams: []*launch.Stream{s}}
	if f := rankFaults[what]; f != nil {
		say(sort(f(p, c, s)))
		c.Close()
		return
	}
	switch what {
	case "operations":
		reductions(p, integers[int8]())
		reductions(p, integers[int]())
		reductions(p, floats[float32]())
		reductions(p, smalls[vector.Half]())
		reductions(p, smalls[vector.BFloat16]())
		for _, n := range []int{0, 1, 37, 4099, 300_000} {
			p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
				return moves(c, s, n, func(v int) pair { return pair{int16(v), [3]uint8{uint8(v), 1, 2}} })
			})
		}
	case "split":
		p.each(splits)
	case "close": // with operations that have not begun: Close waits for them
		b := numbersOn(t, p, 8)[0]
		err := errors.Join(b.Fill(s, 1), s.Call(func() { time.Sleep(200 * time.Millisecond) }),
			ccl.AllReduce(c, s, ccl.Sum, b, b), ccl.AllReduce(c, s, ccl.Sum, b, b))
		if err = errors.Join(err, c.Close()); err != nil {
			t.Error(err)
		}
		got := make([]float32, 8)
		if err := b.Download(got); err != nil || got[7] != 4 {
			t.Error(got, err)
		}
	}
	if err := c.With(ctx).Close(); err != nil {
		t.Error(err)
	}
	if !t.Failed() {
		say("ended")
	}
}

// deviceOf opens the device of a rank.
func deviceOf(t *testing.T, place ccl.Place) (dev *launch.Device, gpu bool) {
	kind := os.Getenv(mpiDevice)
	if gpu = kind == "cuda" || kind == "hip"; gpu {
		kind = fmt.Sprintf("%s:%d", kind, place.Local)
	}
	dev, err := launch.Open(kind)
	if err != nil {
		t.Fatal(err)
	}
	return dev, gpu
}

// sort says what an error is.
func sort(err error) string {
	if err == nil {
		return "fine"
	}
	for _, k := range []struct {
		name string
		is   error
	}{{"mismatch", ccl.ErrMismatch}, {"closed", ccl.ErrClosed}, {"late", ccl.ErrLate}, {"size", ccl.ErrSize}, {"lost", ccl.ErrLost}, {"aborted", ccl.ErrAborted}} {
		if errors.Is(err, k.is) {
			return k.name + ": " + err.Error()
		}
	}
	return err.Error()
}

// rankFaults are what ranks do that go wrong.
var rankFaults = map[string]func(p *party, c *ccl.Comm, s *launch.Stream) error{
	"mismatch": func(p *party, c *ccl.Comm, s *launch.Stream) error {
		b := numbersOn(p.t.(*testing.T), p, 8-c.Rank())[0]
		return errors.Join(ccl.Broadcast(c, s, 1-c.Rank(), b), s.Sync())
	},
	"late": func(p *party, c *ccl.Comm, s *launch.Stream) error {
		b := numbersOn(p.t.(*testing.T), p, 8)[0]
		if c.Rank() == 1 {
			for c.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			return ccl.AllReduce(c, s, ccl.Sum, b, b)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		return errors.Join(ccl.AllReduce(c.With(ctx), s, ccl.Sum, b, b), s.Sync())
	},
	// Rank 1 is killed in the middle of an operation.
	"killed": func(p *party, c *ccl.Comm, s *launch.Stream) error {
		b := numbersOn(p.t.(*testing.T), p, 1<<20)[0]
		if c.Rank() == 1 {
			time.AfterFunc(200*time.Millisecond, func() {
				self, err := os.FindProcess(os.Getpid())
				if err == nil {
					self.Kill()
				}
			})
		}
		for {
			ctx, cancel := context.WithTimeout(context.Background(), 1200*time.Millisecond)
			err := errors.Join(ccl.AllReduce(c.With(ctx), s, ccl.Sum, b, b), s.Sync())
			cancel()
			if err != nil {
				return err
			}
		}
	},
	"closed": func(p *party, c *ccl.Comm, s *launch.Stream) error {
		if c.Rank() == 1 {
			return nil // and closes
		}
		return errors.Join(ccl.Barrier(c, s), s.Sync())
	},
	// Go's handler of SIGSEGV is in its place.
	"panic": func(p *party, c *ccl.Comm, s *launch.Stream) (err error) {
		defer func() {
			if v := recover(); v == nil {
				err = errors.New("no panic")
			}
			err = errors.Join(err, ccl.Barrier(c, s), s.Sync())
		}()
		var b *ccl.Comm
		return errors.New(b.With(context.Background()).String())
	},
}

// joinFaults are what goes wrong while ranks join.
var joinFaults = map[string]func(place ccl.Place, dev *launch.Device) error{
	"absent": func(place ccl.Place, dev *launch.Device) error {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		if place.Rank == 1 {
			time.Sleep(time.Second)
			return nil
		}
		return second(place.Join(ctx, dev))
	},
	"sizes": func(place ccl.Place, dev *launch.Device) error {
		place.Size += place.Rank
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		return second(place.Join(ctx, dev))
	},
	"size": func(place ccl.Place, dev *launch.Device) error {
		place.Size = 5
		return second(place.Join(context.Background(), dev))
	},
}

// Without mpirun the error says what to do.
func TestNoMPI(t *testing.T) {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_FD"} {
		t.Setenv(name, "")
	}
	dev := devices(t, "sim", 1)[0]
	err := second(ccl.Place{Size: 2, By: "torchrun"}.Join(t.Context(), dev))
	if err == nil || !strings.Contains(err.Error(), "start the program by mpirun (Debian's openmpi-bin or mpich)") {
		t.Error(err)
	}
	c, err := ccl.Place{Size: 1}.Join(t.Context(), dev) // alone it needs none
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(ccl.Barrier(c, dev.Stream()), dev.Sync(), c.Close()); err != nil {
		t.Error(err)
	}
}
