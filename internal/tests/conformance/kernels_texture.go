package conformance

import (
	"reflect"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/inside"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
	"heddle/vector"
)

// Textures and surfaces. The truth is the software form on the host.

// A spot is where a kernel samples: a coordinate or a direction, a level, a layer, and a step.
type spot struct {
	X, Y, Z, Level, Step float32
	Layer                int32
}

type results [4]float32

func onLine(t dsl.Texture1D[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p := in[i]
		out[i] = results{t.Fetch(int(p.X * 8)), t.Sample(p.X), t.SampleLod(p.X, p.Level), t.SampleGrad(p.X, p.Step, 0)}
	}
}

func onPlane(t dsl.Texture2D[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p := in[i]
		out[i] = results{t.Fetch(int(p.X*8), int(p.Y*8)), t.Sample(p.X, p.Y), t.SampleLod(p.X, p.Y, p.Level),
			t.SampleGrad(p.X, p.Y, vector.MakeFloat2(p.Step, 0), vector.MakeFloat2(0, p.Step/3))}
	}
}

func inVolume(t dsl.Texture3D[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p := in[i]
		out[i] = results{t.Fetch(int(p.X*8), int(p.Y*8), int(p.Z*8)), t.Sample(p.X, p.Y, p.Z), t.SampleLod(p.X, p.Y, p.Z, p.Level),
			t.SampleGrad(p.X, p.Y, p.Z, vector.Float4{X: p.Step}, vector.Float4{Z: p.Step})}
	}
}

func onLines(t dsl.Texture1DLayered[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p, l := in[i], int(in[i].Layer)
		out[i] = results{t.Fetch(int(p.X*8), l), t.Sample(p.X, l), t.SampleLod(p.X, l, p.Level), t.SampleGrad(p.X, l, 0, p.Step)}
	}
}

func onPlanes(t dsl.Texture2DLayered[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p, l := in[i], int(in[i].Layer)
		out[i] = results{t.Fetch(int(p.X*8), int(p.Y*8), l), t.Sample(p.X, p.Y, l), t.SampleLod(p.X, p.Y, l, p.Level),
			t.SampleGrad(p.X, p.Y, l, vector.Float2{}, vector.Float2{Y: p.Step})}
	}
}

func onCube(t dsl.TextureCube[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p := in[i]
		out[i] = results{t.Sample(p.X, p.Y, p.Z), t.SampleLod(p.X, p.Y, p.Z, p.Level),
			t.SampleGrad(p.X, p.Y, p.Z, vector.Float4{X: p.Step}, vector.Float4{Y: p.Step})}
	}
}

func onCubes(t dsl.TextureCubeLayered[float32], in []spot, out []results) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		p, l := in[i], int(in[i].Layer)
		out[i] = results{t.Sample(p.X, p.Y, p.Z, l), t.SampleLod(p.X, p.Y, p.Z, l, p.Level),
			t.SampleGrad(p.X, p.Y, p.Z, l, vector.Float4{X: p.Step}, vector.Float4{Y: p.Step})}
	}
}

// sampledAs is of one type of results.
func sampledAs[T texture.Sampled](t dsl.Texture2D[T], in []spot, sample, fetch []T, gather [][4]T) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		sample[i], fetch[i] = t.Sample(in[i].X, in[i].Y), t.Fetch(int(in[i].X), int(in[i].Y))
		gather[i] = t.Gather(in[i].X, in[i].Y)
	}
}

// softly is of the software form, whatever the device has.
func softly(t texture.Soft2D[vector.Float4], in []spot, out []vector.Float4) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		out[i] = t.Sample(in[i].X, in[i].Y)
	}
}

// hostTexture is a texture in the host's memory.
func hostTexture[D any, T texture.Texel](texels []T, s texture.Shape, o texture.Options, numbers bool) (t D) {
	f, _ := texture.FormatOf[T]()
	if s.Cube {
		s.Height = s.Width
	}
	d := texture.Describe(s, f, int(unsafe.Sizeof(texels[0])))
	d.Options(s, o, numbers)
	d.Texels = unsafe.Pointer(&texels[0])
	*(**texture.Desc)(unsafe.Pointer(&t)) = &d
	return t
}

