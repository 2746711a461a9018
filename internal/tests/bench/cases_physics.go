package main

import (
	"math"
	"math/cmplx"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// physicsCases are physics and pictures.
func physicsCases(s scale) []*benchmark {
	return []*benchmark{
		sradCase(s), eulerFluxCase(s), su3Case(s), lavaCase(s), bilateralCase(s), rsPolesCase(s), correlationCase(s), mriqCase(s), latticeCase(s),
	}
}

func sradCase(s scale) *benchmark {
	const q0 = 0.05
	nr, nc := s.of(4000, 50), s.of(4096, 21)
	n := nr * nc
	around := func(n, by int) []int32 {
		return filled(n, func(i int) int32 { return int32(min(max(i+by, 0), n-1)) })
	}
	at := func(row, col int) float64 {
		return uniform(min(max(col, 0), nc-1)*nr+min(max(row, 0), nr-1), 1, 1, 2)
	}
	return &benchmark{
		name: "srad", kernel: kernels.Srad, cfg: launch.Linear(n, kernels.SradThreads), unit: "GB/s", work: 24 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			var out [5]*launch.Buffer[float32]
			for i := range out {
				out[i] = alloc[float32](d, n)
			}
			return inputs{args: []any{nr, n, float32(q0), upload(d, around(nr, -1)), upload(d, around(nr, 1)), upload(d, around(nc, 1)), upload(d, around(nc, -1)),
				out[0], out[1], out[2], out[3], out[4], upload(d, floats(n, 1, 1, 2))}, results: each(out[:]...)}
		},
		want: func(r, i int) float64 {
			row, col := i%nr, i/nr
			j := at(row, col)
			dn, ds, de, dw := at(row-1, col)-j, at(row+1, col)-j, at(row, col+1)-j, at(row, col-1)-j
			if r < 4 {
				return [4]float64{dn, ds, de, dw}[r]
			}
			g2, l := (dn*dn+ds*ds+de*de+dw*dw)/(j*j), (dn+ds+de+dw)/j
			q := (0.5*g2 - l*l/16) / (1 + l/4) / (1 + l/4)
			return min(max(1/(1+(q-q0)/(q0*(1+q0))), 0), 1)
		},
		tolerance: 1e-4, stray: 0.001,
	}
}

func su3Case(s scale) *benchmark {
	sites := s.of(1<<19, 60)
	element := func(i int, seed uint32) complex128 {
		return complex(uniform(2*i, seed, -1, 1), uniform(2*i+1, seed, -1, 1))
	}
	matrix := func(i int, seed uint32) (m kernels.SU3) {
		for e := range 9 {
			m[e/3][e%3] = element(9*i+e, seed)
		}
		return m
	}
	const words = 608 / 8
	return &benchmark{
		name: "su3_multiply", kernel: kernels.SU3Multiply, cfg: launch.Linear(36*sites, 256), unit: "GB/s", work: 2 * 576 * float64(sites) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[kernels.Site](d, sites)
			in := filled(sites, func(i int) (s kernels.Site) {
				for k := range s.Link {
					s.Link[k] = matrix(4*i+k, 1)
				}
				return s
			})
			return inputs{lens: []int{sites}, args: []any{upload(d, in), upload(d, filled(4, func(i int) kernels.SU3 { return matrix(i, 2) })), out},
				results: []result{sampled[float64](out)}}
		},
		want: func(_, e int) float64 {
			i, w := e/words, e%words
			if w >= 72 {
				return 0
			}
			j, k, l := w/18, w%18/6, w%6/2
			sum := 0i
			for m := range 3 {
				sum += element(9*(4*i+j)+3*k+m, 1) * element(9*j+3*m+l, 2)
			}
			if w%2 == 0 {
				return real(sum)
			}
			return imag(sum)
		},
		tolerance: 1e-13,
	}
}

