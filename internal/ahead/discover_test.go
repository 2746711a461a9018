package ahead_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/ahead"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestDiscover compares the kernels of a package with what its comments say.
func TestDiscover(t *testing.T) {
	found, err := ahead.Discover("testdata/discover", ".")
	must(t, err)
	text, err := os.ReadFile("testdata/discover/discover.go")
	must(t, err)
	names := map[int][]string{}
	errs := map[int][]error{}
	for _, d := range found {
		line := d.Pos.Line
		if d.Err != nil {
			errs[line] = append(errs[line], d.Err)
			continue
		}
		names[line] = append(names[line], strings.TrimPrefix(d.Name, "discover."))
		if d.Kernel.Name() != d.Name {
			t.Errorf("line %d: kernel %s of %s", line, d.Kernel.Name(), d.Name)
		}
	}
	comment := regexp.MustCompile(`// (want|unknown:|fault:) (.*)`)
	calls := 0
	for i, s := range strings.Split(string(text), "\n") {
		line := i + 1
		m := comment.FindStringSubmatch(s)
		if m == nil {
			if names[line] != nil || errs[line] != nil {
				t.Errorf("line %d: found %v, %v", line, names[line], errs[line])
			}
			continue
		}
		calls++
		if m[1] == "want" {
			known, more := strings.CutSuffix(m[2], ", and unknown ones")
			if more != (len(errs[line]) == 1 && strings.Contains(errs[line][0].Error(), "of other functions too")) {
				t.Errorf("line %d: %v", line, errs[line])
			}
			var want []string
			for name := range strings.SplitSeq(known, ", ") {
				n := 1
				if times, rest, ok := strings.Cut(name, " x "); ok {
					n, err = strconv.Atoi(times)
					must(t, err)
					name = rest
				}
				want = append(want, slices.Repeat([]string{name}, n)...)
			}
			slices.Sort(want)
			slices.Sort(names[line])
			if !slices.Equal(names[line], want) || errs[line] != nil && !more {
				t.Errorf("line %d: found %v, %v; want %v", line, names[line], errs[line], want)
			}
			continue
		}
		if len(errs[line]) != 1 || names[line] != nil {
			t.Errorf("line %d: found %v, %v", line, names[line], errs[line])
			continue
		}
		var unknown *ahead.UnknownError
		err := errs[line][0]
		if errors.As(err, &unknown) != (m[1] == "unknown:") || !regexp.MustCompile(m[2]).MatchString(err.Error()) || !strings.Contains(err.Error(), fmt.Sprintf("discover.go:%d:", line)) {
			t.Errorf("line %d: %v, want %s", line, err, m[2])
		}
	}
	if calls < 20 {
		t.Errorf("%d calls", calls)
	}
}

// TestDiscoverErrors looks at packages that are none, or do not compile.
func TestDiscoverErrors(t *testing.T) {
	for pattern, want := range map[string]string{"./nowhere": "nowhere", "example.com/nowhere": "nowhere"} {
		if _, err := ahead.Discover("", pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}
