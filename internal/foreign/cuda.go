package foreign

import (
	"bytes"
	"cmp"
	"debug/elf"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// sizes are the sizes of PTX's types, in bytes.
var ptxSizes = lazy.Value[map[string]int]{Make: func() map[string]int {
	all := map[string]int{"pred": 1}
	for _, kind := range []string{"b", "u", "s", "f"} {
		for _, bits := range []int{8, 16, 32, 64, 128} {
			all[kind+strconv.Itoa(bits)] = bits / 8
		}
	}
	return all
}}

var (
	ptxEntry = lazy.Regexp{Expr: `\.entry\s+([\w$]+)\s*(\(([^)]*)\))?`}
	ptxParam = lazy.Regexp{Expr: `\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+((?:\.ptr|\.global|\.shared|\.const|\.local|\.align\s+\d+|\s)*)([\w$]+)\s*(?:\[(\d*)\])?`}
	comment  = lazy.Regexp{Expr: `(?s)//[^\n]*|/\*.*?\*/`}
)

// Text is the kernels of PTX text.
func Text(code []byte) (kernels []Kernel, err error) {
	text := comment.Get().ReplaceAllString(string(code), " ")
	for _, m := range ptxEntry.Get().FindAllStringSubmatch(text, -1) {
		k := Kernel{Name: m[1]}
		for _, decl := range strings.Split(m[3], ",") {
			if strings.TrimSpace(decl) == "" {
				continue
			}
			p := ptxParam.Get().FindStringSubmatch(decl)
			if p == nil {
				return nil, errs.F("parameter %q of PTX kernel %s", strings.TrimSpace(decl), k.Name)
			}
			size := ptxSizes.Get()[p[2]]
			if size == 0 {
				return nil, errs.F("parameter %s of PTX kernel %s has the type .%s", p[4], k.Name, p[2])
			}
			align := size
			if p[1] != "" {
				align, _ = strconv.Atoi(p[1])
			}
			array := p[5] != ""
			if array {
				n, _ := strconv.Atoi(p[5])
				size *= n
			}
			at := (k.Size + align - 1) / max(align, 1) * align
			pointer := strings.Contains(p[3], ".ptr")
			k.Params = append(k.Params, Param{p[4], at, size, pointer, array || size != 8})
			k.Size = at + size
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

// The attribute of a parameter in a section of kernel information: EIATTR_KPARAM_INFO.
const (
	formatSized  = 4
	attrParam    = 0x17
	paramInfoLen = 12
	infoSection  = ".nv.info."
)

// Binary is the kernels of a cubin, as its sections of kernel information have them.
func Binary(code []byte) (kernels []Kernel, err error) {
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, errs.F("the cubin is damaged: %w", err)
	}
	for _, s := range f.Sections {
		name, ok := strings.CutPrefix(s.Name, infoSection)
		if !ok {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, errs.F("the cubin is damaged: %w", err)
		}
		kernels = append(kernels, kernelInfo(name, data))
	}
	return kernels, nil
}

// kernelInfo reads a section of kernel information: records of a format, an attribute and a
// value or a size.
func kernelInfo(name string, data []byte) Kernel {
	k := Kernel{Name: name}
	type numbered struct {
		ordinal int
		Param
	}
	var all []numbered
	for len(data) >= 4 {
		format, attr, n := data[0], data[1], int(le.Uint16(data[2:]))
		data = data[4:]
		if format != formatSized {
			continue // the value was in the head
		}
		if n > len(data) {
			break
		}
		if attr == attrParam && n >= paramInfoLen {
			size := int(le.Uint32(data[8:]) >> 18)
			all = append(all, numbered{int(le.Uint16(data[4:])), Param{Offset: int(le.Uint16(data[6:])), Size: size, Value: size != 8}})
		}
		data = data[n:]
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.ordinal, b.ordinal) })
	for _, p := range all {
		k.Params = append(k.Params, p.Param)
		k.Size = max(k.Size, p.Offset+p.Size)
	}
	return k
}
