package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file makes what a failed check does in a kernel for AMD's GPUs a jump, of which LLVM
// knows nothing but what goes into it. A call would be one that LLVM believes to return (see
// amdpanics.go): values that are alive after the check would go around it, in registers that
// a callee keeps or in scratch memory, v31 would be a thread's coordinates all through the
// kernel, and a kernel with a call has a stack. The jump is an assembly that changes no
// register in LLVM's eyes. It puts what the panic tells into the registers of
// heddle_panic's parameters, whoever has them, and goes there for ever:
//
//	%a.0 = call i32 @llvm.amdgcn.readfirstlane(i32 %a)      each 32 bits, of the first lane that failed
//	%x = call i32 @llvm.amdgcn.workitem.id.x() convergent   and where that lane and its block are
//	call void asm sideeffect "s_waitcnt ...; v_mov_b32 v0, site; v_mov_b32 v1, $0 ...; s_setpc_b64 $n"
//
// Everything comes in scalar registers and goes to vector registers, so that the order of the
// moves does not matter. heddle_panic is a function of LLVM's; what it takes for registers, each
// function that goes there claims with an assembly of no instructions. What is made for a jump
// says that it is convergent, or LLVM would make it once before a loop, and keep it there.

var (
	panicArgs   = lazy.Regexp{Expr: `@heddle_panic\(([^"]*)\)$`}
	panicDefine = lazy.Regexp{Expr: `(?m)^define [^\n]*@heddle_panic\(`}
	coordinate  = lazy.Regexp{Expr: `(?m)^(  ` + valueName + ` = )(?:[a-z]+ )*call (?:[^\n@]* )?i32 (@llvm\.amdgcn\.work(?:item|group)\.id\.[xyz]\(\)).*$`}
)

// claim is an assembly that says that it changes the last of the registers that heddle_panic
// takes at most (TestPanicRegisters).
const claim = `  call void asm sideeffect "", "~{v%d},~{s29},~{vcc}"() nounwind readnone`

// coldHere tells LLVM that a block is seldom come to: it weighs branches by calls that are cold,
// and the weights that branches have do not survive its structurizer.
const coldHere = `  call void asm sideeffect "", ""() cold nounwind readnone`

// A panicExit is how a module's functions come to heddle_panic. A nil one leaves its calls.
type panicExit struct {
	coordinates []string // intrinsics that give what heddle_panic has as parameters behind its own
	wait        string   // instructions that wait until all that was loaded is there
	claimed     string
}

// findExit is a module's panicExit, and its text with a heddle_panic that is told where its
// thread is: nil if LLVM would give that function a stack, which nobody has set up.
func (r *Request) findExit(text string) (*panicExit, string) {
	if r.level() == 0 {
		return nil, text
	}
	x := &panicExit{wait: `s_waitcnt vmcnt(0) lgkmcnt(0)\0A\09`, claimed: fmt.Sprintf(claim, 23)}
	if strings.HasPrefix(r.CPU, "gfx8") {
		x.claimed = fmt.Sprintf(claim, 31) // stores have no offsets there: each has its address
	}
	if strings.HasPrefix(r.CPU, "gfx12") {
		x.wait = `s_wait_loadcnt 0x0\0A\09s_wait_dscnt 0x0\0A\09s_wait_kmcnt 0x0\0A\09s_wait_alu 0x0\0A\09`
	}
	text = eachFunction(text, func(body string) string {
		at := panicDefine.Get().FindStringIndex(body)
		if at == nil {
			return body
		}
		end := at[1] + listEnd(body[at[1]:])
		head, body := body[:end], body[end:]
		body = coordinate.Get().ReplaceAllStringFunc(body, func(line string) string {
			m := coordinate.Get().FindStringSubmatch(line)
			k := slices.Index(x.coordinates, m[2])
			if k < 0 {
				k = len(x.coordinates)
				x.coordinates = append(x.coordinates, m[2])
			}
			return fmt.Sprintf("%sadd i32 %%heddle.at.%d, 0", m[1], k)
		})
		for k := range x.coordinates {
			if !strings.HasSuffix(head, "(") { // LLVM takes out parameters that all calls agree on
				head += ", "
			}
			head += fmt.Sprintf("i32 %%heddle.at.%d", k)
		}
		return head + body
	})
	return x, text
}

// jump is the lines that go where a call of heddle_panic goes. n makes their names.
func (x *panicExit) jump(call, loc string, n int) string {
	j := jump{n: n}
	for _, arg := range splitOperands(panicArgs.Get().FindStringSubmatch(call)[1]) {
		if arg == "" {
			continue
		}
		at := strings.LastIndexByte(arg, ' ') // behind what it says of its value, as "noundef"
		if strings.HasSuffix(arg, ")") {
			at = strings.IndexByte(arg, ' ') // an expression
		}
		typ, _, _ := strings.Cut(arg, " ")
		j.pass(typ, arg[at+1:])
	}
	for _, c := range x.coordinates {
		j.pass("i32", j.let("call i32 %s convergent", c))
	}
	j.inputs = append(j.inputs, "i64 ptrtoint (ptr @heddle_panic to i64)")
	constraints := strings.TrimSuffix(strings.Repeat("s,", len(j.inputs)), ",")
	return strings.Join(append(j.lines, fmt.Sprintf(`  call void asm sideeffect "%s%ss_setpc_b64 $%d", "%s"(%s) cold nounwind readnone%s`,
		x.wait, j.text.String(), len(j.inputs)-1, constraints, strings.Join(j.inputs, ", "), loc)), "\n")
}

// A jump is what is written of one.
type jump struct {
	n, names, regs int
	lines          []string
	inputs         []string // of the assembly
	text           strings.Builder
}

// let writes an instruction and returns its name.
func (j *jump) let(format string, args ...any) string {
	name := fmt.Sprintf("%%heddle.jump.%d.%d", j.n, j.names)
	j.names++
	j.lines = append(j.lines, "  "+name+" = "+fmt.Sprintf(format, args...))
	return name
}

// pass puts a number of 32 or 64 bits into the next parameters' registers.
func (j *jump) pass(typ, value string) {
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		for ; typ != ""; typ, n = map[string]string{"i64": "i32"}[typ], n>>32 {
			fmt.Fprintf(&j.text, `v_mov_b32 v%d, 0x%x\0A\09`, j.regs, uint32(n))
			j.regs++
		}
		return
	}
	if typ == "i64" {
		value = j.let("%s convergent", opaque(inVector, typ, value))
		low := j.let("trunc i64 %s to i32", value)
		j.word(low)
		high := j.let("lshr i64 %s, 32", value)
		value = j.let("trunc i64 %s to i32", high)
	}
	j.word(value)
}

// word passes 32 bits of the first lane.
func (j *jump) word(value string) {
	fmt.Fprintf(&j.text, `v_mov_b32 v%d, $%d\0A\09`, j.regs, len(j.inputs))
	j.regs++
	j.inputs = append(j.inputs, "i32 "+j.let("call i32 @llvm.amdgcn.readfirstlane(i32 %s)", value))
}

// declareMissing declares intrinsics that a module's text calls and does not declare.
func declareMissing(text string, all ...string) string {
	declared := declarations(text)
	for _, d := range all {
		_, name, _ := strings.Cut(d, "@")
		name, _, _ = strings.Cut(name, "(")
		if strings.Contains(text, "@"+name+"(") && !slices.Contains(declared, name) {
			text += "\ndeclare " + d + "\n"
		}
	}
	return text
}
