package main

import (
	"math"
	"math/big"
	"math/cmplx"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// numericsCases are kernels of numerical programs.
func numericsCases(s scale) []*benchmark {
	return []*benchmark{
		cahnHilliardCase(s), selfEnergyCase(s), liborCase(s), kalmanCase(s), epistasisCase(s), rainflowCase(s), liftXCase(s), spgemmCase(s),
	}
}

func cahnHilliardCase(s scale) *benchmark {
	nx, ny, nz := s.of(224, 37), s.of(224, 10), s.of(200, 6)
	alloy := kernels.Alloy{Barrier: 1, Border: 0.7, Mobility: 1.3, Grid: 1 / 0.81, Step: 0.003}
	cells := doubles(nx*ny*nz, 1, 0.3, 0.7)
	at := func(x, y, z int) int { return ((z+nz)%nz*ny+(y+ny)%ny)*nx + (x+nx)%nx }
	six := [][3]int{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}
	potential := func(x, y, z int) float64 {
		c := cells[at(x, y, z)]
		sum := -6 * c
		for _, d := range six {
			sum += cells[at(x+d[0], y+d[1], z+d[2])]
		}
		return alloy.Barrier*(2*c-6*c*c+4*c*c*c) - alloy.Border*alloy.Grid*sum
	}
	return &benchmark{
		name: "cahn_hilliard", kernel: kernels.CahnHilliard, unit: "Gcell/s", work: float64(len(cells)) / 1e9,
		cfg: launch.Config{Grid: launch.Dim3{X: (nx + 31) / 32, Y: (ny + 3) / 4, Z: (nz + 1) / 2}, Block: launch.Dim3{X: 32, Y: 4, Z: 2}},
		setup: func(d *device) inputs {
			now, next := upload(d, cells), alloc[float64](d, len(cells))
			if d.err != nil {
				return inputs{}
			}
			field := func(c *launch.Buffer[float64]) kernels.PhaseField {
				return kernels.PhaseField{NX: nx, NY: ny, NZ: nz, C: c.Device()}
			}
			return inputs{args: []any{alloy, field(now), field(next)}, twin: []any{alloy, nx, ny, nz, now, next}, results: each(next)}
		},
		want: func(_, i int) float64 {
			x, y, z := i%nx, i/nx%ny, i/nx/ny
			sum := -6 * potential(x, y, z)
			for _, d := range six {
				sum += potential(x+d[0], y+d[1], z+d[2])
			}
			return cells[i] + alloy.Step*alloy.Mobility*alloy.Grid*sum
		},
		tolerance: 1e-12,
	}
}

func selfEnergyCase(s scale) *benchmark {
	const offsets = kernels.GPPOffsets
	waves, bands := s.of(600, 150), s.of(40, 3)
	complexes := func(n int, seed uint32, re, im [2]float32) []complex128 {
		return filled(n, func(i int) complex128 {
			return complex(uniform(i, seed, re[0], re[1]), uniform(i, seed+1, im[0], im[1]))
		})
	}
	signed := [2]float32{-1, 1}
	frequency := complexes(waves*waves, 1, [2]float32{0.5, 3}, [2]float32{-0.4, -0.05})
	strength := complexes(waves*waves, 3, signed, signed)
	elements := complexes(bands*waves, 5, signed, signed)
	energies, coulomb := doubles(bands, 7, -2, 2), doubles(waves, 8, 0.1, 1)
	from := [offsets]float64{-0.25, 0.25}
	return &benchmark{
		name: "self_energy", kernel: kernels.SelfEnergy, cfg: grid(waves, 1, kernels.GPPThreads, 1), unit: "Gterm/s", work: float64(waves*waves) * float64(bands*offsets) / 1e9,
		setup: func(d *device) inputs {
			f, st, out := upload(d, frequency), upload(d, strength), alloc[complex128](d, waves*offsets)
			rest := []any{upload(d, elements), upload(d, coulomb), out}
			e := upload(d, energies)
			if d.err != nil {
				return inputs{}
			}
			poles := kernels.PlasmonPoles{Waves: waves, Frequency: f.Device(), Strength: st.Device()}
			return inputs{
				args: append([]any{poles, from, e}, rest...), twin: append([]any{waves, f, st, from, bands, e}, rest...),
				results: []result{sampled[float64](out)},
			}
		},
		want: func(_, i int) float64 {
			wave, offset := i/2/offsets, complex(from[i/2%offsets], 0)
			var sum complex128
			for n, e := range energies {
				left := cmplx.Conj(elements[n*waves+wave])
				for k := range waves {
					w := frequency[wave*waves+k]
					sum += left * elements[n*waves+k] * strength[wave*waves+k] * w / (complex(e, 0) + offset - w)
				}
			}
			return pick(i%2, sum) * 0.5 * coulomb[wave]
		},
		tolerance: 1e-10,
	}
}

func liborCase(s scale) *benchmark {
	const rates, steps = kernels.LiborRates, kernels.LiborSteps
	paths := s.of(40_000, 100)
	const delta = 0.25
	start, variance := floats(rates, 1, 0.045, 0.055), floats(rates, 2, 0.15, 0.25)
	var swaptions []kernels.Swaption
	for _, periods := range []int32{4, 8, 20, 28, 40} {
		for _, rate := range []float32{0.045, 0.05, 0.055} {
			swaptions = append(swaptions, kernels.Swaption{Periods: periods, Rate: rate})
		}
	}
	normals := filled(steps*paths, func(i int) float32 { // by Box and Muller
		return float32(math.Sqrt(-2*math.Log(uniform(i, 3, 1e-6, 1))) * math.Cos(2*math.Pi*uniform(i, 4, 0, 1)))
	})
	return &benchmark{
		name: "libor_paths", kernel: kernels.LiborPaths, cfg: launch.Linear(paths, 64), unit: "Gpath/s", work: float64(paths) / 1e9,
		setup: func(d *device) inputs {
			a, b, out := upload(d, start), upload(d, variance), alloc[float32](d, paths)
			swaps, random := upload(d, swaptions), upload(d, normals)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.LiborMarket{Delta: delta, Rates: a.Device(), Variance: b.Device()}, swaps, random, out},
				twin: []any{float32(delta), a, b, len(swaptions), swaps, random, paths, out}, results: each(out),
			}
		},
		want: func(_, path int) (sum float64) {
			var l [rates]float64
			for i, v := range start {
				l[i] = float64(v)
			}
			discount := 1.0
			for n := range steps {
				drift := 0.0
				for i := n + 1; i < rates; i++ {
					sigma := float64(variance[i-n-1])
					drift += sigma * delta * l[i] / (1 + delta*l[i])
					l[i] *= math.Exp(delta*sigma*(drift-sigma/2) + sigma*math.Sqrt(delta)*float64(normals[n*paths+path]))
				}
			}
			for _, v := range l[:steps] {
				discount /= 1 + delta*v
			}
			for _, swap := range swaptions {
				bond, fixed := 1.0, 0.0
				for _, v := range l[steps : steps+swap.Periods] {
					bond /= 1 + delta*v
					fixed += delta * bond
				}
				sum += 100 * discount * max(1-bond-float64(swap.Rate)*fixed, 0)
			}
			return sum
		},
		tolerance: 2e-4, approximate: 1e-3,
	}
}

