package amdemu

// begin is start; what goes wrong ends the launch.
func (w *wave) begin() {
	defer w.recovered()
	w.start()
}

// start gives a wave the registers that the hardware sets up. Source: LLVM's
// User Guide for the AMDGPU Backend, "Initial Kernel Execution State".
func (w *wave) start() {
	g := w.group
	l, k := g.launch, g.launch.kernel
	w.s = [scalarRegs]uint32{}
	for i := range w.v {
		w.v[i] = vector{}
	}
	for i := range w.a {
		w.a[i] = vector{}
	}
	w.scc, w.indexMode, w.yield, w.in = false, 0, false, nil
	w.setMode(k.info.descriptor.mode)
	w.setMask(regExec, w.all)
	for _, s := range k.info.descriptor.sgpr {
		w.initSGPR(s)
	}
	w.initVGPRs()
	w.pc, w.code = k.entry, k.code
	w.began = wallClock()
	w.trace = nil
	if t := l.Trace; t != nil && t.Block == g.block && t.Wave == w.id {
		w.trace = t
	}
}

// initSGPR sets the scalar registers of one entry of the descriptor.
func (w *wave) initSGPR(s sgprInit) {
	g := w.group
	l := g.launch
	set := func(v uint64) {
		w.s[s.reg] = uint32(v)
		if s.n > 1 {
			w.s[s.reg+1] = uint32(v >> 32)
		}
	}
	x, y, z := uint64(g.block[0]), uint64(g.block[1]), uint64(g.block[2])
	switch s.kind {
	case initPrivateBuffer:
		// A base at which buffer instructions know the scratch, as large as
		// can be; word 3 says swizzled by lane.
		set(privateBase)
		w.s[s.reg+2], w.s[s.reg+3] = 1<<32-1, scratchSwizzle
	case initDispatchPtr:
		set(address(l.packet))
	case initKernargPtr:
		set(address(l.kernarg))
	case initPrivateSize:
		set(uint64(l.kernel.scratch))
	case initPreload:
		for i := range s.n {
			if at := s.offset + 4*i; at+4 <= len(l.kernarg) {
				w.s[s.reg+i] = le.Uint32(l.kernarg[at:])
			}
		}
	case initWorkgroupX, initWorkgroupTTMP9:
		set(x)
	case initWorkgroupY:
		set(y)
	case initWorkgroupZ:
		set(z)
	case initWorkgroupTTMP7:
		set(y&0xffff | z<<16)
	case initWorkgroupInfo:
		set(uint64(len(g.waves)) | flag(w.id == 0)<<31)
	case initQueuePtr, initDispatchID, initFlatScratch, initScratchOffset:
		// 0: scratch is addressed by lane, and there is no queue.
	}
}

// scratchSwizzle is word 3 of the scratch's buffer resource: ADD_TID_ENABLE.
const scratchSwizzle = 1 << 23

// initVGPRs sets the thread indices.
func (w *wave) initVGPRs() {
	init := w.group.launch.kernel.info.descriptor.vgpr
	for lane := range w.size {
		t := w.group.launch.thread(w.id*w.size + lane)
		if init.packed {
			w.v[0][lane] = uint32(t[0] | t[1]<<10 | t[2]<<20)
			continue
		}
		for i := range init.dims {
			w.v[i][lane] = uint32(t[i])
		}
	}
}
