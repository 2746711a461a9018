package llvm

import (
	"reflect"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/dl"
	"heddle/internal/errs"
)

// ref is an opaque object of the C API.
type ref = uintptr

// api is the part of the C API that is used: one field a function, LLVMContextCreate and so on.
type api struct {
	getVersion                             func(major, minor, patch *uint32) `since:"16"`
	parseCommandLineOptions                func(argc int32, argv unsafe.Pointer, overview string)
	contextCreate                          func() ref
	contextDispose                         func(ref)
	contextSetDiagnosticHandler            func(ctx ref, handler, token uintptr)
	getDiagInfoDescription                 func(uintptr) unsafe.Pointer
	getDiagInfoSeverity                    func(uintptr) int32
	installFatalErrorHandler               func(uintptr)
	createMemoryBufferWithMemoryRangeCopy  func(data unsafe.Pointer, n uintptr, name string) ref
	getBufferStart                         func(ref) unsafe.Pointer
	getBufferSize                          func(ref) uintptr
	disposeMemoryBuffer                    func(ref)
	parseIRInContext                       func(ctx, buf ref, m *ref, msg *unsafe.Pointer) int32
	getBitcodeModuleInContext2             func(ctx, buf ref, m *ref) int32
	disposeMessage                         func(unsafe.Pointer)
	printModuleToString                    func(ref) unsafe.Pointer
	verifyModule                           func(m ref, action int32, msg *unsafe.Pointer) int32
	linkModules2                           func(dst, src ref) int32
	setTarget                              func(m ref, triple string)
	setModuleDataLayout                    func(m, layout ref)
	getModuleFlag                          func(m ref, key unsafe.Pointer, n uintptr) ref
	addModuleFlag                          func(m ref, behavior int32, key unsafe.Pointer, n uintptr, value ref)
	int32TypeInContext                     func(ctx ref) ref
	constInt                               func(typ ref, v uint64, signed int32) ref
	valueAsMetadata                        func(ref) ref
	getFirstFunction, getNextFunction      func(ref) ref
	getFirstGlobal, getNextGlobal          func(ref) ref
	getValueName2                          func(v ref, n *uintptr) unsafe.Pointer
	isDeclaration                          func(ref) int32
	getLinkage                             func(ref) int32
	setLinkage                             func(ref, int32)
	setVisibility                          func(ref, int32)
	getFunctionCallConv                    func(ref) uint32
	addTargetDependentFunctionAttr         func(f ref, key, value string)
	getEnumAttributeKindForName            func(name unsafe.Pointer, n uintptr) uint32
	createEnumAttribute                    func(ctx ref, kind uint32, value uint64) ref
	addAttributeAtIndex                    func(f ref, index uint32, attr ref)
	getEnumAttributeAtIndex                func(f ref, index, kind uint32) ref
	stripModuleDebugInfo                   func(m ref) int32
	globalGetValueType                     func(ref) ref
	addFunction                            func(mod ref, name string, typ ref) ref
	replaceAllUsesWith                     func(old, with ref)
	getTargetFromTriple                    func(triple string, t *ref, msg *unsafe.Pointer) int32
	createTargetMachine                    func(t ref, triple, cpu, features string, level, reloc, codeModel int32) ref
	disposeTargetMachine                   func(ref)
	createTargetDataLayout                 func(ref) ref
	disposeTargetData                      func(ref)
	createPassBuilderOptions               func() ref
	disposePassBuilderOptions              func(ref)
	passBuilderOptionsSetLoopVectorization func(options ref, on int32)
	passBuilderOptionsSetSLPVectorization  func(options ref, on int32)
	runPasses                              func(m ref, passes string, tm, options ref) ref
	getErrorMessage                        func(ref) unsafe.Pointer
	disposeErrorMessage                    func(unsafe.Pointer)
	targetMachineEmitToMemoryBuffer        func(tm, m ref, kind int32, msg *unsafe.Pointer, out *ref) int32
}

// bind fills the API from an opened library.
func bind(lib uintptr) (*api, error) {
	a := new(api)
	return a, bindFields(lib, "LLVM", a)
}

// bindFields fills a struct of functions from an opened library. A function's name in C is
// the prefix and its field's tag c, or else the field's own name with a capital. One with
// a tag since may be missing.
func bindFields(lib uintptr, prefix string, functions any) error {
	v := reflect.ValueOf(functions).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Tag.Get("c")
		if name == "" {
			name = strings.ToUpper(field.Name[:1]) + field.Name[1:]
		}
		p, err := dl.Sym(lib, prefix+name)
		if err != nil && field.Tag.Get("since") != "" {
			continue
		}
		if err != nil {
			return errs.F("no function %s%s", prefix, name)
		}
		purego.RegisterFunc(reflect.NewAt(field.Type, v.Field(i).Addr().UnsafePointer()).Interface(), p)
	}
	return nil
}

// targets are the back ends that are initialised where the library has them.
var targets = []string{"AMDGPU", "NVPTX", "X86", "AArch64"}

// initialise registers one back end; it reports whether the library has it.
func initialise(lib uintptr, target string) bool {
	for _, part := range []string{"TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser"} {
		p, err := dl.Sym(lib, "LLVMInitialize"+target+part)
		if err != nil {
			if part == "AsmParser" { // NVPTX has none
				continue
			}
			return false
		}
		var f func()
		purego.RegisterFunc(&f, p)
		f()
	}
	return true
}
