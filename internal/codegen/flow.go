package codegen

import (
	"fmt"
	"strconv"
	"strings"
)

// A flow is a function of a module's text as blocks and values.
type flow struct {
	lines  []string
	kernel bool // its parameters are the same for all lanes
	blocks []*flowBlock
	ranked []*flowBlock          // in reverse postorder
	label  map[string]*flowBlock // "%12"
	values map[string]*flowValue // "%13"
	order  []string              // the values' names as they stand

	differs map[string]bool // see findDiffering
	vector  map[string]bool // see findVectors
}

// A flowBlock is a basic block.
type flowBlock struct {
	n            int // in flow.blocks
	rank         int // in flow.ranked
	end          int // the line that begins its last instruction
	cond         string
	succs, preds []*flowBlock
	loops        []*flowLoop // that it is in, outer ones first
}

// A flowLoop is a set of blocks that can reach each other, with those of inner loops.
type flowLoop struct {
	blocks map[*flowBlock]bool
	head   *flowBlock

	entries int
	exits   []*flowBlock // to which some of its lanes may leave without the others
}

// A flowValue is the result of an instruction.
type flowValue struct {
	block *flowBlock
	line  int
	text  string   // behind "="
	uses  []string // the names in it, of blocks too
}

// parseFlow reads a function that begins with a newline and "define".
func parseFlow(text string) *flow {
	f := &flow{lines: strings.Split(text, "\n"), label: map[string]*flowBlock{}, values: map[string]*flowValue{}}
	f.kernel = strings.Contains(f.lines[1], "amdgpu_kernel")
	targets := map[*flowBlock][]string{}
	var b *flowBlock
	begin := func(label string) {
		b = &flowBlock{n: len(f.blocks)}
		f.blocks = append(f.blocks, b)
		f.label[label] = b
	}
	for i := 2; i < len(f.lines); i++ {
		line := f.lines[i]
		if line != "" && line[0] != ' ' {
			if label, _, ok := strings.Cut(line, ":"); ok && line[0] != ';' {
				begin("%" + label)
			}
			continue
		}
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if b == nil {
			begin("") // the first, which no branch names
		}
		if line[0] == '%' {
			name, rest, ok := strings.Cut(line, " = ")
			if !ok {
				continue
			}
			f.values[name] = &flowValue{block: b, line: i, text: rest, uses: namesIn(rest)}
			f.order = append(f.order, name)
			continue
		}
		op, rest, _ := strings.Cut(line, " ")
		switch op {
		case "switch", "br":
			b.end = i
			for op == "switch" && i+1 < len(f.lines) && !strings.Contains(f.lines[i], "]") {
				i++
				rest += f.lines[i]
			}
			typ, _, _ := strings.Cut(rest, " ")
			for n, name := range namesIn(rest) {
				if n == 0 && typ != "label" && strings.HasPrefix(rest, typ+" "+name) {
					b.cond = name
				} else {
					targets[b] = append(targets[b], name)
				}
			}
		case "ret", "unreachable":
			b.end = i
		}
	}
	for _, b := range f.blocks {
		for _, t := range targets[b] {
			if s := f.label[t]; s != nil {
				b.succs = append(b.succs, s)
				s.preds = append(s.preds, b)
			}
		}
	}
	return f
}

// namesIn are the local names in an instruction.
func namesIn(s string) (names []string) {
	for {
		at := strings.IndexByte(s, '%')
		if at < 0 {
			return names
		}
		s = s[at:]
		n := 1
		if strings.HasPrefix(s, `%"`) {
			n = 2
			for n < len(s) && s[n] != '"' {
				n++
			}
			n++
		} else {
			for n < len(s) && (s[n] == '-' || s[n] == '$' || s[n] == '.' || s[n] == '_' || '0' <= s[n] && s[n] <= '9' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
				n++
			}
		}
		n = min(n, len(s))
		names = append(names, s[:n])
		s = s[n:]
	}
}

// phi is the value's type and its incoming values with their blocks' labels, if it is
// a phi.
func (v *flowValue) phi() (typ string, in [][2]string, ok bool) {
	rest, ok := strings.CutPrefix(v.text, "phi ")
	if !ok {
		return "", nil, false
	}
	typ, rest, ok = strings.Cut(rest, " [ ")
	for { // without what a floating-point phi may say of its values
		flag, after, more := strings.Cut(typ, " ")
		if !more || !strings.Contains(" nnan ninf nsz arcp contract afn reassoc fast ", " "+flag+" ") {
			break
		}
		typ = after
	}
	for _, o := range splitOperands("[ " + rest) {
		if pair, is := strings.CutPrefix(o, "[ "); is {
			both := splitOperands(strings.TrimSuffix(pair, " ]"))
			in = append(in, [2]string{both[0], both[1]})
		}
	}
	return typ, in, ok
}

// typeBits is the size of a number, a pointer or a vector of numbers, in AMDGPU's data
// layout; 0 for any other type.
func typeBits(typ string) int {
	if list, ok := strings.CutPrefix(typ, "<"); ok {
		count, elem, _ := strings.Cut(strings.TrimSuffix(list, ">"), " x ")
		n, err := strconv.Atoi(count)
		if err != nil || strings.HasPrefix(elem, "ptr") {
			return 0
		}
		return n * typeBits(elem)
	}
	switch typ {
	case "half", "bfloat":
		return 16
	case "float", "ptr addrspace(3)", "ptr addrspace(5)":
		return 32
	case "double", "ptr", "ptr addrspace(1)", "ptr addrspace(4)":
		return 64
	}
	if typ[0] != 'i' {
		return 0
	}
	n, err := strconv.Atoi(typ[1:])
	if err != nil {
		return 0
	}
	return n
}

// copyToVector is a copy of a value in vector registers, made by assemblies that LLVM
// knows nothing of, where it stands. lines is nil for a condition, which LLVM keeps lane
// by lane, and for what no register holds.
func copyToVector(typ, value string, names *int) (lines []string, copied string) {
	n := typeBits(typ)
	if n <= 1 {
		return nil, ""
	}
	let := func(format string, args ...any) string {
		*names++
		name := "%heddle.kept." + strconv.Itoa(*names)
		lines = append(lines, "  "+name+" = "+fmt.Sprintf(format, args...))
		return name
	}
	assembly := func(typ, x string) string {
		return let(`call %s asm "", "=v,0"(%s %s) convergent nounwind readnone`, typ, typ, x)
	}
	if (n == 32 || n == 64) && typ[0] != '<' {
		return lines, assembly(typ, value)
	}
	number, x := fmt.Sprintf("i%d", n), value
	if typ != number {
		x = let("bitcast %s %s to %s", typ, x, number)
	}
	words := (n + 31) / 32
	wide := fmt.Sprintf("i%d", words*32)
	if wide != number {
		x = let("zext %s %s to %s", number, x, wide)
	}
	if words <= 2 {
		x = assembly(wide, x)
	} else {
		vector := fmt.Sprintf("<%d x i32>", words)
		all, v := let("bitcast %s %s to %s", wide, x, vector), "poison"
		for i := range words {
			word := assembly("i32", let("extractelement %s %s, i32 %d", vector, all, i))
			v = let("insertelement %s %s, i32 %s, i32 %d", vector, v, word, i)
		}
		x = let("bitcast %s %s to %s", vector, v, wide)
	}
	if wide != number {
		x = let("trunc %s %s to %s", wide, x, number)
	}
	if typ != number {
		x = let("bitcast %s %s to %s", number, x, typ)
	}
	return lines, x
}
