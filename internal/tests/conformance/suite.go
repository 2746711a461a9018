package conformance

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"heddle/internal/inside"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// A Case is one test that runs on every device.
type Case struct {
	Name string // area/what, as the subtest is called
	Row  string // the row of the feature list that it covers
	// Kernels are those that Run launches: they are also compiled for every
	// architecture.
	Kernels []*kernel.Kernel
	Run     func(t *T)
}

// needsStd reports whether an error is that of a kernel that needs Go's sources
// where there are none.
func needsStd(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "the standard library's sources are not on this machine") ||
		strings.Contains(err.Error(), "its Go source is not at hand"))
}

// std is c for kernels that call functions of the standard library which have no
// counterpart on the device and are compiled from Go's sources: where there is
// no Go installation a GPU skips the case.
func (c Case) std() Case {
	run := c.Run
	c.Run = func(t *T) {
		t.std = true
		run(t)
	}
	return c
}

// Devices are the names that the suite tries to open.
var Devices = []string{"sim", "sim:64", "cpu", "cpu:64",
	"emu:gfx90a", "emu:gfx942", "emu:gfx1030", "emu:gfx1030:64", "emu:gfx1100", "emu:gfx1100:64", "emu:gfx1201", "emu:gfx1201:64",
	"cuda:0", "hip:0"}

// Cases is the whole suite.
func Cases() []Case {
	return slices.Concat(
		intCases(), floatCases(), signCases(), convertCases(), complexCases(), boolCases(),
		stringCases(), assertCases(), arrayCases(), foundCases(), narrowCases(), largeCases(), manyCases(), structCases(), sliceCases(), pointerCases(),
		halfCases(), smallCases(), halfRestCases(), fp8Cases(), loopCases(), switchCases(), callCases(), chosenCases(), sortCases(), closureCases(), captureCases(), builtinCases(), copyCases(), tableCases(),
		panicCases(), mathCases(), mathWholeCases(), bitsCases(), packedCases(),
		geometryCases(), sharedCases(), warpCases(), shuffleCases(),
		togetherCases(),
		cgCases(),
		laneCases(),
		gridCases(),
		[]Case{multiGridCase()},
		asyncCases(),
		fixedCases(), indexCases(), rowsCases(), atomicCases(), scopedCases(),
		paramCases(), optionCases(),
		knownCases(),
		printCases(),
		cooperativeCases(),
		asmCases(),
		symbolCases(),
		textureCases(),
		imageCases(),
		unsafeCases(), sharedPointerCases(),
		wordCases(),
		absCases(),
		vectorCases(),
	)
}

// T is one run of a case: a test and the device it runs on.
type T struct {
	*testing.T
	Dev     *launch.Device
	name    string // the case's
	std     bool   // of a Case.std
	omitted bool   // the case has left out what omissions says
}

// Run runs one case on a device.
func Run(t *testing.T, dev *launch.Device, c Case) {
	t.Run(c.Name, func(t *testing.T) {
		run := &T{T: t, Dev: dev, name: c.Name}
		c.Run(run)
		run.checkOmissions()
	})
}

// warp is the device's warp size.
func (t *T) warp() int { return t.Dev.Info().WarpSize }

// simulated says that kernels run as ordinary Go.
func (t *T) simulated() bool { return inside.Driver(t.Dev).Target == "" }

// noStd is how a kernel fails that calls into the standard library where there
// is no Go installation and the device library has no such function.
const noStd = "the standard library's sources are not on this machine"

// must stops the test at an error.
func (t *T) must(err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), noStd) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// run launches a kernel and waits for it.
func (t *T) run(k *kernel.Kernel, cfg launch.Config, args ...any) {
	t.Helper()
	err := k.Launch(t.Dev.Stream(), cfg, args...)
	if t.std && needsStd(err) {
		t.Skip(err)
	}
	t.must(err)
	t.must(t.Dev.Stream().Sync())
}

// fails launches a kernel that must panic, and returns its panic.
func (t *T) fails(k *kernel.Kernel, cfg launch.Config, args ...any) *launch.KernelPanic {
	t.Helper()
	err := k.Launch(t.Dev.Stream(), cfg, args...)
	if err == nil {
		err = t.Dev.Stream().Sync()
	}
	var p *launch.KernelPanic
	if !errors.As(err, &p) {
		t.Fatalf("error is %v, want a *launch.KernelPanic", err)
	}
	return p
}

// upload is a buffer with a copy of host, closed when the test ends.
func upload[E any](t *T, host []E) *launch.Buffer[E] {
	t.Helper()
	b, err := launch.Upload(t.Dev, host)
	t.must(err)
	closeLater(t, b)
	return b
}

// alloc is a buffer of n zeros, closed when the test ends.
func alloc[E any](t *T, n int) *launch.Buffer[E] {
	t.Helper()
	b, err := launch.Alloc[E](t.Dev, n)
	t.must(err)
	closeLater(t, b)
	return b
}

func closeLater[E any](t *T, b *launch.Buffer[E]) {
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
}

// download is what the buffer holds.
func download[E any](t *T, b *launch.Buffer[E]) []E {
	t.Helper()
	host := make([]E, b.Len())
	t.must(b.Download(host))
	return host
}
