package conformance

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Constant strings.

type stringOut struct {
	Len, Part      int
	Byte           byte
	Eq, Lt, Ge, Ne bool
	Sum            int
	Runes          [12]rune
	At             [12]int
	Count          int
	Sliced         byte
	Empty          bool
}

const motto = "weft and warp"

type stringOps struct{}

func (stringOps) Do(i int, out *stringOut) {
	s := "häddle"
	out.Len, out.Byte = len(s), motto[i]
	part := motto[i:]
	out.Part = len(part)
	out.Sliced = motto[2:9][i%7]
	if i%2 == 1 {
		s = motto[:4]
	}
	out.Eq, out.Ne, out.Lt, out.Ge = s == "weft", s != "weft", s < "weft and", part >= "d"
	for _, b := range []byte{1, 2, byte(i)} {
		out.Sum += int(b)
	}
	for j := range len(part) {
		out.Sum = out.Sum*31 + int(part[j])
	}
	out.Empty = part[len(part):] == ""
	out.At[0] = len(min(s, part, "z"))
}

// runeOps ranges over a string with runes of every length and with every kind
// of invalid UTF-8.
type runeOps struct{}

func (runeOps) Do(i int, out *stringOut) {
	switch i {
	case 0:
		for at, r := range "aé€😀\x00z" {
			out.put(at, r)
		}
	case 1: // a stray continuation, a truncated sequence, an overlong one
		for at, r := range "\x80a\xe2\x82b\xc0\xaf" {
			out.put(at, r)
		}
	case 2: // a surrogate, beyond the last rune, a start without more
		for at, r := range "\xed\xa0\x80\xf4\x90\x80\x80\xf0" {
			out.put(at, r)
		}
	case 3:
		for range "öüß" {
			out.Count++
		}
	case 4:
		for at := range "ü-ß" {
			out.put(at, 0)
		}
	case 5: // real ones at the limits of each length
		for at, r := range "\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff\ufffd" {
			out.put(at, r)
		}
	}
}

func (o *stringOut) put(at int, r rune) {
	o.At[o.Count], o.Runes[o.Count] = at, r
	o.Count++
}

// weekday is a switch over strings and a method with a string result.
type weekday int

func (d weekday) name() string {
	switch d {
	case 0:
		return "sunday"
	case 1:
		return "monday"
	case 6:
		return "saturday"
	}
	return "some day"
}

type stringSwitch struct{}

func (stringSwitch) Do(i int, out *[3]int) {
	name := weekday(i).name()
	switch name {
	case "sunday", "saturday":
		out[0] = 1
	case "monday":
		out[0] = -1
	}
	out[1] = len(name)
	out[2] = int(name[len(name)-1])
}

// stringBytes are strings and slices of bytes: compared, made of constants, searched by
// packages bytes and strings.
type stringBytes struct{}

func wordKind(b []byte) int {
	switch string(b) {
	case "weft":
		return 1
	case "warp", "wa":
		return 2
	case "":
		return 3
	}
	return 0
}

type hex byte

func (stringBytes) Do(n int, out *[16]int) {
	text := []byte(motto)
	text[n%3] ^= byte(n)
	out[0], out[1], out[2], out[3] = wordKind(text[:4]), wordKind(text[9:]), wordKind(text[9:9+n%5]), wordKind(nil)
	if string(text) < motto {
		out[4] = 1
	}
	same := string(text) == motto
	text[0]++ // behind the comparison
	if same {
		out[5] = int(text[0])
	}
	for i := range n {
		if string(text[i:i+2]) == "an" {
			text[i] = byte(i)
			out[6] += i + 1
		}
	}
	runes := []rune("aé€😀\x80")
	runes[n%len(runes)]++
	for _, r := range runes {
		out[7] = out[7]*3 + int(r)
	}
	out[8] = len([]byte("")) + cap([]rune("üß"))
	out[9] = int([]hex("f0")[n%2])
	out[10] = bytes.IndexByte(text, 'a') + bytes.Index(text, []byte("wa"))*100
	out[11] = bytes.Compare(text[n%4:], text[9:])
	if bytes.HasPrefix(text[9:], []byte("war")) && !bytes.Equal(text[:3], []byte("wef")) {
		out[12] = bytes.LastIndexByte(text, ' ')
	}
	out[13] = strings.Index(motto, "and w") + strings.IndexByte(motto[n:], 'r')*100
	if before, after, ok := strings.Cut(motto, " and "); ok && strings.Contains(motto[n%6:], "wef") {
		out[14] = len(before)*10 + len(after)
	}
	for i := range 3 {
		b := []byte("xyz")
		b[i] = byte(n)
		out[15] = out[15]*5 + int(b[0]) + int(b[2])
	}
}

// stringRange ranges over strings that are not constant: parts of one, bytes.
type stringRange struct{}

const garbled = "aé€😀\x80z\xe2\x82\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\xf0\x90\x8f\U0010ffff\ud7ff\xe0\x9f\xbf\xf5\xf0\x90\x80"

func hashRunes(s string) (h int) {
	for i, r := range s {
		h = h*31 + int(r)*7 + i
	}
	return h
}

func (stringRange) Do(n int, out *[6]int) {
	part := garbled[n:]
	out[0], out[1], out[2] = hashRunes(part), hashRunes(part[:min(len(part), n)]), hashRunes("ü")
	b := []byte(garbled)
	b[n] += byte(n)
	sum := hashRunes(string(b))
	for i := range string(b[n/2:]) {
		sum = sum*3 + i
	}
	out[3] = sum
	out[4] = utf8.RuneCount(b) + bytes.Count(b, nil)*100
	for range part {
		out[5]++
	}
}

// appendedInts writes numbers in text.
type appendedInts struct{}

func (appendedInts) Do(n int, out *[160]byte) {
	x := int64(n-6) * 0x123456789abcd
	b := strconv.AppendInt(out[:0], x, 10)
	b = append(b, ' ')
	for _, base := range [...]int{2, 7, 16, 36} {
		b = append(strconv.AppendUint(b, uint64(x)>>uint(n), base), ',')
	}
	b = strconv.AppendInt(b, int64(n), 10)
	out[159] = byte(len(b))
}

func stringCases() []Case {
	row := "constant strings"
	return []Case{
		onEach("string/ops", row, each[stringOps], upTo(len(motto))),
		onEach("string/runes", row, each[runeOps], upTo(6)),
		onEach("string/range", row, each[stringRange], upTo(len(garbled))),
		onEach("string/bytes", row, each[stringBytes], upTo(9)),
		onEach("string/switch", row, each[stringSwitch], upTo(8)),
		onEach("string/append-int", row+", and numbers in text", each[appendedInts], upTo(14)).std(),
	}
}
