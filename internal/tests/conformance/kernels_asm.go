package conformance

import (
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Inline assembly.

// merge takes each bit of y or of z, as x says, by an instruction.
func merge(x, y, z, out []uint32) {
	i, arch := dsl.GlobalIdx().X, dsl.Arch()
	var r uint32
	switch {
	case arch.IsAMD():
		r = dsl.Asm[uint32]("v_bfi_b32 %0, %1, %2, %3", "=v,v,v,v", x[i], y[i], z[i])
		dsl.AsmVolatile[struct{}]("s_nop 0", "~{memory}")
	case arch.IsNVIDIA():
		r = dsl.Asm[uint32]("lop3.b32 %0, %1, %2, %3, 0xca;", "=r,r,r,r", x[i], y[i], z[i])
		lane := dsl.AsmVolatile[uint32]("mov.u32 %0, %%laneid;", "=r")
		r += lane - uint32(dsl.LaneID())
	default:
		r = x[i]&y[i] | ^x[i]&z[i]
	}
	out[i] = r
}

// doubled adds a float to itself: an operand lies where the result will.
func doubled(x []float32) {
	i := dsl.GlobalIdx().X
	if dsl.Arch().IsAMD() {
		x[i] = dsl.Asm[float32]("v_add_f32 %0, %1, %2", "=v,v,0", x[i], x[i])
	} else if dsl.Arch().IsNVIDIA() {
		x[i] = dsl.Asm[float32]("{ .reg .f32 t;\n\tmov.f32 t, %1;\n\tadd.f32 %0, t, %2; }", "=f,f,0", x[i], x[i])
	} else {
		x[i] += x[i]
	}
}

func unguarded(x []uint32) { x[0] = dsl.Asm[uint32]("v_mov_b32 %0, %1", "=v,v", x[1]) }

func unknownInstruction(x []uint32) {
	x[0] = dsl.Asm[uint32]("v_no_such_thing %0, %1", "=v,v", x[1])
}

func asmCases() []Case {
	k, k2 := kernel.New(merge), kernel.New(doubled)
	free, bad := kernel.New(unguarded), kernel.New(unknownInstruction)
	return []Case{{"asm/operands", "inline assembly with constraints", []*kernel.Kernel{k, k2}, func(t *T) {
		const n = 100
		x, y, z := filled(n, func(i int) uint32 { return uint32(i) * 0x9e3779b9 }), filled(n, func(i int) uint32 { return ^uint32(i * i) }), filled(n, func(i int) uint32 { return uint32(i) << 20 })
		out := alloc[uint32](t, n)
		t.run(k, launch.Linear(n, n), upload(t, x), upload(t, y), upload(t, z), out)
		same(t, download(t, out), filled(n, func(i int) uint32 { return x[i]&y[i] | ^x[i]&z[i] }))
		f := upload(t, filled(n, func(i int) float32 { return float32(i) }))
		t.run(k2, launch.Linear(n, n), f)
		same(t, download(t, f), filled(n, func(i int) float32 { return 2 * float32(i) }))
		refusedAsm(t, free, bad)
	}}}
}

// refusedAsm launches what has no assembly here, and an instruction that is nowhere.
func refusedAsm(t *T, free, bad *kernel.Kernel) {
	x := alloc[uint32](t, 2)
	kind, _, _ := strings.Cut(t.Dev.Name(), ":")
	launched := func(k *kernel.Kernel) string {
		err := k.Launch(t.Dev.Stream(), launch.Config{Block: launch.Dim3{X: 1}}, x)
		if err == nil {
			err = t.Dev.Stream().Sync()
		}
		if err == nil {
			return ""
		}
		return err.Error()
	}
	err := launched(free)
	switch {
	case kind == "cuda":
		return // the driver assembles, and names lines of its own
	case (t.simulated() || kind == "cpu") && !strings.Contains(err, "kernels_asm.go:43"),
		t.simulated() && !strings.Contains(err, "inline assembly does not run on the simulator: put it under if dsl.Arch().IsGPU()"),
		kind == "cpu" && !strings.Contains(err, "dsl.Asm[uint32] needs a GPU, and this is compiled for"):
		t.Error(err)
	}
	if err := launched(bad); !t.simulated() && kind != "cpu" && (!strings.Contains(err, "v_no_such_thing") || !strings.Contains(err, "kernels_asm.go:46:24")) {
		t.Errorf("an unknown instruction: %s", err)
	}
}
