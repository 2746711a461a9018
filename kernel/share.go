package kernel

import (
	"slices"
	"strings"
	"sync"

	"heddle/internal/source"
	"heddle/launch"
)

// This file shares what is made of a function among the kernels of it.

// settings are the Options that make a difference to a compile.
type settings struct {
	noBounds, fastMath, fastAtomics, noAlias bool
	maxThreads, minBlocks                    int
	specialize                               string
}

func (o *Options) settings() settings {
	names := slices.Sorted(slices.Values(o.Specialize))
	return settings{o.NoBounds, o.FastMath, o.FastAtomics, o.NoAlias, o.MaxThreads, o.MinBlocks, strings.Join(slices.Compact(names), ",")}
}

// A codeKey is what the kernels of one function with the same options have in common.
type codeKey struct {
	id   source.ID
	opts settings
}

// mostUnits is how many units of one function are kept: as many values of its
// specialised variables, and functions that it captures, have their code at hand.
const mostUnits = 64

// units are those of the whole process, the latest used ones last.
var units struct {
	sync.Mutex
	byCode map[codeKey][]*unit
}

// sharedUnit is the unit of k's function that fits what k captures now, nil if
// there is none yet.
func (k *Kernel) sharedUnit(key codeKey, bodies bool) *unit {
	units.Lock()
	defer units.Unlock()
	return findUnit(key, k, bodies)
}

// findUnit is sharedUnit for a caller that holds the lock.
func findUnit(key codeKey, k *Kernel, bodies bool) *unit {
	us := units.byCode[key]
	for i, u := range us {
		if (u.bodies || !bodies) && u.current(k) {
			if i < len(us)-1 {
				copy(us[i:], us[i+1:])
				us[len(us)-1] = u
			}
			return u
		}
	}
	return nil
}

// share makes u known to the kernels of its function, unless k fits a unit that
// is known already: then that is returned.
func (k *Kernel) share(key codeKey, u *unit) *unit {
	units.Lock()
	defer units.Unlock()
	if known := findUnit(key, k, u.bodies); known != nil {
		return known
	}
	if units.byCode == nil {
		units.byCode = map[codeKey][]*unit{}
	}
	us := append(units.byCode[key], u)
	if len(us) > mostUnits {
		us = slices.Delete(us, 0, len(us)-mostUnits)
	}
	units.byCode[key] = us
	return u
}

// loadedOn is the unit's loaded form on a device; load makes it where there is
// none yet.
func (u *unit) loadedOn(dev *launch.Device, load func() (*loaded, error)) (*loaded, error) {
	u.loading.Lock()
	defer u.loading.Unlock()
	for _, l := range u.loaded {
		if l.dev == dev {
			return l, nil
		}
	}
	u.loaded = slices.DeleteFunc(u.loaded, func(l *loaded) bool { return l.dev.Closed() })
	l, err := load()
	if err == nil {
		u.loaded = append(u.loaded, l)
	}
	return l, err
}
