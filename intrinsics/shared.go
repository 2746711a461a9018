package intrinsics

import (
	"fmt"
	"go/constant"
	"go/types"
	"hash/fnv"
	"strings"

	"github.com/llir/llvm/ir/enum"

	"heddle/internal/ops"
	"heddle/internal/target"
)

func sharedRows() map[string]Row {
	return map[string]Row{
		dsl + "Shared":        {Facts: ops.Facts{Effect: ops.Pure, Result: ops.Block, Space: ops.StaticShared, NonNil: true}, Lower: sharedVariable},
		dsl + "SharedSlice":   {Facts: ops.Facts{Effect: ops.Pure, Result: ops.Block, Space: ops.StaticShared}, Const: []int{0}, Check: checkElements, Lower: sharedSlice},
		dsl + "DynamicShared": {Facts: ops.Facts{Effect: ops.Pure, Result: ops.Block, Space: ops.DynamicShared}, Lower: dynamicShared},
	}
}

// sharedAlign serves the widest load, and is what CUDA and HIP give dynamic shared memory.
const sharedAlign = 16

// sharedVariable is one variable for each call in the source and type.
func sharedVariable(c *Call) target.Value { return sharedOf(c, c.TypeArgs[0]) }

// sharedSlice is sharedVariable of an array.
func sharedSlice(c *Call) target.Value {
	n, _ := target.IntConst(c.Args[0])
	return target.NewAgg(sharedOf(c, types.NewArray(c.TypeArgs[0], n)), int64s(n), int64s(n))
}

func checkElements(s *Site) (msg, hint string) {
	const most = 1 << 20
	if s.Consts[0] == nil {
		return "", "" // it depends on the machine
	}
	if n, ok := constant.Int64Val(s.Consts[0]); !ok || n < 0 || n > most {
		return "it has " + s.Consts[0].String() + " elements", "no device has so much shared memory"
	}
	return "", ""
}

func sharedOf(c *Call, elem types.Type) target.Value {
	t := c.Lower(elem)
	size, _ := c.Size(elem)
	c.UsesShared(size)
	if at := c.B.M.T.SharedVar; at != nil {
		return at(c.B, sharedName(c.Site, elem), size)
	}
	if size == 0 {
		t = target.I8 // LLVM takes an empty array for dynamic shared memory
	}
	v := c.B.M.Var(sharedName(c.Site, elem), t, c.B.M.T.Shared, sharedAlign, target.Poison(t))
	v.Linkage = enum.LinkageInternal
	return c.B.Generic(v)
}

// sharedName is a symbol that every assembler takes: what can be read of the
// site, and a hash of site and type.
func sharedName(site string, t types.Type) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", site, types.TypeString(t, nil))
	readable := strings.Map(func(r rune) rune {
		switch {
		case r == '_', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '_'
	}, site)
	const limit = 80
	if len(readable) > limit {
		readable = readable[len(readable)-limit:]
	}
	return fmt.Sprintf("heddle_shared_%s_%016x", readable, h.Sum64())
}

func dynamicShared(c *Call) target.Value {
	b := c.B
	size, _ := c.Size(c.TypeArgs[0])
	if size == 0 {
		return target.NewAgg(target.Zero(c.B.M.T.Pointer()), int64s(0), int64s(0))
	}
	c.UsesDynamicShared()
	var mem target.Value
	if at := b.M.T.DynamicVar; at != nil {
		mem = at(b)
	} else {
		mem = b.M.Var("heddle_dynamic_shared", target.Array(0, target.I8), b.M.T.Shared, sharedAlign, nil)
	}
	n := goInt(b, b.Bin("udiv", b.Do(ops.SharedSize), target.Int(target.I32, size)))
	return target.NewAgg(b.Generic(mem), n, n)
}
