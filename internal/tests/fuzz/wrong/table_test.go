package wrong

// The tables that kernels are made of; see gen.fillAt. What gc does not take where
// it comes to stand is left out.

// prelude are declarations that the tables refer to.
const prelude = `
type (
	Num   int
	Str   string
	Fn    func(int) int
	Empty struct{}
	Rec   struct { X int; F float32; B bool }
	Node  struct { Next *Node; V int }
	Tree  struct { Kids []Tree }
	Ring  []Ring
	Self  func(Self) Self
	Face  interface{ M(int) int }
	Both  interface { Face; error }
	Pair[A, B any] struct { A A; B B }
	List[T any] struct { Next *List[T]; V T }
	Emb   struct { Rec; *Node; Num }
	Deep  struct { Emb; S struct { Pair[int, [3]uint8] } }
	Ifc   struct { Face; n int }
	Pad   struct { _ int; B bool; _ [0]func() }
	Ali   = Pair[int, string]
	Huge  [1 << 20]byte
	Wide  [300]struct { A, B int; C uint8 }
)

func (n Num) M(x int) int          { return int(n) + x }
func (n Num) Error() string        { return "num" }
func (r *Rec) M(x int) int         { r.X += x; return r.X }
func (r Rec) String() string       { return "rec" }
func (f Fn) M(x int) int           { return f(x) }
func (n *Node) Len() int           { if n == nil { return 0 }; return 1 + n.Next.Len() }
func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.B, p.A} }
func (l *List[T]) Each(f func(T) bool) { for ; l != nil; l = l.Next { if !f(l.V) { return } } }
func (Empty) M(int) int            { return 0 }

func zero[T any]() (z T)             { return }
func use[T any](v T)                 {}
func id[T any](v T) T                { return v }
func ptr[T any](v T) *T              { return &v }
func first[T any](v ...T) (z T)      { if len(v) > 0 { return v[0] }; return }
func two() (int, error)              { return 1, nil }
func named() (n int, err error)      { defer func() { n++ }(); n = 2; return }
func boom() int                      { panic("boom") }
func spin()                          { for {} }
func never() (x int)                 { for { x++ } }
func apply[T any](f func(T) T, v T) T { return f(v) }
func method[T Face](v T) int         { return v.M(1) }
func sum[T int | float64](v ...T) (s T) { for _, x := range v { s += x }; return }
func conv[A, B Numeric](a A) B       { return B(a) }
func keys[M map[K]V, K comparable, V any](m M) int { return len(m) }
func elems[S ~[]E, E any](s S) (n int) { for range s { n++ }; return }
func eq[T comparable](a, b T) bool   { return a == b }
func kind[T any](v T) int            { switch any(v).(type) { case int: return 1; case []T: return 2; case Face: return 3 }; return 0 }
func seq(n int) func(func(int) bool) { return func(y func(int) bool) { for i := range n { if !y(i) { return } } } }
func rec(n int) int                  { if n < 2 { return n }; return rec(n-1) + rec(n-2) }
func ping(n int) int                 { if n == 0 { return 0 }; return pong(n - 1) }
func pong(n int) int                 { return ping(n) }
func grow[T any](n int, v T) int     { if n == 0 { return 0 }; return grow(n-1, Pair[int, int]{n, n}) }
func curry(n int) func(int) func(int) int { return func(a int) func(int) int { return func(b int) int { return a + b + n } } }
func leak(p *int) *int               { return p }
func dangling() *int                 { x := 3; return &x }
func many(a, b, c, d, e, f, g, h, i, j, k, l int) (int, float64, bool, [3]int) { return a, 1, true, [3]int{b} }
func asm() int

type Numeric interface { ~int | ~int8 | ~uint16 | ~uint32 | ~float32 | ~float64 }
type Chars interface { ~string | ~[]byte }

func index[S Chars](s S) byte        { return s[0] }
func cut[S Chars](s S) S             { return s[:1] }
func cast[S Chars](s S) []byte       { return []byte(s) }

var (
	table   = [...]int{1, 2, 3}
	slice   = []int32{4, 5, 6}
	words   = []string{"a", "bc"}
	matrix  = [][]float32{{1, 2}, {3}}
	recs    = []Rec{{1, 2, true}, {X: 3}}
	dict    = map[string]int{"x": 1}
	funcs   = []func(int) int{rec, id[int]}
	face    Face = Num(3)
	err0    error
	ch      = make(chan int, 1)
	counter uint32
	written = [4]uint32{1}
	list    = &Node{nil, 3}
	nothing [0]func()
	text    = "hello"
	inited  int
	mu      sync.Mutex
	buffer  *launch.Buffer[int]
)

const (
	big   = 1 << 62
	vast  = 1 << 200
	small = 1.0 / (1 << 100)
	iota1 = iota
)

func init() { written[1]++; inited = 3; counter++ }
`

