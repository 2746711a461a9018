package main

import (
	"os"

	"heddle/internal/tests/bench/kernels"
	"heddle/kernel"
)

func main() {
	if err := kernel.New(kernels.Marching).Dump(os.Stdout, "gfx1100", 0, kernel.SSA); err != nil {
		panic(err)
	}
}
