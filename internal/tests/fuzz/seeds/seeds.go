// Package seeds chooses the seed of a random test: in continuous integration the same
// each time, so that what fails is a change's fault; elsewhere another each day, so that
// new ones are tried. The test prints it, and has a flag that takes it.
package seeds

import (
	"os"
	"time"
)

// Of is the seed that a flag gives, if it is not 0; where CI is set in the environment it
// is ci; else it is the day, as in 20261123.
func Of(given, ci uint64) uint64 {
	return of(given, ci, os.Getenv("CI"), time.Now())
}

func of(given, ci uint64, env string, now time.Time) uint64 {
	switch {
	case given != 0:
		return given
	case env != "":
		return ci
	}
	y, m, d := now.UTC().Date()
	return uint64(y*10000 + int(m)*100 + d)
}
