package texture

import (
	"math"
	"testing"
	"unsafe"

	"heddle/vector"
)

// decode is the sRGB function.
func decode(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// softPlane is a texture of the host's memory.
func softPlane[S Sampled, X Texel](texels []X, w, h int, o Options) Soft2D[S] {
	f, _ := FormatOf[X]()
	s := Shape{Width: w, Height: h}
	d := Describe(s, f, int(unsafe.Sizeof(texels[0])))
	d.Options(s, o, true)
	d.Texels = unsafe.Pointer(&texels[0])
	return Soft2D[S]{&d}
}

// All values are decoded, alpha and the border are not, and the filter is of decoded colours.
func TestSRGB(t *testing.T) {
	texels := make([]vector.Uchar4, 256)
	for i := range texels {
		v := uint8(i)
		texels[i] = vector.MakeUchar4(v, 255-v, v, v)
	}
	o := Options{SRGB: true, Address: [3]Address{Border, Border}, Border: [4]float32{0.25, 2, -1, 0.5}}
	point := softPlane[vector.Float4](texels, 256, 1, o)
	o.Filter = Linear
	linear := softPlane[vector.Float4](texels, 256, 1, o)
	for i := range 256 {
		want := vector.MakeFloat4(float32(decode(float64(i)/255)), float32(decode(float64(255-i)/255)), float32(decode(float64(i)/255)), float32(i)/255)
		for _, got := range []vector.Float4{point.Sample(float32(i)+.5, .5), point.Fetch(i, 0), linear.Sample(float32(i)+.5, .5), point.Gather(float32(i), .5)[2]} {
			if got != want {
				t.Errorf("%d: %v, want %v", i, got, want)
			}
		}
		if i < 255 {
			half := (decode(float64(i)/255) + decode(float64(i+1)/255)) / 2
			if got := linear.Sample(float32(i)+1, .5).X; math.Abs(float64(got)-half) > 1e-7 {
				t.Errorf("between %d and the next: %v, want %v", i, got, half)
			}
		}
	}
	if got := point.Sample(-1, 0); got != vector.MakeFloat4(0.25, 1, 0, 0.5) {
		t.Errorf("border %v", got)
	}
}

// Anisotropy is the mean of samples along the longer step, on the level of the shorter one.
func TestAnisotropy(t *testing.T) {
	texels := make([]float32, 64*64)
	for i := range texels {
		texels[i] = float32(i % 64) // a ramp along x
	}
	for _, c := range []struct {
		most    int
		dx, dy  vector.Float2
		at      float32
		samples []float32 // distances along x
	}{
		{0, vector.MakeFloat2(8, 0), vector.MakeFloat2(0, 1), 20.5, []float32{0}},
		{16, vector.MakeFloat2(3, 0), vector.MakeFloat2(0, 1), 20.5, []float32{-.75, 0, .75}},
		{2, vector.MakeFloat2(0, 1), vector.MakeFloat2(3, 0), 20.5, []float32{-.5, .5}},
		{16, vector.MakeFloat2(2, 0), vector.MakeFloat2(0, 2), 20.5, []float32{0}},
		{4, vector.MakeFloat2(10, 0), vector.Float2{}, 0.5, []float32{-3, -1, 1, 3}},
	} {
		tex := softPlane[float32](texels, 64, 64, Options{Filter: Linear, Anisotropy: c.most})
		want := float32(0)
		for _, d := range c.samples {
			want += tex.Sample(c.at+d, 30) / float32(len(c.samples))
		}
		if got := tex.SampleGrad(c.at, 30, c.dx, c.dy); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("at most %d, steps %v and %v: %v, want %v", c.most, c.dx, c.dy, got, want)
		}
	}
}

// An anisotropic sample takes the level that the shorter step asks for.
func TestAnisotropyLevel(t *testing.T) {
	s := Shape{Width: 16, Height: 16, Levels: 5}
	texels := make([]float32, s.Texels())
	for l, at := 0, 0; l < 5; l++ {
		one := s.Level(l)
		for range one.Texels() {
			texels[at] = float32(l)
			at++
		}
	}
	for most, want := range map[int]float32{0: 3, 1: 3, 2: 2, 4: 1, 16: 0} {
		d := Describe(s, Float32, 4)
		d.Options(s, Options{Normalized: true, Anisotropy: most}, true)
		d.Texels = unsafe.Pointer(&texels[0])
		if got := (Soft2D[float32]{&d}).SampleGrad(.5, .5, vector.MakeFloat2(0, 8./16), vector.MakeFloat2(1./16, 0)); got != want {
			t.Errorf("at most %d samples: level %v, want %v", most, got, want)
		}
	}
}
