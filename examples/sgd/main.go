// Command sgd trains a small neural network on several devices, by stochastic gradient descent on parts of the
// samples: each device computes the gradient of its part, package ccl averages the gradients, and each device makes
// the same step. The result is that of one device.
//
// It saves a checkpoint every few steps. When a rank fails, the run ends with an error, and the next one goes on from the
// checkpoint: nothing is lost but the steps since.
//
//	go run ./examples/sgd -ranks 4 -checkpoint /tmp/sgd
//	mpirun -np 4 sgd -device cpu -checkpoint /tmp/sgd
//	go run ./examples/sgd -scaling
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
	"time"

	"heddle/ccl"
	"heddle/dsl"
	"heddle/examples/internal/ranks"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	hidden     = 12
	parameters = 4*hidden + 1 // two weights and a bias into each hidden unit, a weight out of it; the output's bias
	rate       = 0.4
	block      = 64
)

// A Sample is two inputs and the output.
type Sample struct{ A, B, Y float32 }

// Forward computes the outputs of the hidden units and the output's error, one thread for each sample.
func Forward(units, off, net []float32, data []Sample) {
	i := dsl.GlobalIdx().X
	if i >= len(data) {
		return
	}
	s := data[i]
	out := net[4*hidden]
	for j := range hidden {
		h := float32(math.Tanh(float64(net[4*j] + net[4*j+1]*s.A + net[4*j+2]*s.B)))
		units[j*len(data)+i] = h
		out += net[4*j+3] * h
	}
	off[i] = out - s.Y
}

// Gradient stores the gradient of the mean square error by each parameter, and behind them the error itself: a block of
// threads for each.
func Gradient(grad, units, off, net []float32, data []Sample) {
	sums := dsl.Shared[[block]float32]()
	p, t := dsl.BlockIdx().X, dsl.ThreadIdx().X
	j := min(p/4, hidden-1)
	sum := float32(0)
	for i := t; i < len(data); i += block {
		h, e := units[j*len(data)+i], off[i]
		inner := e * net[4*j+3] * (1 - h*h)
		switch {
		case p > 4*hidden:
			sum += e * e
		case p == 4*hidden:
			sum += e
		case p%4 == 0:
			sum += inner
		case p%4 == 1:
			sum += inner * data[i].A
		case p%4 == 2:
			sum += inner * data[i].B
		default:
			sum += e * h
		}
	}
	sums[t] = sum
	for half := block / 2; half > 0; half /= 2 {
		dsl.SyncThreads()
		if t < half {
			sums[t] += sums[t+half]
		}
	}
	if t == 0 {
		grad[p] = sums[0] / float32(len(data))
	}
}

// Descend changes the parameters against the gradient.
func Descend(net, grad []float32) {
	if j := dsl.GlobalIdx().X; j < len(net) {
		net[j] -= rate * grad[j]
	}
}

var (
	forward  = kernel.New(Forward)
	gradient = kernel.New(Gradient)
	descend  = kernel.New(Descend)
)

// sample is the i-th of the generated set.
func sample(i int) Sample {
	a, b := float32(i*37%1009)/504-1, float32(i*53%997)/498-1
	return Sample{a, b, float32(math.Sin(3*float64(a))) * b}
}

// start is the network before the first step.
func start() []float32 {
	net := make([]float32, parameters)
	for i := range net {
		net[i] = float32(i*29%31-15) / 15
	}
	return net
}

// A Job is what to do.
type Job struct {
	Samples, Steps int
	Checkpoint     string // a file, "" for none
	Every          int    // steps from one checkpoint to the next
	// Fail, if not nil, is asked before each step whether the rank is to fail.
	Fail func(rank, step int) error
}

// A Result is what the first rank has at the end.
type Result struct {
	Net     []float32
	Loss    float32
	Began   int // the step that the run began with
	Seconds float64
}

// A worker is a rank at work.
type worker struct {
	*Job
	comm                   *ccl.Comm
	s                      *launch.Stream
	data                   *launch.Buffer[Sample]
	net, grad, units, errs *launch.Buffer[float32]
}

// train trains on a rank.
func (job *Job) train(c *ccl.Comm) (r Result, err error) {
	dev := c.Device()
	from, to := job.Samples*c.Rank()/c.Size(), job.Samples*(c.Rank()+1)/c.Size()
	var mine []Sample
	for i := from; i < to; i++ {
		mine = append(mine, sample(i))
	}
	began, net, err := job.load(c)
	if err != nil {
		return r, err
	}
	w := worker{Job: job, comm: c}
	var e [6]error
	w.s, e[0] = dev.NewStream()
	w.data, e[1] = launch.Upload(dev, mine)
	w.net, e[2] = launch.Upload(dev, net)
	w.grad, e[3] = launch.Alloc[float32](dev, parameters+1)
	w.units, e[4] = launch.Alloc[float32](dev, hidden*len(mine))
	w.errs, e[5] = launch.Alloc[float32](dev, len(mine))
	if err := errors.Join(e[:]...); err != nil {
		return r, err
	}
	const warm = 3 // steps that are not measured
	begin := time.Now()
	for step := began; step < job.Steps; step++ {
		if step == began+warm {
			if err := w.s.Sync(); err != nil {
				return r, err
			}
			begin = time.Now()
		}
		if err := w.step(step); err != nil {
			return r, fmt.Errorf("step %d: %w", step, err)
		}
	}
	if err := w.s.Sync(); err != nil {
		return r, err
	}
	r.Seconds = time.Since(begin).Seconds() / float64(max(job.Steps-began-warm, 1))
	r.Began, r.Net = began, make([]float32, parameters)
	grad := make([]float32, parameters+1)
	err = errors.Join(w.net.Download(r.Net), w.grad.Download(grad))
	r.Loss = grad[parameters]
	return r, err
}

