package amdemu

import "fmt"

const (
	descriptorSize = 64
	// preloadProlog is the code before the entry of a kernel with preloaded
	// arguments, which loads them where the firmware cannot.
	preloadProlog = 256
	firstSGPRs    = 16 // user SGPRs that hardware has
)

// A descriptor is a kernel descriptor, decoded: what the hardware sets up for a
// wave. Sizes are in bytes. Source: LLVM's User Guide for the AMDGPU Backend,
// "Kernel Descriptor" and "Initial Kernel Execution State".
type descriptor struct {
	entry        int64 // from the descriptor's address, beyond the prolog of preloaded arguments
	group        int   // static LDS of a block
	private      int   // scratch of a lane
	kernarg      int   // 0 where the compiler did not say
	vgprs, agprs int   // of a lane
	sgprs        int   // without VCC and the like where they are apart
	waveSize     int
	mode         mode
	dynamicStack bool
	scratch      bool // the wave has private memory

	sgpr []sgprInit
	vgpr vgprInit
}

// An initKind is what a wave finds in its registers when it starts.
type initKind uint8

const (
	initPrivateBuffer  initKind = iota // buffer resource of the scratch memory
	initDispatchPtr                    // address of the dispatch packet
	initQueuePtr                       // address of the queue
	initKernargPtr                     // address of the arguments
	initDispatchID                     // number of the packet
	initFlatScratch                    // base of the scratch memory: address; on gfx8 offset and size
	initPrivateSize                    // bytes of scratch of a lane
	initPreload                        // arguments: sgprInit.offset says which
	initWorkgroupX                     // number of the block
	initWorkgroupY                     //
	initWorkgroupZ                     //
	initWorkgroupInfo                  // first wave of the block in bit 31, waves of the block in bits 0-5, ordered append term in bits 6-16
	initScratchOffset                  // of the wave's scratch memory, from the base, in bytes
	initWorkgroupTTMP9                 // number of the block: X, of gfx12
	initWorkgroupTTMP7                 // Y in the low half, Z in the high one
)

// An sgprInit is one value that the scalar registers from reg on hold.
type sgprInit struct {
	kind   initKind
	reg, n int
	offset int // initPreload: of the first byte, in the arguments
}

// A vgprInit is how the number of a lane in its block is found in VGPRs.
type vgprInit struct {
	dims   int  // of X, Y, Z, how many are there: 1 to 3
	packed bool // all in v0, in 10 bits each; otherwise v0, v1, v2
}

// userSGPRs are the values before the system's, in order: a bit of
// kernel_code_properties and how many registers it costs.
var userSGPRs = []struct {
	bit, n int
	kind   initKind
}{
	{0, 4, initPrivateBuffer},
	{1, 2, initDispatchPtr},
	{2, 2, initQueuePtr},
	{3, 2, initKernargPtr},
	{4, 2, initDispatchID},
	{5, 2, initFlatScratch},
	{6, 1, initPrivateSize},
}

// systemSGPRs follow them: a bit of compute_pgm_rsrc2 and a register each.
var systemSGPRs = []struct {
	bit  int
	kind initKind
}{
	{7, initWorkgroupX},
	{8, initWorkgroupY},
	{9, initWorkgroupZ},
	{10, initWorkgroupInfo},
	{0, initScratchOffset},
}

// traits are what differs between processors in how waves start.
type traits struct {
	generation int
	accum      bool // VGPRs and AGPRs in one file, divided by accum_offset
	agprs      bool // as many AGPRs as VGPRs
	preload    bool
	prolog     bool // code for firmware that does not preload
	packedIDs  bool
	flat       bool // scratch needs no registers: the hardware knows its base
}

func traitsOf(arch string) traits {
	t := traits{generation: generation(arch)}
	switch arch {
	case "gfx908":
		t.agprs = true
	case "gfx90a":
		t.accum, t.preload, t.prolog, t.packedIDs = true, true, true, true
	case "gfx940", "gfx941", "gfx942", "gfx950", "gfx9-4-generic":
		t.accum, t.preload, t.prolog, t.packedIDs, t.flat = true, true, true, true, true
	case "gfx1250", "gfx1251":
		t.preload = true
	}
	if t.generation >= 11 {
		t.packedIDs, t.flat = true, true
	}
	return t
}

// maxScratch is the private memory that a wave can have, in bytes. Source: the field
// WAVESIZE of COMPUTE_TMPRING_SIZE, 13 bits of 1 KiB, from GFX11 on 15 bits of 256
// bytes, and 18 bits on GFX12.
func (t *traits) maxScratch() int {
	switch {
	case t.generation >= 12:
		return (1<<18 - 1) * 256
	case t.generation == 11:
		return (1<<15 - 1) * 256
	}
	return (1<<13 - 1) * 1024
}

