package ccl

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/dl"
)

// This file loads NCCL and RCCL, which have one interface under the same names.

// A function is one of the library's, by its index in a library's table.
type function int

const (
	ncclGetVersion function = iota
	ncclGetUniqueId
	ncclCommInitRankConfig
	ncclCommFinalize
	ncclCommDestroy
	ncclCommAbort
	ncclCommSplit
	ncclCommUserRank
	ncclCommCount
	ncclCommGetAsyncError
	ncclGetErrorString
	ncclGetLastError
	ncclRedOpCreatePreMulSum
	ncclRedOpDestroy
	ncclReduce
	ncclBroadcast
	ncclAllReduce
	ncclReduceScatter
	ncclAllGather
	ncclSend
	ncclRecv
	ncclGroupStart
	ncclGroupEnd
	ncclMemAlloc
	ncclMemFree
	ncclCommRegister
	ncclCommDeregister
	numFunctions
)

var functionNames = [numFunctions]string{
	"ncclGetVersion", "ncclGetUniqueId", "ncclCommInitRankConfig", "ncclCommFinalize", "ncclCommDestroy", "ncclCommAbort",
	"ncclCommSplit", "ncclCommUserRank", "ncclCommCount", "ncclCommGetAsyncError", "ncclGetErrorString", "ncclGetLastError", "ncclRedOpCreatePreMulSum",
	"ncclRedOpDestroy", "ncclReduce", "ncclBroadcast", "ncclAllReduce", "ncclReduceScatter", "ncclAllGather", "ncclSend",
	"ncclRecv", "ncclGroupStart", "ncclGroupEnd", "ncclMemAlloc", "ncclMemFree", "ncclCommRegister", "ncclCommDeregister",
}

// optional are functions that came after the oldest release that will do, 2.14.
var optional = map[function]string{
	ncclCommSplit: "2.18", ncclMemAlloc: "2.19", ncclMemFree: "2.19", ncclCommRegister: "2.19", ncclCommDeregister: "2.19",
}

// ncclSuccess is the result of what went well (ncclResult_t).
const ncclSuccess = 0

// A vendor's library.
type vendor struct {
	name, fix string
	paths     []string
	open      func() (*library, error)
}

var vendors = map[string]*vendor{
	"cuda": {
		name: "NCCL", fix: "install libnccl2 (NVIDIA's), or name its folder in LD_LIBRARY_PATH",
		paths: []string{"libnccl.so.2", "libnccl.so"},
	},
	"hip": {
		name: "RCCL", fix: "install rccl (ROCm's), or name its folder in LD_LIBRARY_PATH",
		paths: []string{"librccl.so.1", "librccl.so", "/opt/rocm/lib/librccl.so.1"},
	},
}

func init() {
	for _, v := range vendors {
		v.open = sync.OnceValues(v.load)
	}
}

// A library is NCCL or RCCL, loaded.
type library struct {
	name string
	at   [numFunctions]uintptr
}

func (v *vendor) load() (*library, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return nil, fmt.Errorf("%s is there on Linux, amd64 and arm64, only", v.name)
	}
	var handle uintptr
	var first error
	for _, path := range v.paths {
		h, err := dl.Open(path)
		if err == nil {
			handle = h
			break
		}
		if first == nil {
			first = err
		}
	}
	if handle == 0 {
		return nil, fmt.Errorf("%s is not here (%w): %s", v.name, first, v.fix)
	}
	l := &library{name: v.name}
	for f, name := range functionNames {
		at, err := dl.Sym(handle, name)
		if err != nil && optional[function(f)] == "" {
			return nil, fmt.Errorf("%s lacks %s: install 2.14 or later", v.name, name)
		}
		l.at[f] = at
	}
	return l, nil
}

// call calls a function, whose result is a status.
//
//go:uintptrescapes
func (l *library) call(f function, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l.at[f], args...)
	return l.status(f, int(int32(r)))
}

// status is the error of a result.
func (l *library) status(f function, code int) error {
	if code == ncclSuccess {
		return nil
	}
	return &libraryError{l.name, functionNames[f], code, l.text(ncclGetErrorString, uintptr(code)), l.text(ncclGetLastError, 0)}
}

// text is what a function returns as a C string.
func (l *library) text(f function, arg uintptr) string {
	p, _, _ := purego.SyscallN(l.at[f], arg)
	if p == 0 {
		return ""
	}
	at := *(*unsafe.Pointer)(unsafe.Pointer(&p))
	const most = 4096
	for n := range most {
		if *(*byte)(unsafe.Add(at, n)) == 0 {
			return string(unsafe.Slice((*byte)(at), n))
		}
	}
	return ""
}

// A libraryError is a failure of the library.
type libraryError struct {
	library, function string
	code              int
	text, last        string
}

func (e *libraryError) Error() string {
	text := fmt.Sprintf("%s: %s (%s, code %d)", e.library, e.text, e.function, e.code)
	if e.last != "" {
		text += ": " + e.last
	}
	return text
}

// Is reports whether the error means that another rank was lost: ncclRemoteError.
func (e *libraryError) Is(target error) bool { return target == ErrLost && e.code == 6 }

// vendorID is ncclGetUniqueId.
func vendorID(kind string) (ID, error) {
	l, err := vendors[kind].open()
	if err != nil {
		return ID{}, fmt.Errorf("ccl: NewID: %w", err)
	}
	id := new(ID)
	if err := l.call(ncclGetUniqueId, uintptr(unsafe.Pointer(id))); err != nil {
		return ID{}, fmt.Errorf("ccl: NewID: %w", err)
	}
	return *id, nil
}

// A config is the ncclConfig_t of release 2.14: later ones take what is missing from their own
// defaults, as its size says what is there.
type config struct {
	size           uintptr
	magic, version uint32
	// blocking is 1: otherwise the library starts a thread for each operation.
	blocking int32
	_        int32
}

const (
	configMagic   = 0xcafebeef
	configVersion = 2*10000 + 14*100
)

// initArgs are the arguments of ncclCommInitRankConfig. The ID is passed by value: on amd64 it lies on the
// stack, behind the arguments that are in registers, on arm64 it is behind a pointer.
func initArgs(comm *uintptr, size int, id *ID, rank int, c *config) []uintptr {
	if runtime.GOARCH == "arm64" {
		return []uintptr{uintptr(unsafe.Pointer(comm)), uintptr(size), uintptr(unsafe.Pointer(id)), uintptr(rank), uintptr(unsafe.Pointer(c))}
	}
	const registers = 6
	args := make([]uintptr, registers, registers+len(id)/8)
	args[0], args[1], args[2], args[3] = uintptr(unsafe.Pointer(comm)), uintptr(size), uintptr(rank), uintptr(unsafe.Pointer(c))
	return append(args, unsafe.Slice((*uintptr)(unsafe.Pointer(id)), len(id)/8)...)
}
