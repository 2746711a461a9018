package cuda

import (
	"bytes"
	"strconv"

	"heddle/internal/driver/gpu"
)

// overlap is programmatic dependent launch. Source: CUDA Driver API, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
// PTX ISA, griddepcontrol.
var overlap = gpu.Overlap{Launch: "cuLaunchKernelEx", Attribute: 6, Waits: waits}

// wait holds a kernel until those that it depends on have ended and their memory is visible.
const wait = "\n{\n\tgriddepcontrol.wait;"

// waits makes the kernels of PTX text wait ahead of their first instruction; nil if the processor cannot, or if the text is not
// as LLVM writes it.
func waits(ptx []byte) []byte {
	const entry, open = ".entry ", "\n{"
	_, target, _ := bytes.Cut(ptx, []byte("\n.target sm_"))
	digits := 0
	for digits < len(target) && target[digits] >= '0' && target[digits] <= '9' {
		digits++
	}
	if processor, err := strconv.Atoi(string(target[:digits])); err != nil || processor < 90 {
		return nil
	}
	var text []byte
	for first := true; ; first = false {
		at := bytes.Index(ptx, []byte(entry))
		if at < 0 {
			if first {
				return nil
			}
			return append(text, ptx...)
		}
		body := bytes.Index(ptx[at:], []byte(open))
		if body < 0 {
			return nil
		}
		text = append(append(text, ptx[:at+body]...), wait...)
		ptx = ptx[at+body+len(open):]
	}
}
