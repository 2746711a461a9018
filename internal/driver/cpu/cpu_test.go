package cpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/drivertest"
	"heddle/internal/driver/host"
	"heddle/internal/native"
)

// TestMain checks that closed devices leave no goroutine behind.
func TestMain(m *testing.M) { drivertest.Main(m) }

var (
	compiledMu sync.Mutex
	compiled   = map[string][]byte{}
)

// object compiles a kernel of testdata/kernels.c, or skips the test.
func object(t testing.TB, kernel string, flags ...string) *abi.Object {
	t.Helper()
	compiledMu.Lock()
	defer compiledMu.Unlock()
	key := strings.Join(append(flags, kernel), " ")
	if compiled[key] == nil {
		compiled[key] = compile(t, kernel, flags)
	}
	o := *drivertestObject(kernel)
	o.Kind, o.Arch, o.Kernel, o.Code = abi.Native, "test", abi.NativeRun, compiled[key]
	return &o
}

// clang is the path of a C compiler for the test's kernels.
func clang(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"clang-19", "clang", "clang-15"} {
		if path, _ := exec.LookPath(name); path != "" {
			return path
		}
	}
	t.Skip("no clang")
	return ""
}

func compile(t testing.TB, kernel string, flags []string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "k.o")
	args := append([]string{"-c", "-O2", "-fPIC", "-o", out, "-DKERNEL=" + map[bool]string{true: "at_", false: kernel}[kernel == "at"],
		"--target=" + runtime.GOARCH + "-linux-gnu"}, flags...)
	if text, err := exec.Command(clang(t), append(args, "testdata/kernels.c")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// drivertestObject is what drivertest says of its kernels, or a bare object.
func drivertestObject(kernel string) *abi.Object {
	if slices.Contains([]string{"saxpy", "at", "reverse", "spin"}, kernel) {
		return drivertest.Kernel(kernel)
	}
	return &abi.Object{Name: "test." + kernel, Sites: []abi.Site{{File: "test.go", Line: 1}}}
}

// open opens a device that is closed with the test.
func open(t testing.TB, id string) driver.Device {
	t.Helper()
	if err := native.Supported(); err != nil {
		t.Skip(err)
	}
	d, err := New().Open(id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil && !errors.Is(err, host.ErrClosed) {
			t.Error(err)
		}
	})
	return d
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func shape(grid, block int) *driver.Config {
	return &driver.Config{Grid: driver.Dim{grid, 1, 1}, Block: driver.Dim{block, 1, 1}}
}

// ints allocates n int32s.
func ints(d driver.Device, n int) (drivertest.Reverse, []int32) {
	p := must(d.Alloc(4 * n))
	x := unsafe.Slice((*int32)(p), n)
	clear(x)
	return drivertest.Reverse{X: drivertest.Slice{Ptr: p, Len: n, Cap: n}}, x
}

func TestContract(t *testing.T) {
	for _, id := range []string{"", "64"} {
		t.Run(id, func(t *testing.T) {
			clang(t) // here, for drivertest's tests are others
			d := open(t, id)
			drivertest.RunWith(t, d, func(name string) *abi.Object { return object(t, name) })
		})
	}
}

func TestVendor(t *testing.T) {
	drivertest.Vendor(t, New())
	for id, want := range map[string]int{"": 32, "32": 32, "64": 64} {
		i := open(t, id).Info()
		if i.WarpSize != want || i.Target != "cpu" || i.Arch == "" || !i.HostMemory || i.SharedPerBlockMax != 1<<20 ||
			i.ComputeUnits != runtime.GOMAXPROCS(0) {
			t.Errorf("%q: %+v", id, *i)
		}
	}
}

func TestArchitecture(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("of x86-64 on Linux")
	}
	best := open(t, "").Info().Arch
	for _, l := range levels() {
		t.Setenv(EnvCPU, l.arch)
		d, err := New().Open("")
		switch {
		case l.has != (err == nil):
			t.Errorf("%s, here %v: %v", l.arch, l.has, err)
		case err == nil && d.Info().Arch != l.arch:
			t.Errorf("%s: %s", l.arch, d.Info().Arch)
		case err == nil:
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, bad := range []string{"aarch64", "x86-64", "native"} {
		t.Setenv(EnvCPU, bad)
		_, err := New().Open("")
		want := "cpu: HEDDLE_CPU=" + bad + ": no such architecture here; it can be x86-64-v2"
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), best) {
			t.Error(err)
		}
		if p := New().Probe(); p.Problem == "" || p.Fix != "unset HEDDLE_CPU" {
			t.Errorf("%+v", p)
		}
	}
}

