//go:build !race

package kernel_test

const underRace = false
