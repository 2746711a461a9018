// Command life plays Conway's game of life on a torus: a cell lives on with two or three living neighbours,
// and is born with three. The two generations change places after each launch.
//
//	go run ./examples/life -watch
package main

import (
	"bytes"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const width, height = 48, 22

// cell is the next state of a cell. It is an ordinary Go function: kernels and the host call it.
func cell(now []uint8, x, y int) uint8 {
	alive := uint8(0)
	for dy := height - 1; dy <= height+1; dy++ {
		for dx := width - 1; dx <= width+1; dx++ {
			alive += now[(y+dy)%height*width+(x+dx)%width]
		}
	}
	if alive == 3 || alive == 4 && now[y*width+x] == 1 { // the cell itself is counted
		return 1
	}
	return 0
}

// Step makes the next generation.
func Step(next, now []uint8) {
	if p := dsl.GlobalIdx(); p.X < width && p.Y < height {
		next[p.Y*width+p.X] = cell(now, p.X, p.Y)
	}
}

var step = kernel.New(Step)

// gun makes a glider every 30 generations (Bill Gosper, 1970).
const gun = `
........................O
......................O.O
............OO......OO............OO
...........O...O....OO............OO
OO........O.....O...OO
OO........O...O.OO....O.O
..........O.....O.......O
...........O...O
............OO`

// begin is the first generation.
func begin() []uint8 {
	cells := make([]uint8, width*height)
	for y, line := range strings.Split(strings.TrimPrefix(gun, "\n"), "\n") {
		for x, c := range line {
			if c == 'O' {
				cells[(y+1)*width+x+1] = 1
			}
		}
	}
	return cells
}

// onHost is a generation as the host makes it.
func onHost(generations int) []uint8 {
	now := begin()
	for range generations {
		next := make([]uint8, len(now))
		for i := range next {
			next[i] = cell(now, i%width, i/width)
		}
		now = next
	}
	return now
}

// show prints a generation.
func show(w io.Writer, cells []uint8) {
	for y := range height {
		line := strings.NewReplacer("\x00", ".", "\x01", "O").Replace(string(cells[y*width:][:width]))
		fmt.Fprintln(w, line)
	}
}

var watch = flag.Bool("watch", false, "go on and on, in the terminal")

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	now, err := launch.Upload(dev, begin())
	if err != nil {
		return err
	}
	next, err := launch.Alloc[uint8](dev, width*height)
	if err != nil {
		return err
	}
	cells := make([]uint8, width*height)
	for i := 1; ; i++ {
		if err := step.Launch(dev.Stream(), launch.Grid2D(width, height, 16, 8), next, now); err != nil {
			return err
		}
		now, next = next, now
		if *watch {
			if err := now.Download(cells); err != nil {
				return err
			}
			fmt.Fprint(w, "\x1b[H\x1b[2J") // to the top left corner of an empty terminal
			show(w, cells)
			time.Sleep(50 * time.Millisecond)
		} else if i == 30 {
			break
		}
	}
	if err := now.Download(cells); err != nil {
		return err
	}
	if !bytes.Equal(cells, onHost(30)) {
		return errors.New("other cells live than on the host")
	}
	show(w, cells)
	fmt.Fprintln(w, "after 30 generations", bytes.Count(cells, []byte{1}), "cells live")
	return nil
}

func main() {
	flag.Parse()
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
