//go:build !linux

package llvm

import "sync"

var one sync.Mutex

// threadID is one value for all: with exclusive, only one compile runs at a time.
func threadID() int { return 0 }

func exclusive() (unlock func()) {
	one.Lock()
	return one.Unlock
}
