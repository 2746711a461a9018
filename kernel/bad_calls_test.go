package kernel_test

//lint:file-ignore heddle the kernels are wrong on purpose

// Kernels that call what a device cannot run, let an address escape, or break
// a rule of kernels. The form is that of bad_types_test.go.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"heddle/dsl"
)

var callKernels = map[string]any{
	"go": badGo, "defer": badDefer, "recover": badRecover, "print": badPrint, "fmt": badPrintln, "Sprintf": badSprintf,
	"time": badTime, "os": badExit, "rand": badRand, "mutex": badMutex, "mutex outside": badOuterMutex, "once": badOnce, "sync/atomic": badAtomic, "strings": badStrings, "sort": badSort,
	"errors": badErrors, "assembly": badAssembly, "recursion": badRecursion, "mutual recursion": badMutual,
	"recursive literal": badRecursiveLiteral, "address returned": badReturn, "address stored": badStored, "address of iteration": badIteration, "address of inner iteration": badInnerIteration, "shuffle width": badWidth, "address appended": badAppended,
	"new returned": badNew, "global written": badGlobalWrite, "global read": badGlobalRead, "global map": badGlobalMap, "global funcs": badGlobalFuncs, "device funcs": badDeviceFuncs, "device variables": badDeviceVariables, "orders": badOrders,
	"panic with struct": badPanicStruct, "panic with error": badPanicError, "launchbounds empty": badBoundsEmpty, "launchbounds word": badBoundsWord,
	"launchbounds large": badBoundsLarge, "launchbounds long": badBoundsLong, "noalias arguments": badNoAlias, "unknown directive": badDirective,
	"literals returned": badLiterals, "helper": badHelper, "several": badSeveral, "generic": badGeneric[int], "MakeFunc": badMakeFunc, "interface method value": badMethodValue,
}

// bad go
func badGo(out []int) {
	go second(out[0]) // want "2: go statement in kernel \\(every thread of the grid"
}

// bad defer
func badDefer(out []int) {
	defer second(out[0]) // want "2: defer in kernel \\(call the function at the end"
	out[0] = 1
}

// bad recover
func badRecover(out []int) {
	if recover() != nil { // want "recover in kernel \\(a panic ends the kernel"
		out[0] = 1
	}
}

// bad print
func badPrint(out []int) {
	print(out[0])   // want "print in kernel \\(use dsl.Printf"
	println(out[0]) // want "println in kernel \\(use dsl.Printf"
}

// bad fmt
func badPrintln(out []int) {
	fmt.Println("thread", out[0]) // want "call of fmt.Println, which takes an interface \\(use dsl.Printf"
}

// bad Sprintf
func badSprintf(out []int) {
	out[0] = len(fmt.Sprintf("%d", out[1])) // want "call of fmt.Sprintf, which takes an interface \\(use dsl.Printf"
}

// bad time
func badTime(out []int64) {
	out[0] = time.Now().UnixNano() // want "call of time.Now, which cannot run on a device.*\\(use dsl.Clock64"
}

// bad os
func badExit(out []int) {
	os.Exit(out[0]) // want "call of os.Exit.*\\(a kernel has no operating system"
}

// bad rand
func badRand(out []int) {
	out[0] = rand.Int() // want "call of math/rand/v2.Int.*\\(use the generators"
}

// bad mutex
func badMutex(out []int) {
	var mu sync.Mutex
	mu.Lock() // want "sync.Mutex.*Lock.*\\(use dsl.SyncThreads"
	out[0]++
}

// bad sync/atomic
func badAtomic(out []int64) {
	atomic.AddInt64(&out[0], 1) // want "call of sync/atomic.AddInt64.*\\(use dsl.AtomicAdd"
}

// bad strings
func badStrings(out []int) {
	out[0] = len(strings.Clone("weft")) // want "strings.Clone.*\\("
}

// bad sort
func badSort(out []int) {
	sort.Stable(sort.IntSlice(out)) // want "call of sort.Stable.*\\(slices.Sort, slices.SortFunc"
}

