package llvm

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"heddle/internal/env"
)

// A Release is what heddle knows of one release of LLVM.
type Release struct {
	Major int
	// Refused are the back ends for which the release is not used.
	Refused []Refused
}

// A Refused says why a release is not used for a back end, by LLVM's name; "" stands for
// all of them.
type Refused struct{ Backend, Why string }

// Back ends by LLVM's names, as in Library.Targets.
const (
	AMDGPU  = "AMDGPU"
	NVPTX   = "NVPTX"
	X86     = "X86"
	AArch64 = "AArch64"
)

// Releases are those that heddle has met, oldest first: the one place that says which
// are used. A release serves a GPU's back end if random kernels and the conformance suite
// are right with it: for NVPTX on an H200, for AMDGPU on the emulator; what they get wrong
// and heddle avoids is in Faults. The table of docs/llvm.md is made of this one (go test
// ./internal/llvm -update).
var Releases = []Release{
	{15, []Refused{
		{AMDGPU, "40 of 500 random kernels were wrong on the emulator"},
		{NVPTX, "it knows no GPU on which heddle was tested"},
		{AArch64, "it tells wrongly whether a bit of a vector is set (LLVM's issue 62211)"},
	}},
	{16, []Refused{
		{AMDGPU, "it knows no gfx942, and one of 500 random kernels was wrong on the emulator"},
		{NVPTX, "3 of 1,000 random kernels were wrong on an H200"},
		{AArch64, "it tells wrongly whether a bit of a vector is set (LLVM's issue 62211)"},
	}},
	{17, []Refused{
		{AMDGPU, "12 of 500 random kernels are wrong on the emulator or do not compile, and one compiles without end"},
	}},
	{18, []Refused{
		{AMDGPU, "15 of 500 random kernels were wrong on the emulator or did not compile"},
	}},
	{19, nil},
	{20, []Refused{{"", "no system that heddle is tested on has it"}}},
	{21, []Refused{{"", "one of 1,000 random kernels is wrong on an NVIDIA GPU, and nothing else was tested"}}},
	{22, []Refused{{NVPTX, "shifts look at the lower 32 bits of their count only, and 11 of 1,000 random kernels are wrong"}}},
}

// The first and the last release of the table.
var (
	MinMajor = Releases[0].Major
	MaxMajor = Releases[len(Releases)-1].Major
)

// Refusal says why a release is not used for a back end, "" if it is. With "" for
// the back end it says why it is used for none.
func Refusal(major int, backend string) string {
	i := slices.IndexFunc(Releases, func(r Release) bool { return r.Major == major })
	if i < 0 {
		return "nobody has tested heddle with it"
	}
	for _, r := range Releases[i].Refused {
		if r.Backend == "" || r.Backend == backend {
			return r.Why
		}
	}
	return ""
}

// rank orders releases for Candidates: those for all back ends of GPUs first.
//
//go:noinline
func rank(major int) int {
	for i, backend := range []string{"", AMDGPU, NVPTX} {
		if Refusal(major, backend) != "" {
			return i
		}
	}
	return 3
}

// Allow is the error of a compile with a release that is refused for a back end.
// Where HEDDLE_LLVM names the library it warns instead, once.
func Allow(major int, backend string) error {
	why := Refusal(major, backend)
	if why == "" || major == 0 { // of 0 only opening the library tells
		return nil
	}
	text := fmt.Sprintf("LLVM %d is not one that heddle uses for %s: %s", major, backend, why)
	if env.Get(EnvLLVM) == "" {
		return errors.New(text + "; install another release (" + Accepted(backend) + ": " + Fix() + "), or set " + EnvLLVM + " to this one all the same")
	}
	if _, said := warned.LoadOrStore(text, true); !said {
		fmt.Fprintf(os.Stderr, "%s%s; %s names it, so it is used all the same\n", Warning, text, EnvLLVM)
	}
	return nil
}

// Warning is how Allow's warning on standard error begins.
const Warning = "heddle: warning: "

var warned sync.Map

// Accepted lists the releases that are used for a back end, "" for any:
// "15 to 19, 22".
func Accepted(backend string) string {
	var runs []string
	for i := 0; i < len(Releases); i++ {
		first, last := i, i
		for last < len(Releases) && uses(Releases[last].Major, backend) {
			last++
		}
		switch i = last; last - first {
		case 0:
		case 1:
			runs = append(runs, strconv.Itoa(Releases[first].Major))
		default:
			runs = append(runs, fmt.Sprintf("%d to %d", Releases[first].Major, Releases[last-1].Major))
		}
	}
	return strings.Join(runs, ", ")
}

// uses reports whether a release is used for a back end, or for any.
func uses(major int, backend string) bool {
	if backend != "" {
		return Refusal(major, backend) == ""
	}
	return slices.ContainsFunc(targets, func(t string) bool { return Refusal(major, t) == "" })
}

// Table is docs/llvm.md's table of the releases.
func Table() string {
	var b strings.Builder
	b.WriteString("| LLVM | AMD GPUs | NVIDIA GPUs | amd64 | arm64 |\n|---|---|---|---|---|\n")
	for _, r := range Releases {
		fmt.Fprintf(&b, "| %d |", r.Major)
		for i, backend := range targets {
			switch why := Refusal(r.Major, backend); {
			case why == "":
				b.WriteString(" yes |")
			case why == Refusal(r.Major, "") && i > 0:
				b.WriteString(" no |")
			default:
				fmt.Fprintf(&b, " no: %s |", why)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
