package launch

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file writes what kernels print. The contract with their code is in package abi; on
// sim the text itself comes here.

// SetOutput says where the texts of dsl.Printf go that kernels print on the device; nil is
// the standard output, as before the first call (HIP's printf knows no other). Each Write
// is of whole texts, and no two are at the same time. An error of w is ignored, and w must
// not use the device.
func (d *Device) SetOutput(w io.Writer) {
	p := &d.prints
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write()
	p.out = w
}

const (
	// printWords is how many words the ring of a device has, a power of two. CUDA's buffer
	// takes a quarter of that.
	printWords = 512 << 10
	// printChunk is how much text is written at a time.
	printChunk = 64 << 10
	// A kernel that runs is looked after at least every lastLook, more often if it prints.
	firstLook = time.Millisecond
	lastLook  = 32 * time.Millisecond
	// printPatience is how long a call that waits goes on where nothing comes of a print that
	// another kernel has begun.
	printPatience = 10 * time.Second
)

// prints are what the kernels of a device print.
type prints struct {
	dev  *Device
	busy atomic.Bool // there may be something to write

	mu      sync.Mutex
	out     io.Writer
	text    []byte // to be written
	ring    *abi.PrintRing
	words   []uint64   // of the ring
	control driver.Ptr // an abi.PrintControl
	tail    uint64
	dropped uint64                 // as told so far
	lost    uint64                 // of those, what ended kernels left
	kernels map[uint32]*abi.Object // by abi.PrintSink.Kernel
	last    uint32
	running []printing
	timer   *time.Timer
	armed   bool
	pause   time.Duration
}

// printing is a launch of a kernel that prints.
type printing struct {
	s   *Stream
	seq uint64
}

// load gives a kernel that prints its place to print to. It returns its number.
func (p *prints) load(f driver.Function) (number uint32, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ring == nil {
		if err := p.open(); err != nil {
			return 0, err
		}
	}
	p.last++
	sink := abi.PrintSink{Control: uintptr(p.control), Ring: uintptr(unsafe.Pointer(p.ring)), Words: uint64(len(p.words)), Kernel: uint64(p.last)}
	if err := f.SetPrints(sink); err != nil {
		return 0, err
	}
	p.kernels[p.last] = f.Object()
	return p.last, nil
}

// open makes the ring.
func (p *prints) open() error {
	d := p.dev
	size := int(unsafe.Sizeof(abi.PrintRing{})) + 8*printWords
	host, err := d.drv.AllocHost(size)
	if err != nil {
		return errs.F("the memory for what kernels print: %w", err)
	}
	clear(unsafe.Slice((*byte)(host), size))
	control, err := d.drv.Alloc(int(unsafe.Sizeof(abi.PrintControl{})))
	if err == nil {
		err = d.service.Fill(control, 0, int(unsafe.Sizeof(abi.PrintControl{})))
		err = errs.Join(err, d.service.Sync())
	}
	if err != nil {
		return errs.Join(errs.F("the memory for what kernels print: %w", err), d.drv.FreeHost(host))
	}
	p.ring, p.control = (*abi.PrintRing)(host), control
	p.words = unsafe.Slice((*uint64)(unsafe.Add(host, unsafe.Sizeof(abi.PrintRing{}))), printWords)
	p.kernels = map[uint32]*abi.Object{}
	return nil
}

// forget is for a kernel that is unloaded: no launch of it is under way.
func (p *prints) forget(number uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drain()
	p.write()
	delete(p.kernels, number)
}

// close writes what is left and frees the ring.
func (p *prints) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.finish(true)
	if p.ring == nil {
		return nil
	}
	err := errs.Join(p.dev.drv.FreeHost(unsafe.Pointer(p.ring)), p.dev.drv.Free(p.control))
	p.ring, p.words = nil, nil
	return err
}

// begin is called before the seq-th piece of work of s, which prints, is submitted, and begun
// after it: until then nobody takes it to have ended.
func (p *prints) begin(s *Stream, seq uint64) {
	p.mu.Lock()
	p.busy.Store(true)
	i := slices.IndexFunc(p.running, func(r printing) bool { return r.s == s })
	if i < 0 {
		p.running = append(p.running, printing{s, seq})
	} else {
		p.running[i].seq = seq
	}
	p.arm()
}

func (p *prints) begun() { p.mu.Unlock() }

// print takes a text of the simulator.
func (p *prints) print(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy.Store(true)
	p.text = append(p.text, text...)
	if len(p.text) >= printChunk {
		p.write()
	}
	p.arm()
}

// arm has look called soon. p.mu is held, as in all that follows but flush and look.
func (p *prints) arm() {
	if p.armed {
		return
	}
	p.armed, p.pause = true, firstLook
	if p.timer == nil {
		p.timer = time.AfterFunc(p.pause, p.look)
	} else {
		p.timer.Reset(p.pause)
	}
}

// look writes what there is while kernels run.
func (p *prints) look() {
	if p.dev.enter() != nil {
		return
	}
	defer p.dev.leave()
	p.mu.Lock()
	defer p.mu.Unlock()
	ended := p.settle(func(r printing) bool {
		done, err := r.s.real.Done()
		return done || err != nil
	})
	p.pause = min(2*p.pause, lastLook)
	if p.drain() || len(p.text) > 0 {
		p.pause = firstLook
	}
	p.write()
	if ended {
		p.armed = false
		p.finish(true)
		return
	}
	p.timer.Reset(p.pause)
}

// settle forgets the launches that have ended, and reports whether none is left.
func (p *prints) settle(over func(printing) bool) bool {
	p.running = slices.DeleteFunc(p.running, func(r printing) bool { return r.s.past(r.seq) || over != nil && over(r) })
	return len(p.running) == 0
}

