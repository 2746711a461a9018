package main

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"heddle/internal/tests/bench/kernels"
	"heddle/vector"
)

// This file is the plain Go of the comparison: what a Go programmer would
// write for all cores, without a kernel in mind.

// parallel calls f for ranges of grain elements, on all cores.
func parallel(n, grain int, f func(lo, hi int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				hi := int(next.Add(int64(grain)))
				if hi-grain >= n {
					return
				}
				f(hi-grain, min(hi, n))
			}
		})
	}
	wg.Wait()
}

// chunk is the grain of loops over elements.
const chunk = 1 << 16

func plainSaxpy(a float32, x, y []float32) {
	parallel(len(x), chunk, func(lo, hi int) {
		x, y := x[lo:hi], y[lo:hi]
		for i, v := range x {
			y[i] += a * v
		}
	})
}

// plainReduce leaves the sum in out[0].
func plainReduce(in, out []float32) {
	var mu sync.Mutex
	total := 0.0
	parallel(len(in), chunk, func(lo, hi int) {
		var a, b, c, d float32
		part := in[lo:hi]
		for ; len(part) >= 4; part = part[4:] {
			a += part[0]
			b += part[1]
			c += part[2]
			d += part[3]
		}
		for _, v := range part {
			a += v
		}
		mu.Lock()
		total += float64(a) + float64(b) + float64(c) + float64(d)
		mu.Unlock()
	})
	out[0] = float32(total)
}

func plainMandelbrot(w, h int, limit int32, x0, y0, step float32, out []int32) {
	parallel(h, 1, func(py, _ int) {
		row := out[py*w:][:w]
		cy := y0 + float32(py)*step
		for px := range row {
			cx := x0 + float32(px)*step
			var x, y float32
			n := int32(0)
			for n < limit {
				xx, yy := x*x, y*y
				if xx+yy >= 4 {
					break
				}
				x, y = xx-yy+cx, 2*x*y+cy
				n++
			}
			row[px] = n
		}
	})
}

func exp(x float32) float32  { return float32(math.Exp(float64(x))) }
func log(x float32) float32  { return float32(math.Log(float64(x))) }
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
func abs(x float32) float32  { return float32(math.Abs(float64(x))) }

func cnd(d float32) float32 {
	const a1, a2, a3, a4, a5 = 0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429
	k := 1 / (1 + 0.2316419*abs(d))
	v := 0.39894228040143267794 * exp(-0.5*d*d) * (k * (a1 + k*(a2+k*(a3+k*(a4+k*a5)))))
	if d > 0 {
		v = 1 - v
	}
	return v
}

func plainBlackScholes(riskFree, volatility float32, price, strike, years, call, put []float32) {
	parallel(len(price), 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s, x, t := price[i], strike[i], years[i]
			root := sqrt(t)
			d1 := (log(s/x) + (riskFree+0.5*volatility*volatility)*t) / (volatility * root)
			c1, c2 := cnd(d1), cnd(d1-volatility*root)
			discounted := x * exp(-riskFree*t)
			call[i] = s*c1 - discounted*c2
			put[i] = discounted*(1-c2) - s*(1-c1)
		}
	})
}

func plainNBody(soft float32, pos, force []vector.Float4) {
	parallel(len(pos), 64, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := pos[i]
			var ax, ay, az float32
			for j := range pos {
				q := &pos[j]
				dx, dy, dz := q.X-p.X, q.Y-p.Y, q.Z-p.Z
				inv := 1 / sqrt(dx*dx+dy*dy+dz*dz+soft)
				f := q.W * inv * inv * inv
				ax += dx * f
				ay += dy * f
				az += dz * f
			}
			force[i] = vector.Float4{X: ax, Y: ay, Z: az}
		}
	})
}

// plainSgemm adds rows of b to a row of c, four at a time, and stays with the
// same 64 rows of b for 16 rows of c.
func plainSgemm(n int, a, b, c []float32) {
	parallel(n, 16, func(lo, hi int) {
		clear(c[lo*n : hi*n])
		for k0 := 0; k0 < n; k0 += 64 {
			for i := lo; i < hi; i++ {
				row := c[i*n:][:n]
				for k := k0; k < min(k0+64, n); k += 4 {
					a := a[i*n+k:][:4]
					b0, b1, b2, b3 := b[k*n:][:n], b[(k+1)*n:][:n], b[(k+2)*n:][:n], b[(k+3)*n:][:n]
					a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
					for j := range row {
						row[j] += a0*b0[j] + a1*b1[j] + a2*b2[j] + a3*b3[j]
					}
				}
			}
		}
	})
}

func plainStencil(nx, ny, nz int, c0, c1 float32, in, out []float32) {
	plane := nx * ny
	parallel(nz-2, 1, func(z, _ int) {
		for y := 1; y < ny-1; y++ {
			at := (z+1)*plane + y*nx
			here, to := in[at:][:nx], out[at:][:nx]
			north, south := in[at-nx:][:nx], in[at+nx:][:nx]
			below, above := in[at-plane:][:nx], in[at+plane:][:nx]
			for x := 1; x < nx-1; x++ {
				to[x] = c0*here[x] + c1*(here[x-1]+here[x+1]+north[x]+south[x]+below[x]+above[x])
			}
		}
	})
}

// plainHistogram counts each byte of a word in a table of its own, so that
// equal neighbours do not wait for each other.
func plainHistogram(in, counts []uint32) {
	var mu sync.Mutex
	parallel(len(in), chunk, func(lo, hi int) {
		var local [4][256]uint32
		for _, v := range in[lo:hi] {
			local[0][uint8(v)]++
			local[1][uint8(v>>8)]++
			local[2][uint8(v>>16)]++
			local[3][uint8(v>>24)]++
		}
		mu.Lock()
		for i := range counts {
			counts[i] += local[0][i] + local[1][i] + local[2][i] + local[3][i]
		}
		mu.Unlock()
	})
}

// plainBitonic sorts runs with the same network; slices.Sort takes as long.
func plainBitonic(in, out []float32) {
	const run = kernels.Sorted
	parallel(len(in)/run, 16, func(lo, hi int) {
		copy(out[lo*run:hi*run], in[lo*run:hi*run])
		for ; lo < hi; lo++ {
			network((*[run]float32)(out[lo*run:]))
		}
	})
}

func network(s *[kernels.Sorted]float32) {
	for size := 2; size <= len(s); size *= 2 {
		for stride := size / 2; stride > 0; stride /= 2 {
			for first := 0; first < len(s); first += 2 * stride {
				lo, hi := s[first:][:stride], s[first+stride:][:stride]
				if first&size != 0 {
					lo, hi = hi, lo
				}
				for i, a := range lo {
					b := hi[i]
					lo[i], hi[i] = min(a, b), max(a, b)
				}
			}
		}
	}
}

func plainScan(in, out []vector.Int4, totals []int32) {
	const run = 1024 / 4
	parallel(len(totals), 64, func(lo, hi int) {
		for block := lo; block < hi; block++ {
			from, to := in[block*run:][:run], out[block*run:][:run]
			sum := int32(0)
			for i, v := range from {
				v.X += sum
				v.Y += v.X
				v.Z += v.Y
				v.W += v.Z
				sum = v.W
				to[i] = v
			}
			totals[block] = sum
		}
	})
}
