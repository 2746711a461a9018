package kernels

import (
	"math/bits"

	"heddle/dsl"
)

// Genotypes are those of a group of people: for each place of the genome a bit for each
// person who has none of the rarer letter, and a bit for each who has one.
type Genotypes struct {
	People int
	Bits   []uint32
}

func (g Genotypes) words() int { return (g.People + 31) / 32 }

// plane is the bits of a place.
func (g Genotypes) plane(place, copies int) []uint32 {
	n := g.words()
	return g.Bits[(2*place+copies)*n : (2*place+copies+1)*n]
}

// Table counts people by their genotypes at two places.
func (g Genotypes) Table(i, j int) (counts [3][3]int) {
	i0, i1, j0, j1 := g.plane(i, 0), g.plane(i, 1), g.plane(j, 0), g.plane(j, 1)
	for w := range g.words() {
		there := ^uint32(0)
		if rest := g.People - 32*w; rest < 32 {
			there = 1<<rest - 1
		}
		a := [3]uint32{i0[w], i1[w], ^(i0[w] | i1[w]) & there}
		b := [3]uint32{j0[w], j1[w], ^(j0[w] | j1[w]) & there}
		for p, x := range a {
			for q, y := range b {
				counts[p][q] += bits.OnesCount32(x & y)
			}
		}
	}
	return counts
}

// Epistasis scores each pair of places by how well they tell the sick from the healthy, by
// the K2 criterion; less is better.
//
//heddle:noalias
func Epistasis(places int, sick, healthy Genotypes, logFactorials, scores []float32) {
	j, i := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if i >= j || j >= places {
		return
	}
	cases, controls := sick.Table(i, j), healthy.Table(i, j)
	var score float32
	for p, row := range cases {
		for q, n := range row {
			m := controls[p][q]
			score += logFactorials[n+m+1] - logFactorials[n] - logFactorials[m]
		}
	}
	scores[i*places+j] = score
}

// A Fatigue is what a load has done to a part so far. Open are the turns of the load that no
// cycle has closed.
type Fatigue struct {
	Open   []float32
	Halves int32 // of cycles
	Damage float32
}

// count adds some halves of a cycle, by Miner's rule.
func (f *Fatigue) count(span float32, halves int32) {
	f.Halves += halves
	f.Damage += float32(halves) * span * span * span * span * span
}

// turn adds a turn of the load, and closes cycles (ASTM E1049).
func (f *Fatigue) turn(load float32) {
	f.Open = append(f.Open, load)
	for len(f.Open) >= 3 {
		n := len(f.Open)
		last, before := dsl.Abs(f.Open[n-1]-f.Open[n-2]), dsl.Abs(f.Open[n-2]-f.Open[n-3])
		if last < before {
			return
		}
		if n == 3 {
			f.count(before, 1)
			copy(f.Open, f.Open[1:])
			f.Open = f.Open[:2]
		} else {
			f.count(before, 2)
			f.Open[n-3] = f.Open[n-1]
			f.Open = f.Open[:n-2]
		}
	}
}

// Rainflow counts the cycles of histories of loads, a thread each, and adds up the damage.
func Rainflow(starts []int32, loads, scratch []float32, halves []int32, damage []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(halves) {
		return
	}
	start, end := starts[i], starts[i+1]
	history := loads[start:end]
	f := Fatigue{Open: scratch[start:start:end]}
	before, now := history[0], history[0]
	f.turn(now)
	for _, load := range history[1:] {
		if load == now {
			continue
		}
		if now != before && (load > now) != (now > before) {
			f.turn(now)
		}
		before, now = now, load
	}
	f.turn(now)
	for k, load := range f.Open[1:] {
		f.count(dsl.Abs(load-f.Open[k]), 1)
	}
	halves[i], damage[i] = f.Halves, f.Damage
}

// A Residue is a number modulo 2^256 - 2^32 - 977, the prime of the curve secp256k1, below it;
// the lowest word is the first.
type Residue [4]uint64

var prime = Residue{0xfffffffefffffc2f, ^uint64(0), ^uint64(0), ^uint64(0)}

const primeRest = 1<<32 + 977

