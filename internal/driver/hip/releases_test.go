package hip

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/driver/gpu"
)

// attrNames are the names in hipDeviceAttribute_t.
var attrNames = [gpu.NumAttrs]string{
	gpu.WarpSize:       "WarpSize",
	gpu.MaxThreads:     "MaxThreadsPerBlock",
	gpu.MaxBlockX:      "MaxBlockDimX",
	gpu.MaxBlockY:      "MaxBlockDimY",
	gpu.MaxBlockZ:      "MaxBlockDimZ",
	gpu.MaxGridX:       "MaxGridDimX",
	gpu.MaxGridY:       "MaxGridDimY",
	gpu.MaxGridZ:       "MaxGridDimZ",
	gpu.SharedPerBlock: "MaxSharedMemoryPerBlock",
	gpu.SharedOptIn:    "SharedMemPerBlockOptin",
	gpu.ComputeUnits:   "MultiprocessorCount",
	gpu.ClockRate:      "ClockRate",
}

// shared are the numbers that package gpu takes to be the same as CUDA's.
var shared = map[string]int{
	"hipErrorNoDevice":                                 100,
	"hipErrorInvalidDevice":                            101,
	"hipErrorECCNotCorrectable":                        214,
	"hipErrorNotReady":                                 600,
	"hipErrorIllegalAddress":                           700,
	"hipErrorLaunchTimeOut":                            702,
	"hipErrorContextIsDestroyed":                       709,
	"hipErrorAssert":                                   710,
	"hipErrorLaunchFailure":                            719,
	"HIP_LAUNCH_PARAM_BUFFER_POINTER":                  1,
	"HIP_LAUNCH_PARAM_BUFFER_SIZE":                     2,
	"hipStreamNonBlocking":                             1,
	"HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK":         0,
	"HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES":             1,
	"HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES":              3,
	"HIP_FUNC_ATTRIBUTE_NUM_REGS":                      4,
	"HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES": 8,
}

// TestHeaders lets a C compiler hold the numbers of this package and of package
// gpu against HIP's headers, where they are installed or CPATH leads to them.
// It has been run with those of releases 5.0, 5.2, 5.7, 6.0, 6.2 and 7.15.
func TestHeaders(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip(err)
	}
	var c strings.Builder
	c.WriteString("#include <stddef.h>\n#include <hip/hip_runtime_api.h>\n")
	same := func(ours int, theirs string) {
		fmt.Fprintf(&c, "_Static_assert((long)(%s) == %d, \"not %d\");\n", theirs, ours, ours)
	}
	for a, name := range attrNames {
		same(spec.Attrs[a], "hipDeviceAttribute"+name)
	}
	same(int(spec.ParamEnd), "HIP_LAUNCH_PARAM_END")
	same(int(spec.HostFlags), "hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent")
	for i, condition := range []string{">= 6", "< 6"} {
		fmt.Fprintf(&c, "#if HIP_VERSION_MAJOR %s\n", condition)
		same(properties[i].offset, "offsetof(hipDeviceProp_t, gcnArchName)")
		same(archNameSize, "sizeof(((hipDeviceProp_t *)0)->gcnArchName)")
		c.WriteString("#endif\n")
	}
	c.WriteString("#if HIP_VERSION_MAJOR >= 6\n")
	same(attrWallClockRate, "hipDeviceAttributeWallClockRate")
	for i, a := range attributes {
		same(a.Number, "hipDeviceAttribute"+attributeNames[i])
	}
	for i, f := range fields {
		same(f.offset, "offsetof(hipDeviceProp_t, "+fieldNames[i]+")")
		same(4*f.count, "sizeof(((hipDeviceProp_t *)0)->"+fieldNames[i]+")")
	}
	c.WriteString("#endif\n")
	for name, number := range shared {
		same(number, name)
	}
	source := filepath.Join(t.TempDir(), "numbers.c")
	if err := os.WriteFile(source, []byte(c.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(cc, "-fsyntax-only", "-w", "-D__HIP_PLATFORM_AMD__", "-D__HIP_PLATFORM_HCC__",
		"-isystem", "/opt/rocm/include", source).CombinedOutput()
	if err != nil && strings.Contains(string(out), "hip_runtime_api.h: No such file") {
		t.Skip("no HIP headers here: apt install libamdhip64-dev")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReleases probes one device through stand-ins for several releases.
func TestReleases(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		major, offset     int
		codeObject, clock int
		problem           string
	}{
		{major: 4, problem: "is release 4; heddle needs 5 or later"},
		{major: 5, codeObject: 4},
		{major: 6, offset: 1160, codeObject: 5, clock: 10017},
		{major: 7, offset: 1160, codeObject: 5, clock: 10017},
		{major: 9, offset: 2000, problem: "unknown struct layout"},
	} {
		t.Run(fmt.Sprint(test.major), func(t *testing.T) {
			s := spec
			s.Libraries = []string{release(t, cc, test.major, test.offset)}
			p := gpu.New(&s).Probe()
			if test.problem != "" {
				if !strings.Contains(p.Problem, test.problem) || p.Devices != nil {
					t.Errorf("%+v", p)
				}
				return
			}
			if p.Problem != "" || len(p.Devices) != 1 {
				t.Fatalf("%+v", p)
			}
			d := p.Devices[0]
			if d.Arch != "gfx90a" || d.WarpSize != 64 || d.CodeObject != test.codeObject ||
				d.WallClockRate != test.clock || d.SharedPerBlockMax != d.SharedPerBlock {
				t.Errorf("%+v", d)
			}
		})
	}
}

// release builds testdata/release.c with every function that it lacks.
func release(t *testing.T, cc string, major, offset int) string {
	t.Helper()
	text, err := os.ReadFile("testdata/release.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range spec.Symbols {
		if name != "" && !strings.Contains(string(text), name+"(") {
			text = fmt.Appendf(text, "int %s(void) { return 0; }\n", name)
		}
	}
	dir := t.TempDir()
	source, out := filepath.Join(dir, "release.c"), filepath.Join(dir, "libamdhip64.so")
	if err := os.WriteFile(source, text, 0o666); err != nil {
		t.Fatal(err)
	}
	log, err := exec.Command(cc, "-shared", "-fPIC", "-w", fmt.Sprintf("-DMAJOR=%d", major), fmt.Sprintf("-DOFFSET=%d", offset),
		"-o", out, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	return out
}