func TestMisuse(t *testing.T) {
	d, other := open(t, ""), open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	k := must(d.Load(object(t, "saxpy")))
	args := make([]byte, k.Object().Sig.Size)
	ptx := drivertest.Kernel("saxpy")
	_, errPTX := d.Load(ptx)
	junk := object(t, "empty")
	junk.Code = []byte("junk")
	_, errJunk := d.Load(junk)
	_, errShared := d.Load(object(t, "empty", "-DSHARED=2097152"))
	_, errLanes := d.Load(object(t, "empty", "-DLANES=3"))
	_, errRun := d.Load(object(t, "empty", "-Dheddle_run=run"))
	_, errInfo := d.Load(object(t, "empty", "-Dheddle_info=info"))
	bound := object(t, "empty")
	bound.MaxThreads = 64
	closed := must(d.Load(object(t, "empty")))
	if err := errors.Join(closed.Close(), closed.Close()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errPTX, "kernel test.saxpy is ptx code, want native"},
		{errJunk, "loading kernel test.empty (test): native: not an ELF object"},
		{errShared, "2097152 bytes of static shared memory, a block can have 1048576"},
		{errLanes, "heddle_info makes no sense"},
		{errRun, "the object has no code heddle_run"},
		{errInfo, "the object has no heddle_info of 32 bytes"},
		{s.Launch(must(other.Load(object(t, "empty"))), shape(1, 1), nil, nil), "loaded on another device"},
		{s.Launch(closed, shape(1, 1), nil, nil), "kernel test.empty is closed"},
		{s.Launch(k, shape(1, 1), args[:8], nil), "8 bytes of arguments, the signature has 56"},
		{s.Launch(k, shape(1, 1025), args, nil), "a grid of [1 1 1] blocks of [1025 1 1] threads"},
		{s.Launch(k, shape(0, 1), args, nil), "a grid of [0 1 1]"},
		{s.Launch(k, &driver.Config{Grid: driver.Dim{1, 70000, 1}, Block: driver.Dim{1, 1, 1}}, args, nil), "a grid of [1 70000 1]"},
		{s.Launch(must(d.Load(bound)), shape(1, 65), nil, nil), "65 threads in a block, the limit is 64"},
		{s.Launch(k, &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: driver.Dim{1, 1, 1}, Shared: 1<<20 + 1}, args, nil),
			"1048577 bytes of dynamic and 0 of static shared memory, the limit is 1048576"},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), "cpu: ") || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v\nlacks %q", c.err, c.want)
		}
	}
	if err := s.Sync(); err != nil {
		t.Error(err)
	}
}

