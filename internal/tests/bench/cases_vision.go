package main

import (
	"math"
	"math/bits"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// visionCases are kernels of computer vision.
func visionCases(s scale) []*benchmark {
	return []*benchmark{
		meanShiftCase(s), demosaicCase(s), undistortCase(s), censusCase(s), labelCase(s), detectCase(s), distanceCase(s), voxelizeCase(s),
	}
}

// patches are brightnesses of a picture of rectangles, with noise.
func patches(x, y int, seed uint32, noise int) uint8 {
	level := int(kernels.Hash(x/23+y/17*1000, seed)>>8%160) + 40
	return uint8(level + int(kernels.Hash(x+y*10_000, seed+1)>>8)%(2*noise+1) - noise)
}

// grey is a picture of w by h.
func grey(w, h int, at func(x, y int) uint8) []uint8 {
	return filled(w*h, func(i int) uint8 { return at(i%w, i/w) })
}

func meanShiftCase(s scale) *benchmark {
	w, h := s.of(640, 45), s.of(480, 37)
	const reach, colors, steps = 6, 40, 8
	const side = 2*reach + 1
	photo := filled(w*h, func(i int) kernels.Pixel {
		x, y := i%w, i/w
		return kernels.Pixel{R: patches(x, y, 1, 20), G: patches(x, y, 3, 20), B: patches(x, y, 5, 20), A: uint8(i)}
	})
	return &benchmark{
		name: "mean_shift", kernel: kernels.MeanShift, cfg: grid((w+15)/16, (h+15)/16, 16, 16), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			src, dst := upload(d, photo), alloc[kernels.Pixel](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Photo{W: w, H: h, Pixels: src.Device()}, kernels.Photo{W: w, H: h, Pixels: dst.Device()}, reach, colors, steps},
				twin: []any{w, h, src, dst, reach, colors, steps}, results: []result{sampled[uint8](dst)},
			}
		},
		want: func(_, e int) float64 {
			i := e / 4
			own := photo[i]
			at := [5]int{i % w, i / w, int(own.R), int(own.G), int(own.B)} // x, y and the colors
			for range steps {
				var sum [5]int
				n := 0
				for k := range side * side {
					u, v := at[0]+k%side-reach, at[1]+k/side-reach
					if u < 0 || u >= w || v < 0 || v >= h {
						continue
					}
					p := photo[v*w+u]
					q := [5]int{u, v, int(p.R), int(p.G), int(p.B)}
					if far := func(axis int) int { d := q[axis] - at[axis]; return d * d }; far(2)+far(3)+far(4) > colors*colors {
						continue
					}
					for axis := range sum {
						sum[axis] += q[axis]
					}
					n++
				}
				if n == 0 {
					break
				}
				moved := 0
				for axis, from := range at {
					at[axis] = sum[axis] / n
					step := at[axis] - from
					if axis >= 2 {
						step *= step
					}
					moved += max(step, -step)
				}
				if moved <= 1 {
					break
				}
			}
			return float64([4]int{at[2], at[3], at[4], int(own.A)}[e%4])
		},
	}
}