// bad errors
func badErrors(out []int) {
	if errors.New("no") != nil { // want "call of errors.New.*\\(errors do not exist"
		out[0] = 1
	}
}

// bad assembly
func badAssembly(out []int) {
	out[0] = reflect.ValueOf(out[1:]).Len() // want "26: call of reflect.ValueOf, which takes an interface \\(types are known" "39: call of \\(reflect.Value\\).Len, .*\\(types are known"
}

// bad recursion
func badRecursion(out []int) {
	out[0] = factorial(out[1])
}

func factorial(n int) int {
	if n < 2 {
		return 1
	}
	return n * factorial(n-1) // want "22: recursive call of factorial \\(use a loop"
}

// bad mutual recursion
func badMutual(out []bool) {
	out[0] = even(len(out))
}

func even(n int) bool { return n == 0 || odd(n-1) }

func odd(n int) bool { return n != 0 && even(n-1) } // want "45: recursive call of even \\(use a loop"

// bad recursive literal
func badRecursiveLiteral(out []int) {
	var f func(int) int   // want "6: func value that calls itself \\("
	f = func(n int) int { // want "6: func value that calls itself \\("
		if n < 2 {
			return 1
		}
		return n * f(n-1)
	}
	out[0] = f(5) // want "12: call of a func value that calls itself \\(use a loop"
}

// bad address returned
func badReturn(out []int) {
	out[0] = *local(out[1])
}

//go:noinline
func local(n int) *int {
	m := n * 2 // want "2: address of local variable m is returned \\(return the value"
	return &m
}

// bad new returned
func badNew(out []int) {
	out[0] = *fresh(out[1])
}

func fresh(n int) *int {
	p := new(int) // want "address of the variable of type int that new makes is returned \\("
	*p = n
	return p
}

// bad address stored
func badStored(out []int) {
	slots := dsl.Shared[[4]*int]()
	n := out[0] // want "2: address of local variable n is stored where it outlives the function \\("
	slots[dsl.ThreadIdx().X&3] = &n
	dsl.SyncThreads()
	out[1] = *slots[0]
}

// bad address of iteration
func badIteration(out []int) {
	var last *int
	for i := range 3 {
		n := i * 2 // want "address of local variable n outlives its iteration of the loop \\(declare the variable before"
		if last != nil {
			out[i] = *last
		}
		last = &n
	}
}

// bad global written
var counter int

func badGlobalWrite(out []int) {
	counter++ // want "write to package variable counter \\(bad_calls\\S*go:194\\) in kernel \\(write results to a slice" "package variable counter \\(bad_calls\\S*go:194\\) in kernel: it may change: bad_calls\\S*go:197 writes it or lets it be written \\("
}

// bad global read
var factor = 3

func setFactor(n int) { factor = n }

func badGlobalRead(out []int) {
	out[0] *= factor // want "12: package variable factor \\(bad_calls\\S*go:201\\) in kernel: it may change: bad_calls\\S*go:203 writes it or lets it be written \\(pass it as an argument"
}

// bad global map
var names = map[int]int{1: 2}

func badGlobalMap(out []int) {
	out[0] = names[1] // want "package variable names \\S* in kernel: .*\\(pass it as an argument" "map lookup in kernel \\("
}

// bad panic with struct
func badPanicStruct(out []int) {
	if out[0] > 0 {
		panic(struct{ A int }{1}) // want "panic with a value of type struct\\{A int\\} in kernel \\(panic with a constant"
	}
}

// bad panic with error
var errOdd = errors.New("odd")

func badPanicError(out []int) {
	if out[0] > 0 {
		panic(errOdd) // want "panic with an interface value in kernel \\(panic with a constant" "package variable errOdd \\S* in kernel: it holds an error \\("
	}
}

// bad launchbounds empty
//
//heddle:launchbounds
func badBoundsEmpty(out []int) { out[0] = 1 } // want@-1 "//heddle:launchbounds: want the threads a block may have"

