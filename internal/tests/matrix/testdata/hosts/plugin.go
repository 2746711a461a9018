// Command plugin runs a Go plugin that lies beside it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"plugin"
)

func main() {
	exe, err := os.Executable()
	check(err)
	p, err := plugin.Open(filepath.Join(filepath.Dir(exe), "matrix"))
	check(err)
	f, err := p.Lookup("Main")
	check(err)
	f.(func())()
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
