// Package badcalls is the table of wrong calls of package launch and kernel: each has an
// error of its own, which says what was wrong and what to do, and afterwards the device works
// and has lost nothing.
package badcalls

import (
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// A badCall is one wrong use.
type badCall struct {
	name string
	// do makes the call and returns its error. What it opens it closes.
	do func(dev *launch.Device) error
	// want is part of the error: what was wrong, and with what.
	want string
	// on are the devices that it is wrong on, by prefix; nil is all.
	on []string
}

// tables are the wrong calls by topic, each in a file of its own.
var tables = map[string][]badCall{
	"memory":   memoryCalls,
	"queries":  queryCalls,
	"host":     hostMemoryCalls,
	"region":   regionCalls,
	"pool":     poolCalls,
	"streams":  streamsCalls,
	"capture":  captureCalls,
	"textures": textureCalls,
}

var double = kernel.New(func(v []int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] *= 2
	}
})

// onEach runs a test on each device of the machine.
func onEach(t *testing.T, do func(t *testing.T, dev *launch.Device, name string)) {
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda:0", "hip:0"} {
		t.Run(name, func(t *testing.T) {
			if why := attached.Missing(name); why != "" {
				t.Skip(why)
			}
			dev, err := launch.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			do(t, dev, name)
		})
	}
}

func TestBadCalls(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device, name string) {
		for topic, calls := range tables {
			for _, call := range calls {
				if call.on == nil || slices.ContainsFunc(call.on, func(on string) bool { return strings.HasPrefix(name, on) }) {
					t.Run(topic+"/"+call.name, func(t *testing.T) { call.check(t, dev) })
				}
			}
		}
	})
}

// check makes the call, and then uses the device.
func (c *badCall) check(t *testing.T, dev *launch.Device) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panicked: %v", p)
		}
	}()
	before := len(dev.Allocations())
	err := c.do(dev)
	if err == nil {
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), c.want) {
		t.Errorf("got %q, want %q in it", err, c.want)
	}
	if n := len(dev.Allocations()); n != before {
		t.Errorf("%d allocations before, %d after", before, n)
	}
	v, err := launch.Upload(dev, []int32{1, 2, 3})
	if err != nil {
		t.Fatal("afterwards: ", err)
	}
	defer v.Close()
	got := make([]int32, 3)
	if err := double.Launch(dev.Stream(), launch.Linear(3, 32), v); err != nil {
		t.Error("afterwards: ", err)
	}
	if err := v.Download(got); err != nil || !slices.Equal(got, []int32{2, 4, 6}) {
		t.Error("afterwards: ", got, err)
	}
}

// TestErrorsDiffer: no two wrong calls are told by one text.
func TestErrorsDiffer(t *testing.T) {
	seen, n := map[string]string{}, 0
	for topic, calls := range tables {
		for _, call := range calls {
			n++
			if other := seen[call.want]; other != "" {
				t.Errorf("%s/%s and %s want one text: %s", topic, call.name, other, call.want)
			}
			seen[call.want] = topic + "/" + call.name
		}
	}
	t.Log(n, "wrong calls")
}
