package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"heddle/kernel"
	"heddle/launch"
)

// This file is the side of heddle and of plain Go in the conversation that
// worker/worker.c describes.

// A language prepares works to run.
type language interface {
	// prepare returns what runs w once, and what brings its results to the host
	// and what ends it.
	prepare(w *work) (run, fetch, finish func() error, err error)
}

type plainGo struct{}

func nothing() error { return nil }

func (plainGo) prepare(w *work) (run, fetch, finish func() error, err error) {
	return func() error { w.plain(); return nil }, nothing, nothing, nil
}

type heddle struct {
	dev  *launch.Device
	opts kernel.Options
}

func (h heddle) prepare(w *work) (run, fetch, finish func() error, err error) {
	k, s := kernel.NewWith(w.kernel, h.opts), h.dev.Stream()
	var arrays []array
	args := make([]any, len(w.args))
	for i, arg := range w.args {
		args[i] = arg
		if a, ok := arg.(array); ok {
			if err := a.upload(h.dev); err != nil {
				return nil, nil, nil, err
			}
			args[i] = a.buffer()
			arrays = append(arrays, a)
		}
	}
	run = func() error {
		if err := k.Launch(s, w.cfg, args...); err != nil {
			return err
		}
		return s.Sync()
	}
	fetch = func() error { return each(w.results, array.download) }
	finish = func() error { return each(arrays, array.close) }
	return run, fetch, finish, nil
}

func each(arrays []array, f func(array) error) error {
	for _, a := range arrays {
		if err := f(a); err != nil {
			return err
		}
	}
	return nil
}

// serve answers commands from in, until there are no more.
func serve(part, device string, in io.Reader, out io.Writer) error {
	var lang language = plainGo{}
	about := fmt.Sprintf("%s, GOMAXPROCS=%d", runtime.Version(), runtime.GOMAXPROCS(0))
	if opts, ok := variants[part]; ok {
		dev, err := launch.Open(device)
		if err != nil {
			_, err = fmt.Fprintln(out, "error", err)
			return err
		}
		defer dev.Close()
		lang = heddle{dev, opts}
		about = fmt.Sprintf("%v, warps of %d, %s", dev, dev.Info().WarpSize, about)
	}
	fmt.Fprintln(out, "ok", about)
	s := &server{lang: lang}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		answer, err := s.answer(lines.Text())
		if err != nil {
			fmt.Fprintf(out, "error %.2000q\n", err.Error())
			continue
		}
		fmt.Fprintln(out, "ok"+answer)
	}
	return s.close()
}

type server struct {
	lang               language
	work               *work
	run, fetch, finish func() error
}

func (s *server) close() error {
	if s.work == nil {
		return nil
	}
	err := s.finish()
	s.work = nil
	runtime.GC()
	return err
}

func (s *server) answer(line string) (string, error) {
	var name, file string
	var n, ms, reps int
	switch {
	case line == "close":
		return "", s.close()
	case scans(line, "open %s %d", &name, &n):
		return "", s.open(name, n)
	case s.work != nil && scans(line, "time %d %d", &ms, &reps):
		return s.time(time.Duration(ms)*time.Millisecond, reps)
	case s.work != nil && scans(line, "save %s", &file):
		return "", s.save(file)
	}
	return "", fmt.Errorf("cannot do %q", line)
}

func scans(line, format string, into ...any) bool {
	_, err := fmt.Sscanf(line, format, into...)
	return err == nil
}

func (s *server) open(name string, n int) error {
	if err := s.close(); err != nil {
		return err
	}
	for _, b := range benches {
		if b.name != name {
			continue
		}
		w := b.make(n)
		var err error
		if s.run, s.fetch, s.finish, err = s.lang.prepare(w); err != nil {
			return err
		}
		s.work = w
		return s.run()
	}
	return fmt.Errorf("no kernel %s", name)
}

func (s *server) time(budget time.Duration, reps int) (string, error) {
	answer := ""
	for begin := time.Now(); reps > 0; reps-- {
		start := time.Now()
		if err := s.run(); err != nil {
			return "", err
		}
		answer += fmt.Sprintf(" %d", time.Since(start).Nanoseconds())
		if time.Since(begin) > budget {
			break
		}
	}
	return answer, nil
}

func (s *server) save(file string) error {
	if err := s.fetch(); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, r := range s.work.results {
		if _, err := f.Write(r.bytes()); err != nil {
			return err
		}
	}
	return f.Close()
}
