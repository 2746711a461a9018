//go:build race

package kernel_test

// underRace: the test is built with Go's race detector.
const underRace = true
