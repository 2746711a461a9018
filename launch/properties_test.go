package launch_test

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"heddle/launch"
)

// docs/properties.md names fields that there are, and all of them.
func TestPropertiesDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/properties.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), "| `hipDeviceProp_t` |")
	named := map[string]bool{}
	rows := 0
	for _, m := range regexp.MustCompile("(?m)^\\| `\\w+` \\| (.*) \\|$").FindAllStringSubmatch(tables, -1) {
		rows++
		if f := regexp.MustCompile("^`([\\w.]+)`").FindStringSubmatch(m[1]); f != nil {
			named[f[1]] = true
		} else if !strings.HasPrefix(m[1], "not told") && m[1] != "nothing" {
			t.Errorf("row without a field: %s", m[0])
		}
	}
	if rows < 200 {
		t.Errorf("%d rows", rows)
	}
	p := reflect.TypeFor[launch.Properties]()
	delete(named, "launch.Properties")
	for name := range named {
		at, ok := p, true
		for part := range strings.SplitSeq(name, ".") {
			f, found := at.FieldByName(part)
			at, ok = f.Type, ok && found
			if !found {
				break
			}
		}
		if !ok {
			t.Errorf("docs/properties.md names %s, and launch.Properties has no such field", name)
		}
	}
	for _, group := range []string{"Work", "Mem", "Board", "Images", "Features"} {
		f, _ := p.FieldByName(group)
		for i := range f.Type.NumField() {
			if name := group + "." + f.Type.Field(i).Name; !named[name] {
				t.Errorf("docs/properties.md lacks %s", name)
			}
		}
	}
}

func TestProperties(t *testing.T) {
	for _, i := range launch.Devices() {
		t.Run(i.Name, func(t *testing.T) {
			dev, err := launch.Open(i.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			p, err := dev.Properties()
			if err != nil {
				t.Fatal(err)
			}
			if p.DeviceInfo != dev.Info() {
				t.Errorf("%+v, and Info is %+v", p.DeviceInfo, dev.Info())
			}
			unopened, err := launch.PropertiesOf(i.Name)
			if err != nil || *unopened != *p {
				t.Errorf("%v: %+v of the name, %+v of the device", err, unopened, p)
			}
			gpu := strings.HasPrefix(i.Name, "cuda") || strings.HasPrefix(i.Name, "hip")
			if (p.PCI != "") != gpu || gpu && !regexp.MustCompile(`^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.0$`).MatchString(p.PCI) {
				t.Errorf("PCI address %q", p.PCI)
			}
			w := p.Work
			if w.MaxThreadsPerUnit < p.MaxThreads || w.SharedPerUnit < w.SharedPerBlockDefault || w.SharedPerBlockDefault > p.SharedPerBlock {
				t.Errorf("a unit has less than a block: %+v", w)
			}
			if !w.ConcurrentKernels || !p.Mem.UnifiedAddressing || p.Mem.MaxPitch == 0 {
				t.Errorf("%+v, %+v", w, p.Mem)
			}
			if f := p.Features; !f.WarpVote || !f.WarpBallot || f.Surfaces != p.Images.Support {
				t.Errorf("%+v", f)
			}
			if strings.HasPrefix(i.Name, "emu") {
				if w.RegistersPerUnit == 0 || p.Mem.L2 == 0 || p.Mem.BusWidth == 0 || w.Major < 9 {
					t.Errorf("%+v, %+v", w, p.Mem)
				}
			}
			// Textures are everywhere, in hardware on cuda.
			if im := p.Images; !im.Support || im.Hardware != strings.HasPrefix(i.Name, "cuda") || im.Texture2D[1] == 0 || im.Surface3D[2] == 0 {
				t.Errorf("%+v", im)
			}
			if err := dev.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := dev.Properties(); err == nil || !strings.Contains(err.Error(), "is closed") {
				t.Errorf("of a closed device: %v", err)
			}
		})
	}
	if p, err := launch.PropertiesOf("none:0"); err == nil {
		t.Errorf("an unknown device has %+v", p)
	}
}

func TestUUID(t *testing.T) {
	u := launch.UUID{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 15: 0xff}
	if got := u.String(); got != "01234567-89ab-cdef-0000-0000000000ff" {
		t.Error(got)
	}
	if got := (launch.UUID{}).String(); got != "" {
		t.Error(got)
	}
}

func TestChoose(t *testing.T) {
	var seen []string
	name, err := launch.Choose(func(p *launch.Properties) float64 {
		seen = append(seen, p.Name)
		if p.Name == "sim:64" {
			return 2
		}
		return 1
	})
	if err != nil || name != "sim:64" || len(seen) != len(launch.Devices()) {
		t.Errorf("%q of %v: %v", name, seen, err)
	}
	if first, err := launch.Choose(func(*launch.Properties) float64 { return 0 }); err != nil || first != launch.Devices()[0].Name {
		t.Errorf("of equals: %q, %v", first, err)
	}
	if name, err := launch.Choose(func(*launch.Properties) float64 { return -1 }); err == nil || !strings.Contains(err.Error(), "is suitable") {
		t.Errorf("of none: %q, %v", name, err)
	}
}

func TestErrorNames(t *testing.T) {
	for _, test := range []struct {
		kind       string
		code       int
		name, text string
	}{
		{"cuda", 0, "CUDA_SUCCESS", "success"},
		{"cuda", 2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
		{"cuda", 720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "cooperative launch too large"},
		{"cuda", 5555, "", "unknown error"},
		{"hip", 0, "hipSuccess", "success"},
		{"hip", 1, "hipErrorInvalidValue", "invalid value"},
		{"hip", 209, "hipErrorNoBinaryForGpu", "no binary for gpu"},
		{"hip", 214, "hipErrorECCNotCorrectable", "ecc not correctable"},
		{"sim", 1, "", "unknown error"},
	} {
		if name, text := launch.ErrorName(test.kind, test.code), launch.ErrorText(test.kind, test.code); name != test.name || text != test.text {
			t.Errorf("%s %d is %q, %q, want %q, %q", test.kind, test.code, name, text, test.name, test.text)
		}
	}
}

func TestOutOfMemory(t *testing.T) {
	for _, i := range launch.Devices() {
		dev, err := launch.Open(i.Name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = launch.Alloc[byte](dev, int(i.Memory)*4)
		if !errors.Is(err, launch.ErrOutOfMemory) {
			t.Errorf("%s: %v is not ErrOutOfMemory", i.Name, err)
		}
		var e *launch.Error
		if errors.As(err, &e) && (e.Code != 2 || e.Device != i.Name || !strings.Contains(e.Text, "memory") || !strings.Contains(e.Error(), e.Name)) {
			t.Errorf("%#v", e)
		}
		if _, err := launch.Alloc[byte](dev, -1); errors.Is(err, launch.ErrOutOfMemory) {
			t.Errorf("%s: %v is ErrOutOfMemory", i.Name, err)
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
}
