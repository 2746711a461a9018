package link

import (
	"reflect"
	"strings"
	"testing"
)

func TestMsgpack(t *testing.T) {
	for _, test := range []struct {
		in   string
		want any
	}{
		{"\x07", uint64(7)},
		{"\xff", int64(-1)},
		{"\xcc\x80", uint64(128)},
		{"\xcd\x01\x00", uint64(256)},
		{"\xce\x00\x01\x00\x00", uint64(65536)},
		{"\xcf\x80\x00\x00\x00\x00\x00\x00\x00", uint64(1 << 63)},
		{"\xd0\x80", int64(-128)},
		{"\xd1\xff\x00", int64(-256)},
		{"\xd2\xff\xff\xff\xfe", int64(-2)},
		{"\xd3\xff\xff\xff\xff\xff\xff\xff\xfd", int64(-3)},
		{"\xca\x3f\x80\x00\x00", float64(1)},
		{"\xcb\x40\x00\x00\x00\x00\x00\x00\x00", float64(2)},
		{"\xc0", nil},
		{"\xc2", false},
		{"\xc3", true},
		{"\xa3abc", "abc"},
		{"\xd9\x02hi", "hi"},
		{"\xda\x00\x02hi", "hi"},
		{"\xdb\x00\x00\x00\x02hi", "hi"},
		{"\xc4\x01\x00", []byte{0}},
		{"\x92\x01\xa1x", []any{uint64(1), "x"}},
		{"\xdc\x00\x01\x05", []any{uint64(5)}},
		{"\xdd\x00\x00\x00\x01\x05", []any{uint64(5)}},
		{"\x81\xa1k\x01", map[string]any{"k": uint64(1)}},
		{"\xde\x00\x01\xa1k\x01", map[string]any{"k": uint64(1)}},
		{"\xdf\x00\x00\x00\x01\xa1k\x01", map[string]any{"k": uint64(1)}},
	} {
		m := &msgpack{[]byte(test.in)}
		got, err := m.value(0)
		if err != nil || !reflect.DeepEqual(got, test.want) || len(m.data) != 0 {
			t.Errorf("%x: got %#v, %v, want %#v", test.in, got, err, test.want)
		}
		for n := range len(test.in) { // no prefix is a value
			if v, err := (&msgpack{[]byte(test.in[:n])}).value(0); err == nil {
				t.Errorf("%x: got %#v from its first %d bytes", test.in, v, n)
			}
		}
	}
	for name, in := range map[string]string{"depth": strings.Repeat("\x91", 100) + "\x01", "huge array": "\xdd\xff\xff\xff\xff\x01", "huge map": "\xdf\xff\xff\xff\xff\x01", "tag": "\xc1"} {
		if v, err := (&msgpack{[]byte(in)}).value(0); err == nil {
			t.Errorf("%s: got %#v", name, v)
		}
	}
}
