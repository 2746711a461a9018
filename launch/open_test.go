package launch

import (
	"slices"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/llvm"
	"heddle/internal/module"
)

func TestOpenErrors(t *testing.T) {
	for name, want := range map[string]string{
		"emu:gfx1": `device "emu:gfx1" is not in this program; add to it: import _ "` + module.Emu + `"`,
		"vulkan:0": `unknown device "vulkan:0"; the kinds are hip, cuda, cpu, sim`,
		"sim:7":    "sim, sim:32 or sim:64",
		"hip:99":   "hip",
		"cuda:x":   `"x"`,
	} {
		_, err := Open(name)
		fails(t, err, "launch: ", want)
	}
	t.Setenv(EnvDevice, "gpu")
	_, err := Open("")
	fails(t, err, `unknown device "gpu" (from HEDDLE_DEVICE)`)
	t.Setenv(EnvDevice, "emu")
	_, err = Open("")
	fails(t, err, `device "emu" (from HEDDLE_DEVICE) is not in this program; add to it: import _ "`+module.Emu+`"`)
}

func TestOpenBest(t *testing.T) {
	t.Setenv(EnvDevice, "")
	d, err := Open("")
	ok(t, err)
	t.Log(d)
	passedOver := func(i DeviceInfo) bool { // as long as nothing can compile for it
		_, _, err := llvm.Find()
		return err != nil && strings.HasPrefix(i.Name, "cpu")
	}
	if all := slices.DeleteFunc(Devices(), passedOver); all[0].Name != d.Name() {
		t.Errorf("the best device is %s, the first of the list %s", d.Name(), all[0].Name)
	}
	ok(t, d.Close())
	t.Setenv(EnvDevice, "sim:64")
	d, err = Open("")
	ok(t, err)
	if i := d.Info(); i.Name != "sim:64" || i.WarpSize != 64 || d.String() != "sim:64 (simulator, sim)" {
		t.Errorf("%v: %+v", d, i)
	}
	ok(t, d.Close())
}

func TestProbes(t *testing.T) {
	var kinds, names []string
	for _, p := range Probes() {
		t.Logf("%+v", p)
		kinds = append(kinds, p.Kind)
		if (p.Problem == "") != (p.Fix == "") {
			t.Errorf("%s: problem %q, fix %q", p.Kind, p.Problem, p.Fix)
		}
	}
	for _, d := range Devices() {
		names = append(names, d.Name)
	}
	if !slices.Equal(kinds, []string{"hip", "cuda", "cpu", "sim"}) || !slices.Contains(names, "sim") || !slices.Contains(names, "sim:64") {
		t.Errorf("kinds %v, devices %v", kinds, names)
	}
}

func TestPanicText(t *testing.T) {
	o := &abi.Object{Name: "main.F", Sites: []abi.Site{
		{File: "main.go", Line: 12, Col: 7, Func: "main.g", Format: "index out of range [%d] with length %d", Runtime: true},
		{File: "main.go", Line: 13, Col: 2, Format: "100%: %u and %f, %d%", First: 1},
		{File: "lib.go", Line: 3, Col: 4, Format: "bad", First: 2, Frame: 2},
	}, Frames: []abi.Frame{
		{},
		{Calls: []abi.Call{{Place: abi.Place{File: "main.go", Line: 20, Col: 5}}}},
		{Calls: []abi.Call{{Place: abi.Place{File: "main.go", Line: 21, Col: 6}}, {Place: abi.Place{File: "help.go", Line: 22, Col: 7}, From: 1, First: 1}}},
	}}
	neg := ^uint64(0)
	for _, test := range []struct {
		r    abi.PanicRecord
		want string
	}{
		{abi.PanicRecord{Block: [3]uint32{1}, Thread: [3]uint32{37}, Args: [2]uint64{neg, 3}},
			"main.go:12:7: kernel main.F panicked: runtime error: index out of range [-1] (block {1 0 0}, thread {37 0 0})"},
		{abi.PanicRecord{Site: 1, Args: [2]uint64{neg, 0x3ff8000000000000}},
			"main.go:13:2: kernel main.F panicked: 100%: 18446744073709551615 and 1.5, %d% (block {0 0 0}, thread {0 0 0})"},
		{abi.PanicRecord{Site: 2}, "lib.go:3:4: kernel main.F panicked: bad (block {0 0 0}, thread {0 0 0})\n\tcalled from main.go:21:6"},
		{abi.PanicRecord{Site: 3}, "lib.go:3:4: kernel main.F panicked: bad (block {0 0 0}, thread {0 0 0})\n\tcalled from help.go:22:7\n\tcalled from main.go:20:5"},
		{abi.PanicRecord{Site: 4}, "-: kernel main.F panicked: at the unknown place 4 of 3 (block {0 0 0}, thread {0 0 0})"},
	} {
		if got := panicOf(o, &test.r).Error(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}
