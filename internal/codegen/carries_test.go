package codegen

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// A wordProgram is random sums of words with carries, as text and as what they are of a thread's inputs.
type wordProgram struct {
	r     *rand.Rand
	text  strings.Builder
	n     int
	words []string // those that there are
	want  []map[string]uint64
	hash  string
}

func newWordProgram(seed uint64, in [][4]uint64) *wordProgram {
	p := &wordProgram{r: rand.New(rand.NewPCG(seed, 1)), words: []string{"%a", "%b", "%ua", "%ub", "-1", "1", "0"}, hash: "%a"}
	for _, x := range in {
		p.want = append(p.want, map[string]uint64{"%a": x[0], "%b": x[1], "%ua": in[0][2], "%ub": in[0][3], "-1": ^uint64(0), "1": 1, "0": 0})
	}
	for range 6 {
		p.chain()
	}
	return p
}

func (p *wordProgram) name(kind string) string { p.n++; return fmt.Sprintf("%%%s%d", kind, p.n) }

func (p *wordProgram) add(format string, args ...any) {
	fmt.Fprintf(&p.text, "  "+format+"\n", args...)
}

func (p *wordProgram) set(name string, of func(v map[string]uint64) uint64) {
	for _, v := range p.want {
		v[name] = of(v)
	}
}

func (p *wordProgram) pick() string { return p.words[p.r.IntN(len(p.words))] }

// part is a sum or difference of two words, with its carry.
func (p *wordProgram) part(op, x, y string) (sum, carry string) {
	call := p.name("p")
	sum, carry = p.name("s"), p.name("c")
	p.add("%s = call { i64, i1 } @llvm.u%s.with.overflow.i64(i64 %s, i64 %s)", call, op, x, y)
	p.add("%s = extractvalue { i64, i1 } %s, 0", sum, call)
	p.add("%s = extractvalue { i64, i1 } %s, 1", carry, call)
	both := func(v map[string]uint64) (uint64, uint64) {
		if op == "add" {
			return bits.Add64(v[x], v[y], 0)
		}
		return bits.Sub64(v[x], v[y], 0)
	}
	p.set(sum, func(v map[string]uint64) uint64 { s, _ := both(v); return s })
	p.set(carry, func(v map[string]uint64) uint64 { _, c := both(v); return c })
	return sum, carry
}

// mix makes a word part of the result.
func (p *wordProgram) mix(word string) {
	product, h := p.name("m"), p.name("h")
	p.add("%s = mul i64 %s, 1099511628211", product, p.hash)
	p.add("%s = xor i64 %s, %s", h, product, word)
	was := p.hash
	p.set(h, func(v map[string]uint64) uint64 { return v[was]*1099511628211 ^ v[word] })
	p.hash = h
}

func (p *wordProgram) chain() {
	op := []string{"add", "sub"}[p.r.IntN(2)]
	sum, carry := p.part(op, p.pick(), p.pick())
	sums := []string{sum}
	for range 1 + p.r.IntN(4) {
		if p.r.IntN(6) == 0 { // used on the way
			p.mix(sum)
		}
		z, x := p.name("z"), p.pick()
		if p.r.IntN(6) == 0 { // of the chain itself
			x = sums[p.r.IntN(len(sums))]
		}
		p.add("%s = zext i1 %s to i64", z, carry)
		c := carry
		p.set(z, func(v map[string]uint64) uint64 { return v[c] })
		if p.r.IntN(8) == 0 {
			p.mix(z)
		}
		switch p.r.IntN(4) {
		case 0:
			s := p.name("t")
			p.add("%s = %s i64 %s, %s", s, op, x, z)
			p.set(s, func(v map[string]uint64) uint64 {
				if op == "add" {
					return v[x] + v[z]
				}
				return v[x] - v[z]
			})
			p.words, carry = append(p.words, s), ""
			p.mix(s)
		case 1:
			sum, carry = p.part(op, x, z)
		default:
			s1, c1 := p.part(op, x, p.pick())
			s2, c2 := p.part(op, s1, z)
			sum, carry = s2, p.name("o")
			p.add("%s = or i1 %s, %s", carry, c1, c2)
			p.set(carry, func(v map[string]uint64) uint64 { return v[c1] | v[c2] })
		}
		if carry == "" {
			break
		}
		sums = append(sums, sum)
	}
	for _, s := range sums {
		p.mix(s)
	}
	p.words = append(p.words, sums...)
	if carry != "" && p.r.IntN(2) == 0 {
		z := p.name("z")
		p.add("%s = zext i1 %s to i64", z, carry)
		p.set(z, func(v map[string]uint64) uint64 { return v[carry] })
		p.mix(z)
	}
}

