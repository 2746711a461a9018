package sim

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"heddle/internal/driver"
)

// New returns the vendor of simulated devices.
func New() driver.Vendor { return vendor{} }

type vendor struct{}

// Name implements driver.Vendor.
func (vendor) Name() string { return "sim" }

// Probe implements driver.Vendor: there is always a simulator, at either warp size.
func (vendor) Probe() driver.Probe {
	return driver.Probe{
		Library: "built in", Version: runtime.Version(),
		Devices: []driver.Info{info("sim", 32), info("sim:64", 64)},
	}
}

// Open implements driver.Vendor: id is the warp size, 32 if empty.
func (vendor) Open(id string) (driver.Device, error) {
	switch id {
	case "", "32":
		return newDevice(info("sim", 32)), nil
	case "64":
		return newDevice(info("sim:64", 64)), nil
	}
	return nil, fmt.Errorf("sim:%s: a simulated device is named by its warp size: sim, sim:32 or sim:64", id)
}

func info(name string, warp int) driver.Info {
	return driver.Info{
		Name: name, Product: "simulator", Arch: "sim", WarpSize: warp,
		MaxThreads: 1024,
		MaxBlock:   driver.Dim{1024, 1024, 64}, MaxGrid: driver.Dim{1<<31 - 1, 65535, 65535},
		SharedPerBlock: 64 << 10, SharedPerBlockMax: 64 << 10,
		ComputeUnits: 1, Memory: hostMemory(),
		WallClockRate: 1e6, // kHz: dsl.WallClock64 counts nanoseconds
		Driver:        runtime.Version(), HostMemory: true,
	}
}

// hostMemory is the size of the machine's memory, or a guess where it is not told.
func hostMemory() int64 {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != "MemTotal:" || f[2] != "kB" {
			continue
		}
		if kb, err := strconv.ParseInt(f[1], 10, 53); err == nil {
			return kb << 10
		}
	}
	return 8 << 30
}
