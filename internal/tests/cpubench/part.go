package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// A part is a running program that has the kernels in one language.
type part struct {
	name, about string
	cmd         *exec.Cmd
	in          io.WriteCloser
	out         *bufio.Reader
}

// begin starts a part; what it cannot do here is the error.
func begin(name string, cmd *exec.Cmd) (*part, error) {
	p := &part{name: name, cmd: cmd}
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if p.about, err = p.answer(); err != nil {
		p.end()
		return nil, err
	}
	return p, nil
}

func (p *part) answer() (string, error) {
	line, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the program ended: %w", err)
	}
	line = strings.TrimSpace(line)
	if text, bad := strings.CutPrefix(line, "error "); bad {
		if plain, err := strconv.Unquote(text); err == nil {
			text = plain
		}
		return "", errors.New(text)
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "ok")), nil
}

// ask sends a command and returns the answer.
func (p *part) ask(format string, args ...any) (string, error) {
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		return "", err
	}
	return p.answer()
}

// time returns the nanoseconds of each of up to reps runs in ms milliseconds.
func (p *part) time(ms, reps int) ([]float64, error) {
	text, err := p.ask("time %d %d", ms, reps)
	if err != nil {
		return nil, err
	}
	var took []float64
	for _, word := range strings.Fields(text) {
		ns, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, err
		}
		took = append(took, ns)
	}
	return took, nil
}

func (p *part) end() {
	p.in.Close()
	p.cmd.Wait() // the program has said what it had to say
}