var directives = []string{"", "", "", "//heddle:launchbounds 256\n", "//heddle:noalias\n", "//go:noinline\n", "//heddle:launchbounds 0\n", "//heddle:unroll 2\n", "//heddle:wrong\n"}

var constraints = []string{"any", "comparable", "Face", "Numeric", "Chars", "interface{ ~[]int | ~[3]int }", "interface{ ~func() }"}

var numbers = []string{"0", "1", "3", "64", "-1", "1<<20", "1<<22", "len(table)", "big"}

var plainTypes = []string{
	"int", "int", "uint8", "int16", "rune", "uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128", "bool", "string",
	"unsafe.Pointer", "error", "any", "comparable", "struct{}", "func()", "func(int) int", "func(...any) (int, error)", "chan int", "<-chan bool",
	"Num", "Str", "Fn", "Empty", "Rec", "*Rec", "Node", "*Node", "Tree", "Ring", "Self", "Face", "Both", "Emb", "Deep", "Ifc", "Pad", "Ali", "Huge", "Wide",
	"*launch.Buffer[int]", "launch.Buffer[float32]", "*kernel.Kernel", "*launch.Stream", "launch.Config", "dsl.Dim3", "vector.Float4", "vector.Half",
	"sync.Mutex", "atomic.Int64", "time.Duration", "time.Time", "*os.File", "strings.Builder", "big.Int", "reflect.Value", "context.Context", "iter.Seq[int]",
}

var madeTypes = []string{
	"*$T", "**$T", "[]$T", "[][]$T", "[0]$T", "[3]$T", "[100]$T", "map[int]$T", "map[$T]int", "chan $T", "func($T) $U", "func() ($T, error)", "struct{ A $T; B $U }",
	"struct{ _ [0]$T; X int }", "struct{ $T }", "struct{ *$T }", "interface{ M($T) }", "Pair[$T, $U]", "List[$T]", "*Pair[$T, int]", "[2]struct{ P *$T; S []$U }",
	"*launch.Buffer[$T]", "[2]*launch.Buffer[$T]", "interface{ $T }", "struct{ X $T; Y *launch.Buffer[$U] }", "iter.Seq[$T]", "*[4]$T",
}

var values = []string{"*new($T)", "zero[$T]()", "$T{}", "$T(nil)", "*(*$T)(nil)", "func() (z $T) { return }()", "id(*new($T))", "*(*$T)(unsafe.Pointer(&o[0]))", "(*new([3]$T))[o[0]]", "first[$T]()"}

var arguments = []string{"o", "o[0]", "&o[0]", "$E", "$B", "nil", "*new($T)", "&$G", "float32(1)", "uint64(3)", "uint32(o[0])", "\"x\"", "slice", "words", "dict", "func(a, b int) int { return a - b }", "func(int) bool { return true }", "1<<62", "&table[1]", "&counter", "0", "-1", "seq(3)", "text"}

// globals are declarations of the package variable G, of type T or another.
var globals = []string{
	"var $G $T", "var $G $T", "var $G = *new($T)", "var $G $T\nfunc init() { $G = zero[$T]() }", "var $G = zero[$T]()", "var $G = []$T{}", "var $G = [3]$T{}", "var $G = map[string]$T{}",
	"var $G = &[]$T{zero[$T]()}", "var $G = []int32{1, 2, 3}", "var $G = []float32{1, 2.5, math.Pi}", "var $G = [...]string{2: \"x\"}", "var $G = []string{\"a\", \"b\"}",
	"var $G, _ = two()", "var $G = len(os.Args)", "var $G = func(x int) int { return x }", "var $G = [2][2]uint8{{1}, {1: 2}}", "var $G = [][]int{{1}, {2, 3}}",
	"var $G = []Rec{{X: 1}, {B: true}}", "var $G = [...]struct{ A int; P *int }{{A: 1}}", "var $G = []bool{true, false}", "var $G = []complex64{1i}", "var $G = \"text\"", "var $G = 3 + 4i",
	"var $G uint32", "var $G uint32\nfunc init() { $G++ }", "var $G = Pair[int, bool]{1, true}", "var $G = make([]int, 4)", "var $G = table[1:]", "var $G = &table", "var $G Face = Num(1)", "var $G = new(int)",
	"var $G = []int64{1 << 62, -1}\nfunc set$G(x int64) { $G[0] = x }", "var $G = []uint16(nil)", "var $G = []int{5: 1, 2, 9: 3}", "var $G = [4]int{1}", "var $G = [...]int{100: 1}", "var $G = []unsafe.Pointer{nil}",
}

