package simt

import "iter"

// A worker is a coroutine that runs threads, one after another until one waits.
type worker struct {
	run   *launch
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// idleWorker returns a worker that is in no thread.
func (r *launch) idleWorker() *worker {
	if n := len(r.idle); n > 0 {
		w := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return w
	}
	w := &worker{run: r}
	w.next, w.stop = iter.Pull(w.loop)
	r.workers = append(r.workers, w)
	return w
}

// resume runs w until its thread waits or it has no thread left to run.
func (w *worker) resume() { w.next() }

// loop is the body of the coroutine.
func (w *worker) loop(yield func(struct{}) bool) {
	w.yield = yield
	ended := false
	defer func() {
		if !ended {
			w.run.failed(current, recover())
		}
	}()
	for {
		w.drain()
		w.run.idle = append(w.run.idle, w)
		if !yield(struct{}{}) {
			ended = true
			return
		}
	}
}

// drain runs threads until none can start before one that waits has run on.
// Where the body waits, the whole coroutine does, and other workers go on.
func (w *worker) drain() {
	r := w.run
	for t := r.take(); t != nil; t = r.take() {
		current = t
		t.worker = w
		r.body()
		r.exit(t)
	}
}

// exit notes that t has ended.
func (r *launch) exit(t *Thread) {
	t.state = exited
	r.quiet = 0
	r.exited++
	w := &r.warps[t.Warp]
	w.exited++
	r.halt(w)
}

// stop ends every coroutine of the launch, though one may end the goroutine.
func (r *launch) stop() {
	for _, w := range r.workers {
		defer w.stop()
	}
}
