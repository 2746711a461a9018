package divergence

import (
	"heddle/internal/lazy"
	"heddle/internal/ops"
)

// Elementwise are LLVM's intrinsics that work on vectors lane by lane, with how
// many of their operands, from the first, are vectors.
var Elementwise = lazy.Value[map[string]int]{Make: func() map[string]int {
	return map[string]int{
		"llvm.fma": 3, "llvm.fmuladd": 3, "llvm.sqrt": 1, "llvm.fabs": 1, "llvm.copysign": 2,
		"llvm.floor": 1, "llvm.ceil": 1, "llvm.trunc": 1, "llvm.rint": 1, "llvm.nearbyint": 1, "llvm.round": 1, "llvm.roundeven": 1,
		"llvm.minnum": 2, "llvm.maxnum": 2, "llvm.minimum": 2, "llvm.maximum": 2,
		"llvm.smin": 2, "llvm.smax": 2, "llvm.umin": 2, "llvm.umax": 2, "llvm.abs": 1,
		"llvm.ctpop": 1, "llvm.ctlz": 1, "llvm.cttz": 1, "llvm.bswap": 1, "llvm.bitreverse": 1, "llvm.fshl": 3, "llvm.fshr": 3,
		"llvm.uadd.sat": 2, "llvm.sadd.sat": 2, "llvm.usub.sat": 2, "llvm.ssub.sat": 2,
		"llvm.uadd.with.overflow": 2, "llvm.sadd.with.overflow": 2, "llvm.usub.with.overflow": 2, "llvm.ssub.with.overflow": 2,
		"llvm.umul.with.overflow": 2, "llvm.smul.with.overflow": 2, "llvm.is.fpclass": 1, "llvm.canonicalize": 1,
		ops.Estimate: 1,
	}
}}
