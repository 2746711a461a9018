package gpu

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/abi"
	"heddle/internal/dl"
	"heddle/internal/driver"
	"heddle/internal/env"
	"heddle/internal/errs"
)

// A Call is one function of the driver API, under CUDA's name for it.
type Call int

// The functions that both vendors have with the same parameters, and the few
// that one may lack (its Spec leaves the name empty).
const (
	Init Call = iota
	Version
	ErrorName
	ErrorString
	DeviceCount
	DeviceGet
	DeviceName
	DeviceMemory
	DeviceAttribute
	PrimaryRetain  // CUDA only
	PrimaryRelease // CUDA only
	SetCurrent
	MemAlloc
	MemFree
	HostAlloc
	HostFree
	HostRegister
	HostDeviceAddress
	CopyIn
	CopyOut
	Copy
	Fill
	StreamCreate
	StreamDestroy
	StreamSync
	StreamQuery
	StreamWait
	EventCreate
	EventDestroy
	EventRecord
	EventSync
	EventQuery
	EventElapsed
	ModuleLoad
	ModuleUnload
	ModuleFunction
	ModuleGlobal
	FunctionGet
	FunctionSet // CUDA only: HIP needs no opt-in to large shared memory
	LaunchKernel
	// What releases of ten years have not had.
	LaunchCooperative
	Occupancy
	NumCalls

	firstOptional = LaunchCooperative
)

// An Attr is a device attribute that both vendors have, by different numbers.
type Attr int

const (
	WarpSize Attr = iota
	MaxThreads
	MaxBlockX
	MaxBlockY
	MaxBlockZ
	MaxGridX
	MaxGridY
	MaxGridZ
	SharedPerBlock
	SharedOptIn
	ComputeUnits
	ClockRate
	NumAttrs
)

// A Spec says how one vendor's library differs from the other's.
type Spec struct {
	Vendor string // "cuda"
	Target string // "nvptx"
	Kind   abi.Kind
	// Libraries are the names to try in order; one with a * is a glob, one that
	// starts with $ and an environment variable is left out where that is empty.
	Libraries []string
	// DLLs are Libraries on Windows.
	DLLs    []string
	Symbols [NumCalls]string
	// Extras are the functions for memory of the host's side, "" for one that there is not.
	Extras *[NumExtras]string
	// Box is the parameter of Copy3D.
	Box   func(*driver.Box) unsafe.Pointer
	Attrs [NumAttrs]int
	// Images are the functions of images; none where textures are in software.
	Images [NumImageCalls]string
	// ParamEnd ends the list of extra parameters of a kernel launch.
	ParamEnd uintptr
	// HostFlags ask for page-locked memory mapped into every device, coherent.
	HostFlags uintptr
	// NonCoherent are HostFlags for memory that the device may cache.
	NonCoherent uintptr
	// TextIsResult: ErrorName returns the text instead of storing it (HIP).
	TextIsResult bool
	// VersionText prints what the Version call stored.
	VersionText func(v int) string
	// Describe completes the Info of a device, whose common part is filled in.
	Describe func(l *Lib, dev int, version int, i *driver.Info) error
	// Load loads code and returns a module, with a compiler's log in the error.
	Load func(d *Device, code []byte) (uintptr, error)
	// Bound, where the driver chooses registers, is code of which kernels have a launch bound, those that had none the given one.
	Bound func(code []byte, threads int) []byte
	// Overlap is nil where kernels do not overlap the end of those before them.
	Overlap *Overlap
	// NoDevice is the text for NoDeviceCode, results of Init and DeviceCount that
	// mean that only a device is missing. "" leaves the library's text.
	NoDevice     string
	NoDeviceCode []int
	Queries      Queries
	// MissingFix and NoDeviceFix say what to do without a library, without a device.
	MissingFix, NoDeviceFix string
}

// Result codes that CUDA and HIP share.
const (
	codeOK       = 0
	codeNotReady = 600
)

// lost are the results after which the device context of the process is
// unusable: every later call fails with the same code.
var lost = []int{
	214, // uncorrectable ECC error
	220, // uncorrectable NVLink error
	700, // illegal address
	702, // launch timeout
	709, // context is destroyed
	710, // device-side assert
	714, // hardware stack error
	715, // illegal instruction
	716, // misaligned address
	717, // invalid address space
	718, // invalid program counter
	719, // launch failure
}

// A Lib is a vendor's library, loaded and bound.
type Lib struct {
	Path   string
	spec   *Spec
	handle uintptr
	addr   [NumCalls]uintptr
	named  named
}

// errMissing is wrapped by the error of a machine without the library.
var errMissing = errors.New("library not found")

