//go:build matrixshared

package main

import "C"

// MatrixRun is the program as a C library has it.
//
//export MatrixRun
func MatrixRun() C.int {
	main()
	return 0
}
