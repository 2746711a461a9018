package ll

import "strings"

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
var families = map[string]opcode{
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

var terminators = wordSet("br switch ret unreachable")

// opcodes are the families by instruction. The table is filled in at the start
// since the functions in it lead back to it.
var opcodes = map[string]opcode{}

// flagWords are the flags of each instruction.
var flagWords = map[string]map[string]bool{}

func init() {
	for words, op := range families {
		for w := range strings.FieldsSeq(words) {
			opcodes[w] = op
			flagWords[w] = wordSet(op.flags)
		}
	}
}

var (
	intPreds   = wordSet("eq ne ugt uge ult ule sgt sge slt sle")
	floatPreds = wordSet("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true")
	rmwOps     = wordSet(`xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin
		fmaximum fminimum fmaximumnum fminimumnum uinc_wrap udec_wrap usub_cond usub_sat`)
	orderings = wordSet("unordered monotonic acquire release acq_rel seq_cst")
)
