package json

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deeply values that are not read may be nested.
const maxDepth = 1000

// Unmarshal reads a record to which v points. What it holds besides the record's
// fields is passed over; null leaves a value as it is, or empties it.
func Unmarshal(data []byte, v any) error {
	rest, err := Decode(data, v)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("json: %q after the record", start(rest))
	}
	return err
}

// Decode reads the first of several records as [Unmarshal] does, and returns what
// follows it, without white space before it.
func Decode(data []byte, v any) (rest []byte, err error) {
	r := &reader{data: string(data), fields: map[reflect.Type][]field{}}
	defer func() {
		if e := recover(); e != nil {
			var ok bool
			if err, ok = e.(malformed); !ok {
				panic(e)
			}
		}
	}()
	r.value(reflect.ValueOf(v).Elem())
	r.space()
	return data[r.at:], nil
}

// malformed is what the reader panics with.
type malformed struct{ error }

// start is the start of a text, for messages.
func start(text []byte) []byte { return text[:min(len(text), 20)] }

// A reader reads one value after the other.
type reader struct {
	data   string
	at     int
	fields map[reflect.Type][]field
}

func (r *reader) fail(what string) {
	if r.at >= len(r.data) {
		panic(malformed{errors.New("json: it is cut short")})
	}
	panic(malformed{fmt.Errorf("json: %q at %d, not %s", start([]byte(r.data[r.at:])), r.at, what)})
}

func (r *reader) space() {
	for r.at < len(r.data) && strings.IndexByte(" \t\r\n", r.data[r.at]) >= 0 {
		r.at++
	}
}

// accept reports whether the next byte but white space is c, and passes it.
func (r *reader) accept(c byte) bool {
	r.space()
	if r.at < len(r.data) && r.data[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *reader) expect(c byte) {
	if !r.accept(c) {
		r.fail(string(c))
	}
}

// word reports whether the next value is a word, and passes it.
func (r *reader) word(w string) bool {
	r.space()
	if strings.HasPrefix(r.data[r.at:], w) {
		r.at += len(w)
		return true
	}
	return false
}

// value reads a value into v.
func (r *reader) value(v reflect.Value) {
	if r.word("null") {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			v.SetZero()
		}
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		t := r.word("true")
		if !t && !r.word("false") {
			r.fail("a bool")
		}
		v.SetBool(t)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		r.space()
		n, err := strconv.ParseInt(r.number(), 10, v.Type().Bits())
		if err != nil {
			panic(malformed{fmt.Errorf("json: %w", err)})
		}
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		r.space()
		n, err := strconv.ParseUint(r.number(), 10, v.Type().Bits())
		if err != nil {
			panic(malformed{fmt.Errorf("json: %w", err)})
		}
		v.SetUint(n)
	case reflect.String:
		v.SetString(r.text())
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		r.value(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		r.list(func() {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			r.value(v.Index(v.Len() - 1))
		})
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		r.object(func(key string) {
			e := reflect.New(v.Type().Elem()).Elem()
			r.value(e)
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), e)
		})
	case reflect.Struct:
		r.record(v)
	default:
		r.fail("a value of a record: " + v.Type().String())
	}
}

// record reads the fields of a struct.
func (r *reader) record(v reflect.Value) {
	fields, ok := r.fields[v.Type()]
	if !ok {
		fields = fieldsOf(v.Type())
		r.fields[v.Type()] = fields
	}
	r.object(func(key string) {
		for _, f := range fields {
			if f.name == key {
				r.value(v.FieldByIndex(f.index))
				return
			}
		}
		r.skip(0)
	})
}

// list reads a list; element reads each of its elements.
func (r *reader) list(element func()) {
	r.expect('[')
	if r.accept(']') {
		return
	}
	for {
		element()
		if r.accept(']') {
			return
		}
		r.expect(',')
	}
}

// object reads an object; member reads the value of each key.
func (r *reader) object(member func(key string)) {
	r.expect('{')
	if r.accept('}') {
		return
	}
	for {
		key := r.text()
		r.expect(':')
		member(key)
		if r.accept('}') {
			return
		}
		r.expect(',')
	}
}

// skip passes a value over.
func (r *reader) skip(depth int) {
	if depth > maxDepth {
		r.fail("a value that is nested less deeply")
	}
	r.space()
	if r.at >= len(r.data) {
		r.fail("a value")
	}
	switch c := r.data[r.at]; {
	case c == '{':
		r.object(func(string) { r.skip(depth + 1) })
	case c == '[':
		r.list(func() { r.skip(depth + 1) })
	case c == '"':
		r.text()
	case !r.word("true") && !r.word("false") && !r.word("null"):
		r.number()
	}
}

// number is the number at the present place.
func (r *reader) number() string {
	from := r.at
	digits := func() {
		n := r.at
		for r.at < len(r.data) && '0' <= r.data[r.at] && r.data[r.at] <= '9' {
			r.at++
		}
		if r.at == n {
			r.fail("a digit")
		}
	}
	next := func(of string) bool {
		if r.at < len(r.data) && strings.IndexByte(of, r.data[r.at]) >= 0 {
			r.at++
			return true
		}
		return false
	}
	next("-")
	if !next("0") {
		digits()
	}
	if next(".") {
		digits()
	}
	if next("eE") {
		next("+-")
		digits()
	}
	return r.data[from:r.at]
}

// text reads a string.
func (r *reader) text() string {
	r.expect('"')
	from := r.at
	for r.at < len(r.data) && r.data[r.at] != '"' && r.data[r.at] != '\\' && ' ' <= r.data[r.at] && r.data[r.at] < utf8.RuneSelf {
		r.at++
	}
	b := []byte(r.data[from:r.at])
	for !r.accepts('"') {
		if r.at >= len(r.data) || r.data[r.at] < ' ' {
			r.fail("a part of a string")
		}
		if r.data[r.at] == '\\' {
			b = utf8.AppendRune(b, r.escape())
			continue
		}
		c, size := utf8.DecodeRuneInString(r.data[r.at:])
		b = utf8.AppendRune(b, c) // U+FFFD for what is no UTF-8
		r.at += size
	}
	return string(b)
}

// accepts is accept without white space.
func (r *reader) accepts(c byte) bool { return r.at < len(r.data) && r.data[r.at] == c && r.accept(c) }

// escape reads what a backslash begins.
func (r *reader) escape() rune {
	const letters, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	r.at++
	if r.at >= len(r.data) {
		r.fail("an escape")
	}
	if i := strings.IndexByte(letters, r.data[r.at]); i >= 0 {
		r.at++
		return rune(meaning[i])
	}
	c, ok := r.unit()
	if !ok {
		r.fail("an escape")
	}
	if utf16.IsSurrogate(c) {
		if r.at < len(r.data) && r.data[r.at] == '\\' {
			r.at++
			second := r.at
			if low, ok := r.unit(); ok {
				if pair := utf16.DecodeRune(c, low); pair != utf8.RuneError {
					return pair
				}
			}
			r.at = second - 1
		}
		return utf8.RuneError
	}
	return c
}

// unit reads u and four hexadecimal digits.
func (r *reader) unit() (rune, bool) {
	if len(r.data)-r.at < 5 || r.data[r.at] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(r.data[r.at+1:r.at+5], 16, 16)
	if err != nil {
		return 0, false
	}
	r.at += 5
	return rune(n), true
}
