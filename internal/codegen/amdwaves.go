package codegen

import (
	"slices"
	"strings"

	"heddle/internal/link"
	"heddle/internal/llvm"
)

// This file has more waves of a kernel run at once where it is a few registers that are in their way. LLVM spills nothing for that, and its order of
// instructions is a guess: so such a kernel is compiled once more, with the number of waves that it has to come to.

// A registerFile is what a SIMD has of vector registers: how many for a lane of all waves, how many are given out together, and how many waves.
type registerFile struct {
	arch                      string // what the processor's name begins with
	registers, together, most int
}

// registerFiles are those of processors in wave sizes that are usual, the longer names first.
var registerFiles = [...]registerFile{
	{"gfx90a", 512, 8, 8}, {"gfx94", 512, 8, 8}, {"gfx95", 512, 8, 8},
	{"gfx1100", 1536, 24, 16}, {"gfx1101", 1536, 24, 16}, {"gfx1151", 1536, 24, 16}, {"gfx12", 1536, 24, 16},
}

const (
	nearWaves = 4  // a part of the registers that may be too many
	mostSpill = 64 // bytes of a lane that may be spilled for it
	mostCode  = 16 // a part of the code that may come to it
)

// waves is how many waves have room if each takes n registers.
func (f *registerFile) waves(n int) int {
	n = max((n+f.together-1)/f.together*f.together, f.together)
	return min(f.registers/n, f.most)
}

// more is how many waves there would be with a few registers less, 0 if that is no more, or hardly more, or if more than half of all run already:
// these have others to wait with, and what is spilled costs them.
func (f *registerFile) more(n int) int {
	has := f.waves(n)
	if has > f.most/2 {
		return 0
	}
	for less := (n - 1) / f.together * f.together; less > 0 && n-less <= n/nearWaves; less -= f.together {
		if w := f.waves(less); w > has+has/8 {
			return w
		} else if w > has {
			return 0
		}
	}
	return 0
}

// compileAMD is compile for AMD's GPUs.
func (r *Request) compileAMD(kind llvm.FileType, ir *string) ([]byte, error) {
	code, err := r.compile(kind, ir)
	i := slices.IndexFunc(registerFiles[:], func(f registerFile) bool { return strings.HasPrefix(r.CPU, f.arch) })
	if err != nil || ir != nil || i < 0 || r.level() < 2 || r.WarpSize != registerFiles[i].usualWarp() {
		return code, err
	}
	file := &registerFiles[i]
	was := r.resources(kind, code)
	if was == nil {
		return code, nil
	}
	again := *r
	if again.Waves = file.more(was.VGPR); again.Waves == 0 {
		return code, nil
	}
	better, err := again.compile(kind, nil)
	if err != nil {
		return code, nil
	}
	is := again.resources(kind, better)
	if is == nil || file.waves(is.VGPR) < again.Waves || is.Scratch > was.Scratch+mostSpill || is.CodeBytes > was.CodeBytes+was.CodeBytes/mostCode {
		return code, nil
	}
	return better, nil
}

// usualWarp is the size of a warp that the numbers are of.
func (f *registerFile) usualWarp() int {
	if f.together == 8 {
		return 64
	}
	return 32
}

// resources are what the kernel needs, nil if that cannot be told. Text is compiled once more.
func (r *Request) resources(kind llvm.FileType, code []byte) *link.Kernel {
	if kind != llvm.Object {
		var err error
		if code, err = r.compile(llvm.Object, nil); err != nil {
			return nil
		}
	}
	linked, err := link.Link(code)
	if err != nil {
		return nil
	}
	info, err := link.Inspect(linked)
	if err != nil {
		return nil
	}
	return info.Kernel(r.Kernel)
}
