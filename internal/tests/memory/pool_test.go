package memory

import (
	"errors"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

var add = kernel.New(func(to, from []int32, k int32) {
	if i := dsl.GlobalIdx().X; i < len(to) {
		to[i] += from[i] + k
	}
})

// Memory that a stream gives back serves its later work at once, in order.
func TestPoolOrder(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		const n, rounds = 10000, 20
		s := must(dev.NewStream())(t)
		defer s.Close()
		pool := must(dev.NewPool(launch.PoolOptions{ReleaseThreshold: 1 << 30}))(t)
		sum := must(launch.AllocFrom[int32](pool, s, n))(t)
		for k := range rounds {
			part := must(launch.AllocFrom[int32](pool, s, n))(t)
			if part.Kind() != launch.PoolMemory {
				t.Fatal(part.Kind())
			}
			ok(t, add.Launch(s, launch.Linear(n, 256), part, part, int32(k+1))) // new memory is zero
			ok(t, add.Launch(s, launch.Linear(n, 256), sum, part, int32(0)))
			ok(t, part.CloseAsync(s))
			ok(t, part.CloseAsync(s))
			fails(t, part.Clear(s), "is closed")
		}
		got := make([]int32, n)
		ok(t, sum.Download(got))
		want := make([]int32, n)
		for i := range want {
			want[i] = rounds * (rounds + 1) / 2
		}
		equal(t, "sum", got, want)
		st := must(pool.Stats())(t)
		t.Logf("%+v", st)
		if st.Used < 4*n || st.UsedHigh < 8*n || st.Used >= st.UsedHigh || st.Reserved < st.UsedHigh {
			t.Errorf("%+v", st)
		}
		if st.UsedHigh > 16*n {
			t.Errorf("%d bytes in use at once: nothing was used again", st.UsedHigh)
		}
		ok(t, sum.CloseAsync(s))
		ok(t, s.Sync())
		if st = must(pool.Stats())(t); st.Used != 0 || st.Reserved == 0 {
			t.Errorf("%+v after all was closed", st)
		}
		ok(t, pool.Trim(0))
		if st = must(pool.Stats())(t); st.Reserved != 0 {
			t.Errorf("%+v after Trim", st)
		}
		ok(t, pool.Close())
		ok(t, pool.Close())
		fails(t, pool.Trim(0), "the pool of "+dev.Name()+" is closed")
	})
}

// A Buffer that other streams use goes back behind their work.
func TestPoolStreams(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		const n = 100000
		a, b := must(dev.NewStream())(t), must(dev.NewStream())(t)
		defer a.Close()
		defer b.Close()
		sum := must(launch.Alloc[int32](dev, n))(t)
		defer sum.Close()
		for k := range int32(10) {
			v := must(launch.AllocAsync[int32](a, n))(t)
			ok(t, v.Fill(a, k))
			e := must(a.Record())(t)
			ok(t, b.Wait(e))
			ok(t, e.Close())
			ok(t, add.Launch(b, launch.Linear(n, 256), sum, v, int32(0)))
			ok(t, v.CloseAsync(a)) // b may not have come to it
		}
		got, want := make([]int32, n), make([]int32, n)
		for i := range want {
			want[i] = 45
		}
		ok(t, sum.Download(got))
		equal(t, "sum", got, want)
		last := must(launch.AllocAsync[int32](a, n))(t)
		ok(t, last.Close()) // without an order: when the work has ended
		ok(t, dev.Sync())
		pool := must(dev.Pool())(t)
		if st := must(pool.Stats())(t); st.Used != 0 {
			t.Errorf("%+v", st)
		}
		ok(t, pool.Close()) // of the default pool it does nothing
		ok(t, pool.SetReleaseThreshold(0))
	})
}

// What is not cleared is stored before it is loaded; pointers are nil in any case.
func TestUncleared(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		const n = 5000
		s := dev.Stream()
		for k := range int32(5) {
			v := must(launch.AllocUncleared[int32](s, n))(t)
			ok(t, v.Fill(s, k+7))
			got, want := make([]int32, n), make([]int32, n)
			for i := range want {
				want[i] = k + 7
			}
			ok(t, v.Download(got))
			equal(t, "stored", got, want)
			ok(t, v.CloseAsync(s))
			parts := must(launch.AllocUncleared[[]int32](s, n/8))(t)
			views := make([][]int32, n/8)
			ok(t, parts.Download(views))
			for i, p := range views {
				if p != nil {
					t.Fatalf("slice %d is %p", i, p)
				}
			}
			ok(t, parts.CloseAsync(s))
		}
	})
}

