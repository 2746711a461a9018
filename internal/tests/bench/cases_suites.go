package main

import (
	"hash/crc32"
	"math"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// suiteCases are kernels as other people's suites and examples have them.
func suiteCases(s scale) []*benchmark {
	return []*benchmark{
		softmaxCase(s), lbmCase(s), rk4Case(s), haarCase(s), cannyCase(s), resizeCase(s), crcCase(s), huffmanCase(s), sellCase(s), trianglesCase(s),
		knnCase(s), raytraceCase(s), bvhCase(s), queensCase(s), blakeCase(s), thomasCase(s), choleskyCase(s), skinningCase(s), waterman(s), lifeCase(s),
	}
}

func softmaxCase(s scale) *benchmark {
	rows, width := s.of(32768, 3), s.of(2048, 300)
	return &benchmark{
		name: "softmax", kernel: kernels.Softmax, cfg: grid(rows, 1, kernels.SoftmaxThreads, 1), unit: "GB/s", work: 8 * float64(rows*width) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, rows*width)
			return inputs{args: []any{width, upload(d, floats(rows*width, 1, -4, 4)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			sum := 0.0
			for c := range width {
				sum += math.Exp(uniform(i/width*width+c, 1, -4, 4))
			}
			return math.Exp(uniform(i, 1, -4, 4)) / sum * 1
		},
		tolerance: 1e-7, approximate: 1e-6, // of numbers of about 1e-3
	}
}

func lbmCase(s scale) *benchmark {
	w, h := s.of(2048, 70), s.of(2048, 13)
	const omega = 1.25
	solid := func(at int) bool { return kernels.Hash(at, 2)>>8%16 == 0 }
	return &benchmark{
		name: "lbm", kernel: kernels.LBM, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "GB/s", work: 73 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, 9*w*h)
			return inputs{args: []any{w, h, float32(omega), upload(d, filled(w*h, solid)), upload(d, floats(9*w*h, 1, 0.05, 0.15)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			k, at := e/(w*h), e%(w*h)
			x, y := at%w, at/w
			var f [9]float64
			for k := range f {
				sx, sy := (x-kernels.LBMX[k]+w)%w, (y-kernels.LBMY[k]+h)%h
				f[k] = uniform(k*w*h+sy*w+sx, 1, 0.05, 0.15)
			}
			if solid(at) {
				return f[kernels.LBMOpposite[k]]
			}
			var rho, ux, uy float64
			for k, v := range f {
				rho += v
				ux += v * float64(kernels.LBMX[k])
				uy += v * float64(kernels.LBMY[k])
			}
			ux, uy = ux/rho, uy/rho
			cu := float64(kernels.LBMX[k])*ux + float64(kernels.LBMY[k])*uy
			return f[k] + omega*(float64(kernels.LBMWeight[k])*rho*(1+3*cu+4.5*cu*cu-1.5*(ux*ux+uy*uy))-f[k])
		},
		tolerance: 1e-6,
	}
}

func rk4Case(s scale) *benchmark {
	n, steps := s.of(1<<18, 200), s.of(100, 10)
	const h = 0.005
	system := func(i int) kernels.Lorenz {
		return kernels.Lorenz{Sigma: uniform(i, 1, 9, 11), Rho: uniform(i, 2, 20, 30), Beta: 8. / 3}
	}
	state := func(i int) (v [3]float64) {
		for k := range v {
			v[k] = uniform(3*i+k, 3, 1, 5)
		}
		return v
	}
	return &benchmark{
		name: "rk4", kernel: kernels.RK4, cfg: launch.Linear(n, 128), unit: "Gstep/s", work: float64(n*steps) / 1e9,
		setup: func(d *device) inputs {
			states := changed(d, filled(n, state))
			return inputs{lens: []int{n}, args: []any{steps, h, upload(d, filled(n, system)), states}, results: []result{sampled[float64](states)}}
		},
		want: func(_, e int) float64 {
			v := state(e / 3)
			for range steps {
				v = kernels.Step(system(e/3).Slope, v, h)
			}
			return v[e%3]
		},
		tolerance: 1e-9,
	}
}

func haarCase(s scale) *benchmark {
	blocks := s.of(1<<16, 3)
	n := blocks * kernels.HaarLen
	return &benchmark{
		name: "haar", kernel: kernels.Haar, cfg: grid(blocks, 1, kernels.HaarThreads, 1), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{args: []any{upload(d, floats(n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			base, k := e/kernels.HaarLen*kernels.HaarLen, e%kernels.HaarLen
			v := make([]float64, kernels.HaarLen)
			for i := range v {
				v[i] = uniform(base+i, 1, 0, 1)
			}
			for half := kernels.HaarThreads; half > 0; half /= 2 {
				low, high := make([]float64, half), make([]float64, half)
				for i := range half {
					low[i], high[i] = (v[2*i]+v[2*i+1])/math.Sqrt2, (v[2*i]-v[2*i+1])/math.Sqrt2
				}
				copy(v, low)
				copy(v[half:], high)
			}
			return v[k]
		},
		tolerance: 1e-5,
	}
}

func cannyCase(s scale) *benchmark {
	w, h := s.of(8192, 50), s.of(4096, 37)
	const low, high = 150, 500
	pixel := func(x, y int) int { // smooth, with noise
		x, y = min(max(x, 0), w-1), min(max(y, 0), h-1)
		return int(kernels.Hash(x/5+y/7*w, 1)>>8%192 + kernels.Hash(y*w+x, 2)>>8%64)
	}
	grad := func(x, y int) (gx, gy int) {
		at := func(dx, dy int) int { return pixel(min(max(x, -1), w)+dx, min(max(y, -1), h)+dy) }
		gx = at(1, -1) + 2*at(1, 0) + at(1, 1) - at(-1, -1) - 2*at(-1, 0) - at(-1, 1)
		gy = at(-1, 1) + 2*at(0, 1) + at(1, 1) - at(-1, -1) - 2*at(0, -1) - at(1, -1)
		return gx, gy
	}
	abs := func(v int) int { return max(v, -v) }
	return &benchmark{
		name: "canny", kernel: kernels.Canny, cfg: grid((w+15)/16, (h+15)/16, 16, 16), unit: "GB/s", work: 2 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint8](d, w*h)
			in := upload(d, filled(w*h, func(i int) uint8 { return uint8(pixel(i%w, i/w)) }))
			return inputs{args: []any{w, h, int32(low), int32(high), in, out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			x, y := i%w, i/w
			size := func(x, y int) int {
				gx, gy := grad(x, y)
				return abs(gx) + abs(gy)
			}
			gx, gy := grad(x, y)
			dx, dy := 1, -1
			switch {
			case 2*abs(gy) < abs(gx):
				dx, dy = 1, 0
			case 2*abs(gx) < abs(gy):
				dx, dy = 0, 1
			case (gx > 0) == (gy > 0):
				dx, dy = 1, 1
			}
			m := size(x, y)
			switch {
			case m <= size(x-dx, y-dy) || m < size(x+dx, y+dy) || m < low:
				return 0
			case m < high:
				return 128
			}
			return 255
		},
	}
}

func resizeCase(s scale) *benchmark {
	sw, sh := s.of(6144, 30), s.of(4608, 24)
	dw, dh := sw*4/3, sh*4/3
	in := func(x, y, c int) float64 {
		x, y = min(max(x, 0), sw-1), min(max(y, 0), sh-1)
		return float64(byte(kernels.Hash((y*sw+x)*3+c, 1) >> 8))
	}
	return &benchmark{
		name: "resize", kernel: kernels.Resize, cfg: grid((dw+31)/32, (dh+7)/8, 32, 8), unit: "Gpixel/s", work: float64(dw*dh) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint8](d, dw*dh*3)
			return inputs{args: []any{sw, sh, dw, dh, float32(0.75), float32(0.75), upload(d, bytesOf(sw*sh*3, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 { // all of it exact
			x, y, c := e/3%dw, e/3/dw, e%3
			fx, fy := (float64(x)+0.5)*0.75-0.5, (float64(y)+0.5)*0.75-0.5
			x0, y0 := int(math.Floor(fx)), int(math.Floor(fy))
			ax, ay := fx-math.Floor(fx), fy-math.Floor(fy)
			row := func(y int) float64 { return in(x0, y, c)*(1-ax) + in(x0+1, y, c)*ax }
			return math.Floor(row(y0)*(1-ay) + row(y0+1)*ay + 0.5)
		},
	}
}

func crcCase(s scale) *benchmark {
	n, length := s.of(1<<18, 200), s.of(256, 40)
	return &benchmark{
		name: "crc32", kernel: kernels.CRC32, cfg: launch.Linear(n, 256), unit: "GB/s", work: float64(n*length) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, n)
			return inputs{lens: []int{n}, args: []any{length, upload(d, crc32.IEEETable[:]), upload(d, bytesOf(n*length, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			message := make([]byte, length)
			for k := range message {
				message[k] = byte(kernels.Hash(i*length+k, 1) >> 8)
			}
			return float64(crc32.ChecksumIEEE(message))
		},
	}
}

func huffmanCase(s scale) *benchmark {
	n, count := s.of(1<<17, 70), s.of(256, 40)
	// Code k is k ones and a zero; the last has none.
	value := func(k int) uint8 { return uint8(k*37 + 11) }
	code := func(e int) int {
		k := 0
		for v := kernels.Hash(e, 1) >> 3; v&1 != 0 && k < kernels.CodeBits; v >>= 1 {
			k++
		}
		return k
	}
	table := make([]kernels.Code, 1<<kernels.CodeBits)
	for i := range table {
		k := 0
		for k < kernels.CodeBits && i>>(kernels.CodeBits-1-k)&1 != 0 {
			k++
		}
		table[i] = kernels.Code{Symbol: value(k), Length: uint8(min(k+1, kernels.CodeBits))}
	}
	return &benchmark{
		name: "huffman", kernel: kernels.Huffman, cfg: launch.Linear(n, 128), unit: "Gsymbol/s", work: float64(n*count) / 1e9,
		setup: func(d *device) inputs {
			streams := filled(n, func(i int) (words []uint32) {
				at := 0
				for j := range count {
					k := code(i*count + j)
					for b := range min(k+1, kernels.CodeBits) {
						if at%32 == 0 {
							words = append(words, 0)
						}
						if b < k {
							words[at/32] |= 1 << (31 - at%32)
						}
						at++
					}
				}
				return words
			})
			starts := make([]int32, n)
			for i := 1; i < n; i++ {
				starts[i] = starts[i-1] + int32(len(streams[i-1]))
			}
			words := slices.Concat(streams...)
			out := alloc[uint8](d, n*count)
			return inputs{lens: []int{len(words), n}, args: []any{count, upload(d, table), upload(d, words), upload(d, starts), out}, results: each(out)}
		},
		want: func(_, e int) float64 { return float64(value(code(e))) },
	}
}

func sellCase(s scale) *benchmark {
	n := s.of(1<<20, 200)
	slices := (n + kernels.SellRows - 1) / kernels.SellRows
	starts := make([]int32, slices+1)
	for k := range slices {
		starts[k+1] = starts[k] + kernels.SellRows*(8+small32(k, 1, 17))
	}
	total := int(starts[slices])
	col := func(e int) int32 {
		if small32(e, 2, 8) == 0 {
			return -1
		}
		return small32(e, 3, uint32(n))
	}
	return &benchmark{
		name: "sell", kernel: kernels.Sell, cfg: launch.Linear(n, 256), unit: "GB/s", work: 12 * float64(total) / 1e9,
		setup: func(d *device) inputs {
			y := alloc[float64](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, starts), upload(d, filled(total, col)), upload(d, doubles(total, 4, -1, 1)), upload(d, doubles(n, 5, -1, 1)), y}, results: each(y)}
		},
		want: func(_, row int) (sum float64) {
			for e := int(starts[row/kernels.SellRows]) + row%kernels.SellRows; e < int(starts[row/kernels.SellRows+1]); e += kernels.SellRows {
				if c := col(e); c >= 0 {
					sum += uniform(e, 4, -1, 1) * uniform(int(c), 5, -1, 1)
				}
			}
			return sum
		},
		tolerance: 1e-12,
	}
}

func trianglesCase(s scale) *benchmark {
	n := s.of(1<<18, 100)
	list := func(u int) (to []int32) { // nodes behind u
		for v := u + 1; v < min(u+33, n); v++ {
			if kernels.Hash(u*64+v-u, 1)>>8%3 == 0 {
				to = append(to, int32(v))
			}
		}
		return to
	}
	common := func(u, v int) (c int) {
		other := list(v)
		for _, w := range list(u) {
			if slices.Contains(other, w) {
				c++
			}
		}
		return c
	}
	rows := make([]int32, n+1)
	var cols, from []int32
	fill := sync.OnceFunc(func() {
		for u := range n {
			for _, v := range list(u) {
				cols, from = append(cols, v), append(from, int32(u))
			}
			rows[u+1] = int32(len(cols))
		}
	})
	fill()
	all := sync.OnceValue(func() (sum int) {
		counts := filled(len(cols), func(e int) int { return common(int(from[e]), int(cols[e])) })
		for _, c := range counts {
			sum += c
		}
		return sum
	})
	return &benchmark{
		name: "triangles", kernel: kernels.Triangles, cfg: launch.Linear(len(cols), 256), unit: "Gedge/s", work: float64(len(cols)) / 1e9,
		setup: func(d *device) inputs {
			count, total := alloc[int32](d, len(cols)), alloc[uint32](d, 1)
			return inputs{lens: []int{len(cols)}, args: []any{upload(d, rows), upload(d, cols), upload(d, from), count, total},
				results: append(each(count), each(total)...)}
		},
		want: func(r, e int) float64 {
			if r == 1 {
				return float64(all())
			}
			return float64(common(int(from[e]), int(cols[e])))
		},
	}
}
