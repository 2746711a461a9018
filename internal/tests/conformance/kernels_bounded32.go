package conformance

// Integers of floats that are compared and limited, of which 32 bits are enough, also of floats that do not fit.

const lots = 1<<31 - 100_000

type bounded32[T float] struct{}

type bounded32Out[T float] struct {
	Clamped, Branched, Around, High, Inside int
	Less, Least, More, Most, Same, Other    bool
	Apart, Lots, LotsLess                   bool
	Back                                    T
	Part                                    T
	Twice                                   int
	Found                                   int
}

var tenDigits = [10]int{7, 1, 8, 2, 8, 1, 8, 2, 8, 4}

func (bounded32[T]) Do(x T, out *bounded32Out[T]) {
	out.Clamped = min(max(int(x), 0), 99)
	out.Around = min(max(int(x)+1, 0), 50)*100 + min(max(int(x)-1, -20), 50)
	out.High = min(max(int(x), -3), lots)
	branched := int(x)
	if branched < -5 {
		branched = -5
	} else if branched > 9 {
		branched = 9
	}
	out.Branched = branched
	if at := int(x); at >= 0 && at < 100 {
		out.Inside = at*at + 1
	}
	out.Less, out.Least, out.More, out.Most = int(x) < 5, int(x) <= -3, int(x) > 1<<20, -(1<<20) >= int(x)
	out.Same, out.Other = int(x) == 7, int(x) != -1
	at := int(x)
	out.Apart = at+2 > 40 && at-2 < 90
	out.Lots, out.LotsLess = int(x) < lots, int(x) >= -lots
	back := int(x)
	if out.Back = T(back); back < 10 {
		out.Back++
	}
	out.Part = x - T(int(x))
	twice := int(x)
	for range 2 {
		if twice < 64 {
			twice++
		}
		out.Twice += min(twice, 70)
	}
	if at := int(x); uint(at) < uint(len(tenDigits)) {
		out.Found = tenDigits[at]
	}
}

// limitedBy is what the same gives of the integer that gc's code for amd64 makes of x.
func bounded32By[T float](x T, out *bounded32Out[T]) {
	n := int(leastOr(x, 63))
	out.Clamped, out.High, out.Branched = min(max(n, 0), 99), min(max(n, -3), lots), min(max(n, -5), 9)
	out.Around = min(max(n+1, 0), 50)*100 + min(max(n-1, -20), 50)
	if n-1 > n { // it wraps around
		out.Around = min(max(n+1, 0), 50)*100 + 50
	}
	out.Less, out.Least, out.More, out.Most = n < 5, n <= -3, n > 1<<20, n <= -(1<<20)
	out.Same, out.Other, out.Lots, out.LotsLess = n == 7, n != -1, n < lots, n >= -lots
	out.Apart = n+2 > 40 && n-2 < 90
	out.Back, out.Part = T(n), x-T(n)
	if n < 10 {
		out.Back++
	}
	if n >= 0 && n < 100 {
		out.Inside = n*n + 1
	}
	if n >= 0 && n < len(tenDigits) {
		out.Found = tenDigits[n]
	}
	for range 2 {
		if n < 64 {
			n++
		}
		out.Twice += min(n, 70)
	}
}

// reflected reflects ints of floats at the ends of a row of reflectWidth, and lets them go round, or subtracts them from something.
type reflected[T float] struct{}

const reflectWidth = 7

type reflectedOut struct {
	Mirror, Next, Last, Round, Limited, Far int
	Negated, From, Again, Across            bool
}

// mirrored is where i is reflected to.
func mirrored(i int) int {
	if i < 0 {
		i = -i
	}
	if i >= reflectWidth {
		i = 2*reflectWidth - 2 - i
	}
	return i
}

// around is where i comes to in a row that goes round.
func around(i int) int {
	switch {
	case i < 0:
		return i + reflectWidth
	case i >= reflectWidth:
		return i - reflectWidth
	}
	return i
}

// reflectedOf is what of makes of an int that is made anew for each.
func reflectedOf(out *reflectedOut, of func() int) {
	out.Mirror = min(max(mirrored(of()), 0), reflectWidth-1)
	out.Next = min(max(mirrored(of()+1), 0), reflectWidth-1)
	out.Last = min(max(mirrored(of()-1), 0), reflectWidth-1)
	out.Round = min(max(around(of()), 0), reflectWidth-1)
	out.Limited = max(min(-of(), 60), -60)
	out.Far = max(min(-40-of(), 60), -60)
	out.Negated = -of() < 5
	out.From = 12-of() > 3
	out.Again = of()-1+1 < 0
	out.Across = -(of() + 1) < -3
}

func (reflected[T]) Do(x T, out *reflectedOut) { reflectedOf(out, func() int { return int(x) }) }

func reflectedBy[T float](x T, out *reflectedOut) {
	n := int(leastOr(x, 63))
	reflectedOf(out, func() int { return n })
}
