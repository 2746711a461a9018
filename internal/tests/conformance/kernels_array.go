package conformance

// Arrays: small ones that live in registers, large ones, of one and of more
// dimensions, by value, compared, indexed by variables.

type arrayOut struct {
	Eq, Ne  bool
	Pick    int
	Rotated [4]int
	Matrix  [2][3]float32
	Len     int
	Sum     int
	Copy    [4]int
}

type arrayOps struct{}

func (arrayOps) Do(i int, out *arrayOut) {
	a := [4]int{1, 2, 3, i}
	b := a
	b[i&3]++ // b is a copy: a keeps its value
	out.Eq, out.Ne = a == b, a != [...]int{1, 2, 3, i}
	out.Pick = a[i&3] + b[3-i&3]
	out.Rotated = rotated(a, i)
	for r := range out.Matrix {
		for c := range out.Matrix[r] {
			out.Matrix[r][c] = float32(r*10 + c + i)
		}
	}
	m := transposed(out.Matrix)
	out.Len = len(m) + cap(m[0]) + len([0]int{})
	for _, row := range m {
		for _, v := range row {
			out.Sum = out.Sum*3 + int(v)
		}
	}
	for j, v := range a { // ranges over a copy
		a[3-j] = v
	}
	out.Copy = a
}

func rotated(a [4]int, by int) (r [4]int) {
	for i, v := range a {
		r[(i+by)&3] = v
	}
	return r
}

func transposed(m [2][3]float32) (t [3][2]float32) {
	for i := range m {
		for j := range m[i] {
			t[j][i] = m[i][j]
		}
	}
	return
}

// big arrays stay in memory.
type bigArrays struct{}

type bigArraysOut struct {
	A, B   [100]uint16
	Eq     bool
	Sum    uint32
	Middle [50]int32
}

func (bigArrays) Do(i int, out *bigArraysOut) {
	var a [100]uint16
	for j := range a {
		a[(j*7+i)%100] = uint16(j * j)
	}
	b := a
	b[i%100] ^= 0x8000
	out.A, out.B = a, b
	for _, v := range b {
		out.Sum += uint32(v)
	}
	out.Eq = sumOf(a) == sumOf(b)
	out.Middle = middle(filledArray(int32(i)))
}

func sumOf(a [100]uint16) (s uint32) {
	for j := range a {
		a[j] += 1 // of the callee's own copy
		s += uint32(a[j])
	}
	return s
}

func filledArray(v int32) (a [150]int32) {
	for j := range a {
		a[j] = v - int32(j)
	}
	return a
}

func middle(a [150]int32) [50]int32 { return [50]int32(a[50:100]) }

// sortOps sorts in place through a pointer, and in an array of structs.
type sortOps struct{}

func (sortOps) Do(a [12]int32, out *[12]int32) {
	insertion(&a)
	*out = a
}

func insertion(a *[12]int32) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

// chainOps goes through tables whose elements are indices of themselves.
type chainOps struct{}

func (chainOps) Do(a [8]int32, out *[2]int32) {
	table, other := a, a
	for i := range table {
		table[i], other[7-i] = a[i]&7, a[i]>>3&7
	}
	at := table[:]
	for i := int32(0); i <= a[1]&7; i++ {
		out[0] += other[at[at[i]]]*3 + at[other[at[i]]]
	}
	for k := out[0] & 7; at[k] != k && out[1] < 8; k = at[k] {
		out[1]++
	}
}

func arrayCases() []Case {
	row := "arrays"
	return []Case{
		onEach("array/ops", row, each[arrayOps], upTo(9)),
		onEach("array/big", row, each[bigArrays], upTo(130)),
		onEach("array/chain", row, each[chainOps], filled(70, func(i int) (a [8]int32) {
			for j := range a {
				a[j] = int32(i*7919 + j*104729)
			}
			return a
		})),
		onEach("array/sort", row, each[sortOps], filled(70, func(i int) (a [12]int32) {
			for j := range a {
				a[j] = int32((i*7919+j*104729)%1000 - 500)
			}
			return a
		})),
	}
}
