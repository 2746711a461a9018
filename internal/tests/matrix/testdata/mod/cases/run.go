// Package cases holds func values of every form that a kernel may have, and
// runs them: in the program at the module's root and in tests.
package cases

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var sources embed.FS

// n is the length of every kernel's argument.
const n = 8

func init() {
	if os.Getenv("MATRIX_EMBEDDED") != "" {
		kernel.Source(sources)
	}
}

// A Case makes one func value.
type Case struct {
	Name string
	// Make makes it anew, for one device: what it captures may be memory of it.
	Make func(dev *launch.Device) Value
	// Refused is what the error must mention, if the value is not to be found
	// or not to be compiled: why, and what to do.
	Refused []string
	// AtLaunch says that it may be compiled, and a launch is refused.
	AtLaunch bool
	// OrRight says that it may also be right.
	OrRight bool
}

// A Value is a kernel beside the func it was made of.
type Value struct {
	Kernel *kernel.Kernel
	// Steps change what the func captures; it is launched again after each.
	Steps  []func()
	plain  func() string
	launch func(dev *launch.Device) (string, error)
}

// Of makes a Value of a func that takes the results only.
func Of[T any](f func([]T)) Value { return With(kernel.New(f), f) }

// With is Of where the kernel has to be made in the case: its type arguments
// are spelled out there.
func With[T any](k *kernel.Kernel, f func([]T)) Value {
	return Launched(k, f, func(out *launch.Buffer[T]) []any { return []any{out} })
}

// Launched makes a Value of a kernel with arguments and a plain call of it.
func Launched[T any](k *kernel.Kernel, plain func([]T), args func(out *launch.Buffer[T]) []any) Value {
	return Value{
		Kernel: k,
		plain: func() string {
			out := make([]T, n)
			plain(out)
			return fmt.Sprint(out)
		},
		launch: func(dev *launch.Device) (string, error) {
			out := make([]T, n)
			buf, err := launch.Upload(dev, out)
			if err != nil {
				return "", err
			}
			defer buf.Close()
			if err := k.Launch(dev.Stream(), launch.Linear(1, 1), args(buf)...); err != nil {
				return "", err
			}
			err = buf.Download(out)
			return fmt.Sprint(out), err
		},
	}
}

// Then adds a step.
func (v Value) Then(step func()) Value {
	v.Steps = append(v.Steps, step)
	return v
}

