package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A difference is a kernel that a device does not run as gc's code.
type difference struct {
	kernel, device string
	text           string // in one line
	all            string // all that the test printed
	wrong          bool   // a result differs, or an error is reported: the process did not end
	optimised      bool   // only the code that gc has optimised is otherwise
}

// device runs a batch's program on one device. n is how many kernels ran, 0 where
// there is no such device. A kernel that takes the process down, or compiles for
// too long, is left out the next time.
func (s *soak) device(program, name string) (n int, found []difference, err error) {
	var without []string
	for {
		out, failed, late := s.execute(program, name, "-skip="+strings.Join(without, ","))
		if strings.Contains(out, "--- SKIP: TestDevices/"+name) {
			return 0, nil, nil
		}
		ran, differ, last := results(out, name)
		if !failed || strings.Contains(out, "\n--- FAIL: TestDevices (") {
			return ran + len(without), append(found, differ...), nil
		}
		if late && last == "" {
			return ran, append(found, differ...), nil
		}
		if last == "" { // while compiling
			if last = s.culprit(program, name, out); last == "" {
				return ran, append(found, difference{kernel: "batch", device: name, text: "the process ends: " + firstLine(out), all: out}), nil
			}
		}
		if !late {
			found = append(found, difference{kernel: last, device: name, text: "the process ends: " + firstLine(tail(out, name)), all: out})
		}
		without = append(without, last)
	}
}

// longest is how long a program of kernels may run. One of a kernel that is being made small takes seconds, but where loops of a variant have no end.
func (s *soak) longest() time.Duration {
	if s.reduce {
		return 2 * time.Minute
	}
	return 24 * time.Hour
}

// execute runs a program of kernels on a device. late says that it was stopped.
func (s *soak) execute(program, name string, more ...string) (out string, failed, late bool) {
	args := append([]string{"-test.run=^TestDevices$", "-test.v", "-test.timeout=0", "-fixed=false", "-slow=" + s.slow, "-devices=" + name, "-form=" + s.form, "-checks=" + strconv.FormatBool(s.checks)}, more...)
	ctx, cancel := context.WithTimeout(context.Background(), s.longest())
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = filepath.Join(s.root, "internal", "tests", "fuzz")
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	return b.String(), err != nil, ctx.Err() != nil
}

var result = regexp.MustCompile(`(?m)^ *(=== RUN|--- PASS:|--- FAIL:) +TestDevices/(\S+)/(k\w+|r\w+)`)

// results reads what a test printed. last is the kernel that was begun and not
// ended, or that compiled for too long, if any.
func results(out, device string) (n int, found []difference, last string) {
	lines := strings.Split(out, "\n")
	for i, line := range lines {
		m := result.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch m[1] {
		case "=== RUN":
			last = m[3]
			continue
		case "--- FAIL:":
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "compiles for") {
				return n, found, m[3]
			}
			all := texts(lines, m[3])
			found = append(found, difference{kernel: m[3], device: device, text: firstLine(all), all: all, wrong: true})
		}
		n++
		if m[3] == last {
			last = ""
		}
	}
	return n, found, last
}

// texts are the lines that a kernel's test printed: with -test.v, those below its
// === RUN line.
func texts(lines []string, kernel string) string {
	var all []string
	in := false
	for _, line := range lines {
		switch m := result.FindStringSubmatch(line); {
		case m != nil:
			in = m[3] == kernel && m[1] != "--- PASS:"
		case in && !strings.HasPrefix(strings.TrimSpace(line), "---") && strings.TrimSpace(line) != "":
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}

// culprit is the kernel that, run alone, ends the process.
func (s *soak) culprit(program, device, out string) string {
	for _, name := range s.all(program) {
		if text, failed, _ := s.execute(program, device, "-only="+name); failed && !strings.Contains(text, "\n--- FAIL: TestDevices (") {
			return name
		}
	}
	return ""
}

// all are the names of a program's kernels.
func (s *soak) all(program string) (names []string) {
	out, _, _ := s.execute(program, "sim")
	for _, line := range strings.Split(out, "\n") {
		if m := result.FindStringSubmatch(line); m != nil && m[1] == "=== RUN" {
			names = append(names, m[3])
		}
	}
	return names
}

// tail is what was printed last, from a panic or a fault on if there is one.
func tail(out, device string) string {
	for _, sign := range []string{"\npanic: ", "\nfatal error: ", "\nSIG", "\ncompiles for", "\nLLVM ERROR"} {
		if i := strings.LastIndex(out, sign); i >= 0 {
			return out[i+1:]
		}
	}
	return out[strings.LastIndex(strings.TrimRight(out, "\n"), "\n")+1:]
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if _, text, ok := strings.Cut(s, "_test.go:"); ok { // the place in the test says nothing
		s = text[strings.Index(text, " ")+1:]
	}
	if len(s) > 160 {
		s = s[:160] + "..."
	}
	return s
}