// minus is a-b, and whether that is below zero.
func (a Residue) minus(b Residue) (out Residue, borrow uint64) {
	for i := range a {
		out[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	return out, borrow
}

// reduced is a, which may be no less than the prime.
func (a Residue) reduced() Residue {
	if less, borrow := a.minus(prime); borrow == 0 {
		return less
	}
	return a
}

// plus adds a word.
func (a Residue) plus(word uint64) (out Residue, carry uint64) {
	carry = word
	for i, x := range a {
		out[i], carry = bits.Add64(x, carry, 0)
	}
	return out, carry
}

// multiplyAdd is x*y+a+b in two words.
func multiplyAdd(x, y, a, b uint64) (high, low uint64) {
	high, low = bits.Mul64(x, y)
	low, carry := bits.Add64(low, a, 0)
	high += carry
	low, carry = bits.Add64(low, b, 0)
	return high + carry, low
}

// Mul is a*b.
func (a Residue) Mul(b Residue) Residue {
	var product [8]uint64
	for i, x := range a {
		var carry uint64
		for j, y := range b {
			carry, product[i+j] = multiplyAdd(x, y, product[i+j], carry)
		}
		product[i+4] = carry
	}
	var r Residue
	var carry uint64
	for i := range r {
		carry, r[i] = multiplyAdd(product[i+4], primeRest, product[i], carry)
	}
	high, low := bits.Mul64(carry, primeRest)
	var over uint64
	r[0], over = bits.Add64(r[0], low, 0)
	r[1], over = bits.Add64(r[1], high, over)
	r[2], over = bits.Add64(r[2], 0, over)
	r[3], over = bits.Add64(r[3], 0, over)
	if over != 0 {
		r, _ = r.plus(primeRest)
	}
	return r.reduced()
}

// squared is a to the power 2^n.
func (a Residue) squared(n int) Residue {
	for range n {
		a = a.Mul(a)
	}
	return a
}

// Sqrt is a root of a, if it has one: a to the power (p+1)/4.
func (a Residue) Sqrt() (root Residue, ok bool) {
	x2 := a.squared(1).Mul(a) // two ones in binary
	x3 := x2.squared(1).Mul(a)
	x6 := x3.squared(3).Mul(x3)
	x9 := x6.squared(3).Mul(x3)
	x11 := x9.squared(2).Mul(x2)
	x22 := x11.squared(11).Mul(x11)
	x44 := x22.squared(22).Mul(x22)
	x88 := x44.squared(44).Mul(x44)
	x176 := x88.squared(88).Mul(x88)
	x220 := x176.squared(44).Mul(x44)
	x223 := x220.squared(3).Mul(x3)
	root = x223.squared(23).Mul(x22).squared(6).Mul(x2).squared(2)
	return root, root.squared(1) == a
}

// LiftX finds the point of secp256k1 that has a place along x and is even along y (BIP 340).
func LiftX(xs, ys []Residue, found []bool) {
	i := dsl.GlobalIdx().X
	if i >= len(xs) {
		return
	}
	x := xs[i]
	cube, carry := x.squared(1).Mul(x).plus(7)
	if carry != 0 {
		cube, _ = cube.plus(primeRest)
	}
	y, ok := cube.reduced().Sqrt()
	if y[0]&1 != 0 {
		y, _ = prime.minus(y)
	}
	if found[i] = ok; ok {
		ys[i] = y
	}
}

const (
	SpGEMMThreads = 64  // of a block
	SpGEMMGroup   = 8   // of them have a row of b
	SpGEMMSlots   = 512 // for the columns of a row
)

// A CSR is a sparse matrix by rows.
type CSR struct {
	First, Column []int32
	Value         []float64
}

// Row is the columns and values of a row.
func (m CSR) Row(i int32) ([]int32, []float64) {
	from, to := m.First[i], m.First[i+1]
	return m.Column[from:to], m.Value[from:to]
}

// A rowTable adds up a row by columns, in no order.
type rowTable struct {
	columns [SpGEMMSlots]uint32
	sums    [SpGEMMSlots]float64
	used    [SpGEMMSlots]int32 // the slots of columns
	count   int32
}

func (t *rowTable) add(column int32, v float64) {
	key := uint32(column)
	for slot := HashSlot(key, SpGEMMSlots); ; slot = (slot + 1) % SpGEMMSlots {
		old := dsl.AtomicCAS(&t.columns[slot], EmptyKey, key)
		if old == EmptyKey {
			t.used[dsl.AtomicAdd(&t.count, 1)] = int32(slot)
		}
		if old == EmptyKey || old == key {
			dsl.AtomicAdd(&t.sums[slot], v)
			return
		}
	}
}

// SpGEMM multiplies sparse matrices, of whose product c the lengths of the rows are known; a
// block has a row, and sorts it by how many columns are before each.
//
//heddle:noalias
func SpGEMM(a, b, c CSR) {
	table := dsl.Shared[rowTable]()
	t := dsl.ThreadIdx().X
	for k := t; k < SpGEMMSlots; k += SpGEMMThreads {
		table.columns[k], table.sums[k] = EmptyKey, 0
	}
	if t == 0 {
		table.count = 0
	}
	dsl.SyncThreads()
	row := int32(dsl.BlockIdx().X)
	rows, factors := a.Row(row)
	for k := t / SpGEMMGroup; k < len(rows); k += SpGEMMThreads / SpGEMMGroup {
		columns, values := b.Row(rows[k])
		for l := t % SpGEMMGroup; l < len(columns); l += SpGEMMGroup {
			table.add(columns[l], factors[k]*values[l])
		}
	}
	dsl.SyncThreads()
	used := table.used[:table.count]
	columns, values := c.Row(row)
	for k := t; k < len(used); k += SpGEMMThreads {
		slot := used[k]
		before := 0
		for _, other := range used {
			if table.columns[other] < table.columns[slot] {
				before++
			}
		}
		columns[before], values[before] = int32(table.columns[slot]), table.sums[slot]
	}
}