func demosaicCase(s scale) *benchmark {
	w, h := s.of(6000, 77), s.of(4000, 45)
	at := func(x, y int) uint8 { return patches(x, y, uint32(1+2*(x%2+y%2)), 30) } // a color has its picture
	return &benchmark{
		name: "demosaic", kernel: kernels.Demosaic, cfg: grid((w+31)/32, (h+7)/8, kernels.BayerW, kernels.BayerH), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			raw, out := upload(d, grey(w, h, at)), alloc[kernels.Pixel](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Grey{Pix: raw.Device(), W: w, H: h}, kernels.Photo{W: w, H: h, Pixels: out.Device()}},
				twin: []any{raw, w, h, out}, results: []result{sampled[uint8](out)},
			}
		},
		want: func(_, e int) float64 {
			x, y, color := e/4%w, e/4/w, e%4
			site := x%2 + y%2 // how blue the sensor is there
			if color == 3 {
				return 255
			}
			if color == site {
				return float64(at(x, y))
			}
			// The filters of their paper, in sixteenths: the pixel, those beside it and above it,
			// corners, and two beside and above.
			var weights [6]int
			switch {
			case color == 1:
				weights = [6]int{8, 4, 4, 0, -2, -2}
			case site != 1:
				weights = [6]int{12, 0, 0, 4, -3, -3}
			case color == 2*(y%2): // of this row
				weights = [6]int{10, 8, 0, -2, -2, 1}
			default:
				weights = [6]int{10, 0, 8, -2, 1, -2}
			}
			total := 0
			for dy := -2; dy <= 2; dy++ {
				for dx := -2; dx <= 2; dx++ {
					kind, ok := map[[2]int]int{{0, 0}: 0, {1, 0}: 1, {0, 1}: 2, {1, 1}: 3, {4, 0}: 4, {0, 4}: 5}[[2]int{dx * dx, dy * dy}]
					if ok {
						total += weights[kind] * int(at(reflected(x+dx, w), reflected(y+dy, h)))
					}
				}
			}
			return float64(min(max((total+8)>>4, 0), 255))
		},
	}
}

// reflected is an index that is reflected at the ends of n.
func reflected(i, n int) int { return n - 1 - max(n-1-max(i, -i), i-n+1) }

func undistortCase(s scale) *benchmark {
	w, h := s.of(3840, 80), s.of(2160, 45)
	size := float32(w)
	lens := kernels.Lens{
		FX: 0.52 * size, FY: 0.53 * size, CX: 0.49 * size, CY: 0.28 * size,
		Radial: [3]float32{-0.28, 0.09, -0.012}, Tangential: [2]float32{0.0007, -0.0011},
	}
	to := kernels.Lens{FX: 0.36 * size, FY: 0.36 * size, CX: 0.5 * size, CY: 0.28 * size}
	fill := kernels.RGB{R: 90, G: 120, B: 150}
	border := kernels.BorderFill
	smooth := func(x, y, k int) float64 {
		a, b := float64(x)/float64(7+k), float64(y)/float64(9-k)
		return math.Round(150 + 60*math.Sin(a)*math.Cos(b) + 30*math.Sin(a*0.37+b*0.21))
	}
	return &benchmark{
		name: "undistort", kernel: kernels.Undistort, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			src := upload(d, filled(w*h, func(i int) kernels.RGB {
				x, y := i%w, i/w
				return kernels.RGB{R: uint8(smooth(x, y, 0)), G: uint8(smooth(x, y, 1)), B: uint8(smooth(x, y, 2))}
			}))
			dst := alloc[kernels.RGB](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{lens, to, kernels.Frame{W: w, H: h, Pixels: src.Device()}, kernels.Frame{W: w, H: h, Pixels: dst.Device()}, border, fill},
				twin: []any{lens, to, w, h, src, w, h, dst, int32(border), fill}, results: []result{sampled[uint8](dst)},
			}
		},
		want: func(_, e int) float64 {
			k := e % 3
			x, y := (float64(e/3%w)-float64(to.CX))/float64(to.FX), (float64(e/3/w)-float64(to.CY))/float64(to.FY)
			r, f := x*x+y*y, lens.Radial
			scale := 1 + float64(f[0])*r + float64(f[1])*r*r + float64(f[2])*r*r*r
			p, q := float64(lens.Tangential[0]), float64(lens.Tangential[1])
			u := float64(lens.FX)*(x*scale+2*p*x*y+q*(3*x*x+y*y)) + float64(lens.CX)
			v := float64(lens.FY)*(y*scale+2*q*x*y+p*(x*x+3*y*y)) + float64(lens.CY)
			var sum float64
			for corner := range 4 {
				i, j := int(math.Floor(u))+corner%2, int(math.Floor(v))+corner/2
				weight := (1 - math.Abs(u-float64(i))) * (1 - math.Abs(v-float64(j)))
				if i < 0 || i >= w || j < 0 || j >= h {
					sum += weight * float64([3]uint8{fill.R, fill.G, fill.B}[k])
				} else {
					sum += weight * smooth(i, j, k)
				}
			}
			return math.Floor(sum + 0.5)
		},
		tolerance: 1. / 60, // a level, where the image is darkest
	}
}

