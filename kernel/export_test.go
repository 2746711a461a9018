package kernel

import (
	"testing"
	"time"

	"heddle/internal/codegen"
	"heddle/internal/program"
	"heddle/internal/target"
)

// BenchPhases compiles fn for an architecture and says how long each phase of
// it took: finding and checking the source, translation, and the object, which
// may come from disk.
func BenchPhases(fn any, arch string) (phases [3]time.Duration, err error) {
	k := New(fn)
	last := time.Now()
	phase := func(i int) {
		phases[i], last = time.Since(last), time.Now()
	}
	err = k.with(arch, 0, 0, func(p *sharedProgram, m *target.Machine) error {
		phase(0)
		req, _, err := p.Request(m, program.Options(k.opts), false)
		if err != nil {
			return err
		}
		phase(1)
		_, _, err = codegen.Build(req)
		phase(2)
		return err
	})
	return phases, err
}

// BenchLower checks and translates fn for an architecture, from its source on.
func BenchLower(fn any, arch string) error {
	_, err := BenchRequest(fn, arch)
	return err
}

// BenchRequest is what fn's compile asks of the code generator.
func BenchRequest(fn any, arch string) (req *codegen.Request, err error) {
	Forget()
	k := New(fn)
	err = k.with(arch, 0, 0, func(p *sharedProgram, m *target.Machine) (err error) {
		req, _, err = p.Request(m, program.Options(k.opts), false)
		return err
	})
	return req, err
}

// Forms is how many forms of the kernel have code.
func (k *Kernel) Forms() (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	seen := map[*loaded]bool{nil: true}
	var count func(l *loaded)
	count = func(l *loaded) {
		if seen[l] {
			return
		}
		seen[l] = true
		if !l.pending {
			n++
		}
		count(l.made.Load())
		count(l.next.Load())
	}
	for _, l := range k.loaded {
		count(l)
	}
	return n
}

// Pending reports whether the form that the latest launch began with has no code.
func (k *Kernel) Pending() bool { return k.last.Load().pending }

// Forget makes the next launches find and compile their kernels anew.
func Forget() {
	programs.Lock()
	defer programs.Unlock()
	programs.byCode, programs.recent = nil, nil
}

// Programs is how many programs are kept: one that was on record is there by two keys.
func Programs() int {
	programs.Lock()
	defer programs.Unlock()
	kept := map[*sharedProgram]bool{}
	for _, all := range programs.byCode {
		for _, p := range all {
			kept[p] = true
		}
	}
	return len(kept)
}

// ForgetArchives forgets what was wrong with archives.
func ForgetArchives() { program.ForgetArchives() }

// SetPatience sets how long a first launch on the simulator waits for its check.
func SetPatience(t testing.TB, d time.Duration) {
	old := patience
	t.Cleanup(func() { patience = old })
	patience = d
}
