package launch

import (
	"unsafe"

	"heddle/internal/driver"
)

// fillSeed is how many bytes Fill writes from the host before it lets the
// device double them.
const fillSeed = 4096

// bytesOf is the memory of a value.
func bytesOf[T any](v *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v)) }

// pattern is the smallest number of 1, 2 or 4 bytes that the value is made of, as the
// libraries set memory to; of other values size is 0.
func pattern(value []byte) (number uint32, size int) {
	for size = 1; size <= 4; size *= 2 {
		if len(value)%size == 0 && repeats(value, size) {
			for i := range size {
				number |= uint32(value[i]) << (8 * i)
			}
			return number, size
		}
	}
	return 0, 0
}

func repeats(value []byte, size int) bool {
	for i := size; i < len(value); i++ {
		if value[i] != value[i-size] {
			return false
		}
	}
	return true
}

// fill queues the setting of n elements at p to a value; s.mu is held.
func (s *Stream) fill(p unsafe.Pointer, value []byte, n int) error {
	all := n * len(value)
	if all == 0 {
		return nil
	}
	number, size := pattern(value)
	if size > 0 && uintptr(p)%uintptr(size) == 0 {
		if box, ok := s.drv.(driver.BoxCopier); ok {
			return s.vendor(box.FillRows(p, all, number, size, all/size, 1))
		}
	}
	seed := make([]byte, min(all, max(1, fillSeed/len(value))*len(value)))
	for i := copy(seed, value); i < len(seed); i *= 2 {
		copy(seed[i:], seed[:i])
	}
	s.keep = append(s.keep, unsafe.Pointer(&seed[0]))
	err := s.drv.CopyIn(p, unsafe.Pointer(&seed[0]), len(seed))
	for done := len(seed); done < all && err == nil; done *= 2 {
		err = s.drv.Copy(unsafe.Add(p, done), p, min(done, all-done))
	}
	return s.vendor(err)
}
