package streams

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"heddle/launch"
)

// foreignSource is C++ for clang's HIP and for nvcc.
const foreignSource = `
#ifdef __NVCC__
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#else
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define INDEX (__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x())
#endif
struct Pair { int a; double b; short c[3]; };
__device__ int counter = 5;
__device__ float table[4] = {1, 2, 3, 4};
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
	int i = INDEX;
	if (i < n) y[i] += a * x[i];
}
__global__ void mixed(unsigned char k, Pair p, long long *out) {
	if (INDEX == 0) { out[0] = k; out[1] = p.a; out[2] = (long long)p.b; out[3] = p.c[2]; out[4] = counter; counter += 2; }
}
extern "C" __global__ void none() {}
`

// build compiles the source for a device, by what it has on this machine.
func build(t *testing.T, dev *launch.Device) (forms map[string][]byte) {
	dir := t.TempDir()
	src := filepath.Join(dir, "foreign.cu")
	if err := os.WriteFile(src, []byte(foreignSource), 0o644); err != nil {
		t.Fatal(err)
	}
	forms = map[string][]byte{}
	run := func(form string, command ...string) {
		out := filepath.Join(dir, form)
		if text, err := exec.Command(command[0], append(command[1:], "-o", out, src)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, text)
		}
		forms[form] = must(os.ReadFile(out))
	}
	arch := dev.Info().Arch
	if strings.HasPrefix(arch, "sm_") {
		nvcc, err := exec.LookPath("nvcc")
		if err != nil {
			if nvcc, err = exec.LookPath("/usr/local/cuda/bin/nvcc"); err != nil {
				t.Skip(err)
			}
		}
		for form, flag := range map[string]string{"ptx": "-ptx", "cubin": "-cubin", "fatbin": "-fatbin"} {
			run(form, nvcc, flag, "-arch="+arch)
		}
		return forms
	}
	clang := ""
	for _, name := range []string{"clang-19", "clang-18", "clang-17", "clang"} {
		if clang == "" {
			clang, _ = exec.LookPath(name)
		}
	}
	if clang == "" {
		t.Skip("no clang")
	}
	hip := []string{clang, "-x", "hip", "--cuda-device-only", "-nogpulib", "-nogpuinc", "-O2"}
	run("hsaco", append(hip, "--offload-arch="+arch, "--no-gpu-bundle-output")...)
	forms["bundle by hand"] = bundled(arch, forms["hsaco"])
	if _, err := exec.LookPath("clang-offload-bundler" + strings.TrimPrefix(filepath.Base(clang), "clang")); err == nil {
		run("bundle", append(hip, "--offload-arch=gfx906", "--offload-arch="+arch, "--gpu-bundle-output", "--no-offload-compress")...)
	}
	return forms
}

// bundled is an offload bundle as clang lays it out: an entry of the host without code, one of
// another processor, and ours.
func bundled(arch string, code []byte) []byte {
	ids := []string{"host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-", "hipv4-amdgcn-amd-amdhsa--" + arch}
	sizes := []int{0, 4, len(code)}
	head := append([]byte("__CLANG_OFFLOAD_BUNDLE__"), binary.LittleEndian.AppendUint64(nil, uint64(len(ids)))...)
	at := 4096
	for i, id := range ids {
		for _, n := range []int{at, sizes[i], len(id)} {
			head = binary.LittleEndian.AppendUint64(head, uint64(n))
		}
		head = append(head, id...)
		at += sizes[i]
	}
	return append(append(append(head, make([]byte, 4096-len(head))...), "none"...), code...)
}

type pair struct {
	A int32
	B float64
	C [3]int16
}

func TestModules(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		if name, _, _ := strings.Cut(dev.Name(), ":"); name == "sim" || name == "cpu" {
			_, err := launch.LoadModule(dev, []byte("\x7fELF"))
			fails(t, err, "runs no code of other compilers")
			return
		}
		for form, code := range build(t, dev) {
			t.Run(form, func(t *testing.T) { useModule(t, dev, form, code) })
		}
	})
}