// Every block runs once, whatever the grid and GOMAXPROCS, the first time and later.
func TestBlocks(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	for _, procs := range []int{1, 2, 5, 16} {
		runtime.GOMAXPROCS(procs)
		k := must(d.Load(object(t, "count")))
		for _, grid := range []driver.Dim{{1, 1, 1}, {2, 1, 1}, {3, 5, 7}, {1, 1, 17}, {1000, 10, 3}, {1, 333, 1}, {100000, 1, 1}, {1, 4096, 64}} {
			n := grid[0] * grid[1] * grid[2]
			args, x := ints(d, n)
			for round := range int32(3) {
				c := &driver.Config{Grid: grid, Block: driver.Dim{3, 1, 1}}
				if err := errors.Join(s.Launch(k, c, drivertest.Args(&args), nil), s.Sync()); err != nil {
					t.Fatal(err)
				}
				for i, v := range x {
					if v != 3*(round+1) {
						t.Fatalf("GOMAXPROCS %d, grid %v: block %d has %d after round %d", procs, grid, i, v, round)
					}
				}
			}
			if err := d.Free(args.X.Ptr); err != nil {
				t.Error(err)
			}
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Blocks may wait for the blocks before them.
func TestChain(t *testing.T) {
	d := open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	k := must(d.Load(object(t, "chain")))
	const n = 50000
	for range 20 {
		args, x := ints(d, n)
		if err := errors.Join(s.Launch(k, shape(n, 1), drivertest.Args(&args), nil), s.Sync()); err != nil || x[n-1] != n {
			t.Fatal(err, x[n-1])
		}
	}
}

// A worker's memory is as large as the contract says, and its stacks have guards.
func TestWorkerMemory(t *testing.T) {
	d := open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	for _, flags := range [][]string{
		{}, {"-DBARRIERS=1"}, {"-DBARRIERS=1", "-DLANES=32", "-DSTACK=3000000", "-DSHARED=1001"}, {"-DSHARED=1048000"},
		{"-DBARRIERS=1", "-DLANES=64"}, {"-DSTACK=100000000"},
	} {
		k := must(d.Load(object(t, "memory", flags...)))
		for _, shared := range []int{0, 1, 500} {
			for _, threads := range []int{1, 100, 1024} {
				c := shape(3, threads)
				c.Shared = shared
				if err := errors.Join(s.Launch(k, c, make([]byte, 8), nil), s.Sync()); err != nil {
					t.Error(flags, err)
				}
				if r := k.TakePanic(); r != nil {
					t.Errorf("%v, %d bytes, %d threads: %v", flags, shared, threads, r.Args)
				}
			}
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A stack that overflows ends the process rather than write elsewhere.
func TestGuard(t *testing.T) {
	const child = "HEDDLE_TEST_GUARD"
	if os.Getenv(child) != "" {
		d := open(t, "")
		k := must(d.Load(object(t, "memory", "-DBARRIERS=1")))
		s := must(d.NewStream(driver.StreamOptions{}))
		fmt.Println(errors.Join(s.Launch(k, shape(1, 64), []byte{1, 0, 0, 0, 0, 0, 0, 0}, nil), s.Sync()))
		return
	}
	object(t, "memory", "-DBARRIERS=1") // or skip
	command := []string{os.Args[0], "-test.run=^TestGuard$"}
	if emulator := os.Getenv("HEDDLE_TEST_EMULATOR"); emulator != "" {
		command = slices.Insert(command, 0, emulator)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("under an emulator")
	}
	if err == nil || !strings.Contains(string(out), "SIGSEGV") {
		t.Errorf("%v\n%.500s", err, out)
	}
}

func TestPanics(t *testing.T) {
	d := open(t, "")
	bad, ok := drivertest.At{I: 9}, drivertest.At{I: 1}
	x := must(d.Alloc(16))
	bad.X, ok.X = drivertest.Slice{Ptr: x, Len: 4, Cap: 4}, drivertest.Slice{Ptr: x, Len: 4, Cap: 4}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s := must(d.NewStream(driver.StreamOptions{}))
			k := must(d.Load(object(t, "at")))
			for range 200 {
				if err := errors.Join(s.Launch(k, shape(1000, 64), drivertest.Args(&bad), nil), s.Sync()); err != nil {
					t.Error(err)
				}
				if r := k.TakePanic(); r == nil || r.Args != [2]uint64{9, 4} || r.Block[0] >= 1000 {
					t.Errorf("%+v", r)
				}
				if err := errors.Join(s.Launch(k, shape(10, 64), drivertest.Args(&ok), nil), s.Sync()); err != nil || k.TakePanic() != nil {
					t.Error("after a panic", err)
				}
			}
			if err := errors.Join(k.Close(), s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Close ends a launch of days between blocks, and what is behind it does not run.
func TestClose(t *testing.T) {
	d := open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	spin, count := must(d.Load(object(t, "spin"))), must(d.Load(object(t, "count")))
	spinArgs := drivertest.Spin{Cycles: 1_000_000}
	args, x := ints(d, 1)
	if err := errors.Join(s.Launch(spin, shape(1<<30, 1), drivertest.Args(&spinArgs), nil), s.Launch(count, shape(1, 1), drivertest.Args(&args), nil)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond)
	if err := errors.Join(spin.Close(), count.Close()); err != nil {
		t.Error(err) // the code stays while it is in use
	}
	if err := d.Close(); !errors.Is(err, errStopped) || !strings.Contains(err.Error(), "kernel test.spin") {
		t.Error(err)
	}
	if x[0] != 0 {
		t.Error("a launch behind the long one ran")
	}
}

// Many streams at once, with GOMAXPROCS changing under them.
func TestStreams(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := open(t, "64")
	k := must(d.Load(object(t, "count")))
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			s := must(d.NewStream(driver.StreamOptions{NonBlocking: true}))
			args, x := ints(d, 1000)
			for i := range 200 {
				if err := s.Launch(k, shape(1000, 1), drivertest.Args(&args), nil); err != nil {
					t.Error(err)
				}
				if i%50 == 0 {
					runtime.GOMAXPROCS(1 + i%7)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if slices.Max(x) != 200 || slices.Min(x) != 200 {
				t.Error(slices.Max(x), slices.Min(x))
			}
		})
	}
	all.Wait()
}

// A hundred thousand launches take no more memory than a few.
func TestManyLaunches(t *testing.T) {
	d := open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	k := must(d.Load(object(t, "empty")))
	resident := func() int {
		var size, pages int
		text, _ := os.ReadFile("/proc/self/statm")
		fmt.Sscan(string(text), &size, &pages)
		return pages * os.Getpagesize()
	}
	before := 0
	for i := range 100_000 {
		if err := s.Launch(k, shape(1+i%100, 32), nil, nil); err != nil {
			t.Fatal(err)
		}
		if i%100 == 99 {
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		if i == 10_000 {
			before = resident()
		}
	}
	if grown := resident() - before; grown > 32<<20 {
		t.Errorf("%d bytes more after 100000 launches", grown)
	}
}

// Goroutines of the program get on while a kernel of days takes all processors: else
// this never ends.
func TestBeside(t *testing.T) {
	d := open(t, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	k := must(d.Load(object(t, "spin")))
	args := drivertest.Spin{Cycles: 20_000_000}
	if err := s.Launch(k, shape(1<<30, 1), drivertest.Args(&args), nil); err != nil {
		t.Fatal(err)
	}
	ping, pong := make(chan int), make(chan int)
	go func() {
		defer close(pong)
		for n := range ping {
			pong <- n + 1
		}
	}()
	for n := range 300 {
		time.Sleep(time.Millisecond)
		ping <- n
		if got := <-pong; got != n+1 {
			t.Errorf("%d after %d", got, n)
		}
		if done, err := s.Done(); done {
			t.Fatal("the kernel has ended:", err)
		}
	}
	close(ping)
	if err := d.Close(); !errors.Is(err, errStopped) {
		t.Error(err)
	}
}

func benchmark(b *testing.B, kernel string, args []byte, blocks int, sync int) {
	d := open(b, "")
	s := must(d.NewStream(driver.StreamOptions{}))
	k := must(d.Load(object(b, kernel)))
	c := shape(blocks, 64)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if err := s.Launch(k, c, args, nil); err != nil {
			b.Fatal(err)
		}
		if n++; n%sync == 0 {
			if err := s.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := s.Sync(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkEmpty(b *testing.B) {
	for _, blocks := range []int{1, 64, 4096} {
		b.Run(fmt.Sprintf("sync/%d", blocks), func(b *testing.B) { benchmark(b, "empty", nil, blocks, 1) })
		b.Run(fmt.Sprintf("queue/%d", blocks), func(b *testing.B) { benchmark(b, "empty", nil, blocks, 100) })
	}
}

// BenchmarkSpin is 64 blocks of 64 threads that take the given cycles each.
func BenchmarkSpin(b *testing.B) {
	for _, cycles := range []int64{10, 100, 1000} {
		b.Run(fmt.Sprint(cycles), func(b *testing.B) {
			args := drivertest.Spin{Cycles: cycles}
			benchmark(b, "spin", drivertest.Args(&args), 64, 1)
		})
	}
}
