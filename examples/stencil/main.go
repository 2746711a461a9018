// Command stencil solves the heat equation in three dimensions on several devices. Package ccl/halo divides the grid,
// and exchanges the cells at the borders while the others are computed. The result is that of one device, bit by bit.
//
// It saves a checkpoint every few steps, one file for each rank. When a rank fails, the run ends with an error, and
// the next one goes on from the latest step that all ranks have saved.
//
//	go run ./examples/stencil -ranks 4 -cells 64 -checkpoint /tmp/heat
//	mpirun -np 4 stencil -device cpu -checkpoint /tmp/heat
//	go run ./examples/stencil -scaling
package main

import (
	"embed"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"path/filepath"
	"time"

	"heddle/ccl"
	"heddle/ccl/halo"
	"heddle/dsl"
	"heddle/examples/internal/ranks"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Heat moves each cell of a box towards the mean of its neighbours.
func Heat(dst, src []float32, from, size [3]int, row, plane int) {
	t := dsl.GlobalIdx()
	if t.X >= size[0] || t.Y >= size[1] || t.Z >= size[2] {
		return
	}
	i := (from[2]+t.Z)*plane + (from[1]+t.Y)*row + from[0] + t.X
	mean := (src[i-1] + src[i+1] + src[i-row] + src[i+row] + src[i-plane] + src[i+plane]) / 6
	dst[i] = src[i] + 0.8*(mean-src[i])
}

var heat = kernel.New(Heat)

// A Job is what to do.
type Job struct {
	Cells      [3]int
	Steps      int
	Checkpoint string // the start of file names, "" for none
	Every      int    // steps from one checkpoint to the next
	// Fail, if not nil, is asked before each step whether the rank is to fail.
	Fail func(rank, step int) error
}

// A Result is what became of it.
type Result struct {
	Sum     float64 // of all cells
	Hash    uint64  // of all cells' bits
	Began   int     // the step that the run began with
	Seconds float64 // of a step
}

// start is the temperature of a cell at the beginning; outside the grid it is 0, and stays.
func (job *Job) start(x, y, z int) float32 {
	if n := job.Cells; x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2] {
		return 0
	}
	return float32((x*31+y*17+z*7)%23) / 23
}

// solve makes the steps on a rank.
func (job *Job) solve(c *ccl.Comm) (r Result, err error) {
	g, err := halo.New[float32](c, halo.Options{Cells: job.Cells})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	s, err := c.Device().NewStream()
	if err != nil {
		return r, err
	}
	if r.Began, err = job.load(c, g); err != nil {
		return r, err
	}
	row, plane := g.Pitch()
	compute := func(s *launch.Stream, b halo.Box) error {
		return heat.Launch(s, b.Config(32, 4, 2), g.Back(), g.Front(), b.From, b.Size, row, plane)
	}
	const warm = 3 // steps that are not measured
	begin := time.Now()
	for step := r.Began; step < job.Steps; step++ {
		if step == r.Began+warm {
			if err := s.Sync(); err != nil {
				return r, err
			}
			begin = time.Now()
		}
		if job.Fail != nil {
			if err := job.Fail(c.Rank(), step); err != nil {
				return r, err
			}
		}
		if err := g.Step(s, compute); err != nil {
			return r, fmt.Errorf("step %d: %w", step, err)
		}
		if job.Checkpoint != "" && (step+1)%job.Every == 0 {
			if err := job.save(c, g, step+1); err != nil {
				return r, err
			}
		}
	}
	if err := s.Sync(); err != nil {
		return r, err
	}
	r.Seconds = time.Since(begin).Seconds() / float64(max(job.Steps-r.Began-warm, 1))
	return r, job.sum(c, g, &r)
}

// sum adds up the cells of all ranks.
func (job *Job) sum(c *ccl.Comm, g *halo.Grid[float32], r *Result) error {
	cells, err := g.Cells()
	if err != nil {
		return err
	}
	var sum float64
	var hash uint64
	at, size := g.Origin(), g.Inside().Size
	for i, v := range cells {
		sum += float64(v)
		x, y, z := at[0]+i%size[0], at[1]+i/size[0]%size[1], at[2]+i/size[0]/size[1]
		place := uint64((z*job.Cells[1]+y)*job.Cells[0] + x)
		hash += (uint64(math.Float32bits(v)) ^ place<<32) * 0x9e3779b97f4a7c15 // in any order
	}
	sums, err1 := launch.Upload(c.Device(), []float64{sum})
	hashes, err2 := launch.Upload(c.Device(), []uint64{hash})
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	s, one, all := c.Device().Stream(), make([]float64, 1), make([]uint64, 1)
	err = errors.Join(ccl.AllReduce(c, s, ccl.Sum, sums, sums), ccl.AllReduce(c, s, ccl.Sum, hashes, hashes), sums.Download(one), hashes.Download(all))
	r.Sum, r.Hash = one[0], all[0]
	return err
}

// file is a rank's checkpoint of a step. Two are kept: when a rank fails between its own and another's, there is an older one.
func (job *Job) file(c *ccl.Comm, step int) string {
	return fmt.Sprintf("%s.%d-of-%d.%d", job.Checkpoint, c.Rank(), c.Size(), step/job.Every%2)
}

