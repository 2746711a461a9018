package emu

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/amdemu"
)

// options are what HEDDLE_EMU says.
type options struct {
	check    amdemu.Options
	barriers bool
	budget   uint64
	workers  int
}

// budget is the default: some minutes of emulation.
const budget = 1 << 30

func parseOptions(text string) (options, error) {
	o := options{
		check:    amdemu.Options{Uninitialised: true, Races: true, Counters: true},
		barriers: true,
		budget:   budget,
	}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		key, value, _ := strings.Cut(word, "=")
		on := map[string]bool{"on": true, "1": true, "off": false, "0": false}
		is, known := on[value]
		n, err := strconv.ParseUint(value, 10, 62)
		switch {
		case word == "":
		case word == "off":
			o.check = amdemu.Options{Counters: true}
			o.barriers = false
		case key == "races" && known:
			o.check.Races = is
		case key == "uninit" && known:
			o.check.Uninitialised = is
		case key == "barriers" && known:
			o.barriers = is
		case key == "budget" && err == nil:
			o.budget = n
		case key == "workers" && err == nil && n <= 1024:
			o.workers = int(n)
		default:
			return o, fmt.Errorf("%s=%q: what is %q? Options are off, races=off, uninit=off, barriers=off, budget=N and workers=N", Env, text, word)
		}
	}
	return o, nil
}
