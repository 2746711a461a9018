package intrinsics

import (
	"strings"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/target"
)

// Reductions of 32 bits are one instruction from sm_80 on, and matches are one everywhere
// on that family; before it the reductions decline.
func TestInstructionsOfAWarp(t *testing.T) {
	for cpu, has := range map[string]bool{"sm_80": true, "sm_70": false} {
		k := newKernel(machine(t, cpu, 0), "together")
		for _, name := range []string{"ReduceAddSync", "ReduceMaxSync", "ReduceXorSync", "MatchAnySync", "CopyAsync", "CopyAsyncCommit", "CopyAsyncWait"} {
			k.everyType(t, dsl+name, functions(t)[dsl+name], table.Get()[dsl+name])
		}
		k.Ret(nil)
		k.M.T.Finish(k.M, k.F, target.KernelInfo{})
		text, err := codegen.Assembly(k.request())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"redux.sync.add.u32", "redux.sync.max.s32", "redux.sync.max.u32", "redux.sync.xor.b32"} {
			if strings.Contains(text, want) != has {
				t.Errorf("%s: %s: %t, want %t", cpu, want, !has, has)
			}
		}
		for _, want := range []string{"cp.async.ca.shared.global", "cp.async.commit_group", "cp.async.wait_all"} {
			if strings.Contains(text, want) != has {
				t.Errorf("%s: %s: %t, want %t", cpu, want, !has, has)
			}
		}
		for _, want := range []string{"match.any.sync.b32", "match.any.sync.b64"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s", cpu, want)
			}
		}
	}
}
