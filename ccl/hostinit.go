package ccl

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
)

// hostMark begins the IDs of devices on the host; this process follows, and then the communicator.
var hostMark = []byte("heddle ccl host\n")

var thisProcess = sync.OnceValue(func() (mark [16]byte) {
	rand.Read(mark[:])
	return mark
})

func hostID() (id ID) {
	mark := thisProcess()
	n := copy(id[:], hostMark)
	n += copy(id[n:], mark[:])
	rand.Read(id[n:])
	return id
}

// A lobby is where the ranks of a new communicator meet.
type lobby struct {
	size  int
	came  map[int]bool
	ranks []*hostRank
	ready chan struct{} // closed when all have come, or with err set
	err   error
}

var lobbies = struct {
	sync.Mutex
	by map[ID]*lobby
}{by: map[ID]*lobby{}}

func hostInit(ctx context.Context, id ID, rank, size int) (port, error) {
	mark := thisProcess()
	switch rest, ok := bytes.CutPrefix(id[:], hostMark); {
	case !ok:
		return nil, errors.New("the ID is that of GPUs; NewID makes one of devices on the host")
	case !bytes.HasPrefix(rest, mark[:]):
		return nil, errors.New("the ID is that of another process, and devices on the host meet within one: give each rank a device and a goroutine of one process, or take GPUs")
	}
	l, err := enter(id, rank, size)
	if err != nil {
		return nil, err
	}
	select {
	case <-l.ready:
	case <-ctx.Done():
		l.giveUp(id, ctx)
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.ranks[rank], nil
}

// enter takes a rank's place in the lobby.
func enter(id ID, rank, size int) (*lobby, error) {
	lobbies.Lock()
	defer lobbies.Unlock()
	l := lobbies.by[id]
	if l == nil {
		l = &lobby{size: size, came: map[int]bool{}, ready: make(chan struct{})}
		lobbies.by[id] = l
	}
	switch {
	case l.err != nil:
		return nil, l.err
	case l.size != size:
		return nil, fmt.Errorf("%w: %d here, %d at the rank that came first", ErrSize, size, l.size)
	case l.came[rank]:
		return nil, fmt.Errorf("%w, %d", ErrDuplicate, rank)
	}
	l.came[rank] = true
	if len(l.came) == size {
		l.ranks = newWorld(size)
		close(l.ready)
	}
	return l, nil
}

// giveUp ends the lobby for all, unless all have come.
func (l *lobby) giveUp(id ID, ctx context.Context) {
	lobbies.Lock()
	defer lobbies.Unlock()
	if l.err != nil || len(l.came) == l.size {
		return
	}
	var missing []int
	for i := range l.size {
		if !l.came[i] {
			missing = append(missing, i)
		}
	}
	l.err = late(missing, context.Cause(ctx))
	close(l.ready)
}
