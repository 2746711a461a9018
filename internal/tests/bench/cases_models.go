package main

import (
	"math"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// modelCases are kernels of models and searches: prices, training, genomes, number theory, shapes and filters.
func modelCases(s scale) []*benchmark {
	return []*benchmark{
		binomialCase(s), adamCase(s), winogradCase(s), pairHMMCase(s), nttCase(s), polygonCase(s), eigenCase(s), resampleCase(s),
	}
}

func binomialCase(s scale) *benchmark {
	const steps = kernels.TreeSteps
	n := s.of(1<<15, 3)
	type tree struct{ stock, strike, spread, up, down float64 }
	option := func(i int) tree {
		span := uniform(i, 3, 0.25, 5) / steps
		spread := volatility * math.Sqrt(span)
		up := (math.Exp(riskFree*span) - math.Exp(-spread)) / (2 * math.Sinh(spread))
		discount := math.Exp(-riskFree * span)
		return tree{uniform(i, 1, 5, 30), uniform(i, 2, 5, 40), spread, up * discount, (1 - up) * discount}
	}
	return &benchmark{
		name: "binomial", kernel: kernels.Binomial, cfg: grid(n, 1, steps, 1), unit: "Gnode/s", work: float64(n) * steps * (steps + 1) / 2e9,
		setup: func(d *device) inputs {
			prices := alloc[float32](d, n)
			options := filled(n, func(i int) kernels.TreeOption {
				o := option(i)
				return kernels.TreeOption{Stock: float32(o.stock), Strike: float32(o.strike), Spread: float32(o.spread), Up: float32(o.up), Down: float32(o.down)}
			})
			return inputs{args: []any{upload(d, options), prices}, results: each(prices)}
		},
		want: func(_, i int) float64 {
			o := option(i)
			var values, gains [2*steps + 1]float64 // gains are those of a sale, by the stock's price
			for k := range gains {
				gains[k] = o.strike - o.stock*math.Exp(o.spread*float64(k-steps))
			}
			for j := range steps + 1 {
				values[j] = max(gains[2*j], 0)
			}
			for step := steps - 1; step >= 0; step-- {
				for j := range step + 1 {
					values[j] = max(o.up*values[j+1]+o.down*values[j], gains[steps+2*j-step])
				}
			}
			return values[0]
		},
		tolerance: 1e-3,
	}
}

func adamCase(s scale) *benchmark {
	n, blocks := s.of(48<<20+5, 3000), s.of(2048, 3)
	a := kernels.AdamSettings{Rate: 1e-2, Beta1: 0.9, Beta2: 0.99, Eps: 1e-8, Decay: 0.05, Correct1: 0.6, Correct2: 0.1}
	return &benchmark{
		name: "adam", kernel: kernels.Adam, cfg: grid(blocks, 1, 256, 1), unit: "GB/s", work: 28 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			g, m, v, p := upload(d, floats(n, 1, -1, 1)), changed(d, floats(n, 2, -1, 1)), changed(d, floats(n, 3, 0, 1)), changed(d, floats(n, 4, -1, 1))
			return inputs{lens: []int{n}, args: []any{a, g, m, v, p}, results: each(m, v, p)}
		},
		want: func(r, i int) float64 {
			grad := uniform(i, 1, -1, 1)
			m := float64(a.Beta1)*uniform(i, 2, -1, 1) + (1-float64(a.Beta1))*grad
			v := float64(a.Beta2)*uniform(i, 3, 0, 1) + (1-float64(a.Beta2))*grad*grad
			p := uniform(i, 4, -1, 1)
			update := m/float64(a.Correct1)/(math.Sqrt(v/float64(a.Correct2))+float64(a.Eps)) + float64(a.Decay)*p
			return [3]float64{m, v, p - float64(a.Rate)*update}[r]
		},
		tolerance: 1e-6, stray: 0.001,
	}
}

