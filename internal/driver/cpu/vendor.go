package cpu

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"heddle/internal/driver"
	"heddle/internal/driver/host"
	"heddle/internal/env"
	"heddle/internal/errs"
)

// New returns the vendor of the host's processor.
func New() driver.Vendor { return vendor{} }

type vendor struct{}

// Name implements driver.Vendor.
func (vendor) Name() string { return "cpu" }

// Probe implements driver.Vendor. Whether kernels can be compiled is not its business.
func (vendor) Probe() driver.Probe {
	arch, err := architecture()
	if err != nil {
		fix := "use another device, such as sim"
		if env.Get(EnvCPU) != "" {
			fix = "unset " + EnvCPU
		}
		return driver.Probe{Problem: err.Error(), Fix: fix}
	}
	return driver.Probe{
		Library: "built in", Version: arch,
		Devices: []driver.Info{info("cpu", arch, 32), info("cpu:64", arch, 64)},
	}
}

// Open implements driver.Vendor: id is the warp size, 32 if empty.
func (vendor) Open(id string) (driver.Device, error) {
	names := map[string]string{"": "cpu", "32": "cpu", "64": "cpu:64"}
	if names[id] == "" {
		return nil, errs.F("cpu:%s: the processor as a device is named by its warp size: cpu, cpu:32 or cpu:64", id)
	}
	arch, err := architecture()
	if err != nil {
		return nil, errs.F("%s: %w", names[id], err)
	}
	warp := 32
	if id == "64" {
		warp = 64
	}
	i := info(names[id], arch, warp)
	return host.New(i, newEngine(&i), false), nil
}

func info(name, arch string, warp int) driver.Info {
	return driver.Info{
		Name: name, Product: product(), Target: "cpu", Arch: arch, WarpSize: warp,
		MaxThreads: 1024,
		MaxBlock:   driver.Dim{1024, 1024, 64}, MaxGrid: driver.Dim{1<<31 - 1, 65535, 65535},
		SharedPerBlock: 64 << 10, SharedPerBlockMax: 1 << 20,
		ComputeUnits: runtime.GOMAXPROCS(0), Memory: memory(), ClockRate: clockRate(),
		WallClockRate: 1e6, // kHz: dsl.WallClock64 counts nanoseconds
		Driver:        runtime.Version(), HostMemory: true,
	}
}

// procValue is the value of the first line "name : value" of a file in /proc, or "".
func procValue(file, name string) string {
	text, _ := os.ReadFile(filepath.Join("/proc", file))
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// product is the processor's name.
func product() string {
	if name := procValue("cpuinfo", "model name"); name != "" {
		return strings.Join(strings.Fields(name), " ")
	}
	return "host processor (" + runtime.GOARCH + ")"
}

// memory is the size of the machine's memory, or a guess where it is not told.
func memory() int64 {
	kb, _, _ := strings.Cut(procValue("meminfo", "MemTotal"), " ")
	if n, err := strconv.ParseInt(kb, 10, 64); err == nil {
		return n << 10
	}
	return 8 << 30
}

// clockRate is the processor's rate in kHz as far as the system tells, else 0.
func clockRate() int {
	text, _ := os.ReadFile("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
	if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
		return n
	}
	// The kernel writes MHz with three digits after the point: 2596.140.
	khz, _ := strconv.Atoi(strings.Replace(procValue("cpuinfo", "cpu MHz"), ".", "", 1))
	return khz
}