// step makes one step, and a checkpoint if it is time for one.
func (w *worker) step(step int) error {
	if w.Fail != nil {
		if err := w.Fail(w.comm.Rank(), step); err != nil {
			return err
		}
	}
	err := errors.Join(
		forward.Launch(w.s, launch.Linear(w.data.Len(), block), w.units, w.errs, w.net, w.data),
		gradient.Launch(w.s, launch.Linear((parameters+1)*block, block), w.grad, w.units, w.errs, w.net, w.data),
		ccl.AllReduce(w.comm, w.s, ccl.Avg, w.grad, w.grad),
		descend.Launch(w.s, launch.Linear(parameters, block), w.net, w.grad),
	)
	if err != nil || w.Checkpoint == "" || (step+1)%w.Every != 0 {
		return err
	}
	net := make([]float32, parameters)
	if err := w.net.Download(net); err != nil || w.comm.Rank() != 0 {
		return err
	}
	return save(w.Checkpoint, step+1, net)
}

// save writes a checkpoint, which is there as a whole or not at all.
func save(name string, step int, net []float32) error {
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	err = binary.Write(f, binary.LittleEndian, append([]float32{float32(step)}, net...))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// load is where to begin: rank 0 reads the checkpoint, if there is one, and the others get it.
func (job *Job) load(c *ccl.Comm) (step int, net []float32, err error) {
	state := append([]float32{0}, start()...)
	if job.Checkpoint != "" && c.Rank() == 0 {
		f, err := os.Open(job.Checkpoint)
		if err == nil {
			err = errors.Join(binary.Read(f, binary.LittleEndian, state), f.Close())
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err != nil {
			return 0, nil, fmt.Errorf("checkpoint %s: %w", job.Checkpoint, err)
		}
	}
	b, err := launch.Upload(c.Device(), state)
	if err != nil {
		return 0, nil, err
	}
	err = errors.Join(ccl.Broadcast(c, c.Device().Stream(), 0, b), b.Download(state), b.Close())
	return int(state[0]), state[1:], err
}

// Train trains on up to n ranks of the kind of a device.
func (job Job) Train(device string, n int) (result Result, err error) {
	err = ranks.Run(device, n, func(c *ccl.Comm) error {
		r, err := job.train(c)
		if c.Rank() == 0 {
			result = r
		}
		return err
	})
	return result, err
}

func run(w io.Writer, device string) error {
	job := Job{Samples: 120, Steps: 24}
	one, err := job.Train(device, 1)
	if err != nil {
		return err
	}
	for _, n := range []int{2, 4} {
		got, err := job.Train(device, n)
		if err != nil {
			return fmt.Errorf("%d ranks: %w", n, err)
		}
		if math.Abs(float64(got.Loss-one.Loss)) > 1e-5 {
			return fmt.Errorf("%d ranks: a loss of %g, one rank: %g", n, got.Loss, one.Loss)
		}
	}
	fmt.Fprintf(w, "%d steps: mean square error %.3f\n", job.Steps, one.Loss)
	return nil
}

func main() {
	device := flag.String("device", "", "device, as launch.Open takes it")
	n := flag.Int("ranks", 4, "ranks at most")
	samples := flag.Int("samples", 1<<14, "samples, of one rank for weak scaling")
	steps := flag.Int("steps", 200, "steps")
	file := flag.String("checkpoint", "", "file to go on from, and to save to")
	every := flag.Int("every", 50, "steps from one checkpoint to the next")
	scaling := flag.Bool("scaling", false, "print strong and weak scaling on 1, 2, 4 ranks and so on")
	flag.Parse()
	job := Job{Samples: *samples, Steps: *steps, Checkpoint: *file, Every: max(*every, 1)}
	if *scaling {
		err := ranks.Scaling(os.Stdout, *device, *n, *samples, "samples", func(n, samples int) (float64, error) {
			r, err := Job{Samples: samples, Steps: *steps}.Train(*device, n)
			return r.Seconds, err
		})
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	r, err := job.Train(*device, *n)
	if err != nil {
		log.Fatal(err)
	}
	if r.Net != nil { // rank 0 is here
		fmt.Printf("steps %d to %d: mean square error %.6f, %.1f us a step\n", r.Began, *steps, r.Loss, r.Seconds*1e6)
	}
}