// noise is a number from 0 to 1.
func noise(i int) float32 {
	x := uint32(i)*2654435761 + 12345
	x ^= x >> 15
	x *= 2246822519
	return float32(x>>8&0xffffff) / (1 << 24)
}

// coordinates are coordinates about a texture of the given extent, or directions.
func coordinates(extent float32) []spot {
	return filled(700, func(i int) spot {
		p := func(k int) float32 { return (noise(6*i+k)*1.5 - 0.25) * extent }
		return spot{p(0), p(1), p(2), noise(6*i+3)*5 - 1, noise(6*i+4) / 2, int32(noise(6*i+5)*6) - 1}
	})
}

// A texturing is how a kernel's textures are compiled: kernel.Options, and the cases' names.
type texturing struct {
	area string
	opts kernel.Options
}

var (
	plain = texturing{"texture", kernel.Options{}}
	image = texturing{"image", kernel.Options{ImageInstructions: true}} // see kernels_image.go
)

// options are ways to sample.
func (how texturing) options(normalized bool) []texture.Options {
	all := []texture.Options{{}, {Filter: texture.Linear}}
	if normalized {
		all = nil
		for _, f := range []texture.Filter{texture.Point, texture.Linear} {
			for a := texture.Clamp; a <= texture.Border; a++ {
				other := texture.Address((int(a) + 1) % 3)
				all = append(all, texture.Options{Filter: f, MipFilter: texture.Filter(a & 1), Normalized: true, Address: [3]texture.Address{a, other, a}, Border: how.border(0.25, 2, -1, 0.5)})
			}
		}
		all[1].MinLevel, all[1].MaxLevel, all[5].Bias = 0.5, 1.25, 0.5
	}
	return all
}

// onKind is a case of one kind of texture.
func onKind[D any](f texturing, name string, fn func(D, []spot, []results), s texture.Shape, eval func(D, spot) results, own func(*launch.Device, []float32, texture.Options) (*launch.Texture[D], error)) Case {
	k := kernel.NewWith(fn, f.opts)
	return Case{f.area + "/" + name, "textures", []*kernel.Kernel{k}, func(t *T) {
		for _, levels := range []int{1, 3} {
			s.Levels = levels
			texels := filled(s.Texels(), func(i int) float32 { return noise(i)*4 - 2 })
			for n, o := range f.options(levels > 1 || s.Cube) {
				var tex *launch.Texture[D]
				var err error
				if levels == 1 {
					tex, err = own(t.Dev, texels, o)
				} else {
					tex, err = launch.NewTexture[D](t.Dev, texels, s, o)
				}
				t.must(err)
				extent := float32(1)
				if !o.Normalized {
					extent = float32(s.Width)
				}
				in := coordinates(extent)
				out := alloc[results](t, len(in))
				if n%2 == 0 {
					t.run(k, launch.Linear(len(in), 96), tex, upload(t, in), out)
				} else {
					t.run(k, launch.Linear(len(in), 96), tex.Device(), upload(t, in), out)
				}
				host := hostTexture[D](texels, s, o, true)
				got := download(t, out)
				var differ [4]int
				loose := s.Depth > 0 && o.MipFilter == texture.Linear && inside.Driver(t.Dev).Target == "nvptx"
				for i, p := range in {
					want := eval(host, p)
					for c := range want {
						if got[i][c] == want[c] {
							continue
						}
						// Between levels of volumes the hardware rounds a few weights otherwise.
						if loose && c >= 2 && max(got[i][c]-want[c], want[c]-got[i][c]) < 1.0/32 {
							differ[c]++
							continue
						}
						if differ[c]++; differ[c] == 1 {
							t.Errorf("%d levels, %+v, at %+v: result %d is %v, want %v", levels, o, p, c, got[i][c], want[c])
						}
					}
				}
				if few := len(in) / 50; differ != [4]int{} && !(loose && differ[2] < few && differ[3] < few) {
					t.Errorf("of %d results differ: %v", len(in), differ)
				}
				t.must(tex.Close())
			}
		}
	}}
}

