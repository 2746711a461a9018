// Command run checks the corpus, and functions of a main package besides. The
// tests of package source build it in many modes.
package main

import (
	"embed"
	"flag"
	"fmt"
	"os"
	"os/exec"

	"heddle/internal/source"
	"heddle/internal/source/corpus/check"
	"heddle/internal/source/corpus/lib"
)

//go:embed *.go
var sources embed.FS

// F is a type of package main.
type F float32

func declared(x int) int { lib.ID("declared"); return x + 1 }

var global = func(x int) int { lib.ID("global"); return x + 1 }

func main() {
	embedded := flag.Bool("embedded", false, "use only the sources inside this binary")
	flag.Parse()
	c := &check.Checker{N: len(os.Args) - flag.NFlag() + 1, Origin: "go list", Out: os.Stdout}
	if *embedded {
		if _, err := exec.LookPath("go"); err == nil {
			fmt.Println("there is a go command")
			os.Exit(2)
		}
		source.RegisterCaller(sources, 0)
		if err := check.Register(); err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		c.Origin = "embedded"
	}
	n := c.N
	c.Check("declared", declared)
	c.Check("global", global)
	c.Check("literal", func(x int) int { lib.ID("literal"); return x + n }, "n", n)
	c.Check("reduce", lib.Reduce[F], check.Types("main.F"))
	c.Check("phantom", lib.Phantom[F, float32], check.Types("main.F,float32"))
	c.Check("adder", lib.MakeAdder(n), "a", n)
	if check.Run(os.Stdout, c.Origin, n)+c.Failures > 0 {
		os.Exit(1)
	}
}
