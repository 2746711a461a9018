//go:build !amd64 && !arm64

package simt

func frames(*stack) {}

const haveFrames = false
