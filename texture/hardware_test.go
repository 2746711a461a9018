package texture

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"unsafe"

	"heddle/vector"
)

// A sampled is what an H100 gave for a texture: CUDA C++ filled it with random texels and
// sampled it at random places (driver 13.0, November 2026). testdata/h100.gz has some of them.
type sampled struct {
	name               string
	format             Format
	channels           int
	shape              Shape
	linear, normalized bool
	address            Address
	function           int32 // of CUDA's: see at
	texels             []byte
	places, results    [][4]float32
}

// Functions that were called.
const (
	tex1D, tex2D, tex3D      = 0, 1, 2
	tex2DLayered, texCubemap = 4, 5
	tex2DLod                 = 6
	fetch2D, fetch3D         = 10, 12
	tex2Dgather              = 13
)

func recorded(t *testing.T) (all []*sampled) {
	t.Helper()
	f, err := os.Open("testdata/h100.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	word := func() (v int32) {
		v = int32(binary.LittleEndian.Uint32(b))
		b = b[4:]
		return v
	}
	for len(b) > 0 {
		s := &sampled{name: string(bytes.TrimRight(b[:24], "\x00"))}
		b = b[24:]
		s.format = map[byte]Format{'f': Float32, 'h': Half, 'B': Uint8, 'b': Int8, 'S': Uint16, 's': Int16}[byte(word())]
		s.channels = int(word())
		s.shape = Shape{Width: int(word()), Height: int(word()), Depth: int(word())}
		if flags := word(); flags&4 != 0 {
			s.shape.Cube, s.shape.Depth = true, 0
		} else if flags&1 != 0 {
			s.shape.Layers, s.shape.Depth = s.shape.Depth, 0
		}
		s.shape.Levels = int(word())
		s.linear, s.normalized = word() != 0, word() != 0
		s.address = [...]Address{Wrap, Clamp, Mirror, Border}[word()]
		word() // read mode: of integers, always that of numbers
		s.function = word()
		n := word()
		s.texels, b = b[:n], b[n:]
		n = word()
		quads := func() [][4]float32 {
			v := make([][4]float32, n)
			for i := range v {
				for c := range v[i] {
					v[i][c] = math.Float32frombits(uint32(word()))
				}
			}
			return v
		}
		s.places, s.results = quads(), quads()
		all = append(all, s)
	}
	return all
}

// desc is the texture in the software form.
func (s *sampled) desc() *Desc {
	o := Options{Normalized: s.normalized, Address: [3]Address{s.address, s.address, s.address}}
	if s.linear {
		o.Filter = Linear
	}
	switch {
	case strings.HasPrefix(s.name, "addr"):
		o.Border[0] = 100
	case s.name == "border2d":
		o.Border[0] = 0.25
	case strings.HasPrefix(s.name, "border"):
		o.Border = [4]float32{0.3, 2, -1, 0.5}
	case s.name == "miplin" || strings.HasPrefix(s.name, "miprl"):
		o.MipFilter = Linear
	}
	d := Describe(s.shape, s.format, s.format.bytes()*s.channels)
	d.Options(s.shape, o, true)
	d.Texels = unsafe.Pointer(&s.texels[0])
	return &d
}

// at is what the software form gives at a place.
func (s *sampled) at(d *Desc, p [4]float32) (q [4]float32, n int) {
	x, y, z := int(p[0]), int(p[1]), int(p[2])
	where := point{p[0], p[1], p[2], 0, 2}
	switch s.function {
	case tex1D:
		where.axes = 1
	case tex3D:
		where.axes = 3
	case tex2DLayered:
		where.slice = d.slice(z)
	case texCubemap:
		where = d.onCube(p[0], p[1], p[2], 0)
	case tex2DLod:
		return [4]float32{sampleLod[float32](d, where, p[3])}, 1
	case fetch2D:
		return [4]float32{fetchAt[float32](d, x, y, 0, 0)}, 1
	case fetch3D:
		return [4]float32{fetchAt[float32](d, x, y, z, 0)}, 1
	case tex2Dgather:
		return gatherAt[float32](d, where), 4
	}
	if s.channels == 1 {
		return [4]float32{sampleAt[float32](d, where)}, 1
	}
	v := sampleAt[vector.Float4](d, where)
	return [4]float32{v.X, v.Y, v.Z, v.W}, 4
}

// The software form agrees with the hardware, bit for bit.
func TestHardware(t *testing.T) {
	all, compared := recorded(t), 0
	for _, s := range all {
		d := s.desc()
		for i, p := range s.places {
			got, n := s.at(d, p)
			for c := range n {
				compared++
				if got[c] != s.results[i][c] {
					t.Fatalf("%s: at %v channel %d is %v, on an H100 %v", s.name, p, c, got[c], s.results[i][c])
				}
			}
		}
	}
	if len(all) < 40 || compared < 5000 {
		t.Errorf("%d textures, %d numbers", len(all), compared)
	}
}
