// Package native loads relocatable objects of the host, as a compiler emits
// them, into this process: what the system's linker and loader do in two steps
// for a shared library, in one and in memory.
//
//	bytes --Parse--> Object --Link--> image at an address --Load--> callable code
//
// Parse and Link are plain computation and know x86-64 and AArch64 on any
// machine. Load needs Linux on one of the two and an object for it. Every
// offset, size and index in an object is checked: a corrupt one is an error.
//
// # The image
//
// One mapping holds, each part on pages of its own:
//
//	code        SHF_EXECINSTR sections, then stubs      read, execute
//	constants   read-only sections, .data.rel.ro, the   read
//	            global offset table
//	data        writable sections, .bss, COMMON         read, write
//
// No page is ever writable and executable at once. Calls of the C library go
// through stubs that jump by way of the global offset table, since it is
// further away than a call reaches. Unwind tables (.eh_frame) and everything
// that takes no memory at run time are left out.
package native
