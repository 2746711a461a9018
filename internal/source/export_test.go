package source

import "golang.org/x/tools/go/ssa"

func init() { ssaMode |= ssa.SanityCheckFunctions }

// Reset forgets everything loaded and, with registered, everything embedded.
func Reset(registered bool) {
	shared.Lock()
	defer shared.Unlock()
	forget("")
	if registered {
		registry.Lock()
		registry.byDir, registry.bundled, registry.carried, registry.broken = nil, nil, carried{}, nil
		registry.gen++
		registry.Unlock()
	}
}

// Loaded is how many packages the current universe has from source.
func Loaded() int {
	shared.Lock()
	defer shared.Unlock()
	if shared.world == nil {
		return 0
	}
	return len(shared.world.src)
}

// CheckFresh is checkFresh.
var CheckFresh = checkFresh

// Listed reports whether go list ran since Reset.
func Listed() bool {
	shared.Lock()
	defer shared.Unlock()
	return shared.list != nil
}