// variables are statements with package variables.
var variables = []string{
	"_ = $G", "use($G)", "$G = $V", "$G++", "$G += 3", "o[0] = len($G)", "o[0] = int($G[$E])", "$a := &$G\n_ = $a\n*$a = $V", "$a := $G\n_ = $a", "$a := $G\n$a[$E]++", "$G[$E] = $V", "for $a, $b := range $G { _, _ = $a, $b }",
	"for range $G {\n$S }", "dsl.AtomicAdd(&$G, 1)", "dsl.AtomicCAS(&$G, 1, 2)", "dsl.AtomicMax(&$G[$E], 3)", "$G()", "o[0] = $G(3)", "$G.M(1)", "o[0] = $G.X", "$G.X++", "_ = $G == $G", "_ = $G[1:]", "_ = &$G[$E]", "_ = $G[$E][$E]",
	"$a := $G[:]\n$a[0] = $a[1]", "copy(o, $G)", "o = append(o, $G...)", "$a := $G\n$a, $G = $G, $a", "clear($G)", "delete($G, \"x\")", "$G <- 1", "_ = any($G)", "$a := func() { _ = $G }\n$a()", "$G, $a := $V, 1\n_, _ = $G, $a", "_ = ptr($G)", "use(&$G)", "_ = string($G)", "switch $G {\ncase $G:\n$S }",
	"for $a := range $G { o[0] += int($G[$a]) }", "for _, $a := range $G { o[0] += int($a) }", "o[0] = int($G[$E].X)", "o[0] = int(unsafe.Sizeof($G))", "*(&$G) = $V", "_ = table[$E]", "o[0] = int(slice[$E])", "o[0] = len(words[$E])", "o[0] = dict[\"x\"]", "o[0] = funcs[$E](1)", "o[0] = face.M(2)", "_ = err0 == nil", "ch <- $E", "counter++",
	"dsl.AtomicAdd(&counter, 1)", "dsl.AtomicAdd(&written[$E], 1)", "o[0] = list.V", "_ = nothing", "use(nothing)", "o[0] = len(text)", "o[0] = int(text[$E])", "inited++", "o[0] = inited", "mu.Lock()", "_ = buffer.Device()", "o[0] = recs[$E].X", "o[0] = int(matrix[$E][$E])", "for _, $a := range words { o[0] += len($a) }", "for $a := range dict { _ = $a }",
	"o[0] = int(crc32.IEEETable[$E&255])", "_ = io.EOF", "_ = os.Args", "_ = unicode.Letter", "o[0] = int(unicode.MaxRune)", "_ = utf8.RuneError", "_ = time.UTC", "_ = http.DefaultClient", "_ = math.MaxUint32", "_ = binary.LittleEndian.Uint32([]byte{1,2,3,4})", "os.Args[0] = \"\"", "_ = hex.ErrLength", "_ = base64.StdEncoding", "o[0] = len(os.Args)", "_ = elliptic.P256()",
}

