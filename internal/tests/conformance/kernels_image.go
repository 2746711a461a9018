package conformance

import (
	"strings"

	"heddle/dsl"
	"heddle/internal/amdimage"
	"heddle/internal/inside"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
	"heddle/vector"
)

// Image instructions: the cases of textures again, with kernel.Options.ImageInstructions, which
// changes the code on AMD's GPUs with images and no result; and what is refused.

// border is a border's colour; image instructions can name three, of which this is one.
func (f texturing) border(r, g, b, a float32) [4]float32 {
	if !f.opts.ImageInstructions {
		return [4]float32{r, g, b, a}
	}
	if r < 1 {
		return [4]float32{0, 0, 0, 1}
	}
	return [4]float32{1, 1, 1, 1}
}

// lacksImages reports whether a processor of AMD's has no image instructions that heddle uses.
func lacksImages(arch string) bool {
	return strings.HasPrefix(arch, "gfx") && amdimage.FamilyOf(arch) == amdimage.None
}

// imageCases are the cases of textures with image instructions. On processors without them the
// kernels must not compile.
func imageCases() []Case {
	all := append(image.cases(), varyingCase(), refusedCase(), halfwayCase(), gatherCase())
	for i := range all {
		c := all[i]
		all[i].Run = func(t *T) {
			if !lacksImages(t.Dev.Info().Arch) {
				c.Run(t)
				return
			}
			for _, k := range c.Kernels {
				err := k.Compile(t.Dev)
				if err == nil || !strings.Contains(err.Error(), "needs images as RDNA 2, 3 and 4 have them (Options.ImageInstructions asks for their instructions)") ||
					!strings.Contains(err.Error(), "texture.Soft2D") || !strings.Contains(err.Error(), t.Dev.Info().Arch) ||
					!strings.Contains(err.Error(), "internal/tests/conformance/kernels_") {
					t.Errorf("%s without images: %v", k.Name(), err)
				}
			}
		}
	}
	return all
}

// sampledOf samples a texture of each thread's own choice, so that descriptors differ in a warp.
func sampledOf(all []dsl.Texture2D[vector.Float4], targets []dsl.Surface2D[float32], out []vector.Float4) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		t := all[i%len(all)]
		out[i] = t.Sample(float32(i%8)+0.25, float32(i/8%6)+0.5)
		s := targets[i*7%len(targets)]
		s.Store(i%8, i/8%6, s.Load(i%8, i/8%6)+1)
	}
}

func varyingCase() Case {
	k := kernel.NewWith(sampledOf, image.opts)
	return Case{"image/varying", "textures", []*kernel.Kernel{k}, func(t *T) {
		const w, h, n = 8, 6, 3
		var texs []dsl.Texture2D[vector.Float4]
		var surfs []dsl.Surface2D[float32]
		var arrays []*launch.Array[float32]
		var hosts []dsl.Texture2D[vector.Float4]
		o := texture.Options{Filter: texture.Linear}
		for j := range n {
			texels := filled(w*h, func(i int) vector.Float4 {
				return vector.Float4{X: noise(4*i + j), Y: noise(i), Z: noise(i + j), W: float32(j)}
			})
			tex, err := launch.NewTexture2D[vector.Float4](t.Dev, texels, w, h, o)
			t.must(err)
			defer func() { t.must(tex.Close()) }()
			a, err := launch.NewArray[float32](t.Dev, texture.Shape{Width: w, Height: h})
			t.must(err)
			defer func() { t.must(a.Close()) }()
			s, err := a.Surface2D()
			t.must(err)
			texs, surfs, arrays = append(texs, tex.Device()), append(surfs, s), append(arrays, a)
			hosts = append(hosts, hostTexture[dsl.Texture2D[vector.Float4]](texels, texture.Shape{Width: w, Height: h}, o, true))
		}
		out := alloc[vector.Float4](t, w*h)
		t.run(k, launch.Linear(w*h, 64), upload(t, texs), upload(t, surfs), out)
		same(t, download(t, out), filled(w*h, func(i int) vector.Float4 {
			return hosts[i%n].Sample(float32(i%8)+0.25, float32(i/8%6)+0.5)
		}))
		for j, a := range arrays {
			got := make([]float32, w*h)
			t.must(a.Download(got))
			same(t, got, filled(w*h, func(i int) float32 {
				if i*7%n == j {
					return 1
				}
				return 0
			}))
		}
	}}
}

// sampledOnce samples a texture, and a surface's first texel.
func sampledOnce(t dsl.Texture2D[float32], out []float32) { out[0] = t.Sample(0.5, 0.5) }

