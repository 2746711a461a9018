package ahead

import (
	"encoding/binary"
	"errors"
	"go/types"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// This file makes up values of Go types that only their source tells.

// sizes are those of every target.
var sizes = types.SizesFor("gc", "amd64")

// A form is how a number's bytes are understood.
type form uint8

const (
	signed form = iota
	unsigned
	float
	boolean
)

// A part is a number in a value: its place and size in bytes.
type part struct {
	at, size int
	form     form
}

// maxParts is how many bytes a value may have that is taken apart.
const maxParts = 1 << 20

// partsOf appends the numbers that a value of type t is made of; a complex
// number is two. Types that hold addresses or what lives on the host are an error.
func partsOf(t types.Type, at int, to []part) ([]part, error) {
	if sizes.Sizeof(t) > maxParts {
		return nil, errs.F("a %s is too large for a trial", t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		size := int(sizes.Sizeof(t))
		switch info := u.Info(); {
		case info&types.IsComplex != 0:
			return append(to, part{at, size / 2, float}, part{at + size/2, size / 2, float}), nil
		case info&types.IsFloat != 0:
			return append(to, part{at, size, float}), nil
		case info&types.IsUnsigned != 0 && u.Kind() != types.Uintptr:
			return append(to, part{at, size, unsigned}), nil
		case info&types.IsInteger != 0 && u.Kind() != types.Uintptr:
			return append(to, part{at, size, signed}), nil
		case info&types.IsBoolean != 0:
			return append(to, part{at, size, boolean}), nil
		}
	case *types.Array:
		var err error
		for i := 0; i < int(u.Len()) && err == nil; i++ {
			to, err = partsOf(u.Elem(), at+i*int(sizes.Sizeof(u.Elem())), to)
		}
		return to, err
	case *types.Struct:
		var fields []*types.Var
		for f := range u.Fields() {
			fields = append(fields, f)
		}
		var err error
		for i, offset := range sizes.Offsetsof(fields) {
			if to, err = partsOf(fields[i].Type(), at+int(offset), to); err != nil {
				return nil, errs.F("%w (field %s)", err, fields[i].Name())
			}
		}
		return to, nil
	}
	return nil, errs.F("cannot make a value of type %s", t)
}

// put stores an integer, cut to the part's size.
func (p part) put(b []byte, v int) {
	switch p.form {
	case float:
		p.putFloat(b, float64(v))
	case boolean:
		p.putBits(b, uint64(v&1))
	default:
		p.putBits(b, uint64(v))
	}
}

func (p part) putFloat(b []byte, v float64) {
	if p.size == 4 {
		p.putBits(b, uint64(math.Float32bits(float32(v))))
	} else {
		p.putBits(b, math.Float64bits(v))
	}
}

func (p part) putBits(b []byte, v uint64) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], v)
	copy(b[p.at:p.at+p.size], all[:])
}

// fills are the ways to fill an element, the i-th of n.
var fills = lazy.Value[map[string]func(b []byte, parts []part, i, n int)]{Make: func() map[string]func(b []byte, parts []part, i, n int) {
	return map[string]func(b []byte, parts []part, i, n int){
		"zero": func([]byte, []part, int, int) {},
		"ramp": func(b []byte, parts []part, i, _ int) {
			for _, p := range parts {
				p.put(b, i)
			}
		},
		"rand": func(b []byte, parts []part, i, n int) {
			r := rand.New(rand.NewPCG(uint64(i), 0))
			for _, p := range parts {
				if p.form == float {
					p.putFloat(b, r.Float64())
				} else {
					p.put(b, r.IntN(n))
				}
			}
		},
	}
}}

// lengthAndFill reads "256:rand", "256" or "rand", or "" for a length of n.
func lengthAndFill(text string, n int) (int, string, error) {
	number, fill, both := strings.Cut(text, ":")
	if _, ok := fills.Get()[text]; ok {
		number, fill, both = "", text, true
	}
	if number != "" {
		v, err := strconv.ParseUint(number, 10, 40)
		if err != nil {
			return 0, "", errs.F("%q is no length", number)
		}
		n = int(v)
	}
	if !both {
		fill = "ramp"
	}
	if fills.Get()[fill] == nil {
		return 0, "", errs.F("%q: want ramp, rand or zero", fill)
	}
	return n, fill, nil
}

// parse stores a number, or bool, that is written as in Go.
func parse(b []byte, parts []part, text string) error {
	p, bits := parts[0], parts[0].size*8
	var err error
	switch {
	case len(parts) == 2:
		var v complex128
		v, err = strconv.ParseComplex(text, 2*bits)
		p.putFloat(b, real(v))
		parts[1].putFloat(b, imag(v))
	case p.form == float:
		var v float64
		v, err = strconv.ParseFloat(text, bits)
		p.putFloat(b, v)
	case p.form == boolean:
		var v bool
		v, err = strconv.ParseBool(text)
		if v {
			p.putBits(b, 1)
		}
	case p.form == unsigned:
		var v uint64
		v, err = strconv.ParseUint(text, 0, bits)
		p.putBits(b, v)
	default:
		var v int64
		v, err = strconv.ParseInt(text, 0, bits)
		p.putBits(b, uint64(v))
	}
	var wrong *strconv.NumError
	if errors.As(err, &wrong) {
		kind := [...]string{"an integer", "an unsigned integer", "a float", "a bool"}[p.form]
		return errs.F("%q is not %s of %d bits: %w", text, kind, bits, wrong.Err)
	}
	return err
}