// A header begins a checkpoint.
type header struct {
	Step  int64
	Cells [3]int64
}

func (job *Job) header(step int) header {
	n := job.Cells
	return header{int64(step), [3]int64{int64(n[0]), int64(n[1]), int64(n[2])}}
}

// save writes a rank's cells, which are there as a whole or not at all.
func (job *Job) save(c *ccl.Comm, g *halo.Grid[float32], step int) error {
	cells, err := g.Cells()
	if err != nil {
		return err
	}
	name := job.file(c, step)
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name))
	if err != nil {
		return err
	}
	err = errors.Join(binary.Write(f, binary.LittleEndian, job.header(step)), binary.Write(f, binary.LittleEndian, cells))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), name)
}

// load fills the grid from the latest checkpoint that all ranks have, and returns its step; without one it begins.
func (job *Job) load(c *ccl.Comm, g *halo.Grid[float32]) (step int, err error) {
	saved := map[int64][]float32{0: nil}
	latest := int64(0)
	for i := 0; job.Checkpoint != "" && i < 2; i++ {
		f, err := os.Open(job.file(c, i*job.Every))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var head header
		cells := make([]float32, g.Inside().Cells())
		if err == nil {
			err = errors.Join(binary.Read(f, binary.LittleEndian, &head), binary.Read(f, binary.LittleEndian, cells), f.Close())
		}
		if err == nil && head != job.header(int(head.Step)) {
			err = fmt.Errorf("it is of %v cells", head.Cells)
		}
		if err != nil {
			return 0, fmt.Errorf("checkpoint %s: %w", job.file(c, i*job.Every), err)
		}
		saved[head.Step] = cells
		latest = max(latest, head.Step)
	}
	b, err := launch.Upload(c.Device(), []int64{latest})
	if err != nil {
		return 0, err
	}
	common := make([]int64, 1)
	if err := errors.Join(ccl.AllReduce(c, c.Device().Stream(), ccl.Min, b, b), b.Download(common), b.Close()); err != nil {
		return 0, err
	}
	cells, ok := saved[common[0]]
	if !ok {
		return 0, fmt.Errorf("rank %d has no checkpoint of step %d, and another rank no later one", c.Rank(), common[0])
	}
	at, size := g.Origin(), g.Inside().Size
	return int(common[0]), g.Load(func(x, y, z int) float32 {
		i, j, k := x-at[0], y-at[1], z-at[2]
		if cells == nil || i < 0 || j < 0 || k < 0 || i >= size[0] || j >= size[1] || k >= size[2] {
			return job.start(x, y, z)
		}
		return cells[(k*size[1]+j)*size[0]+i]
	})
}

// Solve solves on up to n ranks of the kind of a device.
func (job Job) Solve(device string, n int) (result Result, err error) {
	err = ranks.Run(device, n, func(c *ccl.Comm) error {
		r, err := job.solve(c)
		if c.Rank() == 0 {
			result = r
		}
		return err
	})
	return result, err
}

func run(w io.Writer, device string) error {
	job := Job{Cells: [3]int{20, 12, 10}, Steps: 6}
	one, err := job.Solve(device, 1)
	if err != nil {
		return err
	}
	for _, n := range []int{2, 4} {
		got, err := job.Solve(device, n)
		if err != nil {
			return fmt.Errorf("%d ranks: %w", n, err)
		}
		if got.Hash != one.Hash {
			return fmt.Errorf("%d ranks: a sum of %g, one rank: %g", n, got.Sum, one.Sum)
		}
	}
	fmt.Fprintf(w, "%d steps of %v cells: a sum of %.1f\n", job.Steps, job.Cells, one.Sum)
	return nil
}

func main() {
	device := flag.String("device", "", "device, as launch.Open takes it")
	n := flag.Int("ranks", 4, "ranks at most")
	cells := flag.Int("cells", 96, "cells along each axis, of one rank for weak scaling")
	steps := flag.Int("steps", 100, "steps")
	file := flag.String("checkpoint", "", "files to go on from, and to save to")
	every := flag.Int("every", 50, "steps from one checkpoint to the next")
	scaling := flag.Bool("scaling", false, "print strong and weak scaling on 1, 2, 4 ranks and so on")
	flag.Parse()
	job := Job{Cells: [3]int{*cells, *cells, *cells}, Steps: *steps, Checkpoint: *file, Every: max(*every, 1)}
	if *scaling {
		err := ranks.Scaling(os.Stdout, *device, *n, *cells, "planes", func(n, planes int) (float64, error) {
			r, err := Job{Cells: [3]int{*cells, *cells, planes}, Steps: *steps}.Solve(*device, n)
			return r.Seconds, err
		})
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	r, err := job.Solve(*device, *n)
	if err != nil {
		log.Fatal(err)
	}
	if r.Hash != 0 { // rank 0 is here
		fmt.Printf("steps %d to %d: a sum of %.3f, %.1f us a step\n", r.Began, *steps, r.Sum, r.Seconds*1e6)
	}
}
