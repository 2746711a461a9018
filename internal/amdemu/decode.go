package amdemu

import (
	"fmt"
	"slices"
	"strings"
)

// An inst is one instruction of a loaded program.
type inst struct {
	addr     uint64 // where it lies
	size     int    // bytes
	text     string // the disassembler's
	mnemonic string // with the encoding's suffix
	name     string // without
	operands []operand
	options  map[string]string // "offset": "16", "glc": ""
	run      func(w *wave)
	class    class
	// Of VALU instructions, set by bind.
	sig  signature
	dst  *operand
	mask *operand   // the second result
	src  []*operand // by signature; nil where the signature's word has no operand
	mod  modifiers
	dual []*inst // the halves of a VOPD
	// generation is the processor's: 9 of gfx942.
	generation int
	// atomic: it is an atomic access, whether or not its name says so.
	atomic bool
}

// suffixes are those that tell a mnemonic's encoding, not its meaning.
var suffixes = []string{"_e64_dpp", "_e32_dpp", "_dpp8", "_dpp", "_sdwa", "_e32", "_e64"}

// parse reads one line of disassembly. Two instructions that issue together
// ("a :: b") come back as two.
func parse(text string) ([]*inst, error) {
	var all []*inst
	for part := range strings.SplitSeq(text, "::") {
		in, err := parseOne(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

func parseOne(text string) (*inst, error) {
	in := &inst{text: text, options: map[string]string{}}
	mnemonic, rest, _ := strings.Cut(text, " ")
	in.mnemonic, in.name = mnemonic, mnemonic
	for _, s := range suffixes {
		if name, ok := strings.CutSuffix(in.name, s); ok {
			in.name = name
			break
		}
	}
	in.name = strings.Replace(in.name, "v_dual_", "v_", 1)
	fields, err := split(rest, ',')
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	for i, f := range fields {
		words, err := split(f, ' ')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
		if len(words) == 0 {
			return nil, fmt.Errorf("%s: an empty operand", text)
		}
		// Options follow the last operand, with spaces between.
		if i < len(fields)-1 && len(words) > 1 {
			words = []string{f}
		}
		for j, word := range words {
			if key, value, ok := strings.Cut(word, ":"); ok && !strings.Contains(key, "[") && !strings.Contains(key, "(") {
				in.options[key] = value
			} else if j > 0 {
				in.options[word] = ""
			} else {
				in.operands = append(in.operands, parseOperand(word))
			}
		}
	}
	if mnemonic == "v_dual_cndmask_b32" && len(in.operands) == 3 { // VCC is not written
		in.operands = append(in.operands, parseOperand("vcc_lo"))
	}
	return in, nil
}

// split cuts text at the separators outside brackets.
func split(s string, at rune) ([]string, error) {
	var fields []string
	depth, start := 0, 0
	for i, c := range s {
		switch c {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case at:
			if depth == 0 {
				fields = append(fields, s[start:i])
				start = i + 1
			}
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("brackets do not match")
	}
	if last := strings.TrimSpace(s[start:]); last != "" || fields != nil {
		fields = append(fields, last)
	}
	return fields, nil
}
