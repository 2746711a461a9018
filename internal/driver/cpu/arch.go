package cpu

import (
	"runtime"
	"strings"

	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/native"
)

// EnvCPU names the environment variable that asks for an architecture which is
// less than what the processor has.
const EnvCPU = env.CPU

// A level is an architecture that kernels are compiled for.
type level struct {
	arch, goarch string
	has          bool // the processor and the system support it
	needs        string
}

// levels are the architectures, lowest first: those of the x86-64 psABI, and AArch64.
func levels() []level {
	x86 := x86Level()
	return []level{
		{"x86-64-v2", "amd64", x86 >= 2, "SSE4.2"},
		{"x86-64-v3", "amd64", x86 >= 3, "AVX2, FMA and BMI2"},
		{"x86-64-v4", "amd64", x86 >= 4, "AVX-512 F, BW, CD, DQ and VL"},
		{"aarch64", "arm64", runtime.GOARCH == "arm64", "NEON"},
	}
}

// architecture returns the architecture to compile for: the highest that the
// machine has, or the one that HEDDLE_CPU names.
func architecture() (string, error) {
	if err := native.Supported(); err != nil {
		return "", err
	}
	want := env.Get(EnvCPU)
	var have []string
	for _, l := range levels() {
		if l.goarch != runtime.GOARCH {
			continue
		}
		if l.has {
			have = append(have, l.arch)
		}
		if l.arch == want && !l.has {
			return "", errs.F("%s=%s: this processor lacks %s; it has %s", EnvCPU, want, l.needs, strings.Join(have, ", "))
		}
		if l.arch == want {
			return want, nil
		}
		if !l.has && have == nil {
			return "", errs.F("this processor lacks %s, which compiled kernels need", l.needs)
		}
	}
	if want != "" {
		return "", errs.F("%s=%s: no such architecture here; it can be %s", EnvCPU, want, strings.Join(have, ", "))
	}
	return have[len(have)-1], nil
}
