package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"heddle/dsl"
	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/env"
	"heddle/internal/llvm"
	"heddle/internal/target"
	"heddle/kernel"
	"heddle/launch"
)

// The probe kernel below is compiled from this binary's own source.
//
//go:embed *.go
var sources embed.FS
var _ = kernel.Source(sources)

// A status says how a part of the machine is.
type status string

const (
	works   status = "ok"
	missing status = "missing" // heddle does without it, with less
	broken  status = "broken"  // it is there, or asked for, and does not work
)

// A finding is what doctor has to say of one part.
type finding struct {
	Part    string
	Status  status
	Found   string `json:",omitempty"` // what is there
	Problem string `json:",omitempty"` // what is not
	Fix     string `json:",omitempty"` // the command that fixes it
}

const fixGo = "install Go 1.26 from go.dev/dl"

// doctor looks for everything heddle can use, tries it, and says what is
// missing and the command that brings it.
func doctor(c *call) error {
	strict := c.flags.Bool("strict", false, "fail if anything is missing")
	asJSON := c.flags.Bool("json", false, "print JSON: a list of {Part, Status, Found, Problem, Fix}")
	if _, err := c.parse(0); err != nil {
		return err
	}
	p := c.progress("trying what is here", 0)
	findings := examine()
	p.end()
	if *asJSON {
		if err := printJSON(c.stdout, findings); err != nil {
			return err
		}
	} else {
		report(c.stdout, findings)
	}
	bad := map[status][]string{}
	for _, f := range findings {
		bad[f.Status] = append(bad[f.Status], f.Part)
	}
	var errs []error
	if bad[broken] != nil {
		errs = append(errs, fmt.Errorf("broken: %s", strings.Join(bad[broken], ", ")))
	}
	if bad[missing] != nil && *strict {
		errs = append(errs, fmt.Errorf("missing: %s", strings.Join(bad[missing], ", ")))
	}
	if errs != nil {
		return missingError{errors.Join(errs...)}
	}
	return nil
}

func examine() []finding {
	fs := []finding{checkGo(), checkEnv(), checkLLVM(), checkComgr()}
	fs = append(fs, checkMath()...)
	fs = append(fs, checkCache())
	fs = append(fs, checkCompile()...)
	return append(fs, checkDevices()...)
}

// report prints the findings, and one command for all that apt can fix.
func report(w io.Writer, fs []finding) {
	var packages []string
	for _, f := range fs {
		fmt.Fprintf(w, "%-8s %-14s %s\n", f.Status, f.Part, strings.TrimSpace(f.Found+" "+f.Problem))
		if f.Fix != "" {
			fmt.Fprintf(w, "%-8s %-14s %s\n", "", "", "to fix it: "+f.Fix)
		}
		if p, ok := strings.CutPrefix(f.Fix, aptInstall); ok && !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "HEDDLE_") {
			fmt.Fprintf(w, "%-8s %-14s %s\n", "", "set", v)
		}
	}
	if len(packages) > 1 {
		fmt.Fprintf(w, "\nAll that packages can fix:\n  %s%s\n", aptInstall, strings.Join(packages, " "))
	}
}

const aptInstall = "apt-get install "

func checkGo() finding {
	path, err := exec.LookPath("go")
	if err != nil {
		return finding{"go", missing, "", "no go command: only programs that embed their sources (kernel.Source) run here", fixGo}
	}
	text, err := exec.Command(path, "env", "GOVERSION").Output()
	if err != nil {
		return finding{"go", broken, path, err.Error(), fixGo}
	}
	return finding{Part: "go", Status: works, Found: fmt.Sprintf("%s %s", strings.TrimSpace(string(text)), path)}
}

// checkEnv looks at the variables that start with HEDDLE_.
func checkEnv() finding {
	f := finding{Part: "environment", Status: works, Found: "no HEDDLE_ variable is wrong"}
	var problems []string
	if err := env.Check(); err != nil {
		problems = append(problems, err.Error())
	}
	for _, name := range env.Unknown() {
		problem := name + " means nothing to heddle"
		if near := closest(name, env.Names()); near != "" {
			problem += "; did you mean " + near + "?"
		}
		problems = append(problems, problem)
	}
	if problems != nil {
		f = finding{f.Part, broken, "", strings.Join(problems, "; "), "correct or unset it; heddle help lists the variables"}
	}
	return f
}

func checkLLVM() finding {
	lib, err := llvm.Open()
	if err != nil {
		problem, _, _ := strings.Cut(err.Error(), "\n\tto fix it:")
		f := finding{"llvm", missing, "", strings.Join(strings.Fields(problem), " "), llvm.Fix()}
		if env.Get(llvm.EnvLLVM) != "" || len(llvm.Candidates()) > 0 {
			f.Status = broken
		}
		return f
	}
	f := finding{Part: "llvm", Status: works, Found: lib.Version + " " + lib.Path}
	for _, backend := range lib.Targets {
		if why := llvm.Refusal(lib.Major, backend); why != "" {
			f.Found += "; not for " + backend + ": " + why
		}
	}
	return f
}

