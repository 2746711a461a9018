package driver

import (
	"errors"
	"strconv"
	"strings"
)

// ErrOutOfMemory is what an error is that says that memory could not be allocated.
var ErrOutOfMemory = errors.New("out of memory")

// outOfMemory is CUDA's and HIP's code for it.
const outOfMemory = 2

// Is reports whether the error means the same as one of those above.
func (e *Error) Is(target error) bool { return target == ErrOutOfMemory && e.Code == outOfMemory }

// kind is whose error it is, by the names of the library's functions.
func (e *Error) kind() string {
	if strings.HasPrefix(e.Call, "hip") {
		return "hip"
	}
	return "cuda"
}

// Name is the name of the code, from the library's text or, where that is silent, from our
// table.
func (e *Error) Name() string {
	if name, _, _ := strings.Cut(e.Text, ":"); strings.HasPrefix(name, "CUDA_") || strings.HasPrefix(name, "hip") {
		return name
	}
	return ErrorName(e.kind(), e.Code)
}

// Description is what the library says of the code, or the code's name in words.
func (e *Error) Description() string {
	if _, text, ok := strings.Cut(e.Text, ": "); ok {
		return text
	}
	return ErrorText(e.kind(), e.Code)
}

// ErrorName is the name of a result code of a kind of device, "" if it has none.
func ErrorName(kind string, code int) string {
	table, prefix := cudaErrors, "CUDA_ERROR_"
	switch kind {
	case "cuda":
	case "hip":
		table, prefix = hipErrors, "hipError"
	default:
		return ""
	}
	if code == 0 {
		prefix = strings.TrimSuffix(strings.TrimSuffix(prefix, "Error"), "ERROR_")
	}
	words := strings.Fields(table)
	for i := 0; i+1 < len(words); i += 2 {
		if words[i] == strconv.Itoa(code) {
			return prefix + words[i+1]
		}
	}
	return ""
}

// ErrorText is a code's name in words.
func ErrorText(kind string, code int) string {
	name := ErrorName(kind, code)
	switch {
	case name == "":
		return "unknown error"
	case code == 0:
		return "success"
	case kind == "cuda":
		return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "CUDA_ERROR_"), "_", " "))
	}
	var b strings.Builder
	name = strings.TrimPrefix(name, "hipError")
	upper := func(i int) bool { return i < len(name) && 'A' <= name[i] && name[i] <= 'Z' }
	for i := range name {
		if i > 0 && upper(i) && (!upper(i-1) || i+1 < len(name) && !upper(i+1)) {
			b.WriteByte(' ')
		}
		b.WriteByte(name[i])
	}
	return strings.ToLower(b.String())
}

