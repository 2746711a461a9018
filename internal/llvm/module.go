package llvm

import (
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"heddle/internal/errs"
)

// A Context owns the modules of one compile; see Library.Do.
type Context struct {
	lib    *Library
	ref    ref
	errors []string // the error diagnostics so far
	frames int      // bytes; see Module.EmitWithFrames
}

var tokens atomic.Uintptr

// Do runs f with a fresh context on an OS thread of its own, and frees the
// context and its modules afterwards. It returns f's error, or else the error
// diagnostics LLVM sent meanwhile, or a *FatalError, after which f has not
// finished and never will: f must leave nothing locked across calls into LLVM.
func (l *Library) Do(f func(*Context) error) error {
	return guard(func() error {
		c := &Context{lib: l, ref: l.api.contextCreate()}
		token := tokens.Add(1)
		sinks.Store(token, c)
		l.api.contextSetDiagnosticHandler(c.ref, diagnosticHandler.Get(), token)
		defer func() {
			l.api.contextDispose(c.ref)
			sinks.Delete(token)
		}()
		if err := f(c); err != nil {
			return err
		}
		return c.failed("compile")
	})
}

// collect keeps a diagnostic that is an error, and adds up the sizes of stack frames;
// other warnings and remarks are dropped.
func (c *Context) collect(info uintptr) {
	const severityError = 0
	message := c.lib.take(c.lib.api.getDiagInfoDescription(info))
	if _, rest, ok := strings.Cut(message, "stack frame size ("); ok {
		size, _, _ := strings.Cut(rest, ")")
		if n, err := strconv.Atoi(size); err == nil {
			c.frames += n
		}
	}
	if c.lib.api.getDiagInfoSeverity(info) == severityError {
		c.errors = append(c.errors, message)
	}
}

// failed is the collected error diagnostics as one error, nil if there are none.
func (c *Context) failed(what string) error {
	if c.errors == nil {
		return nil
	}
	return errs.F("llvm: %s: %s", what, strings.Join(c.errors, "\n"))
}

// take copies a message and frees LLVM's copy.
func (l *Library) take(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	defer l.api.disposeMessage(p)
	return goString(p)
}

func (l *Library) buffer(name string, data []byte) ref {
	return l.api.createMemoryBufferWithMemoryRangeCopy(unsafe.Pointer(unsafe.SliceData(data)), uintptr(len(data)), name)
}

// A Module is one LLVM module of a Context, which frees it.
type Module struct {
	ctx *Context
	ref ref
}

// ParseIR reads a module's text. name is what LLVM calls the text in errors,
// which carry line, column and the offending line.
func (c *Context) ParseIR(name string, text []byte) (*Module, error) {
	m := &Module{ctx: c}
	var msg unsafe.Pointer
	// ParseIR takes the buffer over, on failure too.
	if c.lib.api.parseIRInContext(c.ref, c.lib.buffer(name, text), &m.ref, &msg) != 0 {
		return nil, errors.New("llvm: parse: " + strings.TrimSpace(c.lib.take(msg)))
	}
	return m, nil
}

// LoadBitcode reads a bitcode module lazily: function bodies are read when a
// link wants them. Bitcode of older releases is upgraded.
func (c *Context) LoadBitcode(name string, data []byte) (*Module, error) {
	m := &Module{ctx: c}
	buf := c.lib.buffer(name, data)
	if c.lib.api.getBitcodeModuleInContext2(c.ref, buf, &m.ref) != 0 { // on failure the buffer stays ours
		c.lib.api.disposeMemoryBuffer(buf)
		if err := c.failed(name); err != nil {
			return nil, err
		}
		return nil, errs.F("llvm: %s: not readable bitcode", name)
	}
	return m, nil
}

// SetTarget gives the module the target machine's triple and data layout.
func (m *Module) SetTarget(tm *TargetMachine) {
	api := m.ctx.lib.api
	layout := api.createTargetDataLayout(tm.ref)
	defer api.disposeTargetData(layout)
	api.setTarget(m.ref, tm.target.Triple)
	api.setModuleDataLayout(m.ref, layout)
}

// Verify checks that the module is well-formed IR.
func (m *Module) Verify() error {
	api := m.ctx.lib.api
	var msg unsafe.Pointer
	const returnStatus = 2
	bad := api.verifyModule(m.ref, returnStatus, &msg) != 0
	text := strings.TrimSpace(m.ctx.lib.take(msg))
	if bad {
		return errors.New("llvm: verify: " + text)
	}
	return nil
}

// StripDebug removes all debug information.
func (m *Module) StripDebug() { m.ctx.lib.api.stripModuleDebugInfo(m.ref) }

// Link moves src into m; src is used up. What src defines as linkonce comes
// only where m needs it, and is then read from lazily loaded bitcode.
func (m *Module) Link(src *Module) error {
	failed := m.ctx.lib.api.linkModules2(m.ref, src.ref) != 0
	if err := m.ctx.failed("link"); err != nil {
		return err
	}
	if failed {
		return errors.New("llvm: link: failed")
	}
	return nil
}

