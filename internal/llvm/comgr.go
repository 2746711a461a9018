package llvm

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/dl"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// EnvComgr is the path of libamd_comgr, ahead of the usual ones.
const EnvComgr = env.Comgr

// A Comgr is AMD's code object manager, the compiler that comes with ROCm: an
// LLVM of its own that always matches the installed driver.
//
// Where comgr uses a shared libLLVM, as Linux distributions build it, a fatal
// error of LLVM becomes a *FatalError as it does in Library.Do. AMD's builds
// hide their LLVM, and there it ends the process.
type Comgr struct {
	Path         string
	Major, Minor int

	api     *comgrAPI
	actions comgrActions

	// One action at a time: each parses clang's and LLVM's options into
	// variables of the process, and two at once crash.
	mu sync.Mutex
}

// handle is comgr's opaque object: a struct of one 64-bit integer.
type handle = uint64

type comgrAPI struct {
	getVersion       func(major, minor *uintptr)                                `c:"get_version"`
	statusString     func(status int32, s *unsafe.Pointer) int32                `c:"status_string"`
	createData       func(kind int32, h *handle) int32                          `c:"create_data"`
	releaseData      func(handle) int32                                         `c:"release_data"`
	setData          func(h handle, n uintptr, p unsafe.Pointer) int32          `c:"set_data"`
	setDataName      func(h handle, name string) int32                          `c:"set_data_name"`
	getData          func(h handle, n *uintptr, p unsafe.Pointer) int32         `c:"get_data"`
	createDataSet    func(*handle) int32                                        `c:"create_data_set"`
	destroyDataSet   func(handle) int32                                         `c:"destroy_data_set"`
	dataSetAdd       func(set, data handle) int32                               `c:"data_set_add"`
	actionDataCount  func(set handle, kind int32, n *uintptr) int32             `c:"action_data_count"`
	actionDataGet    func(set handle, kind int32, i uintptr, h *handle) int32   `c:"action_data_get_data"`
	createActionInfo func(*handle) int32                                        `c:"create_action_info"`
	destroyAction    func(handle) int32                                         `c:"destroy_action_info"`
	setISA           func(info handle, isa string) int32                        `c:"action_info_set_isa_name"`
	setLanguage      func(info handle, language int32) int32                    `c:"action_info_set_language"`
	setOptions       func(info handle, options unsafe.Pointer, n uintptr) int32 `c:"action_info_set_option_list"`
	setLogging       func(info handle, on bool) int32                           `c:"action_info_set_logging"`
	doAction         func(kind int32, info, in, out handle) int32               `c:"do_action"`
}

// Kinds of data, the same in every release.
const (
	comgrLog         = 5
	comgrBitcode     = 6
	comgrRelocatable = 7
	comgrSource      = 1
)

// comgrActions are the numbers of the actions used: release 3 renumbered them.
type comgrActions struct{ linkBitcode, toRelocatable, toAssembly int32 }

var comgrNumbers = lazy.Value[map[int]comgrActions]{Make: func() map[int]comgrActions {
	return map[int]comgrActions{
		2: {linkBitcode: 4, toRelocatable: 6, toAssembly: 7},
		3: {linkBitcode: 3, toRelocatable: 4, toAssembly: 5},
	}
}}

// rocmLibs is a pattern of the directories of ROCm's libraries.
const rocmLibs = "/opt/rocm*/lib"

