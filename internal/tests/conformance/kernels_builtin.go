package conformance

// The builtin functions, and package-level tables.

type builtinOut struct {
	Len, Cap     [5]int
	Copied       [3]int
	Over, Bytes  [6]byte
	Clear        [4]int32
	Appended     [5]int
	Grown        int
	Min, Max     float64
	MinI, MaxI   int
	MinS         int
	Real, Imag   float32
	Struct       [2]vec3
	ClearedPart  [4]int32
	AppendString [6]byte
	Words        int
}

type builtinOps struct{}

func (builtinOps) Do(n int, out *builtinOut) {
	a := [5]int{1, 2, 3, 4, 5}
	p := &a
	out.Len = [5]int{len(a), len(p), len(a[1:n]), len("kernel"), len(a[n:][:0])}
	out.Cap = [5]int{cap(a), cap(p), cap(a[1:n]), cap(a[n:]), cap(a[:1:n])}
	var b [3]int
	out.Copied = [3]int{copy(b[:], a[n-1:]), copy(b[1:], a[:1]), copy(b[:0], a[:])}
	out.Over = [6]byte{1, 2, 3, 4, 5, 6}
	copy(out.Over[n-2:], out.Over[:]) // overlaps: forwards
	out.Bytes = [6]byte{1, 2, 3, 4, 5, 6}
	copy(out.Bytes[:], out.Bytes[n-1:]) // and backwards
	c := [4]int32{9, 9, 9, 9}
	out.Clear = c
	clear(out.Clear[:])
	clear(c[n&3:])
	out.ClearedPart = c
	s := append(a[:0], n, n+1)
	s = append(s, b[1:]...)
	s[0]++
	out.Appended, out.Grown = a, len(s)*10+cap(s)
	out.MinI, out.MaxI = min(n, 3), max(n, 3, a[1])
	f := float64(n)
	out.Min, out.Max = min(f, 2.5), max(f, 2.5, -1)
	z := complex(float32(n), -1)
	out.Real, out.Imag = real(z), imag(z)
	vs := [2]vec3{{1, 2, 3}, {4, 5, 6}}
	copy(vs[1:], vs[:1])
	out.Struct = vs
	copy(out.AppendString[:], "warp")
	_ = append(out.AppendString[4:4:6], "so"...)
	out.MinS = len(min("woof", "warp", "weft"))
	var words [6]string
	list := words[:0]
	for i := range n {
		if len(list)+2 <= cap(list) {
			list = append(list, "warp"[i&3:], "weft"[:n&3])
		}
	}
	for i, word := range list {
		out.Words += len(word) * (i + 1)
	}
}

// Tables: package variables that are never written.
var (
	primes    = [...]int{2, 3, 5, 7, 11, 13, 17, 19}
	squares   = [...]int{0, 1, 4, 9, 16, 25, 36, 49}
	sparse    = [10]uint8{3: 7, 8, 9: 255}
	points    = [...]vec3{{1, 2, 3}, {X: 4, Z: -6}, {}}
	grid      = [2][3]float32{{1, 2, 3}, {0.5, 0.25, -0.125}}
	answer    = 42
	third     = 1.0 / 3
	flags     = [4]bool{true, false, true}
	defaults  = particle{Mass: 2.5, ID: -3, Tag: [3]byte{1, 2, 3}, Vel: vec3{Y: 1}}
	wide      = [...]uint64{1<<64 - 1, 1 << 63, 0}
	fibonacci = []int32{1, 1, 2, 3, 5, 8, 13, 21, 12: 377}
	bodies    = []particle{{Mass: 1.5}, {ID: 7, Vel: vec3{Z: 2}}}
	toggles   = []bool{true, false, true}
	absent    []int
	nobody    = []particle{}
	roots     = []complex64{1, 1i, -1, -1i}
	yarn      = "warp and weft"
	guard     = struct {
		_ [0]func()
		N int
	}{N: 9}
)

type tableOut struct {
	Prime, Answer int
	Sparse        uint8
	Point         vec3
	Cell          float32
	Third         float64
	Flag          bool
	P             particle
	Sum           int
	Wide          uint64
	Part          int
	Fib, Length   int
	Body          particle
	On, Nil       bool
	Root          complex64
	Letter        byte
	Guard         int
	Chosen, Held  int
}

type tableOps struct{}

func (tableOps) Do(n int, out *tableOut) {
	out.Prime, out.Answer, out.Third = primes[n], answer, third
	out.Sparse, out.Point, out.Cell = sparse[n+2], points[n%3], grid[n&1][n%3]
	out.Flag, out.P, out.Wide = flags[n&3], defaults, wide[n%3]
	for i, p := range primes {
		out.Sum += i * p
	}
	out.Fib, out.Length = int(fibonacci[n+5]), len(fibonacci)*100+cap(fibonacci)
	for i, x := range fibonacci {
		out.Fib += i * int(x)
	}
	out.Body, out.On, out.Root = bodies[n&1], toggles[n%3], roots[n&3]
	out.Nil, out.Length = absent == nil && nobody != nil, out.Length+len(absent)+len(nobody)+len(bodies)
	out.Letter, out.Guard = yarn[n], guard.N+len(yarn)
	for _, p := range primes[n:] {
		out.Part += p
	}
	for _, p := range &points {
		out.Sum += int(p.X)
	}
	out.Chosen, out.Held = tableChosen(n), tableHeld(n)
}

// tableChosen and tableHeld read tables through local variables.
func tableChosen(n int) int {
	var of *[8]int
	var body *particle
	switch {
	case n > 4:
		of, body = &primes, &bodies[1]
	case n > 1:
		of, body = &squares, &bodies[0]
	default:
		return 1
	}
	return of[n]*100 + int(body.ID)
}

func tableHeld(n int) (sum int) {
	part := fibonacci[1:]
	if n < 4 {
		part = fibonacci[n:4]
	}
	for _, x := range part {
		sum += int(x)
	}
	return sum
}

func builtinCases() []Case {
	return []Case{onEach("builtin/ops", "builtin functions", each[builtinOps], []int{2, 3, 4, 5})}
}

func tableCases() []Case {
	return []Case{onEach("table/ops", "a package variable only ever initialised by a constant literal", each[tableOps], upTo(8))}
}
