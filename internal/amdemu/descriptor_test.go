package amdemu

import (
	"bufio"
	"bytes"
	"debug/elf"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// directives asks llvm-objdump what the descriptors of the kernels say.
func directives(t *testing.T, path string, kernels map[string]*kernelInfo) map[string]map[string]int {
	t.Helper()
	var symbols []string
	for name := range kernels {
		symbols = append(symbols, name+".kd")
	}
	text := run(t, tool(t, "llvm-objdump"), "-D", "-j", ".rodata", "--disassemble-symbols="+strings.Join(symbols, ","), path)
	found := map[string]map[string]int{}
	var kernel string
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(lines.Text()), ".amdhsa_"), " ")
		if name == "kernel" {
			kernel = value
			found[kernel] = map[string]int{}
		} else if v, err := strconv.Atoi(value); err == nil && kernel != "" {
			found[kernel][name] = v
		}
	}
	for name := range kernels {
		if len(found[name]) < 20 {
			t.Fatalf("%s: %s", name, text)
		}
	}
	return found
}

// withoutSGPRs clears the granulated SGPR count of every descriptor: from gfx10
// on it is to be 0, and LLVM before 20 writes one that its tools then refuse.
func withoutSGPRs(t *testing.T, path string, code []byte) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	code = bytes.Clone(code)
	for _, s := range symbols {
		if strings.HasSuffix(s.Name, ".kd") {
			section := f.Sections[s.Section]
			at := code[s.Value-section.Addr+section.Offset+48:]
			le.PutUint32(at, le.Uint32(at)&^0x3c0)
		}
	}
	if err := os.WriteFile(path, code, 0o600); err != nil {
		t.Fatal(err)
	}
}

// expected is a descriptor as the assembler's directives say it.
func expected(b build, has map[string]int) descriptor {
	d := descriptor{
		group: has["group_segment_fixed_size"], private: has["private_segment_fixed_size"], kernarg: has["kernarg_size"],
		vgprs: has["next_free_vgpr"], sgprs: min(102, has["next_free_sgpr"]),
		waveSize:     64 - 32*has["wavefront_size32"],
		dynamicStack: has["uses_dynamic_stack"] == 1,
		scratch:      has["system_sgpr_private_segment_wavefront_offset"]+has["enable_private_segment"] == 1,
		vgpr:         vgprInit{dims: has["system_vgpr_workitem_id"] + 1},
		mode: mode(has["float_round_mode_32"] | has["float_round_mode_16_64"]<<2 | has["float_denorm_mode_32"]<<4 |
			has["float_denorm_mode_16_64"]<<6 | has["dx10_clamp"]<<8 | has["ieee_mode"]<<9 | has["fp16_overflow"]<<23),
	}
	if offset, ok := has["accum_offset"]; ok {
		d.vgprs, d.agprs = min(offset, d.vgprs), max(0, d.vgprs-offset)
	}
	if b.arch == "gfx908" {
		d.agprs = d.vgprs
	}
	switch generation(b.arch) {
	case 8:
	case 9: // 16 at a time are given out
		d.sgprs = min(102, (has["next_free_sgpr"]+15)&^15)
	default:
		d.sgprs = 106
	}
	d.vgpr.packed = b.arch == "gfx90a" || b.arch == "gfx942" || generation(b.arch) >= 11
	if generation(b.arch) == 12 {
		d.mode |= 1<<8 | 1<<9
	}
	return d
}

