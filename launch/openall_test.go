package launch_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"heddle/launch"
)

func TestOpenAll(t *testing.T) {
	devs, err := launch.OpenAll("sim,sim,sim:64")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"sim", "sim", "sim:64"} {
		if devs[i].Name() != want {
			t.Errorf("device %d is %s, want %s", i, devs[i].Name(), want)
		}
		if err := devs[i].Close(); err != nil {
			t.Error(err)
		}
	}
	if devs[0] == devs[1] {
		t.Error("one device twice")
	}
	t.Setenv(launch.EnvDevice, "sim")
	if devs, err = launch.OpenAll(""); err != nil || len(devs) != 1 || devs[0].Name() != "sim" {
		t.Error(devs, err)
	}
	devs[0].Close()
	devs, err = launch.OpenAll("sim,cuda:77,nosuch,,hip:x")
	if err == nil || devs != nil {
		t.Fatal(devs)
	}
	for _, want := range []string{"cuda", "nosuch", "an empty name", "hip"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

// Memory of devices on the host is not shared, and the error says what to do.
func TestShareOnHost(t *testing.T) {
	d, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	b, err := launch.Alloc[float32](d, 4)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Share(); err == nil || !strings.Contains(err.Error(), "ccl.Send") {
		t.Error(err)
	}
	if _, err := launch.OpenShared[float32](d, launch.Shared{}); err == nil || !strings.Contains(err.Error(), "OpenShared on sim") {
		t.Error(err)
	}
	if _, err := (*launch.Buffer[float32])(nil).Share(); err == nil {
		t.Error("a nil Buffer is shared")
	}
}

// sharedVar holds the device and the Shared of a child process.
const sharedVar = "LAUNCH_TEST_SHARED"

// A GPU's memory is shared with another process, which reads it and writes it.
func TestShare(t *testing.T) {
	for _, kind := range []string{"cuda", "hip"} {
		t.Run(kind, func(t *testing.T) {
			d, err := launch.Open(kind)
			if err != nil {
				t.Skip(err)
			}
			defer d.Close()
			b, err := launch.Upload(d, []int32{1, 2, 3, 4, 5})
			if err != nil {
				t.Fatal(err)
			}
			s, err := b.Slice(1, 4).Share()
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestShareChild$")
			cmd.Env = append(os.Environ(), sharedVar+"="+d.Name()+" "+string(text))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := make([]int32, 5)
			if err := b.Download(got); err != nil || !slices.Equal(got, []int32{1, 20, 30, 40, 5}) {
				t.Error(got, err)
			}
			if _, err := launch.OpenShared[float32](d, s); err == nil || !strings.Contains(err.Error(), "int32 as one of float32") {
				t.Error(err)
			}
		})
	}
}

// TestShareChild is the other process.
func TestShareChild(t *testing.T) {
	name, text, ok := strings.Cut(os.Getenv(sharedVar), " ")
	if !ok {
		t.Skip("it is for TestShare")
	}
	var s launch.Shared
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	d, err := launch.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := launch.OpenShared[int32](d, s)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]int32, 3)
	if err := b.Download(got); err != nil || !slices.Equal(got, []int32{2, 3, 4}) {
		t.Error(got, err)
	}
	if err := errors.Join(b.Upload([]int32{20, 30, 40}), d.Sync(), b.Close(), d.Close()); err != nil {
		t.Error(err)
	}
}