// ComgrCandidates lists the libamd_comgr files on this machine, newest first.
// It opens none.
func ComgrCandidates() []string {
	if path := env.Get(EnvComgr); path != "" {
		return []string{path}
	}
	var dirs, files []string
	if root := env.Path("ROCM_PATH"); root != "" {
		dirs = append(dirs, filepath.Join(root, "lib"))
	}
	rocm, _ := filepath.Glob(rocmLibs)
	dirs = append(append(dirs, rocm...), libDirs()...)
	for _, name := range []string{"libamd_comgr.so.3", "libamd_comgr.so.2"} {
		for _, dir := range dirs {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err != nil {
				continue
			}
			if real, err := filepath.EvalSymlinks(path); err == nil {
				path = real
			}
			if !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
	}
	return files
}

var (
	comgrMu     sync.Mutex
	comgrOpened *Comgr
)

// OpenComgr loads libamd_comgr once per process.
func OpenComgr() (*Comgr, error) {
	comgrMu.Lock()
	defer comgrMu.Unlock()
	if comgrOpened != nil {
		return comgrOpened, nil
	}
	var tried []error
	for _, path := range ComgrCandidates() {
		c, err := openComgr(path)
		if err == nil {
			comgrOpened = c
			return c, nil
		}
		tried = append(tried, errs.F("%s: %w", path, err))
	}
	if tried == nil {
		return nil, errs.F("comgr: no libamd_comgr.so.2 or .3 on this machine: install ROCm, or set %s to the library's path", EnvComgr)
	}
	return nil, errs.F("comgr: %w", errs.Join(tried...))
}

func openComgr(path string) (*Comgr, error) {
	lib, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	c := &Comgr{Path: path, api: new(comgrAPI)}
	if err := bindFields(lib, "amd_comgr_", c.api); err != nil {
		return nil, err
	}
	var major, minor uintptr
	c.api.getVersion(&major, &minor)
	c.Major, c.Minor = int(major), int(minor)
	numbers, ok := comgrNumbers.Get()[c.Major]
	if !ok {
		return nil, errs.F("version %d.%d is neither 2 nor 3", c.Major, c.Minor)
	}
	c.actions = numbers
	if p, err := dl.Sym(lib, "LLVMInstallFatalErrorHandler"); err == nil {
		var install func(uintptr)
		purego.RegisterFunc(&install, p)
		install(fatalHandler.Get())
	}
	return c, nil
}

// A ComgrInput is one file given to comgr: IR text named *.ll, or bitcode named *.bc.
type ComgrInput struct {
	Name string
	Data []byte
}

// Compile turns AMDGPU IR into a relocatable object or assembly. target is a
// target ID such as "gfx90a"; options are clang's. Further inputs are bitcode
// libraries, linked to the first beforehand. The error holds comgr's log.
func (c *Comgr) Compile(target string, kind FileType, options []string, inputs ...ComgrInput) ([]byte, error) {
	isa := "amdgcn-amd-amdhsa--" + target
	if len(inputs) > 1 {
		linked, err := c.do(c.actions.linkBitcode, isa, nil, comgrBitcode, inputs)
		if err != nil {
			return nil, err
		}
		inputs = []ComgrInput{{"linked.bc", linked}}
	}
	if kind == Assembly {
		return c.do(c.actions.toAssembly, isa, options, comgrSource, inputs)
	}
	return c.do(c.actions.toRelocatable, isa, options, comgrRelocatable, inputs)
}

// do runs one action and returns its first output of a kind.
func (c *Comgr) do(action int32, isa string, options []string, want int32, inputs []ComgrInput) ([]byte, error) {
	var in, out, info handle
	err := errs.Join(
		c.check("create_data_set", c.api.createDataSet(&in)),
		c.check("create_data_set", c.api.createDataSet(&out)),
		c.check("create_action_info", c.api.createActionInfo(&info)))
	if err != nil {
		return nil, err
	}
	defer func() {
		c.api.destroyDataSet(in)
		c.api.destroyDataSet(out)
		c.api.destroyAction(info)
	}()
	for _, input := range inputs {
		if err := c.add(in, input); err != nil {
			return nil, err
		}
	}
	if status := c.api.setISA(info, isa); status != 0 {
		return nil, errs.F("comgr %d.%d does not know %s", c.Major, c.Minor, isa)
	}
	const languageNone = 0
	c.api.setLanguage(info, languageNone)
	c.api.setLogging(info, true)
	var pinner runtime.Pinner
	defer pinner.Unpin()
	list := make([]unsafe.Pointer, len(options))
	for i, option := range options {
		text := append([]byte(option), 0)
		pinner.Pin(&text[0])
		list[i] = unsafe.Pointer(&text[0])
	}
	if err := c.check("action_info_set_option_list", c.api.setOptions(info, unsafe.Pointer(unsafe.SliceData(list)), uintptr(len(list)))); err != nil {
		return nil, err
	}
	var status int32
	c.mu.Lock()
	err = guard(func() error {
		status = c.api.doAction(action, info, in, out)
		return nil
	})
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if status != 0 {
		return nil, errs.F("%w\n%s", c.check("do_action", status), strings.TrimSpace(string(c.output(out, comgrLog))))
	}
	data := c.output(out, want)
	if data == nil {
		return nil, errors.New("comgr: do_action: no output")
	}
	return data, nil
}

func (c *Comgr) add(set handle, input ComgrInput) error {
	var data handle
	if err := c.check("create_data", c.api.createData(comgrBitcode, &data)); err != nil {
		return err
	}
	defer c.api.releaseData(data) // the set keeps it
	return errs.Join(
		c.check("set_data", c.api.setData(data, uintptr(len(input.Data)), unsafe.Pointer(unsafe.SliceData(input.Data)))),
		c.check("set_data_name", c.api.setDataName(data, input.Name)),
		c.check("data_set_add", c.api.dataSetAdd(set, data)))
}

// output copies the first datum of a kind; nil if there is none.
func (c *Comgr) output(set handle, kind int32) []byte {
	var n uintptr
	var data handle
	if c.api.actionDataCount(set, kind, &n) != 0 || n == 0 || c.api.actionDataGet(set, kind, 0, &data) != 0 {
		return nil
	}
	defer c.api.releaseData(data)
	var size uintptr
	if c.api.getData(data, &size, nil) != 0 || size == 0 {
		return nil
	}
	b := make([]byte, size)
	if c.api.getData(data, &size, unsafe.Pointer(&b[0])) != 0 {
		return nil
	}
	return b[:size]
}

func (c *Comgr) check(call string, status int32) error {
	if status == 0 {
		return nil
	}
	var text unsafe.Pointer
	c.api.statusString(status, &text)
	return errs.F("comgr %d.%d: %s: %s", c.Major, c.Minor, call, goString(text))
}
