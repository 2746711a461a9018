package main

import (
	"math"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// weakClassifier compares a rectangle with parts of it that weigh as much as all of it.
func weakClassifier(i int) kernels.Weak {
	pick := func(k int, limit int) uint8 { return uint8(small32(8*i+k, 10, uint32(limit))) }
	w, h := 2*(1+pick(0, 8)), 3*(1+pick(1, 5))
	x, y := pick(2, kernels.DetectSize+1-int(w)), pick(3, kernels.DetectSize+1-int(h))
	vote := kernels.Uniform(i, 21, -1, 1)
	weak := kernels.Weak{Threshold: kernels.Uniform(i, 20, -0.02, 0.02), Below: -vote, Over: vote}
	weak.Rects[0] = kernels.HaarRect{X: x, Y: y, W: w, H: h, Weight: -1}
	switch pick(4, 3) {
	case 0:
		weak.Rects[1] = kernels.HaarRect{X: x, Y: y, W: w / 2, H: h, Weight: 2}
	case 1:
		weak.Rects[1] = kernels.HaarRect{X: x, Y: y + h/3, W: w, H: h / 3, Weight: 3}
	default:
		weak.Rects[1] = kernels.HaarRect{X: x, Y: y, W: w / 2, H: h / 3, Weight: 3}
		weak.Rects[2] = kernels.HaarRect{X: x + w/2, Y: y + h/3, W: w / 2, H: h / 3, Weight: 3}
	}
	return weak
}

// haarCascade is a detector; four of ten windows that come to a stage end there. votes are what
// weak classifiers say of a window of n.
func haarCascade(n int, votes func(weak []kernels.Weak, window int) float64) (c kernels.Cascade) {
	windows := filled(1000, func(k int) int { return k * 7919 % n })
	for stage := range 12 {
		first := len(c.Weak)
		for range 3 + 3*stage {
			c.Weak = append(c.Weak, weakClassifier(len(c.Weak)))
		}
		heard := filled(len(windows), func(k int) float64 { return votes(c.Weak[first:], windows[k]) })
		threshold := float32(slices.Sorted(slices.Values(heard))[len(heard)*4/10]) - 1e-3
		c.Stages = append(c.Stages, kernels.Stage{First: int32(first), End: int32(len(c.Weak)), Threshold: threshold})
		var left []int
		for k, v := range heard {
			if v >= float64(threshold) {
				left = append(left, windows[k])
			}
		}
		windows = left
	}
	return c
}

// integral has the sums of f above and to the left of each pixel, modulo 1<<32.
func integral(w, h int, f func(x, y int) uint32) []uint32 {
	sums := make([]uint32, (w+1)*(h+1))
	for y := range h {
		var row uint32
		for x := range w {
			row += f(x, y)
			sums[(y+1)*(w+1)+x+1] = sums[y*(w+1)+x+1] + row
		}
	}
	return sums
}

func detectCase(s scale) *benchmark {
	const size = kernels.DetectSize
	width, height := s.of(1280, 60), s.of(720, 47)
	w, h := width-size+1, height-size+1
	pixels := grey(width, height, func(x, y int) uint8 { return patches(x, y, 1, 30) })
	sum := func(x, y, w, h int, f func(v float64) float64) (total float64) {
		for j := y; j < y+h; j++ {
			for i := x; i < x+w; i++ {
				total += f(float64(pixels[j*width+i]))
			}
		}
		return total
	}
	self := func(v float64) float64 { return v }
	votes := func(all []kernels.Weak, window int) (total float64) {
		x, y := window%w, window/w
		mean := sum(x, y, size, size, self) / (size * size)
		variance := sum(x, y, size, size, func(v float64) float64 { return (v - mean) * (v - mean) }) / (size * size)
		deviation := math.Sqrt(max(variance, 1)) * size * size
		for _, weak := range all {
			var feature float64
			for _, r := range weak.Rects {
				feature += float64(r.Weight) * sum(x+int(r.X), y+int(r.Y), int(r.W), int(r.H), self)
			}
			if feature < float64(weak.Threshold)*deviation {
				total += float64(weak.Below)
			} else {
				total += float64(weak.Over)
			}
		}
		return total
	}
	cascade := haarCascade(w*h, votes)
	return &benchmark{
		name: "detect", kernel: kernels.Detect, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "Gwindow/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			sums := upload(d, integral(width, height, func(x, y int) uint32 { return uint32(pixels[y*width+x]) }))
			squares := upload(d, integral(width, height, func(x, y int) uint32 { v := uint32(pixels[y*width+x]); return v * v }))
			stages, weak, out := upload(d, cascade.Stages), upload(d, cascade.Weak), alloc[uint8](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Cascade{Stages: stages.Device(), Weak: weak.Device()}, kernels.Integral{Stride: width + 1, Data: sums.Device()},
					kernels.Integral{Stride: width + 1, Data: squares.Device()}, w, h, out},
				twin: []any{len(cascade.Stages), stages, weak, width + 1, sums, squares, w, h, out}, results: each(out),
			}
		},
		want: func(_, i int) float64 {
			for n, stage := range cascade.Stages {
				if votes(cascade.Weak[stage.First:stage.End], i) < float64(stage.Threshold) {
					return float64(n)
				}
			}
			return float64(len(cascade.Stages))
		},
		stray: 0.005, // that are at a threshold
	}
}