func winogradCase(s scale) *benchmark {
	channels, h, w := s.of(1024, 3), s.of(255, 13), s.of(253, 18)
	tx, ty := (w+1)/2, (h+1)/2
	n := channels * tx * ty
	return &benchmark{
		name: "winograd", kernel: kernels.Winograd, cfg: launch.Linear(n, 256), unit: "GB/s", work: 4 * float64(channels*h*w+16*n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, 16*n)
			return inputs{args: []any{channels, h, w, upload(d, floats(channels*h*w, 1, -1, 1)), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			rows := [4][4]float64{{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}}
			plane, i := e/n, e%n
			for y, fy := range rows[plane/4] {
				for x, fx := range rows[plane%4] {
					sx, sy := i%tx*2-1+x, i/tx%ty*2-1+y
					if sx >= 0 && sx < w && sy >= 0 && sy < h {
						sum += fx * fy * uniform((i/tx/ty*h+sy)*w+sx, 1, -1, 1)
					}
				}
			}
			return sum
		},
		tolerance: 1e-6,
	}
}

func pairHMMCase(s scale) *benchmark {
	n, longest, width := s.of(1<<15, 5), s.of(128, 45), s.of(kernels.MaxHaplotype, 60)
	const sharing = 16 // reads of a haplotype
	haps := filled((n+sharing-1)/sharing*width, func(i int) uint8 { return "ACGT"[small32(i, 1, 4)] })
	pairs := filled(n, func(i int) kernels.Pairing {
		hap := i / sharing
		return kernels.Pairing{
			Read: int32(i * longest), ReadLen: int32(longest) - small32(i, 2, uint32(longest/3)),
			Hap: int32(hap * width), HapLen: int32(width) - small32(hap, 3, uint32(width/5)),
		}
	})
	reads := filled(n*longest, func(at int) uint8 { // the bases of the haplotype, but 2 of 100 are others
		p := pairs[at/longest]
		if small32(at, 4, 100) < 2 {
			return "ACGT"[small32(at, 5, 4)]
		}
		return haps[int(p.Hap)+(int(small32(at/longest, 6, uint32(p.HapLen)))+at%longest)%int(p.HapLen)]
	})
	quals := filled(n*longest, func(at int) uint8 { return uint8(20 + small32(at, 7, 20)) })
	gaps := filled(n*longest, func(at int) uint8 { return uint8(30 + small32(at, 8, 15)) })
	chance := func(quality int) float64 { return math.Pow(10, -float64(quality)/10) }
	errors := filled(64, func(q int) float32 { return float32(chance(q)) })
	transitions := filled(64, func(q int) kernels.Transition {
		return kernels.Transition{Match: float32(1 - 2*chance(q)), Close: 0.9, Open: float32(chance(q)), Extend: 0.1}
	})
	cells := 0.0
	for _, p := range pairs {
		cells += float64(p.ReadLen) * float64(p.HapLen)
	}
	return &benchmark{
		name: "pairhmm", kernel: kernels.PairHMM, cfg: grid(n, 1, kernels.ReadStrip, 1), unit: "Gcell/s", work: cells / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{args: []any{upload(d, pairs), upload(d, reads), upload(d, quals), upload(d, gaps), upload(d, haps), upload(d, errors), upload(d, transitions), out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			p := pairs[i]
			type cell struct{ m, i, d float64 }
			row := make([]cell, p.HapLen+1)
			for j := range row {
				row[j].d = 1 / float64(p.HapLen)
			}
			for r := range int(p.ReadLen) {
				at := int(p.Read) + r
				miss, gap := chance(int(quals[at])), chance(int(gaps[at]))
				corner := row[0]
				row[0] = cell{}
				for j := 1; j < len(row); j++ {
					prior := 1 - miss
					if haps[int(p.Hap)+j-1] != reads[at] {
						prior = miss / 3
					}
					above, left := row[j], row[j-1]
					row[j] = cell{prior * (corner.m*(1-2*gap) + (corner.i+corner.d)*0.9), above.m*gap + above.i*0.1, left.m*gap + left.d*0.1}
					corner = above
				}
			}
			for _, c := range row {
				sum += c.m + c.i
			}
			return math.Log(sum)
		},
		tolerance: 1e-5,
	}
}

func nttCase(s scale) *benchmark {
	const size, mod = kernels.NTTSize, kernels.NTTMod
	n := s.of(million64, 3*size)
	root := 1 // of 1
	for range (mod - 1) / size {
		root = root * 3 % mod
	}
	powers := make([]uint32, size)
	for k, power := 0, 1; k < size; k, power = k+1, power*root%mod {
		powers[k] = uint32(power)
	}
	number := func(i int) uint32 { return kernels.Hash(i, 1) % mod }
	return &benchmark{
		name: "ntt", kernel: kernels.NTT, cfg: grid(n/size, 1, size/2, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, n)
			return inputs{args: []any{upload(d, powers[:size/2]), upload(d, filled(n, number)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			sum := 0
			for k := range size {
				sum = (sum + int(number(i/size*size+k))*int(powers[i%size*k%size])) % mod
			}
			return float64(sum)
		},
	}
}

func polygonCase(s scale) *benchmark {
	n, vertices := s.of(1<<21+33, 500), s.of(600, 37)
	polygon := filled(vertices, func(k int) vector.Float2 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(vertices))
		radius := uniform(k, 1, 0.4, 1)
		return vector.Float2{X: float32(radius * cos), Y: float32(radius * sin)}
	})
	points := filled(n, func(i int) vector.Float2 {
		return vector.Float2{X: kernels.Uniform(i, 2, -1, 1), Y: kernels.Uniform(i, 3, -1, 1)}
	})
	return &benchmark{
		name: "pnpoly", kernel: kernels.PointInPolygon, cfg: launch.Linear(n, 256), unit: "Gedge/s", work: float64(n) * float64(vertices) / 1e9,
		setup: func(d *device) inputs {
			inside := alloc[bool](d, n)
			return inputs{lens: []int{vertices, n}, args: []any{upload(d, polygon), upload(d, points), inside}, results: []result{sampled[uint8](inside)}}
		},
		// The polygon is a star around zero: what counts is on which side of one edge the point is.
		want: func(_, i int) float64 {
			x, y := float64(points[i].X), float64(points[i].Y)
			turn := math.Atan2(y, x) / (2 * math.Pi)
			k := int((turn + 1) * float64(vertices))
			a, b := polygon[k%vertices], polygon[(k+1)%vertices]
			if (float64(b.X)-float64(a.X))*(y-float64(a.Y))-(float64(b.Y)-float64(a.Y))*(x-float64(a.X)) > 0 {
				return 1
			}
			return 0
		},
		stray: 0.002, // at the edges
	}
}

func eigenCase(s scale) *benchmark {
	n := s.of(1<<23+77, 300)
	return &benchmark{
		name: "eigen3", kernel: kernels.Eigen3, cfg: launch.Linear(n, 128), unit: "Gmatrix/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, 3*n)
			return inputs{args: []any{n, upload(d, floats(6*n, 1, -2, 2)), out}, results: each(out)}
		},
		want: func(_, e int) float64 { // by the angles of the roots
			at := func(k int) float64 { return uniform(k*n+e%n, 1, -2, 2) }
			xy, xz, yz := at(1), at(2), at(4)
			mean := (at(0) + at(3) + at(5)) / 3
			xx, yy, zz := at(0)-mean, at(3)-mean, at(5)-mean
			p := math.Sqrt((xx*xx + yy*yy + zz*zz + 2*(xy*xy+xz*xz+yz*yz)) / 6)
			det := xx*(yy*zz-yz*yz) - xy*(xy*zz-yz*xz) + xz*(xy*yz-yy*xz)
			angle := math.Acos(min(max(det/(2*p*p*p), -1), 1)) / 3
			roots := []float64{mean + 2*p*math.Cos(angle), mean + 2*p*math.Cos(angle+2*math.Pi/3), mean + 2*p*math.Cos(angle-2*math.Pi/3)}
			slices.Sort(roots)
			return roots[e/n]
		},
		tolerance: 1e-5,
	}
}

func resampleCase(s scale) *benchmark {
	n := s.of(12_000_003, 1000)
	const offset = 0.37
	sums := sync.OnceValue(func() []float32 {
		sums, total := make([]float32, n), 0.0
		weight := func(i int) float64 { return math.Pow(uniform(i, 1, 0, 1), 4) }
		for i := range n {
			total += weight(i)
		}
		sum := 0.0
		for i := range n {
			sum += weight(i)
			sums[i] = float32(sum / total)
		}
		return sums
	})
	// Particles are like those beside them, so that one of these is as good at full scale.
	state := func(k int) func(int) float32 {
		return func(j int) float32 { return float32(10*(k+1)*j) / float32(n) }
	}
	return &benchmark{
		name: "resample", kernel: kernels.Resample, cfg: launch.Linear(n, 256), unit: "Gparticle/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			var in, out [4]*launch.Buffer[float32]
			for k := range in {
				in[k], out[k] = upload(d, filled(n, state(k))), alloc[float32](d, n)
			}
			weights := upload(d, sums())
			if d.err != nil {
				return inputs{}
			}
			particles := func(b [4]*launch.Buffer[float32]) kernels.Particles {
				return kernels.Particles{X: b[0].Device(), Y: b[1].Device(), VX: b[2].Device(), VY: b[3].Device()}
			}
			return inputs{
				args:    []any{float32(offset), weights, particles(in), particles(out)},
				twin:    []any{n, float32(offset), weights, in[0], in[1], in[2], in[3], out[0], out[1], out[2], out[3]},
				results: each(out[:]...),
			}
		},
		want: func(r, i int) float64 {
			u := (float32(i) + offset) / float32(n)
			j, _ := slices.BinarySearch(sums(), u)
			return float64(state(r)(min(j, n-1)))
		},
		tolerance: 1e-4,
	}
}