// cudaErrors are CUDA's results (CUresult): codes, and names without "CUDA_ERROR_".
const cudaErrors = `
0 SUCCESS 1 INVALID_VALUE 2 OUT_OF_MEMORY 3 NOT_INITIALIZED 4 DEINITIALIZED 5 PROFILER_DISABLED
6 PROFILER_NOT_INITIALIZED 7 PROFILER_ALREADY_STARTED 8 PROFILER_ALREADY_STOPPED 34 STUB_LIBRARY
36 CALL_REQUIRES_NEWER_DRIVER 46 DEVICE_UNAVAILABLE 100 NO_DEVICE 101 INVALID_DEVICE 102 DEVICE_NOT_LICENSED
200 INVALID_IMAGE 201 INVALID_CONTEXT 202 CONTEXT_ALREADY_CURRENT 205 MAP_FAILED 206 UNMAP_FAILED
207 ARRAY_IS_MAPPED 208 ALREADY_MAPPED 209 NO_BINARY_FOR_GPU 210 ALREADY_ACQUIRED 211 NOT_MAPPED
212 NOT_MAPPED_AS_ARRAY 213 NOT_MAPPED_AS_POINTER 214 ECC_UNCORRECTABLE 215 UNSUPPORTED_LIMIT
216 CONTEXT_ALREADY_IN_USE 217 PEER_ACCESS_UNSUPPORTED 218 INVALID_PTX 219 INVALID_GRAPHICS_CONTEXT
220 NVLINK_UNCORRECTABLE 221 JIT_COMPILER_NOT_FOUND 222 UNSUPPORTED_PTX_VERSION 223 JIT_COMPILATION_DISABLED
224 UNSUPPORTED_EXEC_AFFINITY 225 UNSUPPORTED_DEVSIDE_SYNC 226 CONTAINED 300 INVALID_SOURCE 301 FILE_NOT_FOUND
302 SHARED_OBJECT_SYMBOL_NOT_FOUND 303 SHARED_OBJECT_INIT_FAILED 304 OPERATING_SYSTEM 400 INVALID_HANDLE
401 ILLEGAL_STATE 402 LOSSY_QUERY 500 NOT_FOUND 600 NOT_READY 700 ILLEGAL_ADDRESS 701 LAUNCH_OUT_OF_RESOURCES
702 LAUNCH_TIMEOUT 703 LAUNCH_INCOMPATIBLE_TEXTURING 704 PEER_ACCESS_ALREADY_ENABLED
705 PEER_ACCESS_NOT_ENABLED 708 PRIMARY_CONTEXT_ACTIVE 709 CONTEXT_IS_DESTROYED 710 ASSERT 711 TOO_MANY_PEERS
712 HOST_MEMORY_ALREADY_REGISTERED 713 HOST_MEMORY_NOT_REGISTERED 714 HARDWARE_STACK_ERROR
715 ILLEGAL_INSTRUCTION 716 MISALIGNED_ADDRESS 717 INVALID_ADDRESS_SPACE 718 INVALID_PC 719 LAUNCH_FAILED
720 COOPERATIVE_LAUNCH_TOO_LARGE 721 TENSOR_MEMORY_LEAK 800 NOT_PERMITTED 801 NOT_SUPPORTED
802 SYSTEM_NOT_READY 803 SYSTEM_DRIVER_MISMATCH 804 COMPAT_NOT_SUPPORTED_ON_DEVICE 805 MPS_CONNECTION_FAILED
806 MPS_RPC_FAILURE 807 MPS_SERVER_NOT_READY 808 MPS_MAX_CLIENTS_REACHED 809 MPS_MAX_CONNECTIONS_REACHED
810 MPS_CLIENT_TERMINATED 811 CDP_NOT_SUPPORTED 812 CDP_VERSION_MISMATCH 900 STREAM_CAPTURE_UNSUPPORTED
901 STREAM_CAPTURE_INVALIDATED 902 STREAM_CAPTURE_MERGE 903 STREAM_CAPTURE_UNMATCHED
904 STREAM_CAPTURE_UNJOINED 905 STREAM_CAPTURE_ISOLATION 906 STREAM_CAPTURE_IMPLICIT 907 CAPTURED_EVENT
908 STREAM_CAPTURE_WRONG_THREAD 909 TIMEOUT 910 GRAPH_EXEC_UPDATE_FAILURE 911 EXTERNAL_DEVICE
912 INVALID_CLUSTER_SIZE 913 FUNCTION_NOT_LOADED 914 INVALID_RESOURCE_TYPE 915 INVALID_RESOURCE_CONFIGURATION
916 KEY_ROTATION 999 UNKNOWN`

// hipErrors are HIP's (hipError_t): codes, and names without "hipError".
const hipErrors = `
0 Success 1 InvalidValue 2 OutOfMemory 3 NotInitialized 4 Deinitialized 5 ProfilerDisabled
6 ProfilerNotInitialized 7 ProfilerAlreadyStarted 8 ProfilerAlreadyStopped 9 InvalidConfiguration
12 InvalidPitchValue 13 InvalidSymbol 17 InvalidDevicePointer 21 InvalidMemcpyDirection 35 InsufficientDriver
52 MissingConfiguration 53 PriorLaunchFailure 98 InvalidDeviceFunction 100 NoDevice 101 InvalidDevice
200 InvalidImage 201 InvalidContext 202 ContextAlreadyCurrent 205 MapFailed 206 UnmapFailed 207 ArrayIsMapped
208 AlreadyMapped 209 NoBinaryForGpu 210 AlreadyAcquired 211 NotMapped 212 NotMappedAsArray
213 NotMappedAsPointer 214 ECCNotCorrectable 215 UnsupportedLimit 216 ContextAlreadyInUse
217 PeerAccessUnsupported 218 InvalidKernelFile 219 InvalidGraphicsContext 300 InvalidSource 301 FileNotFound
302 SharedObjectSymbolNotFound 303 SharedObjectInitFailed 304 OperatingSystem 400 InvalidHandle
401 IllegalState 500 NotFound 600 NotReady 700 IllegalAddress 701 LaunchOutOfResources 702 LaunchTimeOut
704 PeerAccessAlreadyEnabled 705 PeerAccessNotEnabled 708 SetOnActiveProcess 709 ContextIsDestroyed 710 Assert
712 HostMemoryAlreadyRegistered 713 HostMemoryNotRegistered 719 LaunchFailure 720 CooperativeLaunchTooLarge
801 NotSupported 900 StreamCaptureUnsupported 901 StreamCaptureInvalidated 902 StreamCaptureMerge
903 StreamCaptureUnmatched 904 StreamCaptureUnjoined 905 StreamCaptureIsolation 906 StreamCaptureImplicit
907 CapturedEvent 908 StreamCaptureWrongThread 910 GraphExecUpdateFailure 911 InvalidChannelDescriptor
912 InvalidTexture 999 Unknown 1052 RuntimeMemory 1053 RuntimeOther`