func textureCases() []Case { return append(plain.cases(), softCase()) }

// cases are those of a texturing.
func (f texturing) cases() []Case {
	return []Case{
		onKind(f, "1D", onLine, texture.Shape{Width: 8}, func(t dsl.Texture1D[float32], p spot) results {
			return results{t.Fetch(int(p.X * 8)), t.Sample(p.X), t.SampleLod(p.X, p.Level), t.SampleGrad(p.X, p.Step, 0)}
		}, launch.NewTexture1D),
		onKind(f, "2D", onPlane, texture.Shape{Width: 8, Height: 6}, func(t dsl.Texture2D[float32], p spot) results {
			return results{t.Fetch(int(p.X*8), int(p.Y*8)), t.Sample(p.X, p.Y), t.SampleLod(p.X, p.Y, p.Level),
				t.SampleGrad(p.X, p.Y, vector.MakeFloat2(p.Step, 0), vector.MakeFloat2(0, p.Step/3))}
		}, func(d *launch.Device, texels []float32, o texture.Options) (*launch.Texture[dsl.Texture2D[float32]], error) {
			return launch.NewTexture2D[float32](d, texels, 8, 6, o)
		}),
		onKind(f, "3D", inVolume, texture.Shape{Width: 8, Height: 6, Depth: 5}, func(t dsl.Texture3D[float32], p spot) results {
			return results{t.Fetch(int(p.X*8), int(p.Y*8), int(p.Z*8)), t.Sample(p.X, p.Y, p.Z), t.SampleLod(p.X, p.Y, p.Z, p.Level),
				t.SampleGrad(p.X, p.Y, p.Z, vector.Float4{X: p.Step}, vector.Float4{Z: p.Step})}
		}, func(d *launch.Device, texels []float32, o texture.Options) (*launch.Texture[dsl.Texture3D[float32]], error) {
			return launch.NewTexture3D[float32](d, texels, 8, 6, 5, o)
		}),
		onKind(f, "1D-layered", onLines, texture.Shape{Width: 8, Layers: 4}, func(t dsl.Texture1DLayered[float32], p spot) results {
			l := int(p.Layer)
			return results{t.Fetch(int(p.X*8), l), t.Sample(p.X, l), t.SampleLod(p.X, l, p.Level), t.SampleGrad(p.X, l, 0, p.Step)}
		}, func(d *launch.Device, texels []float32, o texture.Options) (*launch.Texture[dsl.Texture1DLayered[float32]], error) {
			return launch.NewTexture1DLayered[float32](d, texels, 8, 4, o)
		}),
		onKind(f, "2D-layered", onPlanes, texture.Shape{Width: 8, Height: 6, Layers: 4}, func(t dsl.Texture2DLayered[float32], p spot) results {
			l := int(p.Layer)
			return results{t.Fetch(int(p.X*8), int(p.Y*8), l), t.Sample(p.X, p.Y, l), t.SampleLod(p.X, p.Y, l, p.Level),
				t.SampleGrad(p.X, p.Y, l, vector.Float2{}, vector.Float2{Y: p.Step})}
		}, func(d *launch.Device, texels []float32, o texture.Options) (*launch.Texture[dsl.Texture2DLayered[float32]], error) {
			return launch.NewTexture2DLayered[float32](d, texels, 8, 6, 4, o)
		}),
		onKind(f, "cube", onCube, texture.Shape{Width: 8, Cube: true}, func(t dsl.TextureCube[float32], p spot) results {
			return results{t.Sample(p.X, p.Y, p.Z), t.SampleLod(p.X, p.Y, p.Z, p.Level),
				t.SampleGrad(p.X, p.Y, p.Z, vector.Float4{X: p.Step}, vector.Float4{Y: p.Step})}
		}, func(d *launch.Device, texels []float32, o texture.Options) (*launch.Texture[dsl.TextureCube[float32]], error) {
			return launch.NewTextureCube[float32](d, texels, 8, o)
		}),
		onKind(f, "cube-layered", onCubes, texture.Shape{Width: 8, Cube: true, Layers: 3}, func(t dsl.TextureCubeLayered[float32], p spot) results {
			l := int(p.Layer)
			return results{t.Sample(p.X, p.Y, p.Z, l), t.SampleLod(p.X, p.Y, p.Z, l, p.Level),
				t.SampleGrad(p.X, p.Y, p.Z, l, vector.Float4{X: p.Step}, vector.Float4{Y: p.Step})}
		}, func(d *launch.Device, texels []float32, o texture.Options) (*launch.Texture[dsl.TextureCubeLayered[float32]], error) {
			return launch.NewTextureCubeLayered[float32](d, texels, 8, 3, o)
		}),
		onType(f, "integers", sampledAs[uint8], sampledAs[int16], sampledAs[int32], texelsAs[uint8, uint8], texelsAs[int16, int16], texelsAs[int32, int32]),
		onType(f, "vectors", sampledAs[vector.Char4], sampledAs[vector.Uint2], sampledAs[vector.Ushort4],
			texelsAs[vector.Char4, vector.Char4], texelsAs[vector.Uint2, vector.Uint2], texelsAs[vector.Ushort4, vector.Ushort4]),
		onType(f, "numbers", sampledAs[float32], sampledAs[vector.Float2], sampledAs[vector.Float4],
			texelsAs[float32, uint8], texelsAs[vector.Float2, vector.Short2], texelsAs[vector.Float4, vector.Ushort4]),
		onType(f, "halves", sampledAs[float32], sampledAs[vector.Float2], sampledAs[vector.Float4],
			texelsAs[float32, vector.Half], texelsAs[vector.Float2, vector.Half2], texelsAs[vector.Float4, vector.Half4]),
		surfacesCase(f),
		srgbCase(f),
		anisotropyCase(f),
	}
}

