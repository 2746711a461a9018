//go:build !cgo || !matrixcgo

package cases

var compiled []Case