// flush writes all that was printed by now. It is called where work has ended.
func (p *prints) flush() {
	if !p.busy.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finish(p.settle(nil))
}

// finish writes all that was printed by now, and how much was dropped. idle says that no
// kernel is under way that prints.
func (p *prints) finish(idle bool) {
	if p.ring != nil {
		p.drain()
		c := p.counts()
		p.await(c.Head, idle)
		if n := c.Dropped + p.lost - p.dropped; n > 0 {
			p.dropped += n
			p.text = fmt.Appendf(p.text, "heddle: %d calls of dsl.Printf dropped on %s: the buffer of %d bytes was full\n", n, p.dev.info.Name, 8*len(p.words))
		}
	}
	p.write()
	if idle {
		p.busy.Store(false)
	}
}

// counts is what the device counts now.
func (p *prints) counts() abi.PrintControl {
	if i := p.dev.info; i.HostMemory || i.Alone != nil {
		defer p.alone()()
		c := (*abi.PrintControl)(p.control)
		return abi.PrintControl{Head: atomic.LoadUint64(&c.Head), Dropped: atomic.LoadUint64(&c.Dropped)}
	}
	s, to := p.dev.service, &p.ring.Control
	err := s.CopyOut(unsafe.Pointer(to), p.control, int(unsafe.Sizeof(*to)))
	if err := errs.Join(err, s.Sync()); err != nil {
		return abi.PrintControl{Head: p.tail, Dropped: p.dropped - p.lost} // the device is lost, and its next call says so
	}
	return *to
}

// await writes the prints before head. Those that have begun are there soon. A kernel that
// was stopped may have left one that will never be.
func (p *prints) await(head uint64, idle bool) {
	since, pause := time.Now(), time.Microsecond
	for int64(head-p.tail) > 0 {
		switch {
		case p.drain():
			since, pause = time.Now(), time.Microsecond
		case idle:
			p.lost++
			for ; p.tail != head; p.tail++ {
				*p.word(p.tail) = 0
			}
			atomic.StoreUint64(&p.ring.Tail, p.tail)
		case time.Since(since) > printPatience:
			return
		default:
			time.Sleep(pause)
			pause = min(2*pause, time.Millisecond)
		}
	}
}

// alone keeps the memory that kernels write from them, where that is possible; it returns
// what lets them go on.
func (p *prints) alone() func() {
	if l := p.dev.info.Alone; l != nil {
		l.Lock()
		return l.Unlock
	}
	return func() {}
}

func (p *prints) word(n uint64) *uint64 { return &p.words[n%uint64(len(p.words))] }

// drain takes the prints that are complete, up to the first that is not, and reports
// whether there were any.
func (p *prints) drain() (any bool) {
	if p.ring == nil {
		return false
	}
	defer p.alone()()
	for ; ; any = true {
		first := atomic.LoadUint32((*uint32)(unsafe.Pointer(p.word(p.tail))))
		if first == 0 {
			break
		}
		n := uint64(first & (1<<abi.PrintLength - 1))
		p.format(uint32(*p.word(p.tail)>>abi.PrintKernel), first>>abi.PrintLength, n)
		for i := range n {
			*p.word(p.tail + i) = 0
		}
		p.tail += n
		atomic.StoreUint64(&p.ring.Tail, p.tail)
		if len(p.text) >= printChunk {
			p.write()
		}
	}
	return any
}

// format adds the text of the record of n words at the tail.
func (p *prints) format(kernel, number uint32, n uint64) {
	obj := p.kernels[kernel]
	if obj == nil || int(number) >= len(obj.Prints) {
		p.text = fmt.Appendf(p.text, "heddle: kernel %d of %s printed %d, which it does not have\n", kernel, p.dev.info.Name, number)
		return
	}
	q := &obj.Prints[number]
	args := make([]any, len(q.Args))
	at := p.tail + 1
	for i := range q.Args {
		a := &q.Args[i]
		var w [2]uint64
		for k := range a.Words() {
			w[k] = *p.word(at)
			at++
		}
		args[i] = printedValue(a, w)
	}
	p.text = fmt.Appendf(p.text, q.Format, args...)
}

// write writes the text.
func (p *prints) write() {
	if len(p.text) == 0 {
		return
	}
	out := p.out
	if out == nil {
		out = os.Stdout
	}
	_, _ = out.Write(p.text)
	if p.text = p.text[:0]; cap(p.text) > 4*printChunk {
		p.text = nil
	}
}

// printedValue is what package fmt gets for an argument.
func printedValue(a *abi.PrintArg, w [2]uint64) any {
	switch a.Kind {
	case "string":
		return a.Text
	case "bool":
		return w[0] != 0
	case "float32":
		return math.Float32frombits(uint32(w[0]))
	case "float64":
		return math.Float64frombits(w[0])
	case "complex64":
		return complex(math.Float32frombits(uint32(w[0])), math.Float32frombits(uint32(w[1])))
	case "complex128":
		return complex(math.Float64frombits(w[0]), math.Float64frombits(w[1]))
	case "int":
		return int(w[0])
	case "int8":
		return int8(w[0])
	case "int16":
		return int16(w[0])
	case "int32":
		return int32(w[0])
	case "int64":
		return int64(w[0])
	case "uint8":
		return uint8(w[0])
	case "uint16":
		return uint16(w[0])
	case "uint32":
		return uint32(w[0])
	case "uint":
		return uint(w[0])
	case "uintptr":
		return uintptr(w[0])
	}
	return w[0]
}