// bad launchbounds word
//
//heddle:launchbounds many
func badBoundsWord(out []int) { out[0] = 1 } // want@-1 "//heddle:launchbounds: want the threads"

// bad launchbounds large
//
//heddle:launchbounds 4096
func badBoundsLarge(out []int) { out[0] = 1 } // want@-1 "//heddle:launchbounds: want the threads a block may have, 1 to 1024"

// bad launchbounds long
//
//heddle:launchbounds 128 2 3
func badBoundsLong(out []int) { out[0] = 1 } // want@-1 "//heddle:launchbounds: want the threads"

// bad noalias arguments
//
//heddle:noalias out
func badNoAlias(out []int) { out[0] = 1 } // want@-1 "//heddle:noalias: takes no arguments"

// bad unknown directive
//
//heddle:fast
func badDirective(out []int) { out[0] = 1 } // want@-1 "unknown directive //heddle:fast \\(above a kernel there are launchbounds, noalias"

// bad helper
func badHelper(out []int) {
	out[0] = deep(out[1])
}

func deep(n int) int {
	defer second(n) // want "(?s)2: defer in kernel \\([^\n]*\n\tcalled from \\S*bad_calls\\S*:264:15$"
	return deeper(n)
}

func deeper(n int) int {
	fmt.Print(n) // want "call of fmt.Print, which takes an interface \\(use dsl.Printf[^\n]*\n\tcalled from \\S*:269:15\n\tcalled from \\S*:264:15$"
	return n
}

// bad several
func badSeveral(m map[int]int, out []int) { // want "17: parameter m: map"
	c := make(chan int) // want "channel in kernel"
	go second(out[0])   // want "go statement in kernel"
	out[0] = <-c        // want "channel receive in kernel"
	factor := 2
	if out[0] > 1 {
		println(factor) // want "println in kernel"
	}
}

// bad generic
func badGeneric[T int | float64](out []T) {
	var x any = out[0]
	_ = x.(string) // want "type assertion of string, which is a int \\("
	if _, ok := x.(int); ok {
		out[0]++
	}
}

// bad MakeFunc
var badMakeFunc = reflect.MakeFunc(reflect.TypeFor[func([]int)](), func([]reflect.Value) []reflect.Value { return nil }).Interface() // want nowhere "reflect.MakeFunc.*\\("

// bad interface method value
var badMethodValue = runner(noop{}).Run // want nowhere "interface.*\\("

type runner interface{ Run([]int) }

type noop struct{}

func (noop) Run(out []int) { out[0] = 1 }

// bad literals returned
type point3 struct{ X, Y, Z int }

func badLiterals(out []int) {
	out[0] = literal(out[1]).X + elements(out[2])[1] + made(out[3])[2]
}

func literal(n int) *point3 { return &point3{X: n} } // want "45: address of the literal of type point3 is returned \\("

func elements(n int) []int { return []int{n, 2} } // want "42: address of the elements of a literal, of type .2.int is returned \\("

func made(n int) []int {
	s := make([]int, 3) // want "address of the elements that make makes, of type .3.int is returned \\("
	s[0] = n
	return s
}

// bad address appended
func badAppended(out []int) {
	var kept [4]*int
	all := kept[:0]
	for i := range 3 {
		n := i * 2 // want "address of local variable n outlives its iteration of the loop \\(declare the variable before"
		if len(all) < cap(all) {
			all = append(all, &n)
		}
	}
	out[0] = *all[0]
}

// bad once
func badOnce(out []int) {
	_ = sync.OnceValues(twoInts) // want "call of sync.OnceValues\\[int, int\\], which cannot run on a device \\(use dsl.SyncThreads"
}

func twoInts() (int, int) { return 1, 2 }

// bad address of inner iteration
func badInnerIteration(out []int) {
	for i := range 3 {
		var last *int
		get := func() int { return *last }
		for j := range 3 {
			n := i * j // want "address of local variable n outlives its iteration of the loop \\(declare the variable before"
			if j > 0 {
				out[i] += get()
			}
			last = &n
		}
	}
}