func kalmanCase(s scale) *benchmark {
	const order = kernels.KalmanOrder
	n, length := s.of(25_000, 150), s.of(100, 12)
	models := filled(n, func(i int) (m kernels.StateSpace) { // ARMA models: autoregression with a shift
		for r := range order {
			m.Move[r][0] = uniform(i*order+r, 1, -0.3, 0.3)
			if r+1 < order {
				m.Move[r][r+1] = 1
			}
			for c := range order {
				m.Noise[r][c] = uniform(i*order+r, 2, 0.2, 1) * uniform(i*order+c, 2, 0.2, 1)
			}
			m.See[r] = uniform(i*order+r, 3, -0.2, 0.2)
		}
		m.See[0] = 1
		return m
	})
	states := filled(n, func(i int) (v kernels.StateVector) {
		for r := range order {
			v[r] = uniform(i*order+r, 4, -1, 1)
		}
		return v
	})
	spreads := filled(n, func(i int) (m kernels.StateMatrix) {
		for r := range order {
			m[r][r] = uniform(i*order+r, 5, 0.5, 2)
		}
		return m
	})
	observations := filled(n*length, func(i int) float64 {
		if small32(i, 6, 16) == 0 {
			return math.NaN()
		}
		return uniform(i, 7, -3, 3)
	})
	return &benchmark{
		name: "kalman", kernel: kernels.KalmanFilter, cfg: launch.Linear(n, 128), unit: "Gstep/s", work: float64(n*length) / 1e9,
		setup: func(d *device) inputs {
			news, likelihood := alloc[float64](d, n*length), alloc[float64](d, n)
			args := []any{upload(d, models), upload(d, states), upload(d, spreads), upload(d, observations), news, likelihood}
			return inputs{args: args, lens: []int{n, n * length}, results: each(news, likelihood)}
		},
		want: func(r, i int) float64 {
			if r == 1 {
				likelihood, _ := kalman(models[i], states[i], spreads[i], observations[i*length:(i+1)*length])
				return likelihood
			}
			series, k := i/length, i%length
			_, news := kalman(models[series], states[series], spreads[series], observations[series*length:series*length+k+1])
			return news
		},
		tolerance: 1e-10,
	}
}

