// Package printing tests what kernels print, on all devices: package launch's own tests have no
// emulator in their program.
package printing