// uses are statements with a value v of any type.
var uses = []string{
	"_ = $v", "use($v)", "_ = any($v)", "_ = id($v)", "_ = ptr($v)", "_ = first($v, $v)", "$a := $v\n_ = $a", "$a := $v\n$b := &$a\n_ = *$b", "_ = $v == $v", "_ = $v != nil", "_ = len($v)", "_ = cap($v)", "_ = $v[$E]", "$a := $v\n$a[0], $a[1] = $a[1], $a[0]", "_ = $v[1:]", "_ = $v[:0:0]",
	"for range $v { break }", "for $a := range $v { _ = $a }", "for $a, $b := range $v { _, _ = $a, $b\n$S }", "$v()", "_ = $v(1)", "<-$v", "$v <- 1", "$v.M(1)", "_ = $v.M", "_ = $v.X", "_ = $v.String()", "_ = $v.Error()", "_ = *$v", "_ = int($v)", "_ = float32($v)", "_ = string($v)", "_ = []byte($v)", "_ = unsafe.Pointer($v)", "_ = uintptr(unsafe.Pointer($v))",
	"_ = unsafe.Sizeof($v)", "defer use($v)", "go use($v)", "panic($v)", "print($v)", "println($v, $v)", "_ = append($v, $v...)", "_ = append([]any{}, $v)", "copy($v, $v)", "clear($v)", "_ = min($v, $v)", "_ = max($v, 1)", "_ = real($v)", "_ = -$v", "_ = !$v", "_ = ^$v", "_ = $v + $v", "_ = $v / $v", "_ = $v << 70", "_ = $v && $v", "_ = $v < $v",
	"switch any($v).(type) {\ncase int:\n$S\ncase nil:\ndefault:\n}", "switch $a := any($v).(type) { case error: _ = $a.Error(); default: _ = $a }", "_, _ = any($v).(int)", "_ = any($v).(Face)", "switch $v {\ncase $v:\n$S }", "if $v {\n$S }", "$a := func() { _ = $v }\n$a()", "$a := struct{ F any; N int }{$v, 1}\n_ = $a", "_ = [2]any{$v, 1}", "_ = map[any]int{$v: 1}",
	"o[0] = kind($v)", "_ = method($v)", "_ = eq($v, $v)", "_ = [...]int{2: 1}[len($v)]", "$a := dsl.Shared[[2]int]()\n$a[0] = int($v)", "_ = dsl.Shfl($v, 1)", "dsl.AtomicAdd(&$v, 1)", "dsl.AtomicExch($v, 1)", "_ = $v.A", "_ = $v.Swap()", "$v.Each(func($a int) bool { return true })", "o[0] = $v.Len()", "_ = $v.Device()", "_ = $v.Next.Next.V", "_ = $v.Kids[0].Kids", "fmt.Println($v)", "_ = fmt.Sprint($v)",
	"_ = errors.Is($v, $v)", "_ = slices.Max($v)", "_ = reflect.TypeOf($v)", "_ = [3]int($v)", "_ = (*[2]int)($v)", "_ = $v[0][0]", "$a := $v\n$a.X = 3", "$a := $v\n$a++", "_ = (&$v).M", "for $v != nil { break }", "for $a := range $v { o[0] += int($a)\ncontinue }", "$v(nil)", "_ = $v.(int)", "$a, $b := <-$v\n_, _ = $a, $b", "select { case $a := <-$v: _ = $a; default: }", "_ = $v(func(int) bool { return true })", "for $a := range $v { if $a > 3 { return } }", "go $v()", "defer $v()",
}

