package ll

import (
	"strings"

	"heddle/internal/lazy"
)

// An opcode says how an instruction is read.
type opcode struct {
	flags string // the words that may stand after the opcode
	parse func(p *parser, i *Inst)
}

const (
	fast = "fast nnan ninf nsz arcp contract afn reassoc"
	wrap = "nuw nsw"
)

// families are the instructions by what they look like. Exceptions, indirect
// branches and va_arg are not among them: code for a device has none.
func families() map[string]opcode {
	return map[string]opcode{
		"add sub mul shl":             {wrap, (*parser).binary},
		"udiv sdiv lshr ashr":         {"exact", (*parser).binary},
		"urem srem and xor":           {"", (*parser).binary},
		"or":                          {"disjoint", (*parser).binary},
		"fadd fsub fmul fdiv frem":    {fast, (*parser).binary},
		"fneg":                        {fast, (*parser).unary},
		"freeze":                      {"", (*parser).unary},
		"trunc":                       {wrap, (*parser).cast},
		"zext uitofp":                 {"nneg", (*parser).cast},
		"fptrunc fpext":               {fast, (*parser).cast},
		"sext fptoui fptosi sitofp":   {"", (*parser).cast},
		"ptrtoint ptrtoaddr inttoptr": {"", (*parser).cast},
		"bitcast addrspacecast":       {"", (*parser).cast},
		"icmp":                        {"samesign", (*parser).compare},
		"fcmp":                        {fast, (*parser).compare},
		"select":                      {fast, (*parser).choose},
		"phi":                         {fast, (*parser).phi},
		"extractvalue":                {"", (*parser).extractvalue},
		"insertvalue":                 {"", (*parser).insertvalue},
		"extractelement":              {"", (*parser).extractelement},
		"insertelement":               {"", (*parser).insertelement},
		"shufflevector":               {"", (*parser).shufflevector},
		"alloca":                      {"inalloca swifterror", (*parser).alloca},
		"load":                        {"atomic volatile", (*parser).load},
		"store":                       {"atomic volatile", (*parser).store},
		"getelementptr":               {"inbounds nusw nuw", (*parser).gep},
		"atomicrmw":                   {"volatile", (*parser).atomicrmw},
		"cmpxchg":                     {"weak volatile", (*parser).cmpxchg},
		"fence":                       {"", (*parser).fence},
		"call":                        {fast, (*parser).call},
		"br":                          {"", (*parser).br},
		"switch":                      {"", (*parser).switchOn},
		"ret":                         {"", (*parser).ret},
		"unreachable":                 {"", func(*parser, *Inst) {}},
	}
}

var terminators = lazy.Words{Text: "br switch ret unreachable"}

// opcodes are the families by instruction, with the set of their flags.
var opcodes lazy.Value[map[string]readable]

// A readable is an opcode and the set of its flags.
type readable struct {
	opcode
	flagSet map[string]bool
}

func init() { // the functions in the table lead back to it
	opcodes.Make = func() map[string]readable {
		all := map[string]readable{}
		for words, op := range families() {
			flags := lazy.Set(op.flags)
			for w := range strings.FieldsSeq(words) {
				all[w] = readable{op, flags}
			}
		}
		return all
	}
}

var (
	intPreds   = lazy.Words{Text: "eq ne ugt uge ult ule sgt sge slt sle"}
	floatPreds = lazy.Words{Text: "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true"}
	rmwOps     = lazy.Words{Text: `xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin
		fmaximum fminimum fmaximumnum fminimumnum uinc_wrap udec_wrap usub_cond usub_sat`}
	orderings = lazy.Words{Text: "unordered monotonic acquire release acq_rel seq_cst"}
)
