package conformance

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/amdimage"
	"heddle/internal/target"
	"heddle/kernel"
	"heddle/vector"
)

// Kernels of one method each, at a place that differs between threads.

func usesSample(t dsl.Texture2D[vector.Float4], out []vector.Float4) {
	i := dsl.ThreadIdx().X
	out[i] = t.Sample(float32(i), float32(2*i))
}

func usesSampleOne(t dsl.Texture1D[float32], out []float32) {
	i := dsl.ThreadIdx().X
	out[i] = t.Sample(float32(i) * 1.7)
}

func usesLod(t dsl.Texture3D[vector.Float2], out []vector.Float2) {
	i := dsl.ThreadIdx().X
	out[i] = t.SampleLod(float32(i)*0.1, float32(i)*0.3, 0.5, float32(i)*0.7)
}

func usesLayer(t dsl.Texture2DLayered[float32], out []float32) {
	i := dsl.ThreadIdx().X
	out[i] = t.Sample(float32(i)*0.1, float32(i)*0.3, i)
}

func usesCube(t dsl.TextureCube[float32], out []float32) {
	i := dsl.ThreadIdx().X
	out[i] = t.Sample(float32(i)-7, float32(i)*0.3, 1)
}

func usesFetch(t dsl.Texture1DLayered[vector.Uchar4], out []vector.Uchar4) {
	i := dsl.ThreadIdx().X
	out[i] = t.Fetch(i, 3*i)
}

func usesGather(t dsl.Texture2D[vector.Float4], out []float32) {
	i := dsl.ThreadIdx().X
	all := t.Gather(float32(i)*0.1, float32(i)*0.3)
	out[i] = all[0].Y + all[3].Y
}

func usesStore(from dsl.Surface3D[vector.Half2], to dsl.Surface2D[vector.Half2]) {
	i := dsl.ThreadIdx().X
	to.Store(i, 3, from.Load(i, i+1, 2))
}

func usesVarying(t []dsl.Texture2D[float32], out []float32) {
	i := dsl.ThreadIdx().X
	out[i] = t[i].Sample(float32(i), 0.5)
}

// With ImageInstructions methods are AMD's image instructions, their descriptors are loaded as uniform
// values, and those that differ between threads are taken one after the other; without it there is no
// such instruction. On NVIDIA's GPUs the code is the same with and without it.
func TestImageInstructions(t *testing.T) {
	needLLVM(t)
	images := kernel.Options{NoBounds: true, ImageInstructions: true}
	both := func(k any) [2]*kernel.Kernel {
		return [2]*kernel.Kernel{kernel.NewWith(k, images), kernel.NewWith(k, kernel.Options{NoBounds: true})}
	}
	instruction := regexp.MustCompile(`image_(load|store|sample|gather)`)
	const resource = `s_load_(dwordx8|b256) s\[\d+:\d+\], s\[\d+:\d+\], 0x1e0`
	const sampler = `s_load_(dwordx4|b128) s\[\d+:\d+\], s\[\d+:\d+\], 0x200`
	const address = `(v\[\d+:\d+\]|\[v\d+(, v\d+)*\])`
	for name, c := range map[string]struct {
		kernels  [2]*kernel.Kernel
		patterns []string
	}{
		"Sample": {both(usesSample), []string{`image_sample_lz +v\[\d+:\d+\], ` + address + `, s\[\d+:\d+\], s\[\d+:\d+\] dmask:0xf dim:SQ_RSRC_IMG_2D`, resource, sampler}},
		"one":    {both(usesSampleOne), []string{`image_sample_lz +v\d+, v\d+, s\[\d+:\d+\], s\[\d+:\d+\] dmask:0x1 dim:SQ_RSRC_IMG_1D`, resource, sampler}},
		"Lod":    {both(usesLod), []string{`image_sample_l +v\[\d+:\d+\], ` + address + `, s\[\d+:\d+\], s\[\d+:\d+\] dmask:0x3 dim:SQ_RSRC_IMG_3D`, resource, sampler}},
		"layer":  {both(usesLayer), []string{`image_sample_lz .* dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY`}},
		"cube":   {both(usesCube), []string{`v_cubeid_f32`, `v_cubema_f32`, `image_sample_lz .* dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY`}},
		"Fetch":  {both(usesFetch), []string{`image_load +v\[\d+:\d+\], ` + address + `, s\[\d+:\d+\] dmask:0xf dim:SQ_RSRC_IMG_1D_ARRAY`, resource}},
		"Gather": {both(usesGather), []string{`image_gather4_lz +v\[\d+:\d+\], ` + address + `, s\[\d+:\d+\], s\[\d+:\d+\] dmask:0x2 dim:SQ_RSRC_IMG_2D`, `s_bitset0_b32 s\d+, 27|s_and_b32 s\d+, s\d+, 0xf7ffffff`}},
		"Store":  {both(usesStore), []string{`image_load .* dmask:0x3 dim:SQ_RSRC_IMG_3D`, `image_store .* dmask:0x3 dim:SQ_RSRC_IMG_2D`}},
		"varying": {both(usesVarying), []string{`v_readfirstlane_b32`, `s_and_saveexec_b32[^\n]*\n(.*\n)*?.*image_sample_lz .* dmask:0x1 dim:SQ_RSRC_IMG_2D`,
			`s_cbranch_execnz`}},
	} {
		for _, arch := range []string{"gfx1030", "gfx1100", "gfx1201", "sm_80"} {
			var text [2]string
			for i, k := range c.kernels {
				var b bytes.Buffer
				if err := k.Dump(&b, arch, 0, kernel.Asm); err != nil {
					t.Fatalf("%s for %s: %v", name, arch, err)
				}
				text[i] = b.String()
			}
			if arch == "sm_80" {
				if text[0] != text[1] {
					t.Errorf("%s for %s is different code", name, arch)
				}
				continue
			}
			if instruction.MatchString(text[1]) {
				t.Errorf("%s for %s has image instructions without the option", name, arch)
			}
			for _, p := range c.patterns {
				if !regexp.MustCompile(p).MatchString(text[0]) {
					t.Errorf("%s for %s: no %s\n%s", name, arch, p, text[0])
				}
			}
		}
	}
}

// A processor without images is an error at the kernel, which says what to do. A kernel without
// textures compiles there with the option.
func TestImageError(t *testing.T) {
	needLLVM(t)
	for _, arch := range append([]string{"gfx1010", "gfx1036", "gfx1151", "gfx1250"}, target.Archs...) {
		m, err := target.For(arch, 0)
		if err != nil || m.HasImages() != (amdimage.FamilyOf(arch) != amdimage.None) {
			t.Errorf("%s: the compiler and the descriptors differ, or %v", arch, err)
		}
	}
	for _, arch := range []string{"gfx900", "gfx90a", "gfx942"} {
		m, err := target.For(arch, 0)
		if err != nil || m.HasImages() {
			t.Fatalf("%s: %v, has images %v", arch, err, err == nil && m.HasImages())
		}
		_, err = kernel.NewWith(usesFetch, kernel.Options{ImageInstructions: true}).Object(arch, 0)
		for _, want := range []string{"image_test.go:", "needs images as RDNA 2, 3 and 4 have them (Options.ImageInstructions asks for their instructions)",
			"and this is compiled for " + arch, "the processor has no images", "texture.Soft2D", "leave ImageInstructions out"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", arch, err, want)
			}
		}
		if _, err = kernel.NewWith(usesMulhi, kernel.Options{ImageInstructions: true}).Object(arch, 0); err != nil {
			t.Errorf("%s: a kernel without textures: %v", arch, err)
		}
	}
}
