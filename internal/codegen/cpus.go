package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// releases are the LLVM releases that know something: from min to max, where
// max 0 means to this day.
type releases struct{ min, max int }

func (r releases) has(major int) bool { return major >= r.min && (r.max == 0 || major <= r.max) }

// cpus are the processors by the LLVM releases that generate code for them,
// release 15 standing for all earlier ones. Before release 17 AArch64's code to
// tell whether any of a vector's bits is set is wrong where each is the last bit
// of a number (LLVM's issue 62211).
var cpus = lazy.Value[map[string]releases]{Make: func() map[string]releases {
	all := map[string]releases{}
	for r, names := range map[releases]string{
		{15, 0}:  "gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx801 gfx802 gfx803 gfx805 gfx810 gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90a gfx90c gfx1010 gfx1011 gfx1012 gfx1013 gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80 sm_86 x86-64-v2 x86-64-v3 x86-64-v4",
		{15, 19}: "gfx940",
		{16, 0}:  "sm_87 sm_89 sm_90",
		{17, 19}: "gfx941",
		{17, 0}:  "gfx942 gfx1150 gfx1151 aarch64",
		{18, 0}:  "gfx1200 gfx1201 sm_90a",
		{19, 0}:  "gfx1152 gfx9-generic gfx10-1-generic gfx10-3-generic gfx11-generic gfx12-generic",
		{20, 0}:  "gfx950 gfx1153 gfx9-4-generic sm_100 sm_100a sm_101 sm_101a sm_120 sm_120a",
		{21, 0}:  "gfx1250 sm_103 sm_103a sm_121 sm_121a sm_100f sm_101f sm_103f sm_120f sm_121f",
		{22, 0}:  "gfx1251 sm_88 sm_110 sm_110a sm_110f",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = r
		}
	}
	return all
}}

// Supports returns nil if the compiler found here knows a processor, otherwise
// an error that says what would. LLVM itself takes an unknown name for another
// one, with a line on standard error, or crashes. No library is loaded, so for
// comgr, and for a release newer than this package, nil means that nothing is
// known to be wrong; Emit tells then.
func Supports(triple, cpu string) error {
	kind, _, _ := family(triple)
	name, _, err := Backend(kind)
	if err != nil {
		return err
	}
	major := 0
	if name == LLVM {
		if lib := llvm.Loaded(); lib != nil {
			major = lib.Major
		} else if _, major, err = llvm.Find(); err != nil {
			return err
		}
	}
	return supports(triple, cpu, major)
}

// families are the kinds of object, and how the names of processors begin, by triple.
var families = []struct {
	triple, prefix string
	backend        string // LLVM's name of it
	kind           abi.Kind
}{
	{"nvptx", "sm_", llvm.NVPTX, abi.PTX},
	{"x86_64", "x86-64", llvm.X86, abi.Native},
	{"aarch64", "aarch64", llvm.AArch64, abi.Native},
	{"", "gfx", llvm.AMDGPU, abi.HSACO},
}

func family(triple string) (kind abi.Kind, prefix, backend string) {
	for _, f := range families {
		if strings.HasPrefix(triple, f.triple) {
			return f.kind, f.prefix, f.backend
		}
	}
	panic("codegen: families lacks its last row")
}

func supports(triple, cpu string, major int) error {
	_, prefix, backend := family(triple)
	r, known := cpus.Get()[cpu]
	switch {
	case !strings.HasPrefix(cpu, prefix):
		return errs.F("processor %q is not one of %s: want a name that begins with %s", cpu, triple, prefix)
	case major == 0: // only opening the library tells
		return nil
	case known && r.has(major), !known && major > llvm.MaxMajor:
		return llvm.Allow(major, backend)
	case known && major < r.min:
		return errs.F("processor %s needs LLVM %d or later, and this is LLVM %d: install a newer libLLVM, or set %s to one", cpu, r.min, major, llvm.EnvLLVM)
	case known:
		return errs.F("processor %s was dropped after LLVM %d, and this is LLVM %d: set %s=%d", cpu, r.max, major, llvm.EnvLLVM, r.max)
	}
	return errs.F("processor %q is not known to LLVM %d", cpu, major)
}

// ptxVersions are the PTX ISA versions, times ten, that a compile for a
// processor asks for: what the instructions that heddle uses need (7.0 brought
// the last of them), and no more, as an older driver rejects a newer version.
var ptxVersions = []struct {
	cpus    string
	version int
}{
	{"sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80", 70},
	{"sm_86", 71},
	{"sm_87", 74},
	{"sm_89 sm_90", 78},
	{"sm_90a", 80},
	{"sm_100 sm_100a sm_101 sm_101a", 86},
	{"sm_120 sm_120a", 87},
	{"sm_100f sm_101f sm_103 sm_103a sm_103f sm_120f sm_121 sm_121a sm_121f", 88},
	{"sm_88 sm_110 sm_110a sm_110f", 90},
}

// withPTXVersion adds the processor's PTX version to the features, unless they name one.
func withPTXVersion(cpu, features string) string {
	if strings.Contains(features, "+ptx") {
		return features
	}
	for _, v := range ptxVersions {
		if strings.Contains(v.cpus+" ", cpu+" ") {
			return strings.TrimPrefix(fmt.Sprintf("%s,+ptx%d", features, v.version), ",")
		}
	}
	return features
}

// newestPTX is the newest PTX version that an LLVM release writes, 0 if it is not known.
func newestPTX(major int) int {
	versions := [...]int{15: 75, 16: 78, 17: 81, 18: 83, 19: 85, 20: 86, 21: 88, 22: 90}
	if major < 0 || major >= len(versions) {
		return 0
	}
	return versions[major]
}

// checkPTXVersion refuses a PTX version that this LLVM would ignore, with no
// more than a line on standard error.
func checkPTXVersion(features string, major int) error {
	for feature := range strings.SplitSeq(features, ",") {
		number, ok := strings.CutPrefix(feature, "+ptx")
		version, err := strconv.Atoi(number)
		if !ok || err != nil {
			continue
		}
		if newest := newestPTX(major); newest > 0 && version > newest {
			return errs.F("PTX version %d.%d is newer than LLVM %d, which writes up to %d.%d", version/10, version%10, major, newest/10, newest%10)
		}
	}
	return nil
}