func lavaCase(s scale) *benchmark {
	const per, alpha = kernels.BoxParticles, 0.5
	side := s.of(12, 2)
	n := side * side * side
	neighbours := func(b int) (all []int) {
		x, y, z := b%side, b/side%side, b/side/side
		for k := range 27 {
			i, j, l := x+k%3-1, y+k/3%3-1, z+k/9-1
			if k != 13 && i >= 0 && j >= 0 && l >= 0 && i < side && j < side && l < side {
				all = append(all, (l*side+j)*side+i)
			}
		}
		return all
	}
	particle := func(i int) kernels.Particle {
		at := func(f uint32) float32 { return kernels.Uniform(i, f, 0.1, 1) }
		return kernels.Particle{V: at(0), X: at(1), Y: at(2), Z: at(3)}
	}
	return &benchmark{
		name: "lava_md", kernel: kernels.LavaMD, cfg: grid(n, 1, kernels.BoxThreads, 1), unit: "Gpair/s", work: 27 * per * per * float64(n) / 1e9,
		setup: func(d *device) inputs {
			boxes := filled(n, func(b int) (box kernels.Box) {
				box.Number, box.Offset = int32(b), b*per
				for k, nb := range neighbours(b) {
					box.Around[k].Number, box.Around[k].Offset = int32(nb), nb*per
					box.Count++
				}
				return box
			})
			out := alloc[kernels.Particle](d, n*per)
			return inputs{lens: []int{n}, args: []any{float32(alpha), upload(d, boxes), upload(d, filled(n*per, particle)), upload(d, floats(n*per, 5, 0.1, 1)), out},
				results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) (sum float64) {
			i, field := e/4, e%4
			a := particle(i)
			for _, b := range append(neighbours(i/per), i/per) {
				for j := b * per; j < (b+1)*per; j++ {
					o := particle(j)
					r2 := float64(a.V) + float64(o.V) - float64(a.X)*float64(o.X) - float64(a.Y)*float64(o.Y) - float64(a.Z)*float64(o.Z)
					v := math.Exp(-2*alpha*alpha*r2) * uniform(j, 5, 0.1, 1)
					sum += v * [4]float64{1, 2 * float64(a.X-o.X), 2 * float64(a.Y-o.Y), 2 * float64(a.Z-o.Z)}[field]
				}
			}
			return sum
		},
		tolerance:   1e-4,
		approximate: 1e-3,
	}
}

func bilateralCase(s scale) *benchmark {
	const r, scale, intensity, spatial = kernels.BilateralRadius, 0.5, 0.3, 8
	w, h := s.of(1920, 50), s.of(1080, 13)
	return &benchmark{
		name: "bilateral", kernel: kernels.Bilateral, cfg: grid((w+15)/16, (h+15)/16, 16, 16), unit: "Gtap/s", work: (2*r + 1) * (2*r + 1) * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, w*h)
			return inputs{args: []any{w, h, float32(scale), float32(intensity), float32(spatial), upload(d, floats(w*h, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			x, y := e%w, e/w
			here, sum, norm := uniform(e, 1, 0, 1), 0.0, 0.0
			for i := -r; i <= r; i++ {
				for j := -r; j <= r; j++ {
					k, l := max(x+i, -x-i), max(y+j, -y-j)
					if k > w-1 {
						k = w - 1 - i
					}
					if l > h-1 {
						l = h - 1 - j
					}
					v := uniform(l*w+k, 1, 0, 1)
					weight := scale * math.Exp(-(here-v)*(here-v)/(2*intensity)-float64((k-x)*(k-x)+(l-y)*(l-y))/(2*spatial))
					norm += weight
					sum += v * weight
				}
			}
			return sum / norm
		},
		tolerance: 1e-5, approximate: 1e-4,
	}
}

// faddeeva is Faddeeva's function, as RSBench approximates it.
func faddeeva(z complex128) complex128 {
	exp := func(z complex128) complex128 {
		return complex(math.Pow(1+real(z)*0.000244140625, 4096), 0) * complex(math.Cos(imag(z)), math.Sin(imag(z)))
	}
	an := []float64{2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02, 2.505215e-02, 1.027747e-02, 3.676164e-03, 1.146494e-03, 3.117570e-04}
	left := []float64{9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02, 3.553058e+02, 4.836106e+02, 6.316547e+02, 7.994380e+02, 9.869604e+02}
	if cmplx.Abs(z) >= 6 {
		return z * 1i * (0.5124242247547685/(z*z-0.2752551286084109) + 0.05176535879298782/(z*z-2.724744871391589))
	}
	w, sum := 1i*(1-exp(12i*z))/(12*z), 0i
	for n := range 10 {
		sign := float64(2*(n%2) - 1)
		sum += complex(an[n], 0) * (complex(sign, 0)*exp(12i*z) - 1) / (complex(left[n], 0) - 144*z*z)
	}
	return w + 81.2433i*z*sum
}

func rsPolesCase(s scale) *benchmark {
	const materials, maxWindows, perWindow = 6, 20, 3
	const maxPoles = maxWindows * perWindow
	nuclides, n := s.of(40, 5), s.of(1<<17, 130)
	count := func(m int) int { return min(nuclides, 2+m*nuclides/5) }
	windowsOf := func(nuc int) int { return maxWindows - int(kernels.Hash(nuc, 1)>>8%8) }
	number := func(i int, seed uint32) complex128 {
		return complex(uniform(2*i, seed, 0, 1), uniform(2*i+1, seed, 0, 1))
	}
	pole := func(i int) kernels.Pole {
		ea := complex(uniform(i, 2, -1000, 1000), uniform(i, 3, -1, -0.1))
		return kernels.Pole{EA: ea, RT: number(i, 4), RA: number(i, 5), RF: number(i, 6), L: int16(kernels.Hash(i, 7) >> 8 % kernels.Angular)}
	}
	window := func(i int) kernels.Window { // window i%maxWindows of its nuclide
		w := i % maxWindows
		return kernels.Window{T: uniform(i, 8, 0, 1), A: uniform(i, 9, 0, 1), F: uniform(i, 10, 0, 1),
			Start: int32(w * perWindow), End: int32(w*perWindow + 1 + int(kernels.Hash(i, 11)>>8%perWindow))}
	}
	material := func(i int) int { return int(kernels.Hash(i, 12) >> 8 % materials) }
	return &benchmark{
		name: "rs_poles", kernel: kernels.RSPoles, cfg: launch.Linear(n, 256), unit: "Glook-up/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[[4]float64](d, n)
			i32 := func(n int, f func(i int) int) *launch.Buffer[int32] {
				return upload(d, filled(n, func(i int) int32 { return int32(f(i)) }))
			}
			return inputs{lens: []int{n}, args: []any{nuclides, maxWindows, maxPoles, upload(d, doubles(n, 13, 0, 1)), i32(n, material), i32(materials, count),
				i32(materials*nuclides, func(i int) int { return (i%nuclides*7 + i/nuclides) % nuclides }), upload(d, doubles(materials*nuclides, 14, 0, 1)),
				i32(nuclides, windowsOf), upload(d, doubles(nuclides*kernels.Angular, 15, 0, 1)), upload(d, filled(nuclides*maxWindows, window)),
				upload(d, filled(nuclides*maxPoles, pole)), out}, results: []result{sampled[float64](out)}}
		},
		want: func(_, k int) (macro float64) {
			e, mat := uniform(k/4, 13, 0, 1), material(k/4)
			for j := range count(mat) {
				nuc := (j*7 + mat) % nuclides
				at := int(e / (1 / float64(windowsOf(nuc))))
				if at == windowsOf(nuc) {
					at--
				}
				var factors [4]complex128
				for l := range factors {
					phi := uniform(nuc*kernels.Angular+l, 15, 0, 1) * math.Sqrt(e)
					switch l {
					case 1:
						phi += math.Atan(phi)
					case 2:
						phi -= math.Atan(3 * phi / (3 - phi*phi))
					case 3:
						phi -= math.Atan(phi * (15 - phi*phi) / (15 - 6*phi*phi))
					}
					factors[l] = cmplx.Exp(complex(0, -2*phi))
				}
				w := window(nuc*maxWindows + at)
				t, a, f := e*w.T, e*w.A, e*w.F
				for i := w.Start; i < w.End; i++ {
					p := pole(nuc*maxPoles + int(i))
					fad := faddeeva((complex(e, 0) - p.EA) * 0.5)
					t += real(p.RT * fad * factors[p.L])
					a += real(p.RA * fad)
					f += real(p.RF * fad)
				}
				macro += [4]float64{t, a, f, t - a}[k%4] * uniform(mat*nuclides+j, 14, 0, 1)
			}
			return macro
		},
		tolerance: 1e-8, approximate: 1e-5, stray: 0.01,
	}
}

func correlationCase(s scale) *benchmark {
	n := s.of(8192, 512)
	point := func(i int) [3]float32 {
		x, y := kernels.Uniform(i, 1, -0.2, 0.2), kernels.Uniform(i, 2, -0.2, 0.2)
		return [3]float32{x, y, float32(math.Sqrt(1 - float64(x)*float64(x) - float64(y)*float64(y)))}
	}
	counts := sync.OnceValue(func() (all [kernels.CorrelationBins]float64) {
		var mu sync.Mutex
		points := filled(n, point)
		parallel(n, func(i int) {
			var own [kernels.CorrelationBins]int
			a := points[i]
			for _, b := range points {
				dot := a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
				k := 0
				for k < kernels.CorrelationBins-1 && dot < kernels.Bounds[k+1] {
					k++
				}
				own[k]++
			}
			mu.Lock()
			defer mu.Unlock()
			for k, v := range own {
				all[k] += float64(v)
			}
		})
		return all
	})
	return &benchmark{
		name: "correlation", kernel: kernels.Correlation, cfg: grid(n/kernels.CorrelationThreads, n/kernels.CorrelationThreads, kernels.CorrelationThreads, 1),
		unit: "Gpair/s", work: float64(n) * float64(n) / 1e9,
		setup: func(d *device) inputs {
			axis := func(k int) *launch.Buffer[float32] {
				return upload(d, filled(n, func(i int) float32 { return point(i)[k] }))
			}
			out := alloc[uint32](d, kernels.CorrelationBins)
			return inputs{args: []any{axis(0), axis(1), axis(2), out}, results: each(out)}
		},
		want:      func(_, i int) float64 { return counts()[i] },
		tolerance: 0.02, // angles at a bound
	}
}

func mriqCase(s scale) *benchmark {
	count, n := s.of(1024, 30), s.of(1<<18, 500)
	sample := func(k int) kernels.Sample {
		at := func(f uint32) float32 { return kernels.Uniform(k, f, -0.5, 0.5) }
		return kernels.Sample{X: at(0), Y: at(1), Z: at(2), Phi: at(3) + 1}
	}
	return &benchmark{
		name: "mri_q", kernel: kernels.MRIQ, cfg: launch.Linear(n, 256), unit: "Gsample/s", work: float64(n) * float64(count) / 1e9,
		setup: func(d *device) inputs {
			re, im := alloc[float32](d, n), alloc[float32](d, n)
			return inputs{lens: []int{count, n}, args: []any{upload(d, filled(count, sample)), upload(d, floats(n, 5, 0, 1)), upload(d, floats(n, 6, 0, 1)), upload(d, floats(n, 7, 0, 1)), re, im},
				results: each(re, im)}
		},
		want: func(r, i int) (sum float64) {
			for k := range count {
				p := sample(k)
				arg := 2 * math.Pi * (float64(p.X)*uniform(i, 5, 0, 1) + float64(p.Y)*uniform(i, 6, 0, 1) + float64(p.Z)*uniform(i, 7, 0, 1))
				sum += float64(p.Phi) * [2]float64{math.Cos(arg), math.Sin(arg)}[r]
			}
			return sum
		},
		tolerance: 1e-4, stray: 0.01, approximate: 1e-2,
	}
}

func latticeCase(s scale) *benchmark {
	const omega = 1.2
	nx, ny := s.of(2048, 64), s.of(2000, 11)
	n := nx * ny
	weight := [9]float64{4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36}
	dx, dy := [9]int{0, 1, 0, -1, 0, 1, -1, -1, 1}, [9]int{0, 0, 1, 0, -1, 1, 1, -1, -1}
	at := func(k, i int) float32 { return float32(weight[k]) * kernels.Uniform(i, uint32(k), 0.8, 1.2) }
	solid := func(i int) int32 {
		if small32(i, 20, 10) == 0 {
			return 1
		}
		return 0
	}
	return &benchmark{
		name: "lattice", kernel: kernels.Lattice, cfg: grid((nx+31)/32, (ny+7)/8, 32, 8), unit: "GB/s", work: 76 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			var from, to [9][]float32
			var in, out [9]*launch.Buffer[float32]
			obstacles := upload(d, filled(n, solid))
			twin := []any{int32(nx), int32(ny), float32(omega), obstacles}
			for k := range 9 {
				in[k] = upload(d, filled(n, func(i int) float32 { return at(k, i) }))
				twin = append(twin, in[k])
			}
			for k := range 9 {
				out[k] = alloc[float32](d, n)
				twin = append(twin, out[k])
			}
			if d.err != nil {
				return inputs{}
			}
			for k := range 9 {
				from[k], to[k] = in[k].Device(), out[k].Device()
			}
			return inputs{args: []any{nx, ny, float32(omega), obstacles, from, to}, twin: twin, results: each(out[:]...)}
		},
		want: func(k, i int) float64 {
			x, y := i%nx, i/nx
			var f [9]float64
			rho, ux, uy := 0.0, 0.0, 0.0
			for l := range f {
				f[l] = float64(at(l, (y-dy[l]+ny)%ny*nx+(x-dx[l]+nx)%nx))
				rho += f[l]
				ux += f[l] * float64(dx[l])
				uy += f[l] * float64(dy[l])
			}
			if solid(i) != 0 {
				return f[[9]int{0, 3, 4, 1, 2, 7, 8, 5, 6}[k]]
			}
			ux, uy = ux/rho, uy/rho
			u := ux*float64(dx[k]) + uy*float64(dy[k])
			return f[k] + omega*(weight[k]*rho*(1+3*u+4.5*u*u-1.5*(ux*ux+uy*uy))-f[k])
		},
		tolerance: 1e-6,
	}
}
