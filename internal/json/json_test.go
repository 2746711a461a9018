package json

import (
	"bytes"
	std "encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// A record has all that records may have.
type record struct {
	abi.Place
	Text    string
	Flag    bool
	Small   uint8
	Large   int64
	Kind    abi.Kind
	Words   []string
	Nested  []abi.Frame
	Map     map[string]string
	Many    map[string][]int32
	Pointer *abi.Place
	Any     any
	Renamed int               `json:"other"`
	Left    func() error      `json:"-"`
	Empty   string            `json:",omitempty"`
	None    []int             `json:",omitempty"`
	Off     bool              `json:",omitempty"`
	Zero    map[string]string `json:"zero,omitempty"`
	hidden  int
}

func records() []record {
	return []record{
		{},
		{
			Place: abi.Place{File: "a.go", Line: -3, Col: 1 << 40}, Text: "\x00\x1f\x7f\b\f\n\r\t\"\\/<a href=\"&\"> \xff\xfeé\u2028\u2029\U0001F600\ufffd",
			Flag: true, Small: 255, Large: math.MinInt64, Kind: abi.PTX, Words: []string{"", "x", `\`, `"`, `\"{[,:`},
			Nested: []abi.Frame{{Func: "f", Calls: []abi.Call{{Place: abi.Place{File: "b"}, From: -1, First: math.MaxUint32}}, Hidden: true}, {}},
			Map:    map[string]string{"b": "2", "a": "1", "<": "&"}, Many: map[string][]int32{"": nil, "k": {}, "z": {-1, 0, 1}},
			Pointer: &abi.Place{}, Renamed: 7, Left: func() error { return nil }, Empty: "e", None: []int{0}, Off: true, Zero: map[string]string{"": ""}, hidden: 1,
		},
		{Words: []string{}, Map: map[string]string{}},
	}
}

// What is written is what encoding/json writes, and what is read is what was written.
func TestAsEncodingJSON(t *testing.T) {
	for _, r := range records() {
		want, err := std.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Marshal(&r)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("written (%v)\n%s\nwant\n%s", err, got, want)
		}
		indented, err := std.MarshalIndent(&r, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := MarshalLines(&r); err != nil || !bytes.Equal(got, indented) {
			t.Errorf("written (%v) in lines\n%s\nwant\n%s", err, got, indented)
		}
		for _, text := range [][]byte{want, indented} {
			same(t, text)
		}
	}
}

// same holds what Unmarshal makes of a text against encoding/json.
func same(t *testing.T, text []byte) {
	t.Helper()
	var got, want record
	err, stdErr := Unmarshal(text, &got), std.Unmarshal(text, &want)
	if stdErr == nil && err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("read from %s\n%+v\nwant\n%+v", text, got, want)
	}
	if (err == nil) != (stdErr == nil) {
		t.Errorf("of %q: %v; encoding/json: %v", text, err, stdErr)
	}
}

// texts are right and wrong ones.
var texts = []string{
	``, ` `, `{`, `}`, `{}`, ` { } `, `{} x`, `{}{}`, `[]`, `null`, `nul`, `true`, `{"Text":}`, `{"Text"}`, `{"Text" "x"}`, `{"Text":"x",}`, `{,}`, `{Text:"x"}`,
	`{"Text":"x"}`, `{"Text":"x"`, `{"Text":"x`, `{"Text":"x\`, `{"Text":"\u12`, `{"Text":"\u12"}`, `{"Text":"\u+123"}`, `{"Text":"\u_123"}`, `{"Text":"\x"}`, "{\"Text\":\"\n\"}",
	`{"Text":"\ud83d\ude00"}`, `{"Text":"\ud83d"}`, `{"Text":"\ud83dx"}`, `{"Text":"\ud83d\n"}`, `{"Text":"\ud83d\u0041"}`, `{"Text":"\ude00\ud83d\ude00"}`, `{"Text":"\ud83d\ud83d\ude00"}`,
	`{"Text":null}`, `{"Text":1}`, `{"Text":true}`, `{"Flag":1}`, `{"Flag":false}`, `{"Flag":tru}`, `{"Flag":truex}`, "{\"Text\":\"\xff\xfe\xc3\"}",
	`{"Small":256}`, `{"Small":-1}`, `{"Small":1.0}`, `{"Small":1e1}`, `{"Small":01}`, `{"Small":-}`, `{"Small":+1}`, `{"Small": 1 }`, `{"Large":9223372036854775808}`, `{"Large":-9223372036854775808}`, `{"Large":-0}`, `{"Large":"1"}`,
	`{"Words":["a" , "b"]}`, `{"Words":["a" "b"]}`, `{"Words":["a",]}`, `{"Words":[,]}`, `{"Words":[null]}`, `{"Words":{}}`, `{"Words":["a"`, `{"Words":"a"}`,
	`{"Map":{"a":"b","a":"c"}}`, `{"Map":{"a":null}}`, `{"Map":[]}`, `{"Map":{"a"}}`, `{"Map":null,"Words":null}`, `{"Pointer":null}`, `{"Pointer":{"Line":3}}`, `{"Pointer":[]}`,
	`{"Unknown":{"a":[1,2,{"b":null}],"c":-1.5e+7,"d":"\u0041\"","e":true}}`, `{"Unknown":{]}`, `{"Unknown":1.}`, `{"Unknown":.1}`, `{"Unknown":1e}`, `{"Unknown":00}`, `{"Unknown":"`, `{"Unknown":x}`,
	`{"other":5}`, `{"Renamed":5}`, `{"Left":5}`, `{"hidden":5}`, `{"File":"f","Line":2}`, `{"Place":{"File":"f"}}`, `{"Any":null}`, `{"Nested":[{"Calls":[{"File":"x","From":1,"First":4294967295}]}]}`, `{"Nested":[{"Calls":[{"First":4294967296}]}]}`,
}

func TestTexts(t *testing.T) {
	for _, text := range texts {
		same(t, []byte(text))
	}
}

// FuzzUnmarshal compares the reader with encoding/json, except for Any and for names of
// fields in another case, which encoding/json accepts.
func FuzzUnmarshal(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	for _, r := range records() {
		text, _ := std.Marshal(&r)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var names any
		if std.Unmarshal(text, &names) == nil && !exact(names) {
			t.Skip()
		}
		same(t, text)
	})
}

// exact reports whether all keys are as records have them, or unlike those in any case,
// and none is Any's.
func exact(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !exact(e) {
				return false
			}
		}
	case map[string]any:
		for k, e := range v {
			if k == "Any" && e != nil || !exact(e) {
				return false
			}
			for _, t := range []reflect.Type{reflect.TypeFor[record](), reflect.TypeFor[abi.Frame](), reflect.TypeFor[abi.Call]()} {
				for _, f := range fieldsOf(t) {
					if k != f.name && strings.EqualFold(k, f.name) {
						return false
					}
				}
			}
		}
	}
	return true
}

func TestDecode(t *testing.T) {
	var names []string
	for rest := []byte("{\"Text\":\"a\"}\n{\"Text\":\"b\"}\n\n"); len(rest) > 0; {
		var r record
		var err error
		if rest, err = Decode(rest, &r); err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Text)
	}
	if strings.Join(names, " ") != "a b" {
		t.Errorf("records %q", names)
	}
}

// What is nested too deeply is an error, and what records do not have is one too.
func TestRefused(t *testing.T) {
	deep := `{"Unknown":` + strings.Repeat("[", 1<<20)
	if err := Unmarshal([]byte(deep), new(record)); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Errorf("a million brackets: %v", err)
	}
	if err := Unmarshal([]byte(`{"Any":1}`), new(record)); err == nil {
		t.Error("any is read")
	}
	for _, v := range []any{struct{ F float64 }{}, struct{ M map[int]int }{map[int]int{}}, struct{ E any }{errors.New("")}} {
		if text, err := Marshal(v); err == nil {
			t.Errorf("%T is written as %s", v, text)
		}
	}
}
