package ccl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"heddle/launch"
)

// A Comm is one rank of a communicator, on one device (ncclComm_t). Its methods are safe for
// concurrent use, but operations have an order, which must be the same on all ranks.
type Comm struct {
	port  port
	dev   *launch.Device
	rank  int
	size  int
	ctx   context.Context
	batch *Batch
}

// A port is a rank as its engine knows it.
type port interface {
	// family is equal for ports whose requests one call of queue may have.
	family() any
	// queue queues requests of ports of one family, all at once.
	queue(all []*request) error
	// keeps reports whether the engine refers to a request that queue has queued.
	keeps(q *request) bool
	// split makes the rank of a new communicator, nil for a color below 0.
	split(q *request) (p port, rank, size int, err error)
	// close ends the rank; where it waits for others, as long as ctx lasts.
	close(ctx context.Context) error
	abort(cause error)
	err() error
}

// All makes a communicator of all these devices, in this process: its rank i is on devs[i]
// (ncclCommInitAll). The devices are all GPUs of one kind, or all on the host, each once. Ctx limits how
// long it takes, not how long the ranks live.
func All(ctx context.Context, devs ...*launch.Device) ([]*Comm, error) {
	if err := allUsable(devs); err != nil {
		return nil, err
	}
	var ports []port
	var err error
	if kind := kindOf(devs[0]); kind == onHost {
		ports = hostAll(len(devs))
	} else if ports, err = vendorAll(ctx, kind, devs); err != nil {
		return nil, err
	}
	var all []*Comm
	for i, p := range ports {
		all = append(all, &Comm{port: p, dev: devs[i], rank: i, size: len(devs), ctx: context.Background()})
	}
	return all, nil
}

func allUsable(devs []*launch.Device) error {
	if len(devs) == 0 {
		return errors.New("ccl: All of no devices")
	}
	for i, d := range devs {
		if d == nil {
			return fmt.Errorf("ccl: All: device %d is nil", i)
		}
		for j, other := range devs[:i] {
			if other == d {
				return fmt.Errorf("ccl: All: ranks %d and %d are both on one %s: open a device for each rank", j, i, d.Name())
			}
		}
		if a, b := kindOf(devs[0]), kindOf(d); a != b {
			return fmt.Errorf("ccl: All: %s and %s in one communicator: take GPUs of one vendor, or devices on the host", devs[0].Name(), d.Name())
		}
	}
	return nil
}

// onHost is the kind of devices that run on the host.
const onHost = "host"

// kindOf is "cuda", "hip" or onHost.
func kindOf(d *launch.Device) string {
	switch kind, _, _ := strings.Cut(d.Name(), ":"); kind {
	case "cuda", "hip":
		return kind
	}
	return onHost
}

// An ID names a communicator that is being made (ncclUniqueId). It is a secret: who knows it can
// take a rank's place.
type ID [128]byte

// NewID makes the ID of a communicator of devices such as dev (ncclGetUniqueId). One rank makes it, and
// hands it to the others.
func NewID(dev *launch.Device) (ID, error) {
	if dev == nil {
		return ID{}, errors.New("ccl: NewID: nil Device")
	}
	if kind := kindOf(dev); kind != onHost {
		return vendorID(kind)
	}
	return hostID(), nil
}

// Init makes rank number rank of size, on dev (ncclCommInitRankConfig). It waits for the other ranks' calls with
// the same id, as long as ctx lasts; afterwards the rank does not depend on ctx.
func Init(ctx context.Context, dev *launch.Device, id ID, rank, size int) (*Comm, error) {
	switch {
	case dev == nil:
		return nil, errors.New("ccl: Init: nil Device")
	case size < 1:
		return nil, fmt.Errorf("ccl: Init of %d ranks", size)
	case rank < 0 || rank >= size:
		return nil, fmt.Errorf("ccl: Init of rank %d: want one of 0 to %d", rank, size-1)
	case id == ID{}:
		return nil, errors.New("ccl: Init: the ID is zero; make one with NewID")
	}
	var p port
	var err error
	if kind := kindOf(dev); kind == onHost {
		p, err = hostInit(ctx, id, rank, size)
	} else {
		p, err = vendorInit(ctx, kind, dev, id, rank, size)
	}
	if err != nil {
		return nil, &Error{rank, size, "Init on " + dev.Name(), err}
	}
	return &Comm{port: p, dev: dev, rank: rank, size: size, ctx: context.Background()}, nil
}

// Rank is the number of the rank (ncclCommUserRank).
func (c *Comm) Rank() int { return c.rank }

// Size is the number of ranks (ncclCommCount).
func (c *Comm) Size() int { return c.size }

// Device is the rank's device (ncclCommCuDevice).
func (c *Comm) Device() *launch.Device { return c.dev }

// String is "rank 1 of 4 on cuda:1".
func (c *Comm) String() string {
	if c == nil {
		return "nil Comm"
	}
	return fmt.Sprintf("rank %d of %d on %s", c.rank, c.size, c.dev.Name())
}

// With is the same rank, whose operations abort the communicator if they have not ended when ctx is
// done. It is how an operation gets a deadline:
//
//	ctx, cancel := context.WithTimeout(ctx, time.Minute)
//	defer cancel()                      // after the stream was waited for
//	err := ccl.AllReduce(c.With(ctx), s, ccl.Sum, dst, src)
func (c *Comm) With(ctx context.Context) *Comm {
	d := *c
	d.ctx = ctx
	return &d
}

// Split makes new communicators: the ranks of one color form one, in the order of key, and of rank where the keys
// are equal (ncclCommSplit). A color below 0 is for a rank that takes part in none; it gets nil. All
// ranks call it, each in a goroutine or process of its own; it waits for them as long as ctx lasts, and then
// aborts the communicator. Otherwise that goes on.
func (c *Comm) Split(ctx context.Context, color, key int) (*Comm, error) {
	if c == nil {
		return nil, errors.New("ccl: Split: nil Comm")
	}
	if c.batch != nil {
		return nil, errors.New("ccl: Split inside Group")
	}
	if err := c.port.err(); err != nil {
		return nil, err
	}
	q := &request{operation: operation{what: split, rank: c.rank, size: c.size}, ctx: ctx, port: c.port, color: color, key: key}
	p, rank, size, err := c.port.split(q)
	if err != nil || p == nil {
		return nil, err
	}
	return &Comm{port: p, dev: c.dev, rank: rank, size: size, ctx: context.Background()}, nil
}

// Close ends the rank when its queued operations have ended (ncclCommFinalize, ncclCommDestroy). On GPUs it
// waits for them. On the host operations of other ranks that still need this one fail with [ErrClosed]; between processes
// the last Close of a process waits for the others' (MPI_Finalize), as long as the context of [Comm.With] lasts, unless an operation
// has failed. Closing twice is fine.
func (c *Comm) Close() error {
	if c == nil {
		return nil
	}
	return c.port.close(c.ctx)
}

// Abort ends the communicator at once: operations that wait end with [ErrAborted] (ncclCommAbort). On
// the host that holds for all ranks; on GPUs for this one, and the others learn of it by their own deadlines.
func (c *Comm) Abort() {
	if c != nil {
		c.port.abort(fmt.Errorf("%w by rank %d", ErrAborted, c.rank))
	}
}

// Err is why the communicator cannot be used any more, nil if it can
// (ncclCommGetAsyncError). It does not wait.
func (c *Comm) Err() error {
	if c == nil {
		return errors.New("ccl: nil Comm")
	}
	return c.port.err()
}
