package emu

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/amdemu"
)

// options are what HEDDLE_EMU says.
type options struct {
	check    amdemu.Options
	barriers bool
	budget   uint64
	idle     uint64
	workers  int

	trace  string // file of the trace, "-" standard error, "" none
	kernel string // part of the name of the kernel to trace
	block  [3]int
	wave   int
	lines  int    // of the trace, 0: all
	stats  string // as trace: a line of counts a launch
}

// Defaults.
const (
	budget = 1 << 30 // some minutes of emulation
	idle   = 1 << 26 // some seconds
	lines  = 2000
)

// settings are the options that have a value.
var settings = map[string]func(o *options, value string) error{
	"races":    toggle(func(o *options) *bool { return &o.check.Races }),
	"uninit":   toggle(func(o *options) *bool { return &o.check.Uninitialised }),
	"barriers": toggle(func(o *options) *bool { return &o.barriers }),
	"budget": func(o *options, v string) (err error) {
		o.budget, err = number(v, 1<<62)
		return err
	},
	"idle": func(o *options, v string) (err error) {
		o.idle, err = number(v, 1<<62)
		return err
	},
	"workers": whole(func(o *options) *int { return &o.workers }, 1024),
	"trace":   named(func(o *options) *string { return &o.trace }),
	"kernel":  named(func(o *options) *string { return &o.kernel }),
	"stats":   named(func(o *options) *string { return &o.stats }),
	"wave":    whole(func(o *options) *int { return &o.wave }, 1<<10),
	"lines":   whole(func(o *options) *int { return &o.lines }, 1<<40),
	"block": func(o *options, v string) error {
		axes := strings.Split(v, ".")
		for i, axis := range axes {
			n, err := number(axis, 1<<31)
			if err != nil || i == len(o.block) {
				return errors.New("want up to three numbers with points between, as 1.0.0")
			}
			o.block[i] = int(n)
		}
		return nil
	},
}

func parseOptions(text string) (options, error) {
	o := options{
		check:    amdemu.Options{Uninitialised: true, Races: true, Counters: true},
		barriers: true,
		budget:   budget,
		idle:     idle,
		lines:    lines,
	}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		key, value, _ := strings.Cut(word, "=")
		set := settings[key]
		switch {
		case word == "":
			continue
		case word == "off":
			o.check = amdemu.Options{Counters: true}
			o.barriers = false
			continue
		case word == "stats":
			o.stats = "-"
			continue
		case set == nil:
			return o, fmt.Errorf("%s=%q: what is %q? Options are off, stats and, with a value, %s", Env, text, word, names())
		}
		if err := set(&o, value); err != nil {
			return o, fmt.Errorf("%s=%q: option %s: %w", Env, text, word, err)
		}
	}
	return o, nil
}

// names lists the options with a value.
func names() string {
	var all []string
	for key := range settings {
		all = append(all, key)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func toggle(field func(o *options) *bool) func(*options, string) error {
	return func(o *options, v string) error {
		is, ok := map[string]bool{"on": true, "1": true, "off": false, "0": false}[v]
		if !ok {
			return errors.New("want on or off")
		}
		*field(o) = is
		return nil
	}
}

func whole(field func(o *options) *int, most uint64) func(*options, string) error {
	return func(o *options, v string) error {
		n, err := number(v, most)
		*field(o) = int(n)
		return err
	}
}

func named(field func(o *options) *string) func(*options, string) error {
	return func(o *options, v string) error {
		if v == "" {
			return errors.New("it has no value")
		}
		*field(o) = v
		return nil
	}
}

// number reads a whole number up to most.
func number(v string, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil || n > most {
		return 0, fmt.Errorf("want a number from 0 to %d", most)
	}
	return n, nil
}
