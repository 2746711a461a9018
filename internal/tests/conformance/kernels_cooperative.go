package conformance

import (
	"errors"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Cooperative launches, whose blocks wait for each other.

// gridBarrier waits for all blocks of the grid, which have come to it turn times.
func gridBarrier(count []uint32, turn int) {
	dsl.SyncThreads()
	if dsl.ThreadIdx().X == 0 {
		dsl.ThreadFence()
		dsl.AtomicAdd(&count[0], 1)
		for dsl.AtomicAdd(&count[0], 0) < uint32(turn*dsl.GridDim().X) {
		}
		dsl.ThreadFence()
	}
	dsl.SyncThreads()
}

// rotate has each block hand its numbers to the next, steps times.
func rotate(x, y []int32, count []uint32, steps int, by struct {
	A int8
	C complex64
}, ok bool) {
	n, i, from := dsl.BlockDim().X, dsl.GlobalIdx().X, (dsl.BlockIdx().X+1)%dsl.GridDim().X
	add := int32(real(by.C)) + int32(by.A)
	if !ok {
		return
	}
	for s := range steps {
		y[i] = x[from*n+dsl.ThreadIdx().X] + add
		gridBarrier(count, 2*s+1)
		x[i] = y[i]
		gridBarrier(count, 2*s+2)
	}
}

// rotateComplex is rotate with a parameter that is two on a device.
func rotateComplex(x, y []int32, c complex128, count []uint32) {
	n, i, from := dsl.BlockDim().X, dsl.GlobalIdx().X, (dsl.BlockIdx().X+1)%dsl.GridDim().X
	y[i] = x[from*n+dsl.ThreadIdx().X] + int32(imag(c))
	gridBarrier(count, 1)
	x[i] = y[i] + int32(real(c))
}

// A rotation is many parameters on a device, and has padding at its end.
type rotation struct {
	X, Y  []int32
	Count []uint32
	By    int32
}

// rotateParts is rotate with such a parameter, and one that lies behind its padding.
func rotateParts(r rotation, more int32) {
	n, i, from := dsl.BlockDim().X, dsl.GlobalIdx().X, (dsl.BlockIdx().X+1)%dsl.GridDim().X
	r.Y[i] = r.X[from*n+dsl.ThreadIdx().X] + r.By
	gridBarrier(r.Count, 1)
	r.X[i] = r.Y[i] + more
}

func cooperativeCases() []Case {
	k, kc, kp := kernel.New(rotate), kernel.New(rotateComplex), kernel.New(rotateParts)
	return []Case{{"launch/cooperative", "cooperative launch", []*kernel.Kernel{k, kc, kp}, func(t *T) {
		const steps, threads = 3, 48
		limit, err := k.Resident(t.Dev, launch.Config{Block: launch.Dim3{X: threads}})
		t.must(err)
		if limit < 4 {
			t.Fatalf("%d blocks are resident", limit)
		}
		blocks := min(limit, 24)
		cfg := launch.Config{Grid: launch.Dim3{X: blocks}, Block: launch.Dim3{X: threads}, Cooperative: true}
		in := filled(blocks*threads, func(i int) int32 { return int32(i) })
		x, y, count := upload(t, in), alloc[int32](t, len(in)), alloc[uint32](t, 1)
		by := struct {
			A int8
			C complex64
		}{2, 5}
		t.run(k, cfg, x, y, count, steps, by, true)
		same(t, download(t, x), filled(len(in), func(i int) int32 { return in[(i+steps*threads)%len(in)] + 7*steps }))

		x, count = upload(t, in), alloc[uint32](t, 1)
		t.run(kc, cfg, x, y, complex(10, 100), count)
		same(t, download(t, x), filled(len(in), func(i int) int32 { return in[(i+threads)%len(in)] + 110 }))

		x, count = upload(t, in), alloc[uint32](t, 1)
		t.run(kp, cfg, rotation{x.Device(), y.Device(), count.Device(), 100}, int32(10))
		same(t, download(t, x), filled(len(in), func(i int) int32 { return in[(i+threads)%len(in)] + 110 }))

		cfg.Grid.X = limit + 1
		var many *launch.TooManyBlocks
		if err := k.Launch(t.Dev.Stream(), cfg, x, y, count, steps, by, true); !errors.As(err, &many) || many.Limit != limit || many.Blocks != limit+1 {
			t.Errorf("a grid of %d blocks: %v", cfg.Grid.X, err)
		}
	}}}
}