// onType is a case of three types of results, each with a test.
func onType[A, B, C texture.Sampled](f texturing, name string, a func(dsl.Texture2D[A], []spot, []A, []A, [][4]A), b func(dsl.Texture2D[B], []spot, []B, []B, [][4]B), c func(dsl.Texture2D[C], []spot, []C, []C, [][4]C),
	ta, tb, tc func(*T, *kernel.Kernel, texturing)) Case {
	ka, kb, kc := kernel.NewWith(a, f.opts), kernel.NewWith(b, f.opts), kernel.NewWith(c, f.opts)
	return Case{f.area + "/" + name, "textures", []*kernel.Kernel{ka, kb, kc}, func(t *T) {
		ta(t, ka, f)
		tb(t, kb, f)
		tc(t, kc, f)
	}}
}

// texelsAs tests a type of results with texels of a type.
func texelsAs[S texture.Sampled, X texture.Texel](t *T, k *kernel.Kernel, how texturing) {
	const w, h = 7, 5
	texels := make([]X, w*h)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&texels[0])), w*h*int(unsafe.Sizeof(texels[0])))
	f, _ := texture.FormatOf[X]()
	for i := range bytes {
		bytes[i] = byte(noise(i) * 256)
		if f == texture.Half && i%2 == 1 {
			bytes[i] = bytes[i]&0x83 | 0x38 // near 1
		}
	}
	sf, _ := texture.FormatOf[S]()
	all := []texture.Options{{}, {Address: [3]texture.Address{texture.Border, texture.Border}, Border: how.border(1, 2, 3, 1)}}
	if sf == texture.Float32 {
		all = append(all, texture.Options{Filter: texture.Linear}, texture.Options{Filter: texture.Linear, Address: all[1].Address, Border: how.border(.3, .8, 0, 1)})
	}
	for _, o := range all {
		tex, err := launch.NewTexture2D[S](t.Dev, texels, w, h, o)
		t.must(err)
		in := coordinates(w)
		sample, fetch, gather := alloc[S](t, len(in)), alloc[S](t, len(in)), alloc[[4]S](t, len(in))
		t.run(k, launch.Linear(len(in), 64), tex, upload(t, in), sample, fetch, gather)
		host := hostTexture[dsl.Texture2D[S]](texels, texture.Shape{Width: w, Height: h}, o, sf == texture.Float32)
		s, g, all4 := download(t, sample), download(t, fetch), download(t, gather)
		differ := 0
		for i, p := range in {
			ws, wf, wg := host.Sample(p.X, p.Y), host.Fetch(int(p.X), int(p.Y)), host.Gather(p.X, p.Y)
			if s[i] != ws || g[i] != wf || all4[i] != wg {
				if differ++; differ > 1 {
					continue
				}
				t.Errorf("%s as %s, %+v, at %+v: %v, %v, %v, want %v, %v, %v", reflect.TypeFor[X](), reflect.TypeFor[S](), o, p, s[i], g[i], all4[i], ws, wf, wg)
			}
		}
		if differ > 1 {
			t.Errorf("%d of %d results differ", differ, len(in))
		}
		t.must(tex.Close())
	}
}