func useModule(t *testing.T, dev *launch.Device, form string, code []byte) {
	m, err := launch.LoadModule(dev, code)
	if err != nil {
		t.Fatal(err)
	}
	if names := m.Kernels(); form != "fatbin" && (len(names) != 3 || !slices.Contains(names, "saxpy")) {
		t.Error(names)
	}
	s := must(dev.NewStream())
	x, y := must(launch.Upload(dev, []float32{1, 2, 3})), must(launch.Upload(dev, []float32{10, 20, 30}))
	saxpy := must(m.Kernel("saxpy"))
	if saxpy.Name() != "saxpy" {
		t.Error(saxpy.Name())
	}
	t.Logf("%+v", saxpy.Params())
	ok(t, saxpy.Launch(s, one, int32(3), float32(2), x, y.Device()))
	ok(t, saxpy.Launch(s, one, int32(2), float32(2), &x.Device()[1], y.Slice(1, 3)))
	none := must(launch.Alloc[float32](dev, 0))
	ok(t, saxpy.Launch(s, one, int32(0), float32(2), none, none.Device()))
	got := make([]float32, 3)
	if err := y.Download(got); err != nil || !slices.Equal(got, []float32{12, 28, 42}) {
		t.Error(got, err)
	}
	refusesArguments(t, saxpy, s, x, y)
	mixed := "mixed"
	if form == "fatbin" {
		mixed = "_Z5mixedh4PairPx"
	}
	mix := must(m.Kernel(mixed))
	out := must(launch.Alloc[int64](dev, 5))
	p := pair{-7, 1e6, [3]int16{1, 2, -3}}
	g := must(s.Capture(func(s *launch.Stream) error {
		return mix.Launch(s, launch.Config{Block: launch.Dim3{X: 1}}, byte(200), p, out)
	}))
	graph := must(g.Instantiate())
	ok(t, graph.Launch(s))
	ok(t, graph.Launch(s))
	numbers := make([]int64, 5)
	if err := out.Download(numbers); err != nil || !slices.Equal(numbers, []int64{200, -7, 1e6, -3, 7}) {
		t.Error(numbers, err)
	}
	ok(t, must(m.Kernel("none")).Launch(s, one))
	_, err = m.Kernel("absent")
	fails(t, err, "absent")
	ok(t, s.Sync())
	values := must(launch.ModuleGlobal[float32](m, "table"))
	four := make([]float32, 4)
	if err := values.Download(four); err != nil || !slices.Equal(four, []float32{1, 2, 3, 4}) {
		t.Error(four, err)
	}
	counts := must(launch.ModuleGlobal[int32](m, "counter"))
	holds(t, counts, 9)
	ok(t, counts.Upload([]int32{40}))
	ok(t, graph.Launch(s))
	if err := out.Download(numbers); err != nil || numbers[4] != 40 {
		t.Error(numbers, err)
	}
	_, err = launch.ModuleGlobal[int64](m, "counter")
	fails(t, err, "has 4 bytes, no multiple of the 8 of int64")
	_, err = launch.ModuleGlobal[int64](m, "absent")
	fails(t, err, "variable absent of the module")
	ok(t, values.Close())
	ok(t, counts.Close())
	ok(t, graph.Close())
	ok(t, g.Close())
	ok(t, m.Close())
	fails(t, saxpy.Launch(s, one, int32(3), float32(2), x, y), "the module of "+dev.Name()+" is closed")
}

// refusesArguments gives saxpy what it can't take: each has an error of its own.
func refusesArguments(t *testing.T, saxpy *launch.ModuleKernel, s *launch.Stream, x, y *launch.Buffer[float32]) {
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{int32(3), float32(2), x}, "have 3 arguments, want 4"},
		{[]any{3, float32(2), x, y}, "write int32(3)"},
		{[]any{int32(3), 2.0, x, y}, "have float64 of 8 bytes, want 4 bytes"},
		{[]any{x, float32(2), x, y}, "want 4 bytes"},
		{[]any{int32(3), float32(2), []float32{1, 2, 3}, y}, "is not memory of"},
		{[]any{int32(3), float32(2), "x", y}, "has type string, which is host memory"},
		{[]any{int32(3), float32(2), x, int32(1)}, "have int32 of 4 bytes, want an address"},
	} {
		fails(t, saxpy.Launch(s, one, c.args...), c.want)
	}
	fails(t, saxpy.Launch(s, launch.Linear(4096, 4096), int32(3), float32(2), x, y), "4096; the limit of")
}
