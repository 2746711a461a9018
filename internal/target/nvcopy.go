package target

import (
	"fmt"

	"heddle/internal/ops"
)

// nvCopies are cp.async and what waits for it, from sm_80 on.
func nvCopies(all map[string]Expansion) {
	since80 := func(f Expansion) Expansion {
		return func(b *Builder, args ...Value) Value {
			if b.M.T.Generation < 80 {
				return nil
			}
			return f(b, args...)
		}
	}
	all[ops.CopyAsync] = since80(nvCopy)
	all[ops.CopyCommit] = since80(func(b *Builder, _ ...Value) Value {
		b.Asm(Void, "cp.async.commit_group;", "~{memory}", true)
		return None
	})
	all[ops.CopyWait] = since80(func(b *Builder, args ...Value) Value {
		text := "cp.async.wait_all;" // also for copies in no group
		if n, _ := IntConst(args[0]); n > 0 {
			text = fmt.Sprintf("cp.async.wait_group %d;", n)
		}
		b.Asm(Void, text, "~{memory}", true)
		return None
	})
}

// nvCopy is cp.async if the addresses are what it wants, else a load and a store.
func nvCopy(b *Builder, args ...Value) Value {
	dst, src := args[0], args[1]
	size, _ := IntConst(args[2])
	align, _ := IntConst(args[3])
	fits := b.Asm(I32, fmt.Sprintf("{ .reg .pred p, q; .reg .b64 t; isspacep.shared p, $1; isspacep.global q, $2; and.pred p, p, q; "+
		"or.b64 t, $1, $2; and.b64 t, t, %d; setp.eq.u64 q, t, 0; and.pred p, p, q; selp.b32 $0, 1, 0, p; }", size-1), "=r,l,l", false, dst, src)
	async, plain, done := b.NewBlock(), b.NewBlock(), b.NewBlock()
	b.CondBr(b.ICmp("ne", fits, Int(I32, 0)), async, plain)
	b.Cur = async
	level := "ca"
	if size == 16 {
		level = "cg" // past the first cache, which 16 bytes at once allow
	}
	b.Asm(Void, fmt.Sprintf("{ .reg .b64 s, g; cvta.to.shared.u64 s, $0; cvta.to.global.u64 g, $1; cp.async.%s.shared.global [s], [g], %d; }", level, size),
		"l,l,~{memory}", true, dst, src)
	b.Br(done)
	b.Cur = plain
	word := Type(I32)
	if align == 8 {
		word = I64
	} else if align < 4 {
		word = I8
	}
	words := Array(size*8/int64(Bits(word)), word)
	for i := range int64(NumElems(words)) {
		at := Int(I64, i)
		b.Store(b.Load(word, b.GEP(word, src, at), Bits(word)/8), b.GEP(word, dst, at), Bits(word)/8)
	}
	b.Br(done)
	b.Cur = done
	return None
}