func softCase() Case {
	k := kernel.New(softly)
	return Case{"texture/soft", "textures", []*kernel.Kernel{k}, func(t *T) {
		texels := filled(48, func(i int) vector.Uchar4 { return vector.MakeUchar4(uint8(i*37), uint8(i*91), uint8(i), uint8(255-i)) })
		o := texture.Options{Filter: texture.Linear, Normalized: true, Address: [3]texture.Address{texture.Wrap, texture.Mirror}}
		s := texture.Shape{Width: 8, Height: 6}
		tex, err := launch.NewTexture[texture.Soft2D[vector.Float4]](t.Dev, texels, s, o)
		t.must(err)
		in := coordinates(2)
		out := alloc[vector.Float4](t, len(in))
		t.run(k, launch.Linear(len(in), 64), tex, upload(t, in), out)
		host := hostTexture[texture.Soft2D[vector.Float4]](texels, s, o, true)
		same(t, download(t, out), filled(len(in), func(i int) vector.Float4 { return host.Sample(in[i].X, in[i].Y) }))
		t.must(tex.Close())
	}}
}

// A surfaces is all kinds of them, of one type.
type surfaces[X texture.Texel] struct {
	Line   dsl.Surface1D[X]
	Plane  dsl.Surface2D[X]
	Volume dsl.Surface3D[X]
	Lines  dsl.Surface1DLayered[X]
	Planes dsl.Surface2DLayered[X]
	Cube   dsl.SurfaceCube[X]
	Cubes  dsl.SurfaceCubeLayered[X]
}

// copyTexels copies texels of 8x4x2 arrays to their mirror images, and reads and writes outside.
func copyTexels[X texture.Texel](from, to surfaces[X]) {
	x, y, z := dsl.ThreadIdx().X-1, dsl.ThreadIdx().Y-1, dsl.ThreadIdx().Z-1
	if y == 0 && z == 0 {
		to.Line.Store(7-x, from.Line.Load(x))
	}
	if z == 0 {
		to.Plane.Store(7-x, 3-y, from.Plane.Load(x, y))
	}
	to.Volume.Store(7-x, 3-y, 1-z, from.Volume.Load(x, y, z))
	if y == 0 {
		to.Lines.Store(7-x, 1-z, from.Lines.Load(x, z))
	}
	to.Planes.Store(7-x, 3-y, 1-z, from.Planes.Load(x, y, z))
	for face := range 6 {
		if z == 0 {
			to.Cube.Store(7-x, 7-y, 5-face, from.Cube.Load(x, y, face))
			to.Cube.Store(7-x, 3-y, 5-face, from.Cube.Load(x, y+4, face))
		}
		if z >= 0 && z < 2 {
			to.Cubes.Store(7-x, 7-y, 5-face, 1-z, from.Cubes.Load(x, y, face, z))
			to.Cubes.Store(7-x, 3-y, 5-face, 1-z, from.Cubes.Load(x, y+4, face, z))
		}
	}
}

