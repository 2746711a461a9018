//go:build matrixplugin

package main

// Main is the program as a plugin has it.
func Main() { main() }
