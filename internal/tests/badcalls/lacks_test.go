package badcalls

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/errs"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
)

var update = flag.Bool("update", false, "write the table of docs/devices.md anew")

// A lack is what some kinds of device do not have. docs/devices.md lists them.
type lack struct {
	call    string   // as the document names it
	on      []string // kinds of device
	want    string   // part of the error; "" if there is none, and do says what is different
	instead string   // what a program does there
	do      func(dev *launch.Device) error
}

var (
	notCUDA = []string{"sim", "cpu", "emu", "hip"}
	theAMD  = []string{"emu", "hip"}
)

// one launches a kernel for one number.
func one(dev *launch.Device, k *kernel.Kernel) error {
	v, err := launch.Alloc[uint64](dev, 2)
	if err != nil {
		return err
	}
	return errs.Join(k.Launch(dev.Stream(), launch.Linear(1, 1), v), dev.Sync(), v.Close())
}

var (
	assembly = kernel.New(func(v []uint64) { v[0] = uint64(dsl.Asm[uint32]("", "=r")) })
	swapped  = kernel.New(func(v []uint64) {
		dsl.AtomicCAS128((*[2]uint64)(v), [2]uint64{}, [2]uint64{1, 2})
	})
)

const someText = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"

func loads(code string) func(dev *launch.Device) error {
	return func(dev *launch.Device) error { return only(launch.LoadModule(dev, []byte(code))) }
}

var lacks = []lack{
	{"`Device.Native`", onHost, "Device.Native on DEVICE: it has no handles; there is no library of a GPU's vendor behind it", "`Device.Do` works on every device", func(dev *launch.Device) error {
		_, err := dev.Native()
		return err
	}},
	{"`Stream.Native`", onHost, "Stream.Native on DEVICE: it has no handles; there is no library of a GPU's vendor behind it", "`Stream.Call` queues a function of the host", func(dev *launch.Device) error {
		_, err := dev.Stream().Native()
		return err
	}},
	{"`Event.Native`", onHost, "Event.Native on DEVICE: it has no handles; there is no library of a GPU's vendor behind it", "`Stream.Wait` and `Event.Sync`", func(dev *launch.Device) error {
		e, err := dev.Stream().Record()
		if err != nil {
			return err
		}
		_, err = e.Native()
		return errs.Join(err, e.Close())
	}},
	{"`Stream.Foreign`", onHost, "Foreign on DEVICE: it has no handles; there is no library of a GPU's vendor behind it", "`Stream.Call` queues a function of the host", func(dev *launch.Device) error {
		return dev.Stream().Foreign(func(uintptr) error { return nil })
	}},
	{"`Device.Limit`, `Device.SetLimit`", onHost, "DEVICE has no limit for the stack of a thread: it is a device on the host", "leave the call out: the limits of the host's process hold", func(dev *launch.Device) error {
		_, err := dev.Limit(launch.LimitStack)
		return err
	}},
	{"`Device.Priorities`", onHost, "", "one priority, 0, and no error", func(dev *launch.Device) error {
		least, greatest, err := dev.Priorities()
		if err == nil && least != greatest {
			return nil
		}
		return errs.Join(err, fmt.Errorf("one priority"))
	}},
	{"`LoadModule`", []string{"sim", "cpu"}, "LoadModule: DEVICE runs no code of other compilers; emu:gfx942 and GPUs do", "emulate the GPU: `emu:gfx942`", loads(someText)},
	{"`LoadModule` of PTX, a cubin or a fat binary", theAMD, "LoadModule: this is a PTX; DEVICE takes ", "load a code object or an offload bundle for its architecture", loads(someText)},
	{"`LoadModule` of a code object", []string{"cuda"}, "LoadModule: this is an AMDGPU code object", "load PTX, a cubin or a fat binary", loads("\x7fELF\x02\x01\x01\x40" + strings.Repeat("\x00", 10) + "\xe0" + strings.Repeat("\x00", 45))},
	{"textures and surfaces in hardware", notCUDA, "", "the software form ([textures](textures.md)), and no error", func(dev *launch.Device) error {
		if texOf[texture.Soft2D[float32]](dev, texture.Options{}) != nil {
			return nil
		}
		return fmt.Errorf("arrays are linear")
	}},
	{"`TextureOf` of a `texture.Soft2D` and its like, of an array without `Shape.Linear`", []string{"cuda"}, "the software form texture.Soft2D[float32] wants a Shape with Linear", "set `Shape.Linear`", func(dev *launch.Device) error {
		return texOf[texture.Soft2D[float32]](dev, texture.Options{})
	}},
	{"`Device.EnablePeer` between a GPU and a device on the host", []string{"cuda", "hip"}, "EnablePeer: DEVICE cannot use memory of sim", "`Buffer.CopyPeer`, on a stream of the GPU", func(dev *launch.Device) error {
		other, err := launch.Open("sim")
		if err != nil {
			return err
		}
		return errs.Join(dev.EnablePeer(other), other.Close())
	}},
	{"`Buffer.Share`, `OpenShared`", onHost, "Share on DEVICE: a device on the host has no memory that other processes can open", "`ccl.Send` and `ccl.Recv`, or `Buffer.Download` and a file", func(dev *launch.Device) error {
		b, err := launch.Alloc[int32](dev, 1)
		if err != nil {
			return err
		}
		_, err = b.Share()
		return errs.Join(err, b.Close())
	}},
	{"`dsl.Asm`, `dsl.AsmVolatile`", []string{"sim"}, "inline assembly does not run on the simulator: put it under if dsl.Arch().IsGPU()", "guard the call by `dsl.Arch`", func(dev *launch.Device) error { return one(dev, assembly) }},
	{"`dsl.Asm`, `dsl.AsmVolatile`", []string{"cpu"}, "dsl.Asm[uint32] needs a GPU, and this is compiled for ", "guard the call by `dsl.Arch`", func(dev *launch.Device) error { return one(dev, assembly) }},
	{"`dsl.AtomicCAS128`; on `cuda` before sm_90, too", theAMD, "dsl.AtomicCAS128 needs compare and swap of 128 bits, and this is compiled for ", "guard the call by `dsl.Arch`", func(dev *launch.Device) error { return one(dev, swapped) }},
}