// open loads the first of the Spec's libraries that there is.
func open(s *Spec) (*Lib, error) {
	var first error
	libraries := s.Libraries
	if runtime.GOOS == "windows" {
		libraries = s.DLLs
	}
	for _, pattern := range libraries {
		for _, name := range expand(pattern) {
			h, err := dl.Open(name)
			if err != nil {
				// The loader's text for a library that is there but will not load
				// (a missing dependency) is worth more than "not found".
				if first == nil || !strings.Contains(err.Error(), name+": cannot open shared object file") {
					first = err
				}
				continue
			}
			l := &Lib{Path: loadedPath(name), spec: s, handle: h}
			return l, l.bind()
		}
	}
	return nil, errs.F("%w: %v", errMissing, first)
}

func expand(pattern string) []string {
	if name, rest, ok := strings.Cut(pattern, "/"); ok && strings.HasPrefix(name, "$") {
		dir := env.Path(name[1:])
		if dir == "" {
			return nil
		}
		pattern = filepath.Join(dir, rest)
	}
	if !strings.Contains(pattern, "*") {
		return []string{pattern}
	}
	found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
	return found
}

func (l *Lib) bind() error {
	var missing []string
	for c, name := range l.spec.Symbols {
		if name == "" {
			continue
		}
		if l.addr[c] = l.Symbol(name); l.addr[c] == 0 && Call(c) < firstOptional {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		return errs.F("%s lacks %s", l.Path, strings.Join(missing, ", "))
	}
	return nil
}

// loadedPath is the file behind a library that the loader found by its name.
func loadedPath(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		if i := strings.IndexByte(line, '/'); i >= 0 {
			if path := strings.TrimSpace(line[i:]); strings.HasPrefix(filepath.Base(path), name) {
				return path
			}
		}
	}
	return name
}

// Symbol is the address of a function that the table does not have, 0 if the
// library lacks it.
func (l *Lib) Symbol(name string) uintptr {
	a, err := dl.Sym(l.handle, name)
	if err != nil {
		return 0
	}
	return a
}

// Call calls c on the current thread, whatever context is current there.
// Pointers converted to uintptr in the call's own argument list stay alive and
// in place until it returns.
//
//go:uintptrescapes
func (l *Lib) Call(c Call, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l.addr[c], args...)
	return l.check(l.spec.Symbols[c], r)
}

// check turns a result into an error. C returns an int: the upper half of the
// register is not defined.
func (l *Lib) check(name string, result uintptr) error {
	if code := int(int32(result)); code != codeOK {
		return l.failure(name, code)
	}
	return nil
}

func (l *Lib) failure(name string, code int) error {
	return &driver.Error{Call: name, Code: code, Text: l.text(code), Lost: slices.Contains(lost, code)}
}

// text is the vendor's name and description of a result code.
func (l *Lib) text(code int) string {
	name, descr := l.str(ErrorName, code), l.str(ErrorString, code)
	if name == "" {
		name, descr = driver.ErrorName(l.spec.Vendor, code), driver.ErrorText(l.spec.Vendor, code)
	}
	if name == "" {
		return "unknown error"
	}
	if descr == "" || descr == name {
		return name
	}
	return name + ": " + descr
}

func (l *Lib) str(c Call, code int) string {
	if l.addr[c] == 0 {
		return ""
	}
	if l.spec.TextIsResult {
		r, _, _ := purego.SyscallN(l.addr[c], uintptr(code))
		return goString(r)
	}
	out := new(uintptr)
	if r, _, _ := purego.SyscallN(l.addr[c], uintptr(code), uintptr(unsafe.Pointer(out))); int32(r) != codeOK {
		return ""
	}
	return goString(*out)
}

// number calls a function that stores an int through its first parameter and
// takes up to two more.
func (l *Lib) number(c Call, a, b uintptr) (int, error) {
	out := new(int32)
	err := l.Call(c, uintptr(unsafe.Pointer(out)), a, b)
	return int(*out), err
}

// word calls a function that stores a pointer or a size through its first
// parameter and takes up to one more.
func (l *Lib) word(c Call, a uintptr) (uintptr, error) {
	out := new(uintptr)
	err := l.Call(c, uintptr(unsafe.Pointer(out)), a)
	return *out, err
}

// pointer makes an address that C returned a pointer. It never refers to Go's
// heap, so the rules of package unsafe about uintptr do not come into it.
func pointer(a uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&a)) }

// goString copies a C string, at most 4 KiB of it.
func goString(a uintptr) string {
	if a == 0 {
		return ""
	}
	p := (*[4096]byte)(pointer(a))
	n := 0
	for n < len(p) && p[n] != 0 {
		n++
	}
	return string(p[:n])
}
