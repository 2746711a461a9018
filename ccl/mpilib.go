package ccl

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/dl"
)

// This file loads MPI. Its functions have one interface; what differs are the handles, which are
// pointers in Open MPI and numbers in MPICH, and the layout of a status.

// An mpiFunction is one of MPI's, by its index in a library's table.
type mpiFunction int

const (
	mpiInitialized mpiFunction = iota
	mpiInitThread
	mpiFinalize
	mpiErrorString
	mpiCommRank
	mpiCommSize
	mpiCommDup
	mpiSetErrhandler
	mpiIsend
	mpiIrecv
	mpiTestsome
	mpiCancel
	mpiFunctions
)

var mpiNames = [mpiFunctions]string{
	"MPI_Initialized", "MPI_Init_thread", "MPI_Finalize", "MPI_Error_string", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Comm_dup",
	"MPI_Comm_set_errhandler", "MPI_Isend", "MPI_Irecv", "MPI_Testsome", "MPI_Cancel",
}

// An mpiABI is what a program compiled for one MPI has of it.
type mpiABI struct {
	name, fix string
	paths     []string
	// The handles: values, or names of variables whose addresses they are.
	world, bytes, errorsReturn uintptr
	worldAt, bytesAt, errorsAt string
	handle                     int // size in bytes
	status, statusError        int // size of MPI_Status, and where its MPI_ERROR is
	anySource                  int
}

var openMPI = &mpiABI{
	name: "Open MPI", fix: "install libopenmpi3 (Debian 12's), or name the folder of libmpi.so.40 in LD_LIBRARY_PATH",
	paths:   []string{"libmpi.so.40"},
	worldAt: "ompi_mpi_comm_world", bytesAt: "ompi_mpi_byte", errorsAt: "ompi_mpi_errors_return",
	handle: 8, status: 24, statusError: 8, anySource: -1,
}

var mpich = &mpiABI{
	name: "MPICH", fix: "install libmpich12 (Debian's), or name the folder of libmpi.so.12 in LD_LIBRARY_PATH",
	paths: []string{"libmpich.so.12", "libmpi.so.12"},
	world: 0x44000000, bytes: 0x4c00010d, errorsReturn: 0x54000001,
	handle: 4, status: 20, statusError: 16, anySource: -2,
}

// chooseMPI is the MPI that started this process.
func chooseMPI() (*mpiABI, error) {
	for _, c := range []struct {
		set string
		is  *mpiABI
	}{{"OMPI_COMM_WORLD_SIZE", openMPI}, {"PMI_SIZE", mpich}, {"PMIX_RANK", openMPI}, {"PMI_FD", mpich}} {
		if os.Getenv(c.set) != "" {
			return c.is, nil
		}
	}
	return nil, errors.New("devices on the host meet within one process, or between processes that Open MPI or MPICH has started, and neither has started this one: " +
		"start the program by mpirun (Debian's openmpi-bin or mpich), or give each rank a device and a goroutine of one process")
}

// An mpi is the library, loaded.
type mpi struct {
	*mpiABI
	at [mpiFunctions]uintptr
}

var loadMPI = sync.OnceValues(func() (*mpi, error) {
	abi, err := chooseMPI()
	if err != nil {
		return nil, err
	}
	return abi.load()
})

func (abi *mpiABI) load() (*mpi, error) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return nil, fmt.Errorf("%s started this process, and heddle can use it on Linux, amd64 and arm64, only", abi.name)
	}
	var lib uintptr
	var first error
	defer keepSignals()() // UCX, which MPICH may use, takes them when it is loaded
	for _, path := range abi.paths {
		// Open MPI's plugins look for its symbols.
		h, err := dl.OpenGlobal(path)
		if err == nil {
			lib = h
			break
		}
		first = cmp.Or(first, err)
	}
	if lib == 0 {
		return nil, fmt.Errorf("%s started this process, and its library is not here (%w): %s", abi.name, first, abi.fix)
	}
	own := *abi
	m := &mpi{mpiABI: &own}
	for f, name := range mpiNames {
		at, err := dl.Sym(lib, name)
		if err != nil {
			return nil, fmt.Errorf("%s lacks %s: %w", abi.name, name, err)
		}
		m.at[f] = at
	}
	for _, h := range []struct {
		name string
		to   *uintptr
	}{{abi.worldAt, &m.world}, {abi.bytesAt, &m.bytes}, {abi.errorsAt, &m.errorsReturn}} {
		if h.name == "" {
			continue
		}
		at, err := dl.Sym(lib, h.name)
		if err != nil {
			return nil, fmt.Errorf("%s lacks %s: %w", abi.name, h.name, err)
		}
		*h.to = at
	}
	return m, nil
}

// call calls a function, whose result is a status.
//
//go:uintptrescapes
func (m *mpi) call(f mpiFunction, args ...uintptr) error {
	r, _, _ := purego.SyscallN(m.at[f], args...)
	return m.result(f, int32(r))
}

// result is the error of a status.
func (m *mpi) result(f mpiFunction, code int32) error {
	if code == 0 { // MPI_SUCCESS
		return nil
	}
	text, n := make([]byte, 1024), new(int32) // MPI_MAX_ERROR_STRING is at most 512
	purego.SyscallN(m.at[mpiErrorString], uintptr(code), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(n)))
	return fmt.Errorf("%s: %s: %s (code %d)", m.name, mpiNames[f], strings.Join(strings.Fields(string(text[:clen(text)])), " "), code)
}

// number is what a function stores through its second argument.
func (m *mpi) number(f mpiFunction, arg uintptr) (int, error) {
	out := new(int32)
	err := m.call(f, arg, uintptr(unsafe.Pointer(out)))
	return int(*out), err
}
