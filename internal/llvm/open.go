package llvm

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/dl"
	"heddle/internal/errs"
)

// A Library is the one opened libLLVM of this process.
type Library struct {
	// Path is the file; Major its release, and Version as in "19.1.7".
	Path    string
	Major   int
	Version string
	// Targets are the back ends it has of those heddle uses, by LLVM's names:
	// "AMDGPU", "NVPTX", "X86", "AArch64".
	Targets []string

	api    *api
	disasm func() (*disasmAPI, error) // binds at the first call

	codeObjectOnce sync.Once
	codeObject     int // that this process generates, where LLVM has one for all
}

var (
	openMu sync.Mutex // held while a library is being loaded
	opened atomic.Pointer[Library]
)

// Open loads libLLVM once per process: the newest that works, or what
// HEDDLE_LLVM names. Every later call returns the same Library. An error lists
// what was tried and the command that fixes it; the next call tries again.
func Open() (*Library, error) {
	openMu.Lock()
	defer openMu.Unlock()
	if lib := opened.Load(); lib != nil {
		return lib, nil
	}
	var tried []error
	for _, c := range Candidates() {
		lib, err := open(c)
		if err == nil {
			opened.Store(lib)
			return lib, nil
		}
		tried = append(tried, errs.F("%s: %w", c.Path, err))
	}
	return nil, notFound(tried)
}

// Loaded is the library if Open has succeeded, otherwise nil. It does not wait for an Open
// that is under way.
func Loaded() *Library { return opened.Load() }

func open(c Candidate) (*Library, error) {
	if _, err := os.Stat(c.Path); err != nil {
		return nil, err
	}
	handle, err := dl.Open(c.Path)
	if err != nil {
		return nil, err
	}
	a, err := bind(handle)
	if err != nil {
		return nil, err
	}
	lib := &Library{Path: c.Path, Major: c.Major, Version: fmt.Sprint(c.Major), api: a}
	if a.getVersion != nil {
		var major, minor, patch uint32
		a.getVersion(&major, &minor, &patch)
		lib.Major, lib.Version = int(major), fmt.Sprintf("%d.%d.%d", major, minor, patch)
	}
	if lib.Major == 0 {
		return nil, errs.F("it does not say which release it is, as LLVM 15 and older ones do not, and its name does not either: name it as in libLLVM-15.so")
	}
	if lib.Major < MinMajor {
		return nil, errs.F("LLVM %s is too old: %d or later is needed", lib.Version, MinMajor)
	}
	lib.disasm = sync.OnceValues(func() (*disasmAPI, error) { return bindDisasm(handle) })
	for _, target := range targets {
		if initialise(handle, target) {
			lib.Targets = append(lib.Targets, target)
		}
	}
	if !slices.Contains(lib.Targets, "AMDGPU") && !slices.Contains(lib.Targets, "NVPTX") {
		return nil, errs.F("built without the AMDGPU and NVPTX back ends")
	}
	a.installFatalErrorHandler(fatalHandler.Get())
	var options []string
	for _, o := range wholeLibrary {
		if (o.target == "" || slices.Contains(lib.Targets, o.target)) && (o.before == 0 || lib.Major < o.before) {
			options = append(options, o.option)
		}
	}
	a.setOptions(options...)
	return lib, nil
}

// wholeLibrary are the options that every library gets when it is opened.
var wholeLibrary = [...]struct {
	option string
	target string // that LLVM has to be built for: it knows the option only then; "" for none
	before int    // the release from which it is not needed; 0: it is needed in all
}{
	// Loop strength reduction keeps an address for each access of a loop where GPUs would
	// rather compute it: registers are occupancy, and an address from an index is one
	// instruction.
	{"-disable-lsr", "", 0},
	// No pass that makes operands of parts of registers, on AMD's processors before GFX11.
	// In releases to 22 it takes int16(x) >> 8 in 32 bits for the sign extension of a byte
	// where the upper half is zero, negates what it should extend in a selection, and combines
	// parts of parts wrongly (llvm-project's pull requests 123221, 140760, 198491 and 218512).
	{"-amdgpu-sdwa-peephole=0", AMDGPU, 0},
	// No products of 24 bits in LLVM's IR. Masks of 24 bits are dropped there, since the
	// instruction needs none; but in sums of 64 bits releases 18 to 22 take the product of 32
	// bits for it, v_mad_u64_u32, which does (llvm-project's pull request 198729). Instruction
	// selection makes products of 24 bits all the same.
	{"-amdgpu-codegenprepare-mul24=0", AMDGPU, 0},
	// Branches that no lane needs stay, though the code that they skip is short: releases to
	// 19 take out the one that ends a loop if a block with a branch back stands behind it
	// (llvm-project's pull request 120121).
	{"-amdgpu-skip-threshold=1", AMDGPU, 20},
	// No local arrays in memory that a block shares. There must be as much of it as the largest
	// block needs that the kernel may be launched with, 1,024 threads if it does not say so, and a launch
	// of small blocks then has a fourth of the waves.
	{"-disable-promote-alloca-to-lds", AMDGPU, 0},
}

// OptionsForAMD are the options for AMD GPUs that every release needs.
func OptionsForAMD() (options []string) {
	for _, o := range wholeLibrary {
		if (o.target == "" || o.target == AMDGPU) && o.before == 0 {
			options = append(options, o.option)
		}
	}
	return options
}

// setOptions sets options of the whole library, as its tools take them. LLVM
// ends the process for one that it does not know.
func (a *api) setOptions(options ...string) {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	args := append([]string{"heddle"}, options...)
	argv := make([]unsafe.Pointer, len(args))
	for i, arg := range args {
		text := append([]byte(arg), 0)
		pinner.Pin(&text[0])
		argv[i] = unsafe.Pointer(&text[0])
	}
	a.parseCommandLineOptions(int32(len(argv)), unsafe.Pointer(&argv[0]), "")
}

// CodeObject prepares for compiles to a version of AMDGPU's code object, 4 or
// 5. From LLVM 18 on a module flag chooses it, and nothing is to be done.
// Before, it is one setting of the process: the first call decides, and later
// ones for another version are an error.
func (l *Library) CodeObject(version int) error {
	if l.Major >= 18 {
		return nil
	}
	l.codeObjectOnce.Do(func() {
		l.api.setOptions(fmt.Sprintf("--amdhsa-code-object-version=%d", version))
		l.codeObject = version
	})
	if version != l.codeObject {
		return errs.F("LLVM %s generates one code object version in a process, here %d: version %d needs LLVM 18 or later", l.Version, l.codeObject, version)
	}
	return nil
}