var ints = []string{
	"int(unsafe.Sizeof($V))", "int(uintptr(unsafe.Pointer(&o[0])))", "int(uintptr(unsafe.Pointer(&$G)))", "cap(o)", "copy(o, o[1:])", "func() int { return $E }()", "int(real(complex(1.0, 2)))", "min($E, $E)", "len([...]int{1, 2})", "*(*int)(unsafe.Add(unsafe.Pointer(&o[0]), 8))", "unsafe.Slice(&o[0], 3)[1]", "unsafe.Slice(&o[0], $E)[1]", "len(unsafe.String((*byte)(unsafe.Pointer(&o[0])), 3))", "int(*unsafe.StringData(\"abc\"))",
	"len(string(rune(o[0])))", "int([]byte(\"abc\")[1])", "int([]rune(\"é\")[0])", "struct{ a, b int }{1, 2}.b", "any(o[0]).(int)", "map[string]int{\"x\": 1}[\"x\"]", "$E << $E", "$E << uint(o[0])", "$E >> 200", "$E / $E", "$E % (1 + $E&7)", "$E / 1", "big + $E", "int(int8($E))", "int(small)", "vast >> 190", "len(\"x\" + text)", "len(text[1:])", "*leak(&o[0])", "*dangling()", "rec($E)", "ping(3)", "grow(2, 1)", "curry(1)(2)(3)", "boom()", "never()", "asm()",
	"int(float64($E) * 1e300)", "int(uint8(float32($E)))", "Num(3).M($E)", "Num.M(2, $E)", "(*Rec).M(&Rec{}, $E)", "method(Num(1))", "method(&Rec{X: 1})", "sum($E, $E)", "int(sum(1.5, 2))", "int(conv[int, float32]($E))", "elems(o)", "keys(dict)", "apply(func(x int) int { return x + $E }, 3)", "first(o...)", "len(o[1:$E])", "len(o[:1:$E])", "*ptr($E)", "id($E)", "[3]int{1, 2, 3}[$E]", "[...]string{\"a\"}[0][0:1:1]", "int([3]byte{1}[$E&3])", "(&[4]int{1})[$E]", "[][]int{{1}, o}[1][$E]",
	"int(unsafe.Offsetof(Rec{}.F))", "int(unsafe.Alignof($V))", "Pair[int, int]{1, 2}.Swap().A", "(*Node)(nil).Len()", "len((*[4]int)(nil))", "len(*(*[4]int)(nil))", "cap(make([]int, 2, 5))", "len(make([]int, $E))", "len(make(map[int]int))", "<-ch", "len(ch)", "o[$E:][0]", "(*[2]int)(o)[1]", "[2]int(o)[0]", "int(math.Sqrt(float64($E)))", "bits.OnesCount(uint($E))", "int(math.Float32bits(1))", "len(append(o, 1))", "cap(append([]int(nil), o...))", "[1 << 16]int{}[$E]", "func(x ...int) int { return len(x) }(o...)", "func(x ...any) int { return len(x) }(1, $V)", "o[math.MaxInt64]", "int(imag(1i))", "int('x')", "int(\"abc\"[$E])", "len(words)", "int(index(\"ab\"))", "int(index([]byte{1}))", "len(cut(\"abc\"))", "len(cast(\"x\"))",
	"int(dsl.Ballot($B))", "dsl.LaneID()", "dsl.Shfl($E, $E)", "dsl.ShflWidth($E, $E, $N)", "dsl.AtomicAdd(&o[0], $E)", "dsl.AtomicCAS(&o[$E], $E, $E)", "dsl.SyncThreadsCount($B)", "dsl.Shared[[4]int]()[$E]", "*dsl.Shared[int]()", "len(dsl.Shared[$T]())", "len(dsl.DynamicShared[$T]())", "dsl.DynamicShared[int]()[$E]", "int(dsl.Clock64())", "int(dsl.ShflXor(float32(1), 3))", "dsl.Mulhi($E, $E)", "dsl.Popc(uint32($E))", "int(dsl.AtomicInc(&[]uint32{1}[0], 3))", "int(dsl.AnySync(uint64($E), $B)) ", "dsl.AtomicAdd(&table[0], 1)", "dsl.ShflDownSync(0, $E, 3)", "int(vector.MakeFloat4(1, 2, 3, 4).X)",
	"func() (n int) { defer func() { n = 3 }(); return 1 }()", "func() int { for { } }()", "int(o[0] & ^0)", "5 &^ $E", "len([0]func(){})", "len([3][0]int{}[1])", "cap([0]func(){})", "int(*(*uint8)(unsafe.Pointer(&o[0])))", "*(*int)(unsafe.Pointer(uintptr($E)))", "int(*(*float32)(nil))", "int(uintptr(unsafe.Pointer((*int)(nil))))",
}

var bools = []string{
	"$E == $E", "$E < $E && $B", "!$B", "$B || $E > 3", "o == nil", "any(o[0]) == any(3)", "\"a\" < text", "text == \"b\"", "[2]int{1, 2} == [2]int{o[0], 3}", "Rec{} == Rec{X: o[0]}", "struct{}{} == struct{}{}", "error(nil) == nil", "any(nil) == nil", "Face(nil) == Face(Num(1))", "&o[0] == &o[1]", "new(int) == new(int)", "(*int)(nil) == nil", "func() {} == nil", "unsafe.Pointer(&o[0]) == nil", "eq($E, 3)", "eq(Rec{}, Rec{})", "eq(any(1), any(2))", "dsl.Any($B)", "dsl.SyncThreadsAnd($B)", "math.IsNaN(float64($E))", "complex(1, 2) == complex(float64(o[0]), 3)", "1i == complex64(2)", "[0]func(){} == nil", "dict == nil", "ch == nil", "*new(bool)", "strings.Contains(text, \"x\")", "errors.New(\"x\") != nil", "len(o) > cap(o)", "[300]int{} == [300]int{o[0]}", "Wide{} == Wide{}", "Empty{} == Empty{}", "Pad{} == Pad{}", "$E == big", "float64(o[0]) > 1e400-1e400+1", "'a' == rune($E)", "string(rune(o[0])) == \"a\"",
}