func TestPoolLimit(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		pool := must(dev.NewPool(launch.PoolOptions{Limit: 1000}))(t)
		a := must(launch.AllocFrom[byte](pool, s, 600))(t)
		_, err := launch.AllocFrom[int32](pool, s, 101)
		var full *launch.PoolExhausted
		if !errors.As(err, &full) || full.Want != 404 || full.Used != 600 || full.Limit != 1000 || full.Device != dev.Name() {
			t.Errorf("got %v", err)
		}
		fails(t, pool.Close(), "with 1 open Buffers of 600 bytes")
		b := must(launch.AllocFrom[byte](pool, s, 400))(t)
		ok(t, a.CloseAsync(s))
		c := must(launch.AllocFrom[byte](pool, s, 600))(t)
		ok(t, b.Close())
		d := must(launch.AllocFrom[byte](pool, s, 400))(t)
		ok(t, c.Close())
		ok(t, d.CloseAsync(s))
		ok(t, s.Sync())
		_, err = launch.AllocFrom[byte](must(dev.NewPool())(t), s, 1<<44)
		if !errors.As(err, &full) || full.Want != 1<<44 || full.Cause == nil {
			t.Errorf("got %v", err)
		}
		ok(t, pool.Close())
		v := must(launch.Upload(dev, count(10)))(t) // the device works on
		ok(t, v.Close())
	})
}

// Kernels of one device use memory of another, and copies go between them.
func TestPeers(t *testing.T) {
	pairs := [][2]string{{"sim", "sim:64"}, {"cpu", "sim"}, {"sim", "cpu"}, {"emu:gfx1100", "cpu"}, {"cpu", "emu:gfx90a"}, {"emu:gfx90a", "emu:gfx1100"}, {"cuda:0", "cuda:1"}}
	for _, pair := range pairs {
		t.Run(pair[0]+"+"+pair[1], func(t *testing.T) {
			a, b := open(t, pair[0]), open(t, pair[1])
			const n = 1000
			theirs, far := must(launch.Upload(b, count(n)))(t), must(launch.Upload(b, make([]int32, n)))(t)
			near := must(launch.Alloc[int32](a, n))(t)
			fails(t, double.Launch(a.Stream(), launch.Linear(n, 256), theirs), "the launch on "+a.Name())
			if can := must(a.CanAccessPeer(b))(t); !can {
				t.Skip("no access")
			}
			ok(t, a.EnablePeer(b))
			ok(t, a.EnablePeer(b))
			ok(t, double.Launch(a.Stream(), launch.Linear(n, 256), theirs))
			ok(t, double.Launch(a.Stream(), launch.Linear(n, 256), theirs.Device()))
			after := must(launch.Alloc[int32](b, n))(t) // what is allocated later
			ok(t, add.Launch(a.Stream(), launch.Linear(n, 256), after, theirs, int32(1)))
			got := make([]int32, n)
			ok(t, after.Download(got)) // waits for a's stream, too
			want := times(count(n), 4)
			for i := range want {
				want[i]++
			}
			equal(t, "kernel", got, want)
			ok(t, double.Launch(b.Stream(), launch.Linear(n, 256), after))
			ok(t, b.Sync())
			ok(t, near.CopyPeer(a.Stream(), after))
			ok(t, double.Launch(a.Stream(), launch.Linear(n, 256), near))
			ok(t, a.Sync())
			ok(t, far.CopyPeer(b.Stream(), near))
			ok(t, far.Download(got))
			equal(t, "CopyPeer", got, times(want, 4))
			fails(t, near.CopyPeer(a.Stream(), after.Slice(0, 3)), "has 3")
			pooled := must(launch.AllocAsync[int32](b.Stream(), n))(t)
			ok(t, b.Sync())
			fails(t, double.Launch(a.Stream(), launch.Linear(n, 256), pooled), "the launch on "+a.Name())
			fails(t, double.Launch(a.Stream(), launch.Linear(n, 256), pooled.Device()), a.Name())
			ok(t, near.CopyPeer(a.Stream(), pooled))
			ok(t, near.CopyPeer(a.Stream(), after))
			ok(t, a.DisablePeer(b))
			fails(t, double.Launch(a.Stream(), launch.Linear(n, 256), theirs), "the launch on "+a.Name())
			ok(t, a.EnablePeer(b))
			ok(t, double.Launch(a.Stream(), launch.Linear(n, 256), theirs))
			ok(t, theirs.Close()) // stays until a's kernel has ended
			ok(t, double.Launch(a.Stream(), launch.Linear(n, 256), far))
			ok(t, b.Close()) // likewise
			fails(t, far.CopyPeer(a.Stream(), near), "closed")
		})
	}
}

// Between a GPU and a device on the host copies go along the GPU's stream.
func TestCopyPeerToHost(t *testing.T) {
	a, b := open(t, "cuda:0"), open(t, "cpu")
	x, y := must(launch.Upload(a, count(1000)))(t), must(launch.Alloc[int32](b, 1000))(t)
	ok(t, double.Launch(a.Stream(), launch.Linear(1000, 256), x))
	ok(t, y.CopyPeer(a.Stream(), x))
	ok(t, a.Sync())
	ok(t, double.Launch(b.Stream(), launch.Linear(1000, 256), y))
	ok(t, b.Sync())
	ok(t, x.CopyPeer(a.Stream(), y))
	got := make([]int32, 1000)
	ok(t, x.Download(got))
	equal(t, "there and back", got, times(count(1000), 4))
	fails(t, y.CopyPeer(b.Stream(), x), "take a stream of the GPU")
	fails(t, a.EnablePeer(b), "cannot use memory of cpu")
}
