package link

import (
	"errors"
	"fmt"
	"math"

	"heddle/internal/errs"
)

// A msgpack reads one MessagePack value: the encoding of AMDGPU's metadata
// note. Values become map[string]any, []any, string, []byte, int64, uint64,
// float64, bool and nil.
type msgpack struct{ data []byte }

var errTruncated = errors.New("msgpack: truncated")

const maxDepth = 32

func (m *msgpack) take(n uint64) ([]byte, error) {
	if n > uint64(len(m.data)) {
		return nil, errTruncated
	}
	b := m.data[:n]
	m.data = m.data[n:]
	return b, nil
}

// uint reads a big-endian integer of n bytes.
//
//go:noinline
func (m *msgpack) uint(n uint64) (v uint64, err error) {
	b, err := m.take(n)
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v, err
}

// value decodes the next value.
func (m *msgpack) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("msgpack: nested too deeply")
	}
	tag, err := m.uint(1)
	if err != nil {
		return nil, err
	}
	switch {
	case tag < 0x80:
		return tag, nil
	case tag < 0x90:
		return m.mapping(tag&15, depth)
	case tag < 0xa0:
		return m.array(tag&15, depth)
	case tag < 0xc0:
		return m.text(tag & 31)
	case tag >= 0xe0:
		return int64(int8(tag)), nil
	}
	if width, ok := map[uint64]uint64{
		0xc4: 1, 0xc5: 2, 0xc6: 4, // bin
		0xd9: 1, 0xda: 2, 0xdb: 4, // str
		0xdc: 2, 0xdd: 4, // array
		0xde: 2, 0xdf: 4, // map
	}[tag]; ok {
		n, err := m.uint(width)
		if err != nil {
			return nil, err
		}
		switch {
		case tag <= 0xc6:
			return m.take(n)
		case tag <= 0xdb:
			return m.text(n)
		case tag <= 0xdd:
			return m.array(n, depth)
		}
		return m.mapping(n, depth)
	}
	return m.fixed(tag)
}

// fixed decodes the values whose tag tells their size.
func (m *msgpack) fixed(tag uint64) (any, error) {
	switch tag {
	case 0xc0:
		return nil, nil
	case 0xc2, 0xc3:
		return tag == 0xc3, nil
	case 0xca:
		v, err := m.uint(4)
		return float64(math.Float32frombits(uint32(v))), err
	case 0xcb:
		v, err := m.uint(8)
		return math.Float64frombits(v), err
	case 0xcc, 0xcd, 0xce, 0xcf:
		return m.uint(1 << (tag - 0xcc))
	case 0xd0, 0xd1, 0xd2, 0xd3:
		n := uint64(1) << (tag - 0xd0)
		v, err := m.uint(n)
		shift := 64 - 8*n
		return int64(v<<shift) >> shift, err
	}
	return nil, errs.F("msgpack: unknown tag %#x", tag)
}

func (m *msgpack) text(n uint64) (any, error) {
	b, err := m.take(n)
	return string(b), err
}

func (m *msgpack) array(n uint64, depth int) (any, error) {
	if n > uint64(len(m.data)) { // an element takes at least a byte
		return nil, errTruncated
	}
	list := make([]any, 0, n)
	for range n {
		v, err := m.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (m *msgpack) mapping(n uint64, depth int) (any, error) {
	if n > uint64(len(m.data)) {
		return nil, errTruncated
	}
	dict := make(map[string]any, n)
	for range n {
		key, err := m.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v, err := m.value(depth + 1)
		if err != nil {
			return nil, err
		}
		dict[fmt.Sprint(key)] = v
	}
	return dict, nil
}
