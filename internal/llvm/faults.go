package llvm

import (
	"fmt"
	"strings"
)

// A Fault is what releases of LLVM get wrong and heddle avoids.
type Fault struct {
	// On says for which devices, in docs/llvm.md's words.
	On string
	// First and Last are the oldest and the newest release of the table Releases that
	// are known to have it.
	First, Last int
	// What is wrong, in one line for people.
	What string
	// Where it is avoided: a file of this module, whose comment says more.
	Where string
}

// Faults are all of them, by device and the newest first: the one place that lists them.
// The table of docs/llvm.md is made of this one (go test ./internal/llvm -update). What a driver's
// assembler gets wrong is not LLVM's (internal/codegen/ptxfix.go, ptxshift.go).
var Faults = []Fault{
	{"AMD GPUs", 22, 22, "a value that lanes bring along from a block that they come to in several ways (`if x >= 5 { f(); if y < 9 { goto end } }; r = uint32(z); end:`): those that come in the second way lose it", "internal/codegen/amdelse.go"},
	{"AMD GPUs", 22, 22, "a constant that is chosen where a float is neither less nor greater than it (`if x < 2.7 \\|\\| x > 2.7 { r = y } else { r = 2.7 }`): a NaN is taken for it", "internal/codegen/amdequal.go"},
	{"AMD GPUs", 22, 22, "several bitwise operations in one on gfx950, some of them on results of others (`((a\\|b) ^ a) & (a\\|b)`)", "internal/codegen/amdgpu.go"},
	{"AMD GPUs", 15, 22, "integer division: operands taken for smaller than they are, a reciprocal trusted one bit too far", "internal/codegen/divide.go"},
	{"AMD GPUs", 15, 22, "what is the same for all lanes of a loop that they leave one after another: all get the last lane's", "internal/codegen/amdloop.go"},
	{"AMD GPUs", 17, 19, "a value that some lanes bring along past code of the others: its register may be taken there", "internal/codegen/amdphi.go"},
	{"AMD GPUs", 18, 22, "sums of products of bytes, shifted or otherwise changed before they are added (`a*b + c*d>>3`), taken for sums", "internal/codegen/amdgpu.go"},
	{"AMD GPUs", 19, 19, "v_permlane and DPP8, taken into branches whose lanes are not all active", "internal/codegen/amdlanes.go"},
	{"AMD GPUs", 18, 19, "structures and arrays of conditions of which some parts are not used, which crash", "internal/codegen/amdparts.go"},
	{"AMD GPUs", 18, 22, "products of 24-bit parts of values in sums of 64 bits (`uint64(x&0xffffff)*uint64(y&0xffffff) + z`): of the whole values", "internal/llvm/open.go"},
	{"AMD GPUs", 15, 19, "a loop that does not end when its last lane has left, if a short block that leads to a loop in it stands behind", "internal/llvm/open.go"},
	{"AMD GPUs", 19, 22, "a ballot of `0 < abs(x-y)`, or what else is \"ordered and not equal\": true for a NaN", "internal/codegen/amdballot.go"},
	{"AMD GPUs", 15, 22, "`x \\| -1`, taken for x, where -1 is a half of 64 bits or comes from one", "internal/codegen/amdor.go"},
	{"AMD GPUs", 19, 19, "lanes that leave a loop early, taken for those that leave at its end, where that is the same for all; seen at `O0`", "internal/codegen/amdloop.go"},
	{"AMD GPUs", 19, 19, "the carry of `t + c`, where t is a sum and c a carry, taken for that of both additions", "internal/codegen/amdcarry.go"},
	{"AMD GPUs", 22, 22, "the carry of a sum of 64 bits (`x+1 == 0`), taken for that of the sum that makes the upper half of `x`, a product, too", "internal/codegen/amdcarry.go"},
	{"AMD GPUs", 15, 19, "the lowest y bits of x, by `x & (-1 >> (32-y))` or shifts to the left and back, which are none for a y of 32", "internal/codegen/amdwidth.go"},
	{"AMD GPUs", 15, 22, "conditions that a loop changes and that are kept lane by lane: put together before those of the last iteration are known", "internal/codegen/amdloop.go"},
	{"AMD GPUs", 15, 22, "a choice, `min` or `max` by the condition of the next branch, where it is the same for all lanes and compares 64-bit integers or floats: the other one is taken", "internal/codegen/amdselect.go"},
	{"AMD GPUs", 15, 22, "`x<<16 \\| x>>16` and other bytes of signed numbers: the bytes of a sign are taken for 0", "internal/codegen/amdshift.go"},
	{"AMD GPUs", 17, 22, "`0 - x`, taken for `-x`, which has another sign where x is 0", "internal/codegen/amdfix.go"},
	{"AMD GPUs", 15, 22, "operands of 8 and 16 bits as parts of registers, before GFX11", "internal/llvm/open.go"},
	{"AMD GPUs", 15, 22, "shuffles to 5, 9, 10 or so 16-bit lanes, which cannot be selected (15 crashes)", "internal/codegen/amdodd.go"},
	{"AMD GPUs", 19, 19, "registers that are spilled, copied or reloaded for some lanes only, where scalars are spilled too", "internal/codegen/amdgpu.go"},
	{"AMD GPUs", 15, 19, "in stack frames above 4 KB, a load of a local variable, scheduled before an earlier store to it (GFX8 to GFX10, except gfx942 and gfx950)", "internal/codegen/amdframe.go"},
	{"AMD GPUs", 15, 22, "elements of local arrays, and of slices of them, by an index less a variable (`a[60-j]`): the register of the address may be negative, which scratch instructions must not have (gfx942, gfx950, GFX11); not seen on a GPU", "internal/codegen/amdframe.go"},
	{"AMD GPUs", 19, 22, "at `O0`, a crash of LLVM if more scalars are spilled than the vector registers have lanes", "internal/codegen/amdgpu.go"},
	{"AMD GPUs", 16, 17, "registers that are lost, at `O0`", "internal/codegen/amdgpu.go"},
	{"AMD GPUs", 15, 17, "square roots that are not rounded (of float64 to 16)", "internal/target/amdsqrt.go"},
	{"AMD GPUs", 15, 17, "rounding to an integer, which loses the sign of a zero", "internal/target/amdgpu.go"},
	{"AMD GPUs", 15, 16, "memmove across address spaces, which crashes", "internal/codegen/memmove.go"},
	{"NVIDIA GPUs", 15, 22, "memmove across address spaces, in copies of local arrays: wrong or left out", "internal/codegen/memmove.go"},
	{"NVIDIA GPUs", 18, 19, "16 bytes that are loaded at once whatever their alignment", "internal/codegen/ptxload.go"},
	{"AMD GPUs", 19, 19, "an element of a vector or an array that is loaded whole, as a parameter's, by an index that lanes do not have in common (`offsets[i%2]`): all get the first lane's", "internal/codegen/amdextract.go"},
	{"AMD GPUs", 19, 19, "a function that nothing calls, which crashes at `O0`", "internal/codegen/amdgpu.go"},
	{"NVIDIA GPUs", 17, 17, "a phi with two values for one block, which does not compile, where a switch has several ways to a block to which pointers of shared memory come", "internal/codegen/emit.go"},
	{"NVIDIA GPUs", 17, 17, "`y<<16 + uint32(int16(y))`: bits that are shifted to the right with their sign, after a mask, are extracted without it", "internal/codegen/ptxshift.go"},
	{"NVIDIA GPUs", 15, 18, "rotations of 64 bits by 64 and more", "internal/target/nvptx.go"},
	{"amd64 with AVX-512", 19, 19, "masks made of integers and joined, which compile without end (LLVM's issue 123333)", "internal/spmd/holdmask.go"},
	{"amd64, arm64", 15, 16, "equal operations of a warp, taken for one", "internal/codegen/native.go"},
	{"arm64", 15, 19, "atomic additions of floats, whose failed stores are not seen (LLVM's issue 150988)", "internal/spmd/atomic.go"},
	{"arm64", 15, 19, "vectors of int64 made float32, which are rounded twice", "internal/spmd/convert.go"},
}

// FaultTable is docs/llvm.md's table of the faults.
func FaultTable() string {
	var b strings.Builder
	b.WriteString("| on | LLVM | what is wrong | where it is avoided |\n|---|---|---|---|\n")
	for _, f := range Faults {
		releases := fmt.Sprint(f.First)
		switch f.Last - f.First {
		case 0:
		case 1:
			releases += fmt.Sprintf(", %d", f.Last)
		default:
			releases += fmt.Sprintf(" to %d", f.Last)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` |\n", f.On, releases, f.What, f.Where)
	}
	return b.String()
}
