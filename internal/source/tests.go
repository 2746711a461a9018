package source

import "go/types"

// A Tested is a package whose tests make kernels.
type Tested struct {
	Path, Name, Dir string // of the package under test; Name is the tests' own if it has no other files
	Calls           []KernelCall
}

// DiscoverTests lists the kernels of the packages of patterns as their tests see
// them, and is otherwise Discover: each package with tests has a universe of its own, in
// which it is the variant that is tested. What Discover finds is among the results.
func DiscoverTests(dir string, patterns []string, makers Makers, intrinsic func(*types.Func) bool) (all []Tested, err error) {
	shared.Lock()
	defer shared.Unlock()
	defer forget("")
	forget("")
	ps, err := listForTool(dir, patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range ps {
		if p.DepOnly || !p.own() || p.ForTest != "" || len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		forget(p.ImportPath)
		variants, err := listForTool(p.Dir, []string{"."}, compiledFlag)
		if err != nil {
			return nil, err
		}
		t := Tested{Path: p.ImportPath, Name: p.Name, Dir: p.Dir}
		if len(p.GoFiles)+len(p.CgoFiles)+len(p.TestGoFiles) == 0 {
			t.Name += "_test"
		}
		if t.Calls, err = discoverIn(variants, makers, intrinsic); err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}
