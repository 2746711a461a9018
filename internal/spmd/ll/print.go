package ll

import (
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// String is the instruction as LLVM writes it, on one line and without
// metadata: "%5 = add nuw i32 %3, 1".
func (i *Inst) String() string {
	words := []string{i.Op, i.Flags}
	if i.Name != "" {
		words = []string{i.Ident(), "=", i.Op, i.Flags}
	}
	rest := i.typed()
	if form := forms.Get()[i.Op]; form != nil {
		rest = form(i)
	}
	return join(" ", append(words, rest)...)
}

// forms are what follows the opcode and the flags, where that is not each
// operand with its type.
var forms = lazy.Value[map[string]func(i *Inst) string]{Make: func() map[string]func(i *Inst) string {
	table := map[string]func(i *Inst) string{}
	for words, form := range map[string]func(i *Inst) string{
		"add sub mul shl udiv sdiv lshr ashr urem srem and xor or": (*Inst).sameTyped,
		"fadd fsub fmul fdiv frem":                                 (*Inst).sameTyped,
		"icmp fcmp":                                                func(i *Inst) string { return i.Pred + " " + i.sameTyped() },

		"trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp": (*Inst).castForm,
		"ptrtoint ptrtoaddr inttoptr bitcast addrspacecast":         (*Inst).castForm,

		"alloca": func(i *Inst) string {
			space, _ := strings.CutPrefix(i.Typ.Text, "ptr") // " addrspace(5)"
			return join(", ", i.Elem.Text, i.typed(), i.alignText(), strings.TrimSpace(space))
		},
		"getelementptr": func(i *Inst) string { return join(", ", i.Elem.Text, i.typed()) },
		"load":          func(i *Inst) string { return i.accessForm(i.Typ.Text + ", " + i.typed()) },
		"store cmpxchg": func(i *Inst) string { return i.accessForm(i.typed()) },
		"atomicrmw":     func(i *Inst) string { return i.accessForm(i.Pred + " " + i.typed()) },
		"fence":         (*Inst).orderText,

		"extractvalue insertvalue": func(i *Inst) string { return i.typed() + i.indexText() },

		"phi":    (*Inst).phiForm,
		"call":   (*Inst).callForm,
		"br":     func(i *Inst) string { return join(", ", i.typed(), labels(i.Blocks)) },
		"switch": (*Inst).switchForm,
		"ret":    func(i *Inst) string { return orElse(i.typed(), "void") },
	} {
		for op := range lazy.Set(words) {
			table[op] = form
		}
	}
	return table
}}

func typed(v Value) string { return v.Type().Text + " " + v.Ident() }

// typed is the operands, each with its type.
func (i *Inst) typed() string { return typedList(i.Args) }

func typedList(vs []Value) string {
	texts := make([]string, len(vs))
	for n, v := range vs {
		texts[n] = typed(v)
	}
	return strings.Join(texts, ", ")
}

// sameTyped is two operands whose type is written once.
func (i *Inst) sameTyped() string { return typed(i.Args[0]) + ", " + i.Args[1].Ident() }

func (i *Inst) castForm() string { return typed(i.Args[0]) + " to " + i.Typ.Text }

// accessForm is that of what touches memory, around its operands.
func (i *Inst) accessForm(operands string) string {
	var atomic, volatile string
	if i.Ordering != "" && (i.Op == "load" || i.Op == "store") {
		atomic = "atomic"
	}
	if i.Volatile {
		volatile = "volatile"
	}
	return join(", ", join(" ", atomic, volatile, operands, i.orderText()), i.alignText())
}

func (i *Inst) orderText() string {
	if i.Scope == "" {
		return i.Ordering
	}
	return `syncscope("` + i.Scope + `") ` + i.Ordering
}

func (i *Inst) alignText() string {
	if i.Align == 0 {
		return ""
	}
	return "align " + strconv.Itoa(i.Align)
}

func (i *Inst) indexText() string {
	text := ""
	for _, n := range i.Index {
		text += ", " + strconv.Itoa(n)
	}
	return text
}

func (i *Inst) phiForm() string {
	pairs := make([]string, len(i.Args))
	for n, v := range i.Args {
		pairs[n] = "[ " + v.Ident() + ", %" + i.Blocks[n].Name + " ]"
	}
	return i.Typ.Text + " " + strings.Join(pairs, ", ")
}

func (i *Inst) callForm() string {
	callee, args := "@"+i.Callee, i.Args
	if i.Callee == "" {
		callee, args = args[0].Ident(), args[1:]
	}
	return join(" ", i.Conv, orElse(i.FnType, i.Typ.Text), callee+"("+typedList(args)+")", i.Attrs)
}

func (i *Inst) switchForm() string {
	text := typed(i.Args[0]) + ", " + labels(i.Blocks[:1]) + " [ "
	for n, c := range i.Args[1:] {
		text += typed(c) + ", " + labels(i.Blocks[n+1:n+2]) + " "
	}
	return text + "]"
}

func labels(blocks []*Block) string {
	texts := make([]string, len(blocks))
	for n, b := range blocks {
		texts[n] = "label %" + b.Name
	}
	return strings.Join(texts, ", ")
}

// join joins the parts that are not empty.
func join(sep string, parts ...string) string {
	have := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			have = append(have, p)
		}
	}
	return strings.Join(have, sep)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
