package emu

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"heddle/internal/amdemu"
)

// This file implements the options trace and stats.

// A recorder writes what the options ask for. Devices that are opened with the
// same options share one.
type recorder struct {
	options
	mu     sync.Mutex
	traced bool // a launch has been
}

var recorders = struct {
	sync.Mutex
	by map[options]*recorder
}{by: map[options]*recorder{}}

// record is the recorder of these options. Its files are empty at first.
func record(o options) (*recorder, error) {
	recorders.Lock()
	defer recorders.Unlock()
	if r := recorders.by[o]; r != nil {
		return r, nil
	}
	for key, name := range map[string]string{"trace": o.trace, "stats": o.stats} {
		if name == "" || name == "-" {
			continue
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			return nil, fmt.Errorf("%s: option %s: %w", Env, key, err)
		}
	}
	r := &recorder{options: o}
	recorders.by[o] = r
	return r, nil
}

// run runs a launch, and records it.
func (r *recorder) run(f *function, c amdemu.Config) error {
	t, err := r.begin(f, &c)
	if err != nil {
		return err
	}
	stats, err := f.kernel.Run(c)
	return errors.Join(err, t.end(err), r.count(f, &c, stats))
}

// count writes the line of stats.
func (r *recorder) count(f *function, c *amdemu.Config, s *amdemu.Stats) error {
	if r.stats == "" || s == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w, err := open(r.stats)
	if err != nil {
		return err
	}
	w.printf("%s on %s, grid %v, block %v: %v\n", f.object.Name, f.engine.info.Name, c.Grid, c.Block, s)
	return w.close()
}

// A file is what records are appended to.
type file struct {
	*bufio.Writer
	file *os.File
}

// open opens a file, "-" for standard error.
func open(name string) (*file, error) {
	if name == "-" {
		return &file{bufio.NewWriter(os.Stderr), nil}, nil
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Env, err)
	}
	return &file{bufio.NewWriter(f), f}, nil
}

// printf writes; close returns what goes wrong.
func (f *file) printf(format string, args ...any) { fmt.Fprintf(f, format, args...) }

func (f *file) close() error {
	err := f.Flush()
	if f.file != nil {
		err = errors.Join(err, f.file.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Env, err)
	}
	return nil
}

// A tracer writes the trace of one wave.
type tracer struct {
	*file
	kernel  string
	digits  int // of an exec mask
	most    int // lines, 0: all
	lines   int
	count   int                 // instructions
	at      string              // the place that was written last
	sources map[string][]string // lines of files
}

// begin makes the launch traced if it is the one to trace, else it returns nil.
func (r *recorder) begin(f *function, c *amdemu.Config) (*tracer, error) {
	size := f.kernel.WaveSize()
	waves := (c.Block[0]*c.Block[1]*c.Block[2] + size - 1) / size
	if r.trace == "" || !strings.Contains(f.object.Name, r.kernel) || r.wave >= waves {
		return nil, nil
	}
	for i, n := range r.block {
		if n >= c.Grid[i] {
			return nil, nil
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.traced {
		return nil, nil
	}
	r.traced = true
	w, err := open(r.trace)
	if err != nil {
		return nil, err
	}
	t := &tracer{file: w, kernel: f.object.Name, most: r.lines, digits: size / 4, sources: map[string][]string{}}
	t.printf("%s on %s, wave %d of block %v, grid %v of blocks %v\n", f.object.Name, f.engine.info.Name, r.wave, r.block, c.Grid, c.Block)
	t.printf("  %-*s %-7s %-47s %s\n", t.digits, "exec", "pc", "instruction", "what it wrote")
	c.Trace = &amdemu.Trace{Block: r.block, Wave: r.wave, Step: t.step}
	return t, nil
}

// step writes an instruction, and its line of Go where that is another than the
// last one's.
func (t *tracer) step(s *amdemu.Step) bool {
	if place := t.place(s.Positions); place != t.at && place != "" {
		t.at = place
		t.printf("%s\n", place)
		if t.lines++; t.lines == t.most {
			return false
		}
	}
	var written strings.Builder
	for _, r := range s.Written {
		written.WriteString(" " + r.String())
	}
	line := fmt.Sprintf("  %0*x 0x%04x  %-48s%s", t.digits, s.Exec, s.PC, s.Text, written.String())
	t.printf("%s\n", strings.TrimRight(line, " "))
	t.lines++
	t.count++
	return t.lines != t.most
}

// place is "saxpy.go:12: y[i] += a * x[i]", with the calls that are inlined.
func (t *tracer) place(all []amdemu.Position) string {
	if len(all) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s:%d: %s", filepath.Base(all[0].File), all[0].Line, t.source(all[0]))
	for _, p := range all[1:] {
		if p.Function == t.kernel {
			break // the entry, which calls the Go function
		}
		text += fmt.Sprintf("  (called at %s:%d)", filepath.Base(p.File), p.Line)
	}
	return strings.TrimRight(text, " ")
}

// source is a line of a file, "" if it cannot be read.
func (t *tracer) source(p amdemu.Position) string {
	all, ok := t.sources[p.File]
	if !ok {
		if text, err := os.ReadFile(p.File); err == nil {
			all = strings.Split(string(text), "\n")
		}
		t.sources[p.File] = all
	}
	if p.Line > len(all) {
		return ""
	}
	return strings.TrimSpace(all[p.Line-1])
}

// end ends the trace of a launch that ended with err.
func (t *tracer) end(err error) error {
	switch {
	case t == nil:
		return nil
	case t.most > 0 && t.lines == t.most:
		t.printf("cut after %d lines\n", t.lines)
	case err != nil:
		t.printf("the launch failed: %v\n", err)
	default:
		t.printf("%d instructions\n", t.count)
	}
	return t.close()
}
