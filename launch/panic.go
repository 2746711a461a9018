package launch

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"math"
	"runtime"
	"strconv"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// A KernelPanic is the error of a kernel that panicked: by an index out of
// range, a nil pointer, an integer division by zero or a call of panic. One
// thread's panic is reported, the first to get through; the other threads of
// the launch have ended where they happened to be.
type KernelPanic struct {
	Kernel        string         // the Go function that was launched: "main.Saxpy"
	Pos           token.Position // where it panicked
	Func          string         // the Go function that holds Pos
	Block, Thread Dim3           // which thread: its block's index and its own
	// Calls are the calls that led from the kernel's function to Func, innermost
	// first; none where Func is the kernel's own, or where a GPU or cpu kernel has
	// too many ways to it to tell them apart. On sim they have no columns.
	Calls   []token.Position
	Value   string // Go's text: "index out of range [5] with length 3"
	Runtime bool   // Go's own check failed, as against a call of panic
	Hint    string // where else to look for the cause, or ""
}

// raceHint is the hint where threads share memory, on devices that do not look
// for races: what one thread reads too early may be any number.
const raceHint = "the kernel has shared memory: if a race may be the cause, HEDDLE_DEVICE=emu finds it"

// Error is position, kernel, Go's panic text, the thread, and the calls, a line each:
//
//	main.go:12:7: kernel main.Saxpy panicked: runtime error: index out of range [5] with length 3 (block {1 0 0}, thread {37 0 0})
//		called from main.go:31:9
func (p *KernelPanic) Error() string {
	prefix := ""
	if p.Runtime {
		prefix = runtimePrefix
	}
	text := fmt.Sprintf("%v: kernel %s panicked: %s%s (block %v, thread %v)",
		p.Pos, p.Kernel, prefix, p.Value, p.Block, p.Thread)
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	for _, pos := range p.Calls {
		text += "\n\tcalled from " + pos.String()
	}
	return text
}

// blameShared hints at dynamic shared memory that is empty where an index into it may
// have been what failed.
func (p *KernelPanic) blameShared(empty bool) {
	if empty && p.Runtime && (strings.Contains(p.Value, "with length 0") || strings.Contains(p.Value, "with capacity 0")) {
		p.Hint = "the launch's Config.Shared is 0, so dsl.DynamicShared is empty: Config.Shared is its size in bytes"
	}
}

// runtimePrefix begins the text of Go's own run-time errors.
const runtimePrefix = "runtime error: "

// panicOf makes a device's record readable.
func panicOf(obj *abi.Object, r *abi.PanicRecord) *KernelPanic {
	p := &KernelPanic{Kernel: obj.Name, Block: dimOf(r.Block), Thread: dimOf(r.Thread)}
	if obj.Kind == abi.Native && (obj.Shared > 0 || obj.Dynamic) {
		p.Hint = raceHint
	}
	s, calls := obj.Site(r.Site)
	if s == nil {
		p.Value = fmt.Sprintf("at the unknown place %d of %d", r.Site, len(obj.Sites))
		return p
	}
	for _, c := range calls {
		p.Calls = append(p.Calls, token.Position{Filename: c.File, Line: c.Line, Column: c.Col})
	}
	p.Pos = token.Position{Filename: s.File, Line: s.Line, Column: s.Col}
	p.Func, p.Runtime = s.Func, s.Runtime
	format := s.Format
	if s.Runtime && int64(r.Args[0]) < 0 {
		format = negativeIndex(format)
	}
	p.Value = expand(format, r.Args[:])
	return p
}

func dimOf(v [3]uint32) Dim3 { return Dim3{X: int(v[0]), Y: int(v[1]), Z: int(v[2])} }

// negativeIndex is the format of a bounds error whose index is negative: Go then
// names the index alone, "slice bounds out of range [:-5]".
func negativeIndex(format string) string {
	text, rest, ok := strings.Cut(format, "[")
	inside, _, closed := strings.Cut(rest, "]")
	if before, after, found := strings.Cut(inside, "%d"); ok && closed && found {
		return text + "[" + before + "%d" + strings.ReplaceAll(after, "%d", "") + "]"
	}
	return format
}

// expand puts the record's values in place of the verbs %d, %u, %x, %f and %t of a
// Site's Format; %% is a percent sign. Any other % stands for itself.
func expand(format string, args []uint64) string {
	var b bytes.Buffer
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 || i+1 == len(format) {
			b.WriteString(format)
			return b.String()
		}
		b.WriteString(format[:i])
		text, ok := "", len(args) > 0
		switch verb := format[i+1]; {
		case ok && verb == 'd':
			text = strconv.FormatInt(int64(args[0]), 10)
		case ok && verb == 'u':
			text = strconv.FormatUint(args[0], 10)
		case ok && verb == 'x':
			text = "0x" + strconv.FormatUint(args[0], 16)
		case ok && verb == 'f':
			text = strconv.FormatFloat(math.Float64frombits(args[0]), 'g', -1, 64)
		case ok && verb == 't':
			text = strconv.FormatBool(args[0] != 0)
		case verb == '%':
			b.WriteByte('%')
			format = format[i+2:]
			continue
		default:
			b.WriteByte('%')
			format = format[i+1:]
			continue
		}
		b.WriteString(text)
		args, format = args[1:], format[i+2:]
	}
}

// simulated turns the simulator's error for a panic into a KernelPanic, and
// leaves any other error alone.
func simulated(err error) error {
	var s *driver.SimPanic
	if !errors.As(err, &s) {
		return err
	}
	p := &KernelPanic{
		Kernel: s.Kernel,
		Pos:    token.Position{Filename: s.File, Line: s.Line},
		Block:  dim3(s.Block), Thread: dim3(s.Thread),
		Value: fmt.Sprint(s.Value),
	}
	for _, c := range s.Calls {
		p.Calls = append(p.Calls, token.Position{Filename: c.File, Line: c.Line})
	}
	if s.Shared && !strings.HasPrefix(p.Value, "dsl.") { // what package dsl says is the cause
		p.Hint = raceHint
	}
	if _, ok := s.Value.(runtime.Error); ok {
		p.Value, p.Runtime = strings.CutPrefix(p.Value, runtimePrefix)
	}
	p.blameShared(s.NoShared)
	return p
}