// refusedCase has what image instructions cannot take: each is a panic that says why.
func refusedCase() Case {
	k := kernel.NewWith(sampledOnce, image.opts)
	return Case{"image/refused", "textures", []*kernel.Kernel{k}, func(t *T) {
		one := launch.Linear(1, 1)
		out := alloc[float32](t, 1)
		for _, c := range []struct {
			shape texture.Shape
			o     texture.Options
			want  string
		}{
			{texture.Shape{Width: 4, Height: 4}, texture.Options{Address: [3]texture.Address{texture.Border}, Border: [4]float32{0.5}}, "its border has a colour"},
			{texture.Shape{Width: 4, Height: 4}, texture.Options{Border: [4]float32{0.5}}, ""},
			{texture.Shape{Width: 4, Height: 4, Linear: true}, texture.Options{}, "its array has Shape.Linear"},
			{texture.Shape{Width: 1 << 16, Height: 1}, texture.Options{}, "it has more texels"},
		} {
			if c.shape.Linear && inside.Driver(t.Dev).Target == "nvptx" {
				continue // package launch refuses it
			}
			tex, err := launch.NewTexture[dsl.Texture2D[float32]](t.Dev, filled(c.shape.Texels(), func(int) float32 { return 3 }), c.shape, c.o)
			t.must(err)
			big := c.shape.Width > 1<<14 && strings.HasPrefix(t.Dev.Info().Arch, "gfx12")
			if inside.Driver(t.Dev).Target != "amdgpu" || c.want == "" || big {
				t.run(k, one, tex, out)
				same(t, download(t, out), []float32{3})
			} else if p := t.fails(k, one, tex, out); !strings.Contains(p.Error(), "image instructions cannot use this texture or surface: "+c.want) {
				t.Errorf("%+v, %+v: %v", c.shape, c.o, p)
			}
			t.must(tex.Close())
		}
	}}
}

// gathered gathers and samples.
func gathered(t dsl.Texture2D[float32], in []spot, out [][4]float32, samples []float32) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		out[i], samples[i] = t.Gather(in[i].X, in[i].Y), t.Sample(in[i].X, in[i].Y)
	}
}

// gatherCase is of a texture whose least level is not the first: a sample is of that, a gather of the first.
func gatherCase() Case {
	k := kernel.NewWith(gathered, image.opts)
	return Case{"image/gather", "textures", []*kernel.Kernel{k}, func(t *T) {
		s := texture.Shape{Width: 8, Height: 6, Levels: 3}
		texels := filled(s.Texels(), noise)
		in := coordinates(1)
		for _, o := range []texture.Options{{Normalized: true, MinLevel: 1, MaxLevel: 2}, {Normalized: true, Filter: texture.Linear, MipFilter: texture.Linear, MinLevel: 0.75, MaxLevel: 2}} {
			tex, err := launch.NewTexture[dsl.Texture2D[float32]](t.Dev, texels, s, o)
			t.must(err)
			out, samples := alloc[[4]float32](t, len(in)), alloc[float32](t, len(in))
			t.run(k, launch.Linear(len(in), 64), tex, upload(t, in), out, samples)
			host := hostTexture[dsl.Texture2D[float32]](texels, s, o, true)
			same(t, download(t, samples), filled(len(in), func(i int) float32 { return host.Sample(in[i].X, in[i].Y) }))
			if inside.Driver(t.Dev).Target != "nvptx" { // whose gather is of the least level: not known
				same(t, download(t, out), filled(len(in), func(i int) [4]float32 { return host.Gather(in[i].X, in[i].Y) }))
			}
			t.must(tex.Close())
		}
	}}
}

// halfway samples at places that are constants, and gives halves: compilers use short registers then.
func halfway(t dsl.Texture2D[vector.Float4], u dsl.Texture1D[float32], out []vector.Half4, singles []vector.Half) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	p := vector.MakeHalf(float32(i) / 4).Float32()
	q := vector.MakeHalf(float32(i) / 8).Float32()
	v := t.Sample(p, q)
	out[i] = vector.MakeHalf4(vector.MakeHalf(v.X), vector.MakeHalf(v.Y), vector.MakeHalf(v.Z), vector.MakeHalf(v.W))
	singles[i] = vector.MakeHalf(u.Sample(p) + u.Fetch(2))
}

func halfwayCase() Case {
	k := kernel.NewWith(halfway, image.opts)
	return Case{"image/short", "textures", []*kernel.Kernel{k}, func(t *T) {
		const w, h, n = 8, 6, 32
		o := texture.Options{Filter: texture.Linear}
		texels := filled(w*h, func(i int) vector.Uchar4 { return vector.MakeUchar4(uint8(i), uint8(i*3), uint8(i*91), uint8(255-i)) })
		line := filled(w, noise)
		tex, err := launch.NewTexture2D[vector.Float4](t.Dev, texels, w, h, o)
		t.must(err)
		u, err := launch.NewTexture1D[float32](t.Dev, line, o)
		t.must(err)
		out, singles := alloc[vector.Half4](t, n), alloc[vector.Half](t, n)
		t.run(k, launch.Linear(n, 32), tex, u, out, singles)
		host := hostTexture[dsl.Texture2D[vector.Float4]](texels, texture.Shape{Width: w, Height: h}, o, true)
		hostLine := hostTexture[dsl.Texture1D[float32]](line, texture.Shape{Width: w}, o, true)
		half := vector.MakeHalf
		same(t, download(t, out), filled(n, func(i int) vector.Half4 {
			v := host.Sample(float32(i)/4, float32(i)/8)
			return vector.MakeHalf4(half(v.X), half(v.Y), half(v.Z), half(v.W))
		}))
		same(t, download(t, singles), filled(n, func(i int) vector.Half { return half(hostLine.Sample(float32(i)/4) + hostLine.Fetch(2)) }))
		t.must(tex.Close())
		t.must(u.Close())
	}}
}