// kalman filters a series by the other form of a step, which goes on to the next state at once. It returns the last residual.
func kalman(m kernels.StateSpace, a kernels.StateVector, p kernels.StateMatrix, seen []float64) (likelihood, residual float64) {
	const order = kernels.KalmanOrder
	for _, y := range seen {
		var variance, expected float64
		var gain, next kernels.StateVector
		for i := range order {
			expected += m.See[i] * a[i]
			for j := range order {
				variance += m.See[i] * p[i][j] * m.See[j]
			}
		}
		residual = 0
		if !math.IsNaN(y) {
			residual = y - expected
			likelihood -= (math.Log(variance) + residual*residual/variance) / 2
			for i := range order {
				for j := range order {
					for k := range order {
						gain[i] += m.Move[i][j] * p[j][k] * m.See[k] / variance
					}
				}
			}
		}
		var less, half, spread kernels.StateMatrix // less is m.Move - gain*m.See
		for i := range order {
			next[i] = gain[i] * residual
			for j := range order {
				next[i] += m.Move[i][j] * a[j]
				less[i][j] = m.Move[i][j] - gain[i]*m.See[j]
			}
		}
		for e := range order * order * order {
			half[e/16][e%4] += m.Move[e/16][e/4%4] * p[e/4%4][e%4]
		}
		for e := range order * order * order {
			spread[e/16][e%4] += half[e/16][e/4%4] * less[e%4][e/4%4]
		}
		for e := range order * order {
			spread[e/4][e%4] += m.Noise[e/4][e%4]
		}
		a, p = next, spread
	}
	return likelihood, residual
}

