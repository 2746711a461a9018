package cuda

import (
	"bytes"
	"fmt"
)

// bound is PTX text in which kernels without a launch bound have one of that many threads a block. Source: PTX ISA, .maxntid.
func bound(ptx []byte, threads int) []byte {
	const entry, open = ".entry ", "\n{"
	var text []byte
	for {
		at := bytes.Index(ptx, []byte(entry))
		if at < 0 {
			return append(text, ptx...)
		}
		body := bytes.Index(ptx[at:], []byte(open))
		if body < 0 {
			return append(text, ptx...)
		}
		head := ptx[:at+body]
		text = append(text, head...)
		if head = head[at:]; !bytes.Contains(head, []byte(".maxntid")) && !bytes.Contains(head, []byte(".reqntid")) {
			text = fmt.Appendf(text, "\n.maxntid %d, 1, 1", threads)
		}
		text = append(text, open...)
		ptx = ptx[at+body+len(open):]
	}
}
