package json

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Marshal writes a record, or a pointer to one.
func Marshal(v any) ([]byte, error) { return appendValue(nil, reflect.ValueOf(v)) }

func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case reflect.String:
		return appendString(b, v.String()), nil
	case reflect.Struct:
		return appendStruct(b, v)
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
	}
	var err error
	switch v.Kind() {
	case reflect.Pointer:
		return appendValue(b, v.Elem())
	case reflect.Slice:
		b = append(b, '[')
		for i := 0; i < v.Len() && err == nil; i++ {
			if i > 0 {
				b = append(b, ',')
			}
			b, err = appendValue(b, v.Index(i))
		}
		return append(b, ']'), err
	case reflect.Map:
		return appendMap(b, v)
	}
	return b, fmt.Errorf("json: a value of type %v in a record", v.Type())
}

func appendStruct(b []byte, v reflect.Value) ([]byte, error) {
	start := len(b)
	for _, f := range fieldsOf(v.Type()) {
		x := v.FieldByIndex(f.index)
		if f.empty && isEmpty(x) {
			continue
		}
		b = append(appendString(append(b, ','), f.name), ':')
		var err error
		if b, err = appendValue(b, x); err != nil {
			return b, err
		}
	}
	return braces(b, start), nil
}

// appendMap writes a map in the order of its keys.
func appendMap(b []byte, v reflect.Value) ([]byte, error) {
	if v.Type().Key().Kind() != reflect.String {
		return b, fmt.Errorf("json: a map of type %v in a record", v.Type())
	}
	values := map[string]reflect.Value{}
	for _, k := range v.MapKeys() {
		values[k.String()] = v.MapIndex(k)
	}
	start := len(b)
	for _, k := range slices.Sorted(maps.Keys(values)) {
		b = append(appendString(append(b, ','), k), ':')
		var err error
		if b, err = appendValue(b, values[k]); err != nil {
			return b, err
		}
	}
	return braces(b, start), nil
}

// braces makes an object of members from start on, each of which follows a comma.
func braces(b []byte, start int) []byte {
	if len(b) == start {
		b = append(b, '{')
	} else {
		b[start] = '{'
	}
	return append(b, '}')
}

// appendString quotes a string. As encoding/json does, it escapes what HTML would
// take for a tag.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	short := map[byte]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case r == utf8.RuneError && size == 1:
			b = append(b, `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			b = append(append(b, `\u202`...), hex[r&15])
		case short[c] != 0:
			b = append(b, '\\', short[c])
		case c < ' ' || c == '<' || c == '>' || c == '&':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return append(b, '"')
}

// MarshalLines is Marshal for people: each value stands on a line of its own, behind
// a tab for each value that it is in.
func MarshalLines(v any) ([]byte, error) {
	text, err := Marshal(v)
	var b []byte
	depth, quoted := 0, false
	line := func() { b = append(append(b, '\n'), bytes.Repeat([]byte("\t"), depth)...) }
	for i, c := range text {
		if c == '"' && (!quoted || !escaped(text[:i])) {
			quoted = !quoted
		}
		switch {
		case quoted:
			b = append(b, c)
		case c == '{' || c == '[':
			b = append(b, c)
			if next := text[i+1]; next != '}' && next != ']' {
				depth++
				line()
			}
		case c == '}' || c == ']':
			if last := text[i-1]; last != '{' && last != '[' {
				depth--
				line()
			}
			b = append(b, c)
		case c == ',':
			b = append(b, c)
			line()
		case c == ':':
			b = append(b, ": "...)
		default:
			b = append(b, c)
		}
	}
	return b, err
}

// escaped reports whether a text ends in an odd number of backslashes.
func escaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}