func epistasisCase(s scale) *benchmark {
	places := s.of(800, 40)
	people := [2]int{s.of(2000, 70), s.of(1900, 96)} // the sick, and the healthy
	genotype := func(group, place, person int) int {
		return int(small32(place*8192+person, uint32(1+group), 9)) / int(2+small32(place, 3, 3)) % 3
	}
	planes := func(group int) []uint32 {
		words := (people[group] + 31) / 32
		return filled(places*2*words, func(i int) (bits uint32) {
			for b := range 32 {
				if person := i%words*32 + b; person < people[group] && genotype(group, i/words/2, person) == i/words%2 {
					bits |= 1 << b
				}
			}
			return bits
		})
	}
	logs := filled(people[0]+people[1]+2, func(n int) float32 {
		v, _ := math.Lgamma(float64(n) + 1)
		return float32(v)
	})
	return &benchmark{
		name: "epistasis", kernel: kernels.Epistasis, cfg: grid((places+31)/32, (places+7)/8, 32, 8), unit: "Gpair/s", work: float64(places*(places-1)/2) / 1e9,
		setup: func(d *device) inputs {
			sick, healthy, out := upload(d, planes(0)), upload(d, planes(1)), alloc[float32](d, places*places)
			table := upload(d, logs)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{places, kernels.Genotypes{People: people[0], Bits: sick.Device()}, kernels.Genotypes{People: people[1], Bits: healthy.Device()}, table, out},
				twin: []any{places, people[0], sick, people[1], healthy, table, out}, results: each(out),
			}
		},
		want: func(_, e int) (score float64) {
			i, j := e/places, e%places
			if i >= j {
				return 0
			}
			var counts [2][9]int
			for group, n := range people {
				for person := range n {
					counts[group][genotype(group, i, person)*3+genotype(group, j, person)]++
				}
			}
			for k, n := range counts[0] {
				score += float64(logs[n+counts[1][k]+1]) - float64(logs[n]) - float64(logs[counts[1][k]])
			}
			return score
		},
		tolerance: 1e-5,
	}
}

func rainflowCase(s scale) *benchmark {
	n, least, more := s.of(40_000, 150), s.of(150, 20), s.of(200, 60)
	starts := make([]int32, n+1)
	for i := range n {
		starts[i+1] = starts[i] + int32(least) + small32(i, 1, uint32(more))
	}
	// Loads are in steps, so that some stay as they are.
	loads := filled(int(starts[n]), func(i int) float32 {
		slow := math.Sin(float64(i) * 0.05)
		return float32(math.Round(32*(slow+uniform(i, 2, -1, 1)))) / 32
	})
	// of is what ASTM's rules count of a history, from the start again after each cycle.
	of := func(history []float32) (halves int, damage float64) {
		points := slices.Compact(slices.Clone(history))
		turns := points[:0:0]
		for k, v := range points {
			if k == 0 || k == len(points)-1 || (v > points[k-1]) == (v > points[k+1]) {
				turns = append(turns, v)
			}
		}
		span := func(k int) float64 { return math.Abs(float64(turns[k+1]) - float64(turns[k])) }
		for k := 1; k+1 < len(turns); {
			switch {
			case span(k) < span(k-1):
				k++
			case k == 1:
				halves, damage, turns = halves+1, damage+math.Pow(span(0), 5), turns[1:]
			default:
				halves, damage = halves+2, damage+2*math.Pow(span(k-1), 5)
				turns, k = slices.Delete(turns, k-1, k+1), 1
			}
		}
		for k := range len(turns) - 1 {
			halves, damage = halves+1, damage+math.Pow(span(k), 5)
		}
		return halves, damage
	}
	return &benchmark{
		name: "rainflow", kernel: kernels.Rainflow, cfg: launch.Linear(n, 128), unit: "Gload/s", work: float64(starts[n]) / 1e9,
		setup: func(d *device) inputs {
			halves, damage := alloc[int32](d, n), alloc[float32](d, n)
			args := []any{upload(d, starts), upload(d, loads), alloc[float32](d, len(loads)), halves, damage}
			return inputs{args: args, lens: []int{n}, results: []result{sampled[int32](halves), sampled[float32](damage)}}
		},
		want: func(r, i int) float64 {
			halves, damage := of(loads[starts[i]:starts[i+1]])
			return [2]float64{float64(halves), damage}[r]
		},
		tolerance: 1e-4,
	}
}