func checkComgr() finding {
	const optional = "not needed where libLLVM works"
	if len(llvm.ComgrCandidates()) == 0 {
		return finding{Part: "comgr", Status: works, Found: "none; " + optional}
	}
	lib, err := llvm.OpenComgr()
	if err != nil {
		return finding{"comgr", broken, "", err.Error(), "set " + llvm.EnvComgr + " to one that works, or " + codegen.EnvBackend + "=llvm"}
	}
	return finding{Part: "comgr", Status: works, Found: fmt.Sprintf("%d.%d %s", lib.Major, lib.Minor, lib.Path)}
}

// checkMath looks for the device math libraries. Without them Go's own math is
// compiled into the kernels.
func checkMath() []finding {
	const instead = "not found; Go's own math is compiled instead, which is slower"
	var fs []finding
	for _, l := range []struct {
		part, fix string
		kind      abi.Kind
	}{
		{"ocml", abi.HSACO.MathFix(), abi.HSACO},
		{"libdevice", abi.PTX.MathFix(), abi.PTX},
	} {
		if path, ok := codegen.HasMathLib(l.kind); ok {
			fs = append(fs, finding{Part: l.part, Status: works, Found: path})
		} else {
			fs = append(fs, finding{l.part, missing, "", instead, l.fix})
		}
	}
	return fs
}

func checkCache() finding {
	s := codegen.CacheInfo()
	switch {
	case env.Get(codegen.EnvCache) == "off":
		return finding{Part: "cache", Status: works, Found: "switched off by " + codegen.EnvCache}
	case s.Problem != nil:
		return finding{"cache", broken, s.Dir, s.Problem.Error(), "set " + codegen.EnvCache + " to a directory that can be written, or to off"}
	}
	return finding{Part: "cache", Status: works, Found: cacheLine(&s)}
}

// probe is launched on every device.
func probe(out []int32) {
	partial := dsl.Shared[[64]int32]()
	t := dsl.ThreadIdx().X
	partial[t] = int32(t)
	dsl.SyncThreads()
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = partial[63-t] + int32(dsl.BlockIdx().X)<<8
	}
}

var probeKernel = kernel.New(probe)

// checkCompile compiles the probe for one architecture of each vendor.
func checkCompile() []finding {
	var fs []finding
	for _, arch := range []string{"gfx942", "sm_90"} {
		f := finding{Part: arch, Status: works}
		m, err := target.For(arch, 0)
		if err != nil {
			panic(err) // heddle names them itself
		}
		start := time.Now()
		name, path, err := codegen.Backend(m.Kind)
		_, noLLVM := llvm.Open()
		obj, fault := probeKernel.Object(arch, 0)
		switch {
		case err == nil && fault == nil:
			f.Found = fmt.Sprintf("a kernel compiles to %s of %s, by %s (%s) in %s", obj.Kind, size(int64(len(obj.Code))), name, path, millis(start))
		case err != nil || noLLVM != nil:
			f.Status, f.Problem = missing, "no compiler for it"
		case codegen.Supports(m.Triple, m.CPU) != nil:
			f.Status, f.Problem, f.Fix = missing, codegen.Supports(m.Triple, m.CPU).Error(), llvm.Fix()
		default:
			f.Status, f.Problem = broken, fault.Error()
		}
		fs = append(fs, f)
	}
	return fs
}

func millis(start time.Time) string { return time.Since(start).Round(100 * time.Microsecond).String() }

// checkDevices launches the probe on every device.
func checkDevices() []finding {
	var fs []finding
	for _, p := range launch.Probes() {
		for i := range p.Devices {
			f := finding{Part: p.Devices[i].Name, Status: works, Found: describe(&p.Devices[i])}
			start := time.Now()
			if err := tryDevice(p.Devices[i].Name); err != nil {
				f.Status, f.Problem = broken, err.Error()
			} else {
				f.Found += "; a kernel runs, first launch in " + millis(start)
			}
			fs = append(fs, f)
		}
		if p.Problem != "" {
			f := finding{p.Kind, missing, "", p.Problem, p.Fix}
			if p.Library != "" {
				f.Found = p.Library + ":"
			}
			fs = append(fs, f)
		}
	}
	return fs
}

func tryDevice(name string) (err error) {
	dev, err := launch.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	host := make([]int32, 1000)
	out, err := launch.Alloc[int32](dev, len(host))
	if err != nil {
		return err
	}
	if err := probeKernel.Launch(dev.Stream(), launch.Linear(len(host), 64), out); err != nil {
		return err
	}
	if err := out.Download(host); err != nil {
		return err
	}
	for i, v := range host {
		if want := int32(63 - i%64 + i/64<<8); v != want {
			return fmt.Errorf("a kernel runs, and element %d is %d instead of %d", i, v, want)
		}
	}
	return nil
}
