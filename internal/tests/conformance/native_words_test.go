package conformance

import (
	"bytes"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/codegen"
	"heddle/internal/target"
	"heddle/kernel"
	"heddle/vector"
)

func fmaPairs(x, y []vector.Half2) { i := dsl.GlobalIdx().X; y[i] = x[i].Fma(y[i], x[0]).Add(x[1]) }
func fmaQuads(x, y []vector.Half4) { i := dsl.GlobalIdx().X; y[i] = x[i].Mul(y[i]) }
func fmaHalf(x, y []vector.Half)   { i := dsl.GlobalIdx().X; y[i] = x[i].Fma(y[i], x[0]) }
func fmaBrains(x, y []vector.BFloat162) {
	i := dsl.GlobalIdx().X
	y[i] = x[i].Fma(y[i], x[0])
}
func copyFloat4(x, y []vector.Float4) { i := dsl.GlobalIdx().X; y[i] = x[i] }
func copyDouble2(x, y []vector.Double2) {
	i := dsl.GlobalIdx().X
	y[i] = x[i]
}
func copyHalf8(x, y [][8]vector.Half) { i := dsl.GlobalIdx().X; y[i] = x[i] }
func addPairsFast(x []vector.Half2, y []vector.BFloat162) {
	i := dsl.GlobalIdx().X
	x[i] = dsl.UnsafeAtomicAddHalf2(&x[i/2], x[i])
	y[i] = dsl.UnsafeAtomicAddBFloat162(&y[i/2], y[i])
}
func copyLong2(x, y []vector.Long2) { i := dsl.GlobalIdx().X; y[i] = x[i] }

// What one instruction does is one instruction.
func TestNativeInstructions(t *testing.T) {
	quad := map[string]string{"gfx90a": "global_load_dwordx4 global_store_dwordx4", "gfx1100": "global_load_b128 global_store_b128", "gfx1201": "global_load_b128 global_store_b128"}
	nvidia := func(text string) map[string]string { return map[string]string{"sm_70": text, "sm_90": text} }
	for _, c := range []struct {
		name   string
		k      *kernel.Kernel
		amd    map[string]string
		nvidia map[string]string
	}{
		{"Half2", kernel.New(fmaPairs), map[string]string{"gfx90a": "v_pk_fma_f16 v_pk_add_f16", "gfx1030": "v_pk_fma_f16 v_pk_add_f16", "gfx1201": "v_pk_fma_f16 v_pk_add_f16"}, nvidia("fma.rn.f16x2 add.rn.f16x2")},
		{"Half4", kernel.New(fmaQuads), map[string]string{"gfx942": "v_pk_mul_f16", "gfx1100": "v_pk_mul_f16"}, nvidia("mul.rn.f16x2")},
		{"Half", kernel.New(fmaHalf), map[string]string{"gfx90a": "v_fma_f16|v_fmac_f16", "gfx1100": "v_fma_f16|v_fmac_f16"}, nvidia("fma.rn.f16")},
		{"packed atomics", kernel.New(addPairsFast), map[string]string{"gfx942": "atomic_pk_add_f16 atomic_pk_add_bf16", "gfx1201": "atomic_pk_add_f16 atomic_pk_add_bf16"}, map[string]string{"sm_90": "atom.add.noftz.f16x2 atom.add.noftz.bf16x2"}},
		{"atomics around a limit", kernel.New(wrapping), map[string]string{"gfx942": "global_atomic_inc global_atomic_dec ds_inc ds_dec", "gfx1100": "global_atomic_inc_u32 global_atomic_dec_u32 ds_inc_u32 ds_dec_u32"}, nvidia("atom.relaxed.gpu.inc.u32 atom.relaxed.gpu.dec.u32")},
		{"BFloat162", kernel.New(fmaBrains), nil, map[string]string{"sm_80": "fma.rn.bf16x2", "sm_90": "fma.rn.bf16x2"}},
		{"Float4", kernel.New(copyFloat4), quad, nvidia("ld.global.v4.f32|ld.global.v4.b32|ld.global.v2.b64 st.global.v4.f32|st.global.v4.b32|st.global.v2.b64")},
		{"Double2", kernel.New(copyDouble2), quad, nvidia("ld.global.v2.f64|ld.global.v2.b64 st.global.v2.f64|st.global.v2.b64")},
		{"Long2", kernel.New(copyLong2), quad, nvidia("ld.global.v2.u64|ld.global.v2.b64 st.global.v2.u64|st.global.v2.b64")},
		{"8 halves", kernel.New(copyHalf8), quad, nvidia("ld.global.v4|ld.global.v2.b64 st.global.v4|st.global.v2.b64")},
	} {
		for _, wants := range []map[string]string{c.amd, c.nvidia} {
			for arch, want := range wants {
				m, err := target.For(arch, 0)
				if err != nil {
					t.Fatal(err)
				}
				if err := codegen.Supports(m.Triple, arch); err != nil {
					t.Log(err)
					continue
				}
				var b bytes.Buffer
				if err := c.k.Dump(&b, arch, 0, kernel.Asm); err != nil {
					t.Errorf("%s on %s: %v", c.name, arch, err)
					continue
				}
				for alternatives := range strings.FieldsSeq(want) {
					found := false
					for w := range strings.SplitSeq(alternatives, "|") {
						found = found || strings.Contains(b.String(), w)
					}
					if !found {
						t.Errorf("%s on %s: no %s in\n%s", c.name, arch, alternatives, memoryAndFloats(b.String()))
					}
				}
			}
		}
	}
}

// memoryAndFloats are the lines of an assembly that matter here.
func memoryAndFloats(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.ContainsAny(line, "_.") && (strings.Contains(line, "global") || strings.Contains(line, "f16") || strings.Contains(line, "fma")) {
			b.WriteString(line)
		}
	}
	return b.String()
}
