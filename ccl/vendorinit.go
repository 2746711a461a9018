package ccl

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"heddle/launch"
)

// This file makes ranks of NCCL and RCCL.

// A joining is what ncclCommInitRankConfig and ncclCommSplit read and write. The garbage collector keeps it
// while a call that has been given up goes on.
type joining struct {
	comm   uintptr
	id     ID
	config config
}

// vendorAll makes all ranks, each on a thread of its own.
func vendorAll(ctx context.Context, kind string, devs []*launch.Device) ([]port, error) {
	id, err := vendorID(kind)
	if err != nil {
		return nil, err
	}
	all, failed := make([]port, len(devs)), make([]error, len(devs))
	var wait sync.WaitGroup
	for i, d := range devs {
		wait.Go(func() {
			p, err := vendorInit(ctx, kind, d, id, i, len(devs))
			if err != nil {
				failed[i] = &Error{i, len(devs), "All on " + d.Name(), err}
				return
			}
			all[i] = p
		})
	}
	wait.Wait()
	if err := errors.Join(failed...); err != nil {
		for _, p := range all {
			if p != nil {
				p.abort(ErrAborted)
			}
		}
		return nil, err
	}
	return all, nil
}

// vendorInit makes one rank.
func vendorInit(ctx context.Context, kind string, dev *launch.Device, id ID, rank, size int) (port, error) {
	l, err := vendors[kind].open()
	if err != nil {
		return nil, err
	}
	t := tableOf(id, size)
	t.come(rank) // before the others can know it
	j := &joining{id: id, config: config{magic: configMagic, version: configVersion, blocking: 1}}
	j.config.size = unsafe.Sizeof(j.config)
	err = l.meet(ctx, dev, j, func() error {
		return l.call(ncclCommInitRankConfig, initArgs(&j.comm, size, &j.id, rank, &j.config)...)
	})
	if err != nil {
		t.release(id, 0)
		return nil, err
	}
	r := newVendorRank(l, dev, j.comm, rank, size)
	r.check = newChecked(t, id, "", rank, size, r.wrong)
	return r, nil
}

// meet calls a function that waits for other ranks and sets j.comm, on a thread on which the device is current. When ctx
// is done it returns; the library's call cannot be ended, so that its thread goes on.
func (l *library) meet(ctx context.Context, dev *launch.Device, j *joining, call func() error) error {
	done := make(chan error, 1)
	go func() {
		// Not in Do, or Device.Close would wait for a call that has been given up.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := dev.Do(func() error { return nil }) // makes it current
		if err == nil {
			err = call()
		}
		runtime.KeepAlive(j)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		go func() {
			if <-done == nil && j.comm != 0 {
				l.call(ncclCommAbort, j.comm)
			}
		}()
		return fmt.Errorf("%w: %w", ErrLate, context.Cause(ctx))
	}
}

// split implements port.
func (r *vendorRank) split(q *request) (port, int, int, error) {
	if r.lib.at[ncclCommSplit] == 0 {
		return nil, 0, 0, q.fail(fmt.Errorf("%s has no ncclCommSplit: install %s or later", r.lib.name, optional[ncclCommSplit]))
	}
	comm := r.comm.Load()
	if comm == 0 {
		return nil, 0, 0, q.fail(ErrClosed)
	}
	if err := r.check.call(q); err != nil {
		return nil, 0, 0, q.fail(err)
	}
	name := r.check.splits(q.color)
	color := q.color
	if color < 0 {
		color = -1 // NCCL_SPLIT_NOCOLOR
	}
	j := new(joining)
	err := r.lib.meet(q.ctx, r.dev, j, func() error {
		return r.lib.call(ncclCommSplit, comm, uintptr(color), uintptr(q.key), uintptr(unsafe.Pointer(&j.comm)), 0)
	})
	if err != nil {
		err = q.fail(err)
		r.end(err)
		return nil, 0, 0, err
	}
	if j.comm == 0 {
		return nil, 0, 0, nil
	}
	rank, size := new(int32), new(int32)
	if err := errors.Join(
		r.lib.call(ncclCommUserRank, j.comm, uintptr(unsafe.Pointer(rank))),
		r.lib.call(ncclCommCount, j.comm, uintptr(unsafe.Pointer(size))),
	); err != nil {
		_ = r.lib.call(ncclCommAbort, j.comm) // err is the first fault, and says more
		return nil, 0, 0, q.fail(err)
	}
	part := newVendorRank(r.lib, r.dev, j.comm, int(*rank), int(*size))
	part.check = newChecked(r.check.table, r.check.id, name, part.rank, part.size, part.wrong)
	return part, part.rank, part.size, nil
}
