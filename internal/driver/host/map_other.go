//go:build !linux

package host

// mapPages returns no bytes: Go memory serves.
func mapPages(int) (mapping, bytes []byte, err error) { return nil, nil, nil }

// unmapPages undoes mapPages.
func unmapPages([]byte) error { return nil }