// SetFlag sets the i32 module flag key, unless the module has it already.
func (m *Module) SetFlag(key string, value int) {
	api := m.ctx.lib.api
	k, n := unsafe.Pointer(unsafe.StringData(key)), uintptr(len(key))
	if api.getModuleFlag(m.ref, k, n) != 0 {
		return
	}
	const behaviorOverride = 3
	v := api.constInt(api.int32TypeInContext(m.ctx.ref), uint64(value), 0)
	api.addModuleFlag(m.ref, behaviorOverride, k, n, api.valueAsMetadata(v))
}

// RunPasses runs an optimisation pipeline as LLVM's opt spells it, such as
// "default<O3>". The target machine adds its own passes to it.
func (m *Module) RunPasses(passes string, tm *TargetMachine) error {
	return m.runPasses(passes, tm, false)
}

// RunScalarPasses is RunPasses without LLVM's own vectorisers.
func (m *Module) RunScalarPasses(passes string, tm *TargetMachine) error {
	return m.runPasses(passes, tm, true)
}

func (m *Module) runPasses(passes string, tm *TargetMachine, scalar bool) error {
	api := m.ctx.lib.api
	options := api.createPassBuilderOptions()
	defer api.disposePassBuilderOptions(options)
	if scalar {
		api.passBuilderOptionsSetLoopVectorization(options, 0)
		api.passBuilderOptionsSetSLPVectorization(options, 0)
	}
	if e := api.runPasses(m.ref, passes, tm.ref, options); e != 0 {
		msg := api.getErrorMessage(e)
		defer api.disposeErrorMessage(msg)
		return errs.F("llvm: passes %q: %s", passes, goString(msg))
	}
	return m.ctx.failed("optimise")
}

// FileType is what Emit makes, in the C API's numbers.
type FileType int32

// The kinds of output.
const (
	Assembly FileType = iota
	Object
)

// Emit generates code. The module is lowered in place and is of no further use.
func (m *Module) Emit(tm *TargetMachine, kind FileType) ([]byte, error) {
	api := m.ctx.lib.api
	var msg unsafe.Pointer
	var out ref
	if api.targetMachineEmitToMemoryBuffer(tm.ref, m.ref, int32(kind), &msg, &out) != 0 {
		return nil, errors.New("llvm: emit: " + strings.TrimSpace(m.ctx.lib.take(msg)))
	}
	defer api.disposeMemoryBuffer(out)
	code := make([]byte, api.getBufferSize(out))
	copy(code, unsafe.Slice((*byte)(api.getBufferStart(out)), len(code)))
	return code, m.ctx.failed("generate code")
}

// EmitWithFrames is Emit, and says how many bytes of stack the frames of all functions
// take together.
func (m *Module) EmitWithFrames(tm *TargetMachine, kind FileType) (code []byte, frames int, err error) {
	for f := range m.Functions() {
		if !f.IsDeclaration() {
			f.SetAttribute("warn-stack-size", "0") // a warning for each frame
		}
	}
	m.ctx.frames = 0
	code, err = m.Emit(tm, kind)
	return code, m.ctx.frames, err
}

// String is the module as IR text.
func (m *Module) String() string {
	return m.ctx.lib.take(m.ctx.lib.api.printModuleToString(m.ref))
}

// Target says what a TargetMachine compiles for.
type Target struct {
	Triple   string
	CPU      string // "" for the triple's default
	Features string // "+wavefrontsize64,-xnack"
	Level    int    // code generation effort, 0 to 3
}

// A TargetMachine generates code for one CPU. It belongs to one goroutine at a time.
type TargetMachine struct {
	lib    *Library
	ref    ref
	target Target
}

// NewTargetMachine makes a target machine for position-independent code. LLVM
// accepts a CPU it does not know with no more than a line on standard error:
// check the name first.
func (l *Library) NewTargetMachine(t Target) (*TargetMachine, error) {
	var target ref
	var msg unsafe.Pointer
	if l.api.getTargetFromTriple(t.Triple, &target, &msg) != 0 {
		return nil, errs.F("llvm: %s (%s)", strings.TrimSpace(l.take(msg)), l.Path)
	}
	const relocPIC, codeModelDefault = 2, 0
	tm := l.api.createTargetMachine(target, t.Triple, t.CPU, t.Features, int32(t.Level), relocPIC, codeModelDefault)
	if tm == 0 {
		return nil, errs.F("llvm: no target machine for %s, CPU %q", t.Triple, t.CPU)
	}
	return &TargetMachine{lib: l, ref: tm, target: t}, nil
}

// Close frees the target machine.
func (tm *TargetMachine) Close() { tm.lib.api.disposeTargetMachine(tm.ref) }
