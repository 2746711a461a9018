// Package link turns the relocatable object that LLVM emits for an AMDGPU
// module into the shared code object ("hsaco") that AMD's loaders take, and
// reads such code objects. It replaces ld.lld -shared, which Linux
// distributions do not ship as a library, by some microseconds of Go.
//
// The code object that Link lays out, in one loadable segment per row:
//
//	r--  ELF and program headers, .note, .dynsym, .hash, .dynstr, .rela.dyn, .rodata (kernel descriptors)
//	r-x  .text
//	rw-  .dynamic, .got, .data, .bss
//	     not loaded: .debug_*, .symtab, .strtab, .shstrtab, and last the section header table
//
// HIP derives the size of a code object given by address from its ELF header,
// so nothing follows the section header table.
//
// Most relocations are settled at link time, as everything is addressed
// relative to the program counter. What needs an address (a slot of the global
// offset table, a pointer in initialised data) becomes an R_AMDGPU_RELATIVE64
// for the loader.
package link
