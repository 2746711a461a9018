// Package amdemu executes AMDGPU code objects on the host, instruction by
// instruction: GFX9, CDNA, RDNA and GFX12, in waves of 32 or 64 lanes.
//
// The stages, one or two files each:
//
//	load      the code object, as ROCr's loader does: segments, relocations,
//	          kernel descriptors, line table                 (object.go, lines.go)
//	decode    libLLVM's disassembly, parsed to an inst       (decode.go, operand.go)
//	bind      an inst and its row of the table of semantics
//	          become one Go function                         (op.go, valu.go)
//	run       waves of a block in turn, blocks on all cores  (wave.go, run.go)
//	memory    global memory, LDS, scratch and what accesses
//	          them (memory.go; flat.go, lds.go, buffer.go, smem.go, atomic.go),
//	          unwritten bytes, races                         (shadow.go, race.go)
//
// An instruction's meaning is one row of a table, by mnemonic without its
// encoding's suffix, for all architectures at once (ops_*.go):
//
//	"v_add_f32": {"f32 f32 f32", func(a, b uint32) uint32 { return ... }},
//
// The first word of a row is what the instruction writes, the others what it
// reads, in the order in which the assembler writes them. What encodings add
// (abs, neg, clamp, omod, op_sel, DPP, SDWA) is done around the row, in
// modifier.go, from those types. Source: AMD's ISA documents for MI200, MI300,
// RDNA2, RDNA3 and RDNA4, and LLVM's User Guide for the AMDGPU Backend.
package amdemu
