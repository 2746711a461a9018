package kernel

import (
	"time"

	"heddle/internal/codegen"
)

// BenchPhases compiles fn for an architecture and says how long each phase of
// it took: finding and checking the source, translation, and the object, which
// may come from disk.
func BenchPhases(fn any, arch string) (phases [3]time.Duration, err error) {
	k := New(fn)
	start := time.Now()
	u, m, err := k.prepare(arch, 0)
	if err != nil {
		return phases, err
	}
	found := time.Now()
	req, _, err := u.request(m, k.opts)
	if err != nil {
		return phases, err
	}
	lowered := time.Now()
	_, _, err = codegen.Build(req)
	return [3]time.Duration{found.Sub(start), lowered.Sub(found), time.Since(lowered)}, err
}

// BenchLower checks and translates fn for an architecture, from its source on.
func BenchLower(fn any, arch string) error {
	_, err := BenchRequest(fn, arch)
	return err
}

// BenchRequest is what fn's compile asks of the code generator.
func BenchRequest(fn any, arch string) (*codegen.Request, error) {
	k := New(fn)
	u, m, err := k.prepare(arch, 0)
	if err != nil {
		return nil, err
	}
	req, _, err := u.request(m, k.opts)
	return req, err
}