func distanceCase(s scale) *benchmark {
	w, h, depth := s.of(256, 37), s.of(256, 29), s.of(256, 5)
	n := w * h * depth
	rows := make([]float32, n)
	parallel(h*depth, func(r int) { // the distances along the rows, of which some are empty
		row := rows[r*w : (r+1)*w]
		for x := range row {
			row[x] = kernels.FarAway
		}
		for k := range int(small32(r, 1, 6)) {
			seed := int(small32(r*8+k, 2, uint32(w)))
			for x := range row {
				row[x] = min(row[x], float32((x-seed)*(x-seed)))
			}
		}
	})
	return &benchmark{
		name: "distance_pass", kernel: kernels.DistancePass, cfg: launch.Linear(w*depth, 128), unit: "Gvoxel/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			f, out, vertex, start := upload(d, rows), alloc[float32](d, n), alloc[int32](d, n), alloc[float32](d, n)
			if d.err != nil {
				return inputs{}
			}
			volume := func(data *launch.Buffer[float32]) kernels.Volume {
				return kernels.Volume{W: w, H: h, D: depth, Data: data.Device()}
			}
			return inputs{
				args: []any{volume(f), volume(out), kernels.Envelope{Vertex: vertex.Device(), Start: start.Device()}},
				twin: []any{w, h, depth, f, out, vertex, start}, results: each(out),
			}
		},
		want: func(_, i int) float64 {
			y, top := i/w%h, i/(w*h)*w*h+i%w
			least := math.Inf(1)
			for v := range h {
				least = min(least, float64(rows[top+v*w])+float64((y-v)*(y-v)))
			}
			return least
		},
		tolerance: 1e-7, // of what is far away
	}
}

// touches says whether a triangle and a voxel at p have a point in common (Akenine-Möller): no
// axis is between them.
func touches(triangle [3][3]float64, p [3]float64, unit float64) bool {
	apart := func(axis [3]float64) bool {
		lo, hi, reach := math.Inf(1), math.Inf(-1), 0.0
		for _, corner := range triangle {
			at := 0.0
			for k, v := range axis {
				at += v * (corner[k] - p[k] - unit/2)
			}
			lo, hi = min(lo, at), max(hi, at)
		}
		for _, v := range axis {
			reach += math.Abs(v) * unit / 2
		}
		return lo > reach || hi < -reach
	}
	across := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	var edges [3][3]float64
	for k := range 9 {
		edges[k/3][k%3] = triangle[(k/3+1)%3][k%3] - triangle[k/3][k%3]
	}
	if apart(across(edges[0], edges[1])) {
		return false
	}
	for k := range 3 {
		var axis [3]float64
		axis[k] = 1
		if apart(axis) || apart(across(axis, edges[0])) || apart(across(axis, edges[1])) || apart(across(axis, edges[2])) {
			return false
		}
	}
	return true
}

func voxelizeCase(s scale) *benchmark {
	n, around, across := s.of(512, 40), s.of(700, 22), s.of(430, 11)
	unit, count := 1/float32(n), 2*around*across
	// A torus with bumps.
	vertices := filled(around*across, func(i int) kernels.Vec {
		u, v := 2*math.Pi*float64(i/across)/float64(around), 2*math.Pi*float64(i%across)/float64(across)
		r := 0.12 + 0.03*math.Sin(5*u)*math.Sin(3*v) + uniform(i, 1, 0, 0.2)*float64(unit)
		out := 0.3 + r*math.Cos(v)
		return kernels.Vec{X: float32(0.5 + out*math.Cos(u)), Y: float32(0.5 + r*math.Sin(v)), Z: float32(0.5 + out*math.Sin(u))}
	})
	faces := filled(count, func(i int) [3]int32 {
		vertex := func(u, v int) int32 { return int32(u%around*across + v%across) }
		u, v := i/2/across, i/2%across
		if i%2 == 0 {
			return [3]int32{vertex(u, v), vertex(u+1, v), vertex(u, v+1)}
		}
		return [3]int32{vertex(u+1, v), vertex(u+1, v+1), vertex(u, v+1)}
	})
	words := sync.OnceValue(func() []uint32 {
		words := make([]uint32, n*n*n/32)
		for _, face := range faces {
			var triangle [3][3]float64
			lo, hi := [3]int{n, n, n}, [3]int{}
			for k, v := range face {
				p := vertices[v]
				for axis, at := range [3]float32{p.X, p.Y, p.Z} {
					triangle[k][axis] = float64(at)
					cell := min(max(int(math.Floor(float64(at)/float64(unit))), 0), n-1)
					lo[axis], hi[axis] = min(lo[axis], cell), max(hi[axis], cell)
				}
			}
			for z := lo[2]; z <= hi[2]; z++ {
				for y := lo[1]; y <= hi[1]; y++ {
					for x := lo[0]; x <= hi[0]; x++ {
						if touches(triangle, [3]float64{float64(x) * float64(unit), float64(y) * float64(unit), float64(z) * float64(unit)}, float64(unit)) {
							i := (z*n+y)*n + x
							words[i/32] |= 1 << (i % 32)
						}
					}
				}
			}
		}
		return words
	})
	return &benchmark{
		name: "voxelize", kernel: kernels.Voxelize, cfg: launch.Linear(count, 256), unit: "Gtriangle/s", work: float64(count) / 1e9,
		setup: func(d *device) inputs {
			v, f, out := upload(d, vertices), upload(d, faces), alloc[uint32](d, n*n*n/32)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Surface{Vertices: v.Device(), Faces: f.Device()}, kernels.Voxels{N: n, Unit: unit, Bits: out.Device()}},
				twin: []any{v, count, f, n, unit, out}, results: each(out),
			}
		},
		want:  func(_, i int) float64 { return float64(words()[i]) },
		stray: 0.01, // where a triangle only just meets a voxel
	}
}