// registersOf are the directives that put something in registers, in the order
// of the registers, and how many each takes.
var registersOf = []struct {
	directive string
	kind      initKind
	n         int
}{
	{"user_sgpr_private_segment_buffer", initPrivateBuffer, 4},
	{"user_sgpr_dispatch_ptr", initDispatchPtr, 2},
	{"user_sgpr_queue_ptr", initQueuePtr, 2},
	{"user_sgpr_kernarg_segment_ptr", initKernargPtr, 2},
	{"user_sgpr_dispatch_id", initDispatchID, 2},
	{"user_sgpr_flat_scratch_init", initFlatScratch, 2},
	{"user_sgpr_private_segment_size", initPrivateSize, 1},
	{"user_sgpr_kernarg_preload_length", initPreload, 0},
	{"system_sgpr_workgroup_id_x", initWorkgroupX, 1},
	{"system_sgpr_workgroup_id_y", initWorkgroupY, 1},
	{"system_sgpr_workgroup_id_z", initWorkgroupZ, 1},
	{"system_sgpr_workgroup_info", initWorkgroupInfo, 1},
	{"system_sgpr_private_segment_wavefront_offset", initScratchOffset, 1},
}

// checkRegisters compares which values there are, in order; where they are, but
// for the gap that compilers leave before the system's.
func checkRegisters(t *testing.T, b build, name string, d *descriptor, has map[string]int) {
	t.Helper()
	i, reg := 0, 0
	for _, r := range registersOf {
		system := strings.HasPrefix(r.directive, "system")
		if has[r.directive] == 0 || generation(b.arch) >= 12 && strings.HasPrefix(r.directive, "system_sgpr_workgroup_id") {
			continue
		}
		n := max(r.n, has[r.directive])
		if i >= len(d.sgpr) || d.sgpr[i].kind != r.kind || d.sgpr[i].n != n {
			t.Errorf("%v: %s: %s has no place: %+v", b, name, r.directive, d.sgpr)
			return
		}
		if system && d.sgpr[i].reg > reg && d.sgpr[i].reg < 16 && (i == 0 || d.sgpr[i-1].kind < initWorkgroupX) {
			reg = d.sgpr[i].reg
		}
		if d.sgpr[i].reg != reg {
			t.Errorf("%v: %s: %s in s%d: %+v", b, name, r.directive, reg, d.sgpr)
		}
		i, reg = i+1, reg+n
	}
	want := 0
	if generation(b.arch) >= 12 {
		want = 2
	}
	if len(d.sgpr) != i+want {
		t.Errorf("%v: %s: more than the directives say: %+v", b, name, d.sgpr)
	}
}

var moreBuilds = []build{
	{"gfx90a", 64, 5, []string{"-cl-denorms-are-zero", "-mno-amdgpu-ieee", "-fno-honor-nans"}},
	{"gfx942", 64, 5, []string{"-mllvm", "-amdgpu-kernarg-preload-count=8"}},
	{"gfx1100", 32, 5, []string{"-cl-denorms-are-zero"}},
}

// What is read of a descriptor is what LLVM's own tool reads.
func TestDescriptor(t *testing.T) {
	for _, b := range append(moreBuilds, builds...) {
		path, code := compile(t, b)
		p, err := load(code, inWords)
		if err != nil {
			t.Errorf("%v: %v", b, err)
			continue
		}
		if generation(b.arch) >= 10 {
			withoutSGPRs(t, path, code)
		}
		all := directives(t, path, p.kernels)
		for name, k := range p.kernels {
			has := all[name]
			got, want := k.descriptor, expected(b, has)
			checkRegisters(t, b, name, &got, has)
			function, _, _ := p.symbol(name)
			if has["user_sgpr_kernarg_preload_length"] > 0 {
				function += preloadProlog
			}
			if k.entry != function {
				t.Errorf("%v: %s: entry at %#x, the function at %#x", b, name, k.entry, function)
			}
			got.entry, got.sgpr = 0, nil
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v: %s:\n%+v, objdump says\n%+v", b, name, got, want)
			}
			if k.WarpSize != got.waveSize || k.LDS != got.group || k.Scratch != got.private || k.DynamicStack != got.dynamicStack {
				t.Errorf("%v: %s: %+v, the metadata %+v", b, name, got, k.Kernel)
			}
		}
	}
}
