//go:build !race

package amdemu

const detector = false