// Run runs the cases on the devices and lowers them, and writes for each a line
//
//	name <tab> sim=ok <tab> cpu=ok <tab> ir=hash
//
// with an error in place of what is not ok; of a case that must be refused it is
//
//	name <tab> refused=ok
//
// and of a device that is not here
//
//	name <tab> cpu=none: why
//
// It returns how many cases failed. With MATRIX_COMPILE in the environment it
// does what compile does.
func Run(w io.Writer, cases []Case) (failed int) {
	if arch := os.Getenv("MATRIX_COMPILE"); arch != "" {
		return compile(w, cases, arch)
	}
	devices := map[string]*launch.Device{}
	missing := map[string]string{}
	for _, name := range []string{"sim", "cpu"} {
		if name == "cpu" && os.Getenv("MATRIX_CPU") == "off" {
			missing[name] = "none: switched off"
			continue
		}
		d, err := launch.Open(strings.ReplaceAll(name, "cpu", cmp.Or(instead, "cpu")))
		if err != nil {
			missing[name] = "none: " + err.Error()
			continue
		}
		defer d.Close()
		devices[name] = d
	}
	names := map[string]bool{}
	for _, c := range cases {
		if names[c.Name] {
			fmt.Fprintf(w, "two cases are called %s\n", c.Name)
			failed++
		}
		names[c.Name] = true
		row := []string{c.Name}
		add := func(what, result string) {
			row = append(row, what+"="+oneLine(result))
			if result != "ok" && !strings.HasPrefix(result, "none: ") && what != "ir" || strings.HasPrefix(result, "error: ") {
				failed++
			}
		}
		switch {
		case c.Refused != nil:
			add("refused", refused(c, devices))
		default:
			for _, name := range []string{"sim", "cpu"} {
				if d := devices[name]; d != nil {
					add(name, compare(c, d, devices["sim"]))
				} else {
					add(name, missing[name])
				}
			}
			add("ir", lowered(c.Make(devices["sim"]).Kernel))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return failed
}

// instead is a device to run on in the place of the cpu: cuda:0. Plain calls are
// then of func values that capture memory of the host.
var instead = os.Getenv("MATRIX_DEVICE")

// compile compiles the cases for an architecture, into the disk cache: all that
// a run on that architecture will launch. It writes a line "name <tab>
// compiled=ok" for each, and returns how many failed.
func compile(w io.Writer, cases []Case, arch string) (failed int) {
	dev, err := launch.Open("sim")
	if err != nil {
		fmt.Fprintln(w, err)
		return 1
	}
	defer dev.Close()
	for _, c := range cases {
		if c.Refused != nil && !c.AtLaunch && !c.OrRight {
			continue
		}
		v := c.Make(dev)
		_, err := v.Kernel.Object(arch, 0)
		if c.OrRight {
			err = nil // it may be refused
		}
		for _, step := range v.Steps {
			if err == nil {
				step()
				_, err = v.Kernel.Object(arch, 0)
			}
		}
		result := "ok"
		if err != nil {
			result = oneLine(err.Error())
			failed++
		}
		fmt.Fprintf(w, "%s\tcompiled=%s\n", c.Name, result)
	}
	return failed
}

// compare launches a case on a device, and says how that differs from plain calls.
func compare(c Case, dev, host *launch.Device) string {
	v := c.Make(dev)
	called := v
	if instead != "" {
		called = c.Make(host)
	}
	for i := range len(v.Steps) + 1 {
		if i > 0 {
			v.Steps[i-1]()
			if instead != "" {
				called.Steps[i-1]()
			}
		}
		want := called.plain()
		got, err := v.launch(dev)
		if err != nil {
			return fmt.Sprintf("launch %d: %v", i+1, err)
		}
		if got != want {
			return fmt.Sprintf("launch %d: %s, a plain call %s", i+1, got, want)
		}
	}
	return "ok"
}

// lowered is a hash of a kernel's IR.
func lowered(k *kernel.Kernel) string {
	var b bytes.Buffer
	if err := k.Dump(&b, "gfx942", 0, kernel.IR); err != nil {
		return "error: " + err.Error()
	}
	if dir := os.Getenv("MATRIX_DUMP"); dir != "" {
		name := strings.NewReplacer("/", "_", " ", "_").Replace(k.Name())
		os.WriteFile(fmt.Sprintf("%s/%s.%x.ll", dir, name, sha256.Sum256(b.Bytes())), b.Bytes(), 0o666)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:16]
}

// refused says whether a case is refused as it should be, by the compiler or at a
// launch on the cpu: with a place in the source, the reason, and what to do.
func refused(c Case, devices map[string]*launch.Device) string {
	err := c.Make(devices["sim"]).Kernel.Dump(io.Discard, "gfx942", 0, kernel.IR)
	if dev := devices["cpu"]; err == nil && c.AtLaunch {
		if dev == nil {
			return "none: no cpu device"
		}
		_, err = c.Make(dev).launch(dev)
	}
	switch {
	case err == nil && c.OrRight:
		for _, dev := range devices {
			if result := compare(c, dev, devices["sim"]); result != "ok" {
				return result
			}
		}
		return "ok"
	case err == nil:
		return "not refused"
	case !aPlace.MatchString(err.Error()):
		return fmt.Sprintf("the error names no place: %v", err)
	}
	for _, part := range c.Refused {
		if !strings.Contains(err.Error(), part) {
			return fmt.Sprintf("the error does not mention %q: %v", part, err)
		}
	}
	return "ok"
}

var aPlace = regexp.MustCompile(`\.go:\d+`)

func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", " ", "\r", "").Replace(s)
}
