package ops

import "testing"

// What is in no table is taken for the worst.
func TestUnknown(t *testing.T) {
	for _, symbol := range []string{"heddle.nothing", "heddle.", "ballot", "puts", ""} {
		f := Of(symbol)
		if Known(symbol) || f.Free() || !f.Convergent() || !f.ByWarp() || f.Result != Thread || f.OfArgs || f.NonNil || f.Shared() {
			t.Errorf("%q: known %t, %+v", symbol, Known(symbol), f)
		}
	}
}

// Every operation of the table has an effect, and what threads do together is not free.
func TestTable(t *testing.T) {
	for name, f := range table.Get() {
		switch {
		case f.Effect == Unknown:
			t.Errorf("%s has no effect", name)
		case f.Together > Thread && (f.Free() || !f.Convergent()):
			t.Errorf("%s: free %t, convergent %t", name, f.Free(), f.Convergent())
		case f.Together > Thread && f.OfArgs:
			t.Errorf("%s depends on what other threads pass, not on the arguments alone", name)
		case f.NonNil && f.Space == AnySpace:
			t.Errorf("%s points to no space", name)
		case !Known(Prefix + name):
			t.Errorf("%s is not known", name)
		}
	}
	if f := Of(Math + "sin.f64"); !f.Free() || !f.OfArgs {
		t.Errorf("heddle.math.sin.f64: %+v", f)
	}
}