// bad shuffle width
func badWidth(out []float32) {
	out[0] = dsl.ShflUpWidth(out[0], 1, 12) // want "26: call of \\S*dsl.ShflUpWidth\\[float32\\]: width 12 \\(want a power of two up to the warp size\\)"
}

// bad device variables
var (
	neverMade   dsl.Global[int]
	madeLater   dsl.Global[int]
	madeFar     = makeGlobal()
	ofMaps      = dsl.NewGlobal(map[int]int{})
	readOnlyInt = dsl.NewConstant([4]int{1, 2})
)

func init() { madeLater = dsl.NewGlobal(1) }

func makeGlobal() dsl.Global[int] { return dsl.NewGlobal(2) }

func badDeviceVariables(out []int) {
	out[0] = *neverMade.Ptr()         // want "device variable neverMade \\(bad_calls\\S*go:\\d+\\) in kernel: it is not made where it is declared \\(declare it as var neverMade = dsl.NewGlobal\\(initial\\)"
	*madeLater.Ptr() = 1              // want "device variable madeLater \\S* in kernel: it may change: bad_calls\\S*go:\\d+ writes it"
	dsl.AtomicAdd(madeFar.Ptr(), 1)   // want "device variable madeFar \\S* in kernel: it is not made where it is declared \\("
	_ = ofMaps.Ptr()                  // want "device variable ofMaps \\S* in kernel: it holds a map \\(" "call of .*, which returns a map \\("
	_ = dsl.NewGlobal(int32(3)).Ptr() // want "call of .*dsl.NewGlobal\\[int32\\]: a kernel makes no device variables \\(call it where a package variable is declared\\)"
	readOnlyInt.Ptr()[1] = out[2]     // want "write to a dsl.Constant\\[\\[4\\]int\\] in kernel \\(declare it with dsl.NewGlobal"
}

// bad orders
func badOrders(out []int) {
	a := dsl.AtomicOf(&out[0])
	a.Store(1, dsl.ScopeDevice, dsl.Acquire)    // want "a store acquires nothing \\(pass dsl.Relaxed, Release or SeqCst\\)"
	out[1] = a.Load(dsl.ScopeBlock, dsl.AcqRel) // want "a load releases nothing \\(pass dsl.Relaxed, Acquire or SeqCst\\)"
	a.Add(2, dsl.Scope(4), dsl.Relaxed)         // want "no such scope \\(pass dsl.ScopeWarp"
	a.Add(2, dsl.ScopeWarp, dsl.Order(7))       // want "no such order \\(pass dsl.Relaxed"
	a.Add(2, dsl.Scope(out[2]), dsl.Relaxed)    // want "constant.*\\(write a constant there"
	f := dsl.Shared[dsl.Atomic[float32]]()
	f.Or(2, dsl.ScopeWarp, dsl.Relaxed) // want "it is of integers only \\(make it an Atomic of an unsigned integer\\)"
}

var badLock sync.Mutex

// bad mutex outside
func badOuterMutex(out []int) {
	badLock.Lock() // want "call of .*sync.Mutex.*Lock.*\\(use dsl.SyncThreads"
	out[0]++
}

// bad global funcs
var borders = [...]func(i, n int) int{func(i, n int) int { return i % n }, func(i, n int) int { return min(i, n-1) }}

func badGlobalFuncs(out []int) {
	out[0] = borders[out[1]](3, 2) // want "package variable borders \\S* in kernel: it holds a func in an element \\(make it in the kernel, or capture a copy in a closure\\)"
}

// bad device funcs
var deviceBorders = dsl.NewGlobal(borders)

func badDeviceFuncs(out []int) {
	out[0] = deviceBorders.Ptr()[1](3, 2) // want "call of .*Ptr, which returns a func in an element \\(a function must be known while compiling: capture it in a closure" "device variable deviceBorders \\S* in kernel: it holds a func in an element \\(make it in the kernel, or capture a copy in a closure\\)"
}