var statements = []string{
	// blocks and control
	"if $B {\n$S } else if $a := $E; $a > 3 {\n$S }", "for $a := range $E { _ = $a\n$S }", "for $a := 0; $a < $E; $a++ {\n$S if $B { continue }\n$S }", "$L:\nfor {\n$S if $B { break $L }\nfor range 3 { continue $L } }", "switch $E {\ncase 1, 2:\n$S fallthrough\ncase 3:\n$S default:\n}", "switch {\ncase $B:\n$S }", "switch $a := $E; $a {}", "{\n$S }", "goto $L\n$L:\n$S", "$L:\nif $B { goto $L }", "for { if $B { return } }", "for {\n}", "select {}", "select { default: }", "select { case ch <- $E: default: }", "if $B { return }", "if $B { panic(\"x\") }", "panic($E)", "panic(fmt.Sprint($E))", "panic(nil)", "panic(errors.New(\"x\"))", "panic(text)", "panic(struct{}{})", "for range \"abc\" {\n$S }", "for _, $a := range \"aé\" { o[0] += int($a) }", "for $a := range text { _ = $a }", "for range o {\n$S }", "for $a := range [3]int{} { _ = $a }", "for $a, $b := range &[3]int{} { _, _ = $a, $b }", "for range ch {\n$S }", "for $a := range seq($E) { _ = $a\n$S }", "for range seq(3) { if $B { break }\ndefer spin() }", "for range func(func() bool) {} {\n$S }", "$L:\nfor $a := range seq(3) { for range seq($a) { if $B { continue $L }\nreturn } }", "for $a := range uint8(200) { _ = $a }", "for $a := range maps.Keys(dict) { _ = $a }", "for $a := range slices.Values(o) { o[0] += $a }",
	"defer func() { recover() }()", "defer spin()", "defer func() {\n$S }()", "go spin()", "go func() {\n$S }()", "recover()", "_ = recover() == nil", "print($E)", "println(\"x\", $V)", "spin()", "for { break }", "$L:\n{\nif $B { break $L }\n$S }", "if false {\n$S }", "if true { return }\n$S", "const $a = iota\n_ = $a", "type $a struct{ X $T }\nvar $b $a\n_ = $b", "type $a = $T\nvar $b $a\n_ = $b", "var ()", ";;;",
	// func values
	"$f := func() {\n$S }\n$f()", "var $f func()\n_ = $f", "var $f func(int) int\no[0] = $f(1)", "var $f func(int) int\n$f = func($a int) int { return $f($a - 1) }\no[0] = $f(1)", "$f := rec\nif $B { $f = id[int] }\no[0] = $f(3)", "$f := Num(3).M\no[0] = $f($E)", "$f := Num.M\no[0] = $f(1, 2)", "$f := (*Rec).M\n_ = $f(nil, 1)", "$f := Face.M\n_ = $f(Num(1), 1)", "$f := []func(){ func() {}, spin }\n$f[$E]()", "$f := [...]func(int) int{rec}\no[0] = $f[0](1)", "$f := map[int]func(){}\n$f[1]()", "$f := struct{ F func(int) int }{rec}\no[0] = $f.F(1)", "func() {\n$S }()", "func($a $T) { _ = $a }($V)", "$f := func($a ...$T) { use($a) }\n$f($V, $V)", "$f := curry($E)\n$g := $f(1)\no[0] = $g(2)", "var $f [0]func()\n_ = $f", "$f := func() func() { return func() {\n$S } }\n$f()()", "$f := &o[0]\n$g := func() { *$f++ }\n$g()\n$g()", "var $f []func()\nfor $a := range 3 { $f = append($f, func() { o[0] += $a }) }\nfor _, $g := range $f { $g() }", "$f := id(rec)\no[0] = $f(1)", "$f := spin\n_ = $f == nil", "Fn(rec).M(1)", "var $f Self\n_ = $f", "$f := func(x int) int { return x }\n$g := &$f\no[0] = (*$g)(1)", "$f := use[$T]\n$f($V)", "$f := apply[$T]\n_ = $f(id[$T], $V)", "$f := dsl.SyncThreads\n$f()", "$f := dsl.AtomicAdd[int]\n$f(&o[0], 1)", "$f := math.Sin\n_ = $f(float64($E))", "$f := fmt.Println\n$f()", "$f := new(func())\n(*$f)()", "$f := make(chan func(), 1)\n(<-$f)()",
	// slices, arrays, maps, strings
	"$a := make([]$T, 3)\n$a[0] = $V", "$a := make([]$T, $E)\n_ = $a", "$a := make([]$T, 2, $N)\n_ = $a", "$a := new($T)\n*$a = $V", "$a := []$T{$V, $V}\n_ = $a[$E]", "$a := [...]$T{2: $V}\n$b := $a\n_ = $b == $a", "$a := map[string]$T{}\n$a[\"x\"] = $V", "var $a [$N]$T\n_ = $a", "var $a [$N]$T\n$a[$E] = $V", "$a := append([]$T(nil), $V)\n_ = $a", "o = append(o, $E)", "o = append(o[:1], o[2:]...)", "o = o[$E:$E]", "o = o[$E:$E:$E]", "o = nil", "clear(o)", "copy(o, []int{1, 2})", "copy([]byte{1, 2}, \"ab\")", "$a := \"a\" + text\n_ = $a", "$a := text\n$a += \"x\"\no[0] = len($a)", "$a := \"abc\"\nif $B { $a = \"de\" }\no[0] = len($a)", "switch text { case \"a\": o[0] = 1 }", "$a := []byte(\"abc\")\no[0] = int($a[0])", "$a := string([]byte{65})\no[0] = len($a)", "delete(map[int]int{}, 1)", "$a := &[]int{1, 2}\n(*$a)[0]++", "var $a []int\n$a[0] = 1", "var $a [3]*int\n$a[0] = &o[0]\n*$a[0] = 1", "var $a [2][3][4]$T\n_ = $a[1][2]", "$a := [2][]int{o, o[1:]}\n$a[$E][$E]++", "$a := (*[3]int)(o)\n$a[0] = 1", "$a := [3]int(o)\n_ = $a", "o[0], o[1] = o[1], o[0]", "var $a Huge\n_ = $a", "var $a [1 << 27]int\n$a[$E] = 1", "$a := new(Huge)\n$a[3] = 1", "var $a Wide\n$a[$E].C = 3\n$b := $a\n_ = $b", "$a := unsafe.Slice((*byte)(unsafe.Pointer(&o[0])), $E)\n_ = $a", "$a := unsafe.SliceData(o)\n*$a = 1", "$a := unsafe.String(unsafe.StringData(text), 2)\n_ = $a",
	// structs, pointers, interfaces
	"var $a struct{ X $T; Y *$T }\n$a.Y = &$a.X\n_ = $a", "$a := Emb{}\n$a.X = 3\n_ = $a.Rec.M(1)", "var $a Emb\n$a.V++", "var $a Deep\n$a.S.A = 1\n_ = $a.M", "$a := &Node{V: 1}\n$a = &Node{$a, 2}\no[0] = $a.Next.V", "var $a *Node\nfor $b := range 3 { $a = &Node{$a, $b} }", "$a := Ifc{Num(1), 2}\no[0] = $a.M(1)", "var $a Face = Num($E)\no[0] = $a.M(1)", "var $a any = $V\n_ = $a", "var $a error\n_ = $a", "var $a error\nif $a != nil { return }", "_, $a := two()\nif $a != nil { panic($a) }", "$a, $b := named()\n_, _ = $a, $b", "var $a Both\n_ = $a.Error()", "$a := &Rec{}\n$b := &$a\n(*$b).X = 3", "$a := Pad{}\n$a.B = true\n_ = $a", "$a := List[$T]{}\n$a.V = $V", "$a := Pair[$T, int]{B: 1}\n_ = $a.Swap()", "$a := (*Rec)(unsafe.Pointer(&o[0]))\n$a.X = 1", "$a := *(*[4]int32)(unsafe.Pointer(&o[0]))\n_ = $a", "$a := uintptr(unsafe.Pointer(&o[0]))\n$b := (*int)(unsafe.Pointer($a + 8))\n*$b = 1", "$a := struct{ int; string }{1, \"x\"}\n_ = $a", "type $a interface{ ~int }\n", "var $a interface{ M(int) int } = &Rec{}\n$a.M(1)", "$a := any(Rec{})\n$b, $c := $a.(Rec)\n_, _ = $b, $c", "$a := dangling()\n*$a++", "var $a, $b = many(1,2,3,4,5,6,7,8,9,10,11,12), 1\n", "$a, $b, $c, $d := many(1,2,3,4,5,6,7,8,9,10,11,12)\n_, _, _, _ = $a, $b, $c, $d", "$p := &o\n(*$p)[0] = 1", "$p := &[]*int{&o[0]}\n*(*$p)[0] = 1", "$p, $q := new(int), new(*int)\n*$q = $p\n**$q = 3",
	// shadowed names
	"len := func(x []int) int { return 7 }\no[0] = len(o)", "true := false\nif true {\n$S }", "nil := 3\n_ = nil", "int := float32(2)\n_ = int", "dsl := 3\n_ = dsl", "string := \"x\"\n_ = string", "panic := func(x int) {}\npanic(1)", "o := o[0]\n_ = o", "append := func(x ...int) {}\nappend(1)", "_ = func(o int) int { return o }(1)", "any := 1\n_ = any", "error := 2\n_ = error", "type o int\nvar $a o\n_ = $a", "make := 3\n_ = make",
	// constants
	"const $a = 1 << 100\no[0] = $a >> 98", "o[0] = 1 << 62", "var $a = math.MaxUint64 / 2\n_ = $a", "_ = 'x' + 1.0", "o[0] = -9223372036854775808", "var $a uint64 = 1<<64 - 1\n_ = $a", "_ = float32(1e38) * 1e30", "_ = 0x1p-1074", "_ = complex64(1e30+1i)", "const $a = \"abc\" + \"d\"\no[0] = int($a[2]) + len($a)", "var $a float32 = 1.0 / 3\n_ = int($a)", "o[0] <<= 65", "o[0] >>= uint(o[1])", "o[0] = o[0] << o[1]", "o[0] /= 0 + o[1]", "o[0] %= -1", "$a := int8(-128)\n$a /= -1\n_ = $a", "_ = uint8(o[0]) << 8", "_ = 7.0 / float64(o[0])", "_ = (1 + 2i) / complex(float64(o[0]), 0)",
	// dsl
	"dsl.SyncThreads()", "if $B { dsl.SyncThreads() }", "$a := dsl.Shared[$T]()\n_ = $a", "$a := dsl.Shared[[4]$T]()\n$a[$E] = $V", "$a := dsl.DynamicShared[$T]()\n_ = $a", "$a := dsl.DynamicShared[$T]()\n$a[0] = $V", "$a := dsl.Shared[Huge]()\n_ = $a", "$a := dsl.Shared[[1 << 20]$T]()\n_ = $a", "_ = dsl.Shfl($V, $E)", "_ = dsl.ShflWidth($V, 1, $N)", "_ = dsl.ShflUpSync(1, $V, 3)", "dsl.AtomicAdd(&o[0], 1)", "var $a int\ndsl.AtomicAdd(&$a, 1)", "var $a float32\ndsl.AtomicMin(&$a, 1)", "dsl.AtomicAdd((*int)(nil), 1)", "$a := []int32{1}\ndsl.AtomicOr(&$a[0], 1)", "dsl.AtomicAdd(&(&Rec{}).X, 1)", "dsl.AtomicXor(&[2]uint64{}[0], 1)", "var $a Num\ndsl.AtomicAdd(&$a, 1)", "var $a [3]int16\n_ = dsl.Shfl($a[0], 1)", "dsl.ThreadFence()", "_ = dsl.Max(float32($E), 1)", "_ = dsl.Sin(float64($E))", "launch.Open(\"\")", "kernel.New(func() {})", "_ = launch.Linear(1, 2)", "$a := dsl.Shared[[4]int]()\nfor $b := range $a { $a[$b] = 0 }", "for $a := range dsl.Shared[[3]$T]() { _ = $a }", "_ = dsl.Shared[func()]()", "_ = dsl.Shared[struct{ P *int; S []$T }]()", "$a := dsl.Shared[*int]()\n*$a = &o[0]", "$a := dsl.Shared[*int]()\nvar $b int\n*$a = &$b", "//heddle:unroll 4\nfor range 3 {\n$S }", "//heddle:unroll x\nfor range 3 {\n$S }", "//heddle:unroll\nfor {\n$S }",
}