func liftXCase(s scale) *benchmark {
	n := s.of(40_000, 70)
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1<<32+977))
	xs := filled(n, func(i int) (x kernels.Residue) {
		for k := range x {
			x[k] = uint64(kernels.Hash(8*i+2*k, 1)) | uint64(kernels.Hash(8*i+2*k+1, 1))<<32
		}
		return x
	})
	xs[0] = kernels.Residue{}   // 7 has no root
	xs[1] = kernels.Residue{1}  // 8 has one
	y := func(i int) *big.Int { // nil where there is none
		x := new(big.Int)
		for k := range 4 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(xs[i][3-k]))
		}
		square := x.Exp(x, big.NewInt(3), p)
		root := new(big.Int).ModSqrt(square.Add(square, big.NewInt(7)).Mod(square, p), p)
		if root != nil && root.Bit(0) != 0 {
			root.Sub(p, root)
		}
		return root
	}
	return &benchmark{
		name: "lift_x", kernel: kernels.LiftX, cfg: launch.Linear(n, 128), unit: "Gpoint/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			ys, found := alloc[kernels.Residue](d, n), alloc[bool](d, n)
			return inputs{args: []any{upload(d, xs), ys, found}, lens: []int{n}, results: []result{sampled[uint32](ys), sampled[uint8](found)}}
		},
		want: func(r, i int) float64 {
			if r == 1 {
				if y(i) == nil {
					return 0
				}
				return 1
			}
			root := y(i / 8)
			if root == nil {
				return 0
			}
			return float64(uint32(new(big.Int).Rsh(root, uint(i%8*32)).Uint64()))
		},
	}
}

func spgemmCase(s scale) *benchmark {
	n := s.of(40_000, 90)
	matrix := func(seed uint32) (first, column []int32, value []float64) { // near the diagonal
		first = make([]int32, n+1)
		for row := range n {
			var own []int32
			for k := range 3 + small32(row, seed, 14) {
				own = append(own, min(max(int32(row)-40+small32(row*16+int(k), seed+1, 81), 0), int32(n)-1))
			}
			slices.Sort(own)
			column = append(column, slices.Compact(own)...)
			first[row+1] = int32(len(column))
		}
		return first, column, doubles(len(column), seed+2, -1, 1)
	}
	aFirst, aColumn, aValue := matrix(1)
	bFirst, bColumn, bValue := matrix(11)
	type product struct {
		first, column []int32
		value         []float64
	}
	whole := sync.OnceValue(func() (p product) {
		p.first = make([]int32, n+1)
		for row := range n {
			sums := map[int32]float64{}
			var own []int32
			for k := aFirst[row]; k < aFirst[row+1]; k++ {
				for l := bFirst[aColumn[k]]; l < bFirst[aColumn[k]+1]; l++ {
					if _, ok := sums[bColumn[l]]; !ok {
						own = append(own, bColumn[l])
					}
					sums[bColumn[l]] += aValue[k] * bValue[l]
				}
			}
			slices.Sort(own)
			for _, c := range own {
				p.column, p.value = append(p.column, c), append(p.value, sums[c])
			}
			p.first[row+1] = int32(len(p.column))
		}
		return p
	})
	return &benchmark{
		name: "spgemm", kernel: kernels.SpGEMM, cfg: grid(n, 1, kernels.SpGEMMThreads, 1), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			p := whole()
			var own []kernels.CSR
			var twin []any
			add := func(first, column *launch.Buffer[int32], value *launch.Buffer[float64]) {
				if d.err == nil {
					own = append(own, kernels.CSR{First: first.Device(), Column: column.Device(), Value: value.Device()})
					twin = append(twin, first, column, value)
				}
			}
			add(upload(d, aFirst), upload(d, aColumn), upload(d, aValue))
			add(upload(d, bFirst), upload(d, bColumn), upload(d, bValue))
			columns, values := alloc[int32](d, len(p.column)), alloc[float64](d, len(p.value))
			if add(upload(d, p.first), columns, values); d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{own[0], own[1], own[2]}, twin: twin, results: []result{sampled[int32](columns), sampled[float64](values)}}
		},
		want: func(r, i int) float64 {
			if r == 0 {
				return float64(whole().column[i])
			}
			return whole().value[i]
		},
		tolerance: 1e-12,
	}
}