// parseDescriptor decodes the 64 bytes of a kernel descriptor for a processor.
func parseDescriptor(raw []byte, arch string) (d descriptor, err error) {
	if len(raw) != descriptorSize {
		return d, fmt.Errorf("%d bytes, not %d", len(raw), descriptorSize)
	}
	t := traitsOf(arch)
	rsrc3, rsrc1, rsrc2 := le.Uint32(raw[44:]), le.Uint32(raw[48:]), le.Uint32(raw[52:])
	properties, preload := le.Uint16(raw[56:]), le.Uint16(raw[58:])
	d = descriptor{
		entry:        int64(le.Uint64(raw[16:])),
		group:        int(le.Uint32(raw)),
		private:      int(le.Uint32(raw[4:])),
		kernarg:      int(le.Uint32(raw[8:])),
		waveSize:     64,
		mode:         initialMode(rsrc1, t.generation),
		dynamicStack: properties>>11&1 != 0,
		scratch:      rsrc2&1 != 0,
		vgpr:         vgprInit{dims: int(rsrc2>>11&3) + 1, packed: t.packedIDs},
	}
	if d.vgpr.dims > 3 {
		return d, fmt.Errorf("enable_vgpr_workitem_id is %d", d.vgpr.dims-1)
	}
	if properties>>10&1 != 0 {
		if t.generation < 10 {
			return d, fmt.Errorf("%s has no waves of 32 lanes", arch)
		}
		d.waveSize = 32
	}
	if err := d.mode.check(); err != nil {
		return d, err
	}
	if limit := t.maxScratch() / d.waveSize; d.private > limit {
		return d, fmt.Errorf("%d bytes of private memory a lane, and %s has at most %d", d.private, arch, limit)
	}
	if err := d.registers(&t, rsrc1, rsrc3); err != nil {
		return d, err
	}
	return d, d.scalars(&t, rsrc2, properties, preload)
}

// initialMode is the MODE register that a wave starts with. Where GFX12 has no
// DX10_CLAMP and IEEE bits any more, it does as if both were set.
func initialMode(rsrc1 uint32, generation int) mode {
	const dx10Clamp, ieee, overflow16 = 1 << 8, 1 << 9, 1 << 23
	m := rsrc1 >> 12 & 0xff // rounding and denormals
	if generation >= 12 || rsrc1>>21&1 != 0 {
		m |= dx10Clamp
	}
	if generation >= 12 || rsrc1>>23&1 != 0 {
		m |= ieee
	}
	if rsrc1>>26&1 != 0 && generation >= 9 {
		m |= overflow16
	}
	return mode(m)
}

// registers sets how many registers a wave has.
func (d *descriptor) registers(t *traits, rsrc1, rsrc3 uint32) error {
	granule := 4
	if t.accum || d.waveSize == 32 {
		granule = 8
	}
	total := (int(rsrc1&0x3f) + 1) * granule
	d.vgprs = total
	switch {
	case t.accum:
		// A kernel without AGPRs says where they would begin, beyond the last VGPR.
		d.vgprs = min(total, (int(rsrc3&0x3f)+1)*4)
		d.agprs = total - d.vgprs
	case t.agprs:
		d.agprs = total
	}
	if d.vgprs > 256 || d.agprs > 256 {
		return fmt.Errorf("%d VGPRs and %d AGPRs", d.vgprs, d.agprs)
	}
	switch granules := int(rsrc1 >> 6 & 0xf); {
	case t.generation >= 10: // all that there are, whatever compilers write
		d.sgprs = 106
	case t.generation == 9:
		d.sgprs = min(102, (granules/2+1)*16)
	default:
		d.sgprs = min(102, (granules+1)*8)
	}
	return nil
}

// scalars sets what is in which scalar register.
func (d *descriptor) scalars(t *traits, rsrc2 uint32, properties, preload uint16) error {
	reg, count := 0, int(rsrc2>>1&0x1f)
	put := func(s sgprInit) {
		s.reg = reg
		d.sgpr = append(d.sgpr, s)
		reg += s.n
	}
	for _, u := range userSGPRs {
		if properties>>u.bit&1 != 0 {
			put(sgprInit{kind: u.kind, n: u.n})
		}
	}
	if n := int(preload & 0x7f); n > 0 && t.preload {
		put(sgprInit{kind: initPreload, n: n, offset: 4 * int(preload>>7)})
		if t.prolog {
			d.entry += preloadProlog
		}
	}
	if reg > count || t.generation < 12 && count > firstSGPRs {
		return fmt.Errorf("%d user SGPRs are asked for, and user_sgpr_count is %d", reg, count)
	}
	reg = count
	for _, s := range systemSGPRs {
		workgroup := s.kind >= initWorkgroupX && s.kind <= initWorkgroupZ
		if rsrc2>>s.bit&1 == 0 || workgroup && t.generation >= 12 || s.kind == initScratchOffset && t.flat {
			continue
		}
		put(sgprInit{kind: s.kind, n: 1})
	}
	if t.generation >= 12 {
		d.sgpr = append(d.sgpr,
			sgprInit{kind: initWorkgroupTTMP9, reg: regTTMP + 9, n: 1},
			sgprInit{kind: initWorkgroupTTMP7, reg: regTTMP + 7, n: 1})
	}
	return nil
}
