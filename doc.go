// Package heddle is the root of the module; it has no code. Programs import
// heddle/kernel, heddle/launch and heddle/dsl: package kernel's documentation is
// the place to start.
package heddle