func (p *wordProgram) ir() string {
	return inputsHead + p.text.String() + "  %result = getelementptr i64, ptr addrspace(1) %out, i64 %i\n  store i64 " + p.hash + ", ptr addrspace(1) %result\n  ret void\n}\n" +
		"declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)\ndeclare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)\n"
}

var wordResult = regexp.MustCompile(`store i64 (-?\d+), `)

// Random sums of words are what they were once they are joined: LLVM computes both of constants. (On AMDGPU it does not always make right code of the
// joined ones, for which they are not joined there: see holdCarries.)
func TestJoinWords(t *testing.T) {
	skipWithoutLLVM(t)
	in := make([][4]uint64, 6)
	for i := range in {
		in[i] = [4]uint64{uint64(i), ^uint64(i) >> (i & 3 * 20), 1<<63 | uint64(i), ^uint64(0)}
	}
	joined := 0
	const programs = 40
	for seed := range uint64(programs) {
		p := newWordProgram(seed, in)
		text, ok := joinWords(p.ir())
		if ok {
			joined++
		}
		for i, x := range in {
			fixed := text
			for k, name := range []string{"%a", "%b", "%ua", "%ub"} {
				fixed = regexp.MustCompile(`(?m)^  `+name+` = load .*$`).ReplaceAllString(fixed, fmt.Sprintf("  %s = add i64 %d, 0", name, int64(append(x[:2:2], in[0][2:]...)[k])))
			}
			ir, err := OptimisedIR(request(fixed, "k", "sm_80"))
			if err != nil {
				t.Fatalf("program %d: %v\n%s", seed, err, text)
			}
			m := wordResult.FindStringSubmatch(ir)
			if m == nil {
				t.Fatalf("program %d: no constant is stored\n%s", seed, ir)
			}
			if want := fmt.Sprint(int64(p.want[i][p.hash])); m[1] != want {
				t.Errorf("program %d, thread %d: %s, want %s\n%s", seed, i, m[1], want, text)
				break
			}
		}
	}
	if joined < programs/2 {
		t.Errorf("%d of %d programs have sums of several words", joined, programs)
	}
}

// A sum of three words has no comparison in PTX.
func TestCarriesOfPTX(t *testing.T) {
	skipWithoutLLVM(t)
	text := inputsHead + `  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %s = extractvalue { i64, i1 } %p, 0
  %c = extractvalue { i64, i1 } %p, 1
  %z = zext i1 %c to i64
  %q = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %ua, i64 %ub)
  %t = extractvalue { i64, i1 } %q, 0
  %d = extractvalue { i64, i1 } %q, 1
  %q2 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %t, i64 %z)
  %u = extractvalue { i64, i1 } %q2, 0
  %d2 = extractvalue { i64, i1 } %q2, 1
  %e = or i1 %d, %d2
  %y = zext i1 %e to i64
  %h = add i64 %a, %y
  %x = xor i64 %s, %u
  %w = xor i64 %x, %h
  %result = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 %w, ptr addrspace(1) %result
  ret void
}
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
`
	obj, err := Emit(request(text, "k", "sm_80"))
	if err != nil {
		t.Fatal(err)
	}
	if code := string(obj.Code); strings.Count(code, "addc") < 2 || strings.Contains(code, "setp") {
		t.Errorf("no additions with carry:\n%s", code)
	}
}
