package main

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var updateProperties = flag.Bool("update-properties", false, "write testdata/devices-v.txt")

// The form of "heddle devices -v" is in a golden, with the simulator's numbers; those of the
// machine, its memory and processors, are left out.
func TestDevicesVerbose(t *testing.T) {
	var out, fault bytes.Buffer
	if code := run([]string{"devices", "-v"}, &out, &fault); code != exitOK {
		t.Fatalf("exit code %d: %s", code, fault.String())
	}
	var sim string
	names := map[string]bool{}
	for block := range strings.SplitSeq(out.String(), "\n\n") {
		head, _, _ := strings.Cut(block, "\n")
		names[head] = true
		if strings.HasPrefix(head, "sim: ") {
			sim = strings.TrimSuffix(block, "\n") + "\n"
		}
	}
	if len(names) < 4 {
		t.Errorf("devices: %v", names)
	}
	got := regexp.MustCompile(`(?m)^(  (?:Driver|Memory) +).*$`).ReplaceAllString(sim, "$1...")
	const golden = "testdata/devices-v.txt"
	if *updateProperties {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("it prints\n%s\nand %s has\n%s", got, golden, want)
	}
}

func TestPropertyValues(t *testing.T) {
	for _, test := range []struct {
		name string
		v    any
		want string
	}{
		{"ECC", true, "yes"}, {"ECC", false, "no"}, {"ClockRate", 1980000, "1980 MHz"}, {"ClockRate", 0, "0"},
		{"L2", 50 << 20, "50 MiB"}, {"SharedReserved", 0, "0 B"}, {"Units", 7, "7"}, {"PCI", "", "-"},
		{"Texture3D", [3]int{1, 2, 3}, "1 x 2 x 3"}, {"Texture2D", [2]int{1, 2}, "1 x 2"},
	} {
		if got := value(test.name, test.v); got != test.want {
			t.Errorf("%s of %v is %q, want %q", test.name, test.v, got, test.want)
		}
	}
}