func censusCase(s scale) *benchmark {
	w, h := s.of(1920, 150), s.of(1080, 7)
	left := func(x, y int) uint8 { return patches(x, y, 1, 25) }
	right := func(x, y int) uint8 {
		far := 3 + int(small32(x/90+y/60*100, 3, 50))
		return left(min(x+far, w-1), y) + uint8(small32(x+y*w, 4, 5))
	}
	signature := func(image func(x, y int) uint8, x, y int) (signature uint64) {
		clamped := func(x, y int) uint8 { return image(min(max(x, 0), w-1), min(max(y, 0), h-1)) }
		for k := range 63 {
			if k != 31 {
				signature *= 2
				if clamped(x+k%9-4, y+k/9-3) < clamped(x, y) {
					signature++
				}
			}
		}
		return signature
	}
	return &benchmark{
		name: "census_match", kernel: kernels.CensusMatch, cfg: grid((w+127)/128, h, kernels.CensusThreads, 1), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			l, r, out := upload(d, grey(w, h, left)), upload(d, grey(w, h, right)), alloc[float32](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Grey{Pix: l.Device(), W: w, H: h}, kernels.Grey{Pix: r.Device(), W: w, H: h}, out},
				twin: []any{l, r, w, h, out}, results: each(out),
			}
		},
		want: func(_, i int) float64 {
			x, y := i%w, i/w
			own := signature(left, x, y)
			costs := make([]float64, min(kernels.Disparities, x+1))
			best := 0
			for d := range costs {
				costs[d] = float64(bits.OnesCount64(own ^ signature(right, x-d, y)))
				if costs[d] < costs[best] {
					best = d
				}
			}
			for d, c := range costs {
				if (d < best-1 || d > best+1) && c <= 1.1*costs[best] {
					return -1
				}
			}
			if best == 0 || best == len(costs)-1 {
				return float64(best)
			}
			a, b, c := costs[best-1], costs[best], costs[best+1]
			if a+c == 2*b {
				return float64(best)
			}
			return float64(best) + (a-c)/(a+c-2*b)/2
		},
		tolerance: 1e-6,
	}
}

func labelCase(s scale) *benchmark {
	const tw, th = kernels.LabelW, kernels.LabelH
	w, h := s.of(3072, 75), s.of(2048, 45)
	mask := grey(w, h, func(x, y int) uint8 {
		block := kernels.Hash(x/5+y/3*1000, 1) >> 8 & 1
		if small32(x+y*w, 2, 8) == 0 {
			block ^= 1
		}
		return uint8(block * 255)
	})
	return &benchmark{
		name: "label_tiles", kernel: kernels.LabelTiles, cfg: launch.Config{
			Grid: launch.Dim3{X: (w + tw - 1) / tw, Y: (h + th - 1) / th}, Block: launch.Dim3{X: tw, Y: th},
		}, unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			in, out := upload(d, mask), alloc[int32](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.Grey{Pix: in.Device(), W: w, H: h}, out}, twin: []any{in, w, h, out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			if mask[i] == 0 {
				return -1
			}
			x0, y0 := i%w/tw*tw, i/w/th*th
			seen := map[int]bool{i: true}
			least := i
			for todo := []int{i}; len(todo) > 0; todo = todo[1:] {
				at := todo[0]
				least = min(least, at)
				for k := range 9 {
					x, y := at%w+k%3-1, at/w+k/3-1
					if x < x0 || x >= min(x0+tw, w) || y < y0 || y >= min(y0+th, h) || mask[y*w+x] == 0 || seen[y*w+x] {
						continue
					}
					seen[y*w+x] = true
					todo = append(todo, y*w+x)
				}
			}
			return float64(least)
		},
	}
}