func surfacesCase(f texturing) Case {
	var ks []*kernel.Kernel
	ks = append(ks, kernel.NewWith(copyTexels[uint8], f.opts))
	ks = append(ks, kernel.NewWith(copyTexels[vector.Half], f.opts))
	ks = append(ks, kernel.NewWith(copyTexels[vector.Half4], f.opts))
	ks = append(ks, kernel.NewWith(copyTexels[vector.Short2], f.opts))
	ks = append(ks, kernel.NewWith(copyTexels[float32], f.opts))
	ks = append(ks, kernel.NewWith(copyTexels[vector.Float4], f.opts))
	ks = append(ks, kernel.NewWith(copyTexels[vector.Uint2], f.opts))
	return Case{f.area + "/surfaces", "surfaces", ks, func(t *T) {
		copied[uint8](t, ks[0])
		copied[vector.Half](t, ks[1])
		copied[vector.Half4](t, ks[2])
		copied[vector.Short2](t, ks[3])
		copied[float32](t, ks[4])
		copied[vector.Float4](t, ks[5])
		copied[vector.Uint2](t, ks[6])
	}}
}

// copied runs copyTexels: all texels are in reverse order then.
func copied[X interface {
	texture.Texel
	comparable
}](t *T, k *kernel.Kernel) {
	shapes := []texture.Shape{{Width: 8}, {Width: 8, Height: 4}, {Width: 8, Height: 4, Depth: 2}, {Width: 8, Layers: 2}, {Width: 8, Height: 4, Layers: 2},
		{Width: 8, Cube: true}, {Width: 8, Cube: true, Layers: 2}}
	var froms, tos []*launch.Array[X]
	var texels [][]X
	for _, s := range shapes {
		v := make([]X, s.Texels())
		b := unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
		for i := range b {
			b[i] = byte(i*7+i/64) & 0x3f
		}
		from, err := launch.NewArray[X](t.Dev, s)
		t.must(err)
		to, err := launch.NewArray[X](t.Dev, s)
		t.must(err)
		t.must(from.CopyFrom(t.Dev.Stream(), upload(t, v)))
		froms, tos, texels = append(froms, from), append(tos, to), append(texels, v)
	}
	t.run(k, launch.Config{Block: launch.Dim3{X: 10, Y: 6, Z: 4}}, surfacesOf(t, froms), surfacesOf(t, tos))
	for i, a := range tos {
		got := make([]X, len(texels[i]))
		if i%2 == 0 {
			t.must(a.Download(got))
		} else {
			out := alloc[X](t, len(got))
			t.must(a.CopyTo(t.Dev.Stream(), out))
			got = download(t, out)
		}
		for j := range got {
			if want := texels[i][len(got)-1-j]; got[j] != want {
				t.Errorf("%T, shape %d, texel %d: %v, want %v", want, i, j, got[j], want)
				break
			}
		}
		t.must(a.Close())
		t.must(froms[i].Close())
	}
}

func surfacesOf[X texture.Texel](t *T, a []*launch.Array[X]) (s surfaces[X]) {
	var errs [7]error
	s.Line, errs[0] = a[0].Surface1D()
	s.Plane, errs[1] = a[1].Surface2D()
	s.Volume, errs[2] = a[2].Surface3D()
	s.Lines, errs[3] = a[3].Surface1DLayered()
	s.Planes, errs[4] = a[4].Surface2DLayered()
	s.Cube, errs[5] = a[5].SurfaceCube()
	s.Cubes, errs[6] = a[6].SurfaceCubeLayered()
	for _, err := range errs {
		t.must(err)
	}
	return s
}
