package simt

// Barrier waits for every thread of the block and returns how many passed true.
func (t *Thread) Barrier(fn string, p bool) int {
	r := t.run
	t.op = warpOp{}
	if p {
		t.op.in = 1
	}
	t.at, t.state = here(fn), atBarrier
	r.waiting++
	r.halt(&r.warps[t.Warp])
	t.park()
	return int(t.out)
}

// releaseBarrier lets all threads of the block run on from the barrier they wait
// at. It is called when nothing else can run.
func (r *launch) releaseBarrier() {
	count := uint64(0)
	for i := range r.threads {
		t := &r.threads[i]
		if t.state != atBarrier || t.at != r.threads[0].at {
			r.fail = r.stuckBarrier()
			return
		}
		count += t.op.in
	}
	r.waiting = 0
	for i := range r.warps {
		r.warps[i].moving = len(r.warps[i].lanes)
	}
	for i := range r.threads {
		t := &r.threads[i]
		t.state, t.out = moving, count
		r.ready.push(t)
	}
}