// refuses says whether the device refuses the call of a lack, by the lack's error.
func (l *lack) refuses(dev *launch.Device) (bool, error) {
	err := l.do(dev)
	return err != nil && strings.Contains(err.Error(), strings.ReplaceAll(l.want, "DEVICE", dev.Name())), err
}

// TestLacks holds the table to every device of this machine, in both directions.
func TestLacks(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device, name string) {
		kind, _, _ := strings.Cut(name, ":")
		for _, l := range lacks {
			refused, err := l.refuses(dev)
			if want := slices.Contains(l.on, kind); refused != want {
				t.Errorf("%s is refused: %v, and the table says %v (%v)", l.call, refused, want, err)
			}
		}
	})
}

// lacksTable is the table as docs/devices.md has it.
func lacksTable() string {
	var b strings.Builder
	b.WriteString("| call | not on | error | instead |\n| --- | --- | --- | --- |\n")
	for _, l := range lacks {
		text := "none"
		if l.want != "" {
			text = "`" + strings.TrimSpace(strings.ReplaceAll(l.want, "DEVICE", "*device*")) + "`"
			text = strings.ReplaceAll(text, "*device*", "…")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.call, strings.Join(l.on, ", "), text, l.instead)
	}
	return b.String()
}

// TestLacksDocumented holds docs/devices.md to the table.
func TestLacksDocumented(t *testing.T) {
	const file, begin, end = "../../../docs/devices.md", "<!-- lacks: generated -->\n", "<!-- end of lacks -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), begin)
	have, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no lines %q and %q", file, begin, end)
	}
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+lacksTable()+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have != lacksTable() {
		t.Errorf("%s is out of date: go test ./internal/tests/badcalls -run TestLacksDocumented -update", file)
	}
}
