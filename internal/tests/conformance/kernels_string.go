package conformance

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

func stringCases() []Case {
	row := "constant strings"
	return []Case{
		onEach("string/ops", row, each[stringOps], upTo(len(motto))),
		onEach("string/runes", row, each[runeOps], upTo(6)),
		onEach("string/switch", row, each[stringSwitch], upTo(8)),
	}
}
