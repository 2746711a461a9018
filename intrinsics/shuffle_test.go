package intrinsics

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	gpu "heddle/dsl"
	"heddle/internal/codegen"
	"heddle/internal/simt"
	"heddle/internal/target"
)

// lanes stands in for the machine: the lane is a variable, and reading
// another lane gives that lane's number. The shuffle of NVIDIA follows the pseudocode
// of the PTX manual.
const lanes = `
@lane = internal global i32 0
define internal i32 @fake.lo(i32, i32) alwaysinline {
  %l = load i32, ptr @lane
  %r = call i32 @llvm.umin.i32(i32 %l, i32 32)
  ret i32 %r
}
define internal i32 @fake.hi(i32, i32) alwaysinline {
  %l = load i32, ptr @lane
  ret i32 %l
}
define internal i32 @fake.permute(i32 %addr, i32) alwaysinline {
  %l = lshr i32 %addr, 2
  ret i32 %l
}
declare i32 @llvm.umin.i32(i32, i32)
`

// shfl is PTX's shfl in the given mode: j is the lane to read, p whether it may be.
const shfl = `
define internal i32 @fake.shfl.MODE(i32, i32, i32 %b, i32 %c) alwaysinline {
  %lane = load i32, ptr @lane
  %bval = and i32 %b, 31
  %cval = and i32 %c, 31
  %mask = lshr i32 %c, 8
  %not = xor i32 %mask, -1
  %minLane = and i32 %lane, %mask
  %cbits = and i32 %cval, %not
  %maxLane = or i32 %minLane, %cbits
  %bits = and i32 %bval, %not
  %j = OP
  %p = icmp COND i32 %j, %maxLane
  %r = select i1 %p, i32 %j, i32 %lane
  ret i32 %r
}
`

func fakes(nvidia bool) string {
	if !nvidia {
		return lanes
	}
	text := lanes
	for _, m := range [][3]string{
		{"up", "sub i32 %lane, %bval", "sge"}, {"down", "add i32 %lane, %bval", "sle"},
		{"bfly", "xor i32 %lane, %bval", "sle"}, {"idx", "or i32 %minLane, %bits", "sle"},
	} {
		text += strings.NewReplacer("MODE", m[0], "OP", m[1], "COND", m[2]).Replace(shfl)
	}
	return text
}

const all = ^uint64(0)

var (
	declared = regexp.MustCompile(`(?m)^declare .*(mbcnt|bpermute|shfl\.sync).*\n`)
	standIns = strings.NewReplacer("@llvm.amdgcn.mbcnt", "@fake", "@llvm.amdgcn.ds.bpermute", "@fake.permute", "@llvm.nvvm.shfl.sync", "@fake.shfl", ".i32(", "(")
	shuffles = map[string]func(mask uint64, v int32, arg, width int) int32{
		"Shfl": gpu.ShflSyncWidth[int32], "ShflUp": gpu.ShflUpSyncWidth[int32],
		"ShflDown": gpu.ShflDownSyncWidth[int32], "ShflXor": gpu.ShflXorSyncWidth[int32],
	}
	someTurns = []int{0, 1, 5, 31, 32, 63, 64, -3, 1<<40 + 1}
)

// The lane that a shuffle reads from is the simulator's choice, on every
// machine, for every lane, width and argument.
func TestShufflesReadTheRightLane(t *testing.T) {
	for _, cpu := range []string{"gfx906", "gfx1030", "sm_70"} {
		m := machine(t, cpu, 0)
		for name, fn := range shuffles {
			for width := 1; width <= m.WarpSize; width *= 4 {
				t.Run(fmt.Sprintf("%s/%s/%d", cpu, name, width), func(t *testing.T) { shuffleLanes(t, m, name, fn, width) })
			}
		}
	}
}

func shuffleLanes(t *testing.T, m *target.Machine, name string, fn func(mask uint64, v int32, arg, width int) int32, width int) {
	k := newKernel(m, "lanes")
	lane := &target.Const{Typ: target.Ptr(0), Text: "@lane"}
	name = dsl + name + "SyncWidth"
	for _, arg := range someTurns {
		for l := range m.WarpSize {
			k.Emit(target.Void, "store i32 ", fmt.Sprint(l), ", ", target.T(lane))
			c := k.constCall(t, name, []reflect.Value{reflect.ValueOf(all), reflect.ValueOf(int32(l)), reflect.ValueOf(arg), reflect.ValueOf(width)})
			k.Emit(target.Void, "store volatile ", target.T(k.Cast("zext", table.Get()[name].Lower(c), target.I64)), ", ", target.T(k.out))
		}
	}
	k.finish()
	r := k.request()
	text := standIns.Replace(declared.ReplaceAllString(string(r.IR), ""))
	text = text + fakes(m.Generation >= 70)
	r.IR = []byte(text)
	text, err := codegen.OptimisedIR(r)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.IR)
	}
	found := stored.FindAllStringSubmatch(text, -1)
	if len(found) != len(someTurns)*m.WarpSize {
		t.Fatalf("%d results", len(found))
	}
	got := make([]string, m.WarpSize)
	for i, arg := range someTurns {
		want := make([]string, m.WarpSize)
		err := simt.Run(simt.Config{Grid: simt.Dim{X: 1, Y: 1, Z: 1}, Block: simt.Dim{X: m.WarpSize, Y: 1, Z: 1}, WarpSize: m.WarpSize}, func() {
			l := gpu.LaneID()
			want[l] = fmt.Sprint(fn(all, int32(l), arg, width))
		})
		if err != nil {
			t.Fatal(err)
		}
		for l := range got {
			got[l] = found[i*m.WarpSize+l][1]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s(v, %d, %d): lanes read\n%v, want\n%v", name, arg, width, got, want)
		}
	}
}
