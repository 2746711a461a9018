// Package arrow lets kernels work on the numbers of Apache Arrow arrays without a copy: the
// values of an array are locked in memory as they lie ([launch.Register]), an [Allocator] lets
// Arrow's builders make them in page-locked memory from the start, and [FromBuffer] makes an array of
// memory that a kernel has written.
//
//	values, err := arrow.Values(dev, column) // of an *array.Float32
//	err = scale.Launch(s, cfg, values, float32(2))
//
// Arrow's arrays are not to be changed: a kernel that writes into one changes it for all who
// have it.
package arrow

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	arr "github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"heddle/launch"
)

// A Number is an element of the arrays that kernels can use.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// An Array is one of Arrow's arrays of numbers, *array.Float32 say.
type Array[T Number] interface {
	arr.Array
	Values() []T
}

// Values locks the values of an array for as long as the Buffer that it returns is open, which
// is also as long as the array stays: a null has some value, and [Valid] says which are null. Small arrays
// may share a page, which can be locked once: then take launch.Upload(dev, a.Values()).
func Values[T Number](d *launch.Device, a Array[T]) (*launch.Buffer[T], error) {
	v := a.Values()
	if len(v) == 0 {
		return nil, fmt.Errorf("arrow: Values of an array of no elements")
	}
	return launch.Register(d, v)
}

// Valid is an array's bitmap as device memory, a copy: element i is valid if bit (i+offset)%8 of
// byte (i+offset)/8 is 1. Without nulls all bits are.
func Valid(d *launch.Device, a arr.Array) (bits *launch.Buffer[uint8], offset int, err error) {
	offset = a.Data().Offset()
	bytes := (a.Len() + offset + 7) / 8
	bitmap := a.NullBitmapBytes()
	if len(bitmap) < bytes {
		bitmap = make([]byte, bytes)
		for i := range bitmap {
			bitmap[i] = 0xff
		}
	}
	bits, err = launch.Upload(d, bitmap[:bytes])
	return bits, offset, err
}

var types = sync.OnceValue(func() map[reflect.Type]arr.DataType {
	return map[reflect.Type]arr.DataType{
		reflect.TypeFor[int8]():    arr.PrimitiveTypes.Int8,
		reflect.TypeFor[int16]():   arr.PrimitiveTypes.Int16,
		reflect.TypeFor[int32]():   arr.PrimitiveTypes.Int32,
		reflect.TypeFor[int64]():   arr.PrimitiveTypes.Int64,
		reflect.TypeFor[uint8]():   arr.PrimitiveTypes.Uint8,
		reflect.TypeFor[uint16]():  arr.PrimitiveTypes.Uint16,
		reflect.TypeFor[uint32]():  arr.PrimitiveTypes.Uint32,
		reflect.TypeFor[uint64]():  arr.PrimitiveTypes.Uint64,
		reflect.TypeFor[float32](): arr.PrimitiveTypes.Float32,
		reflect.TypeFor[float64](): arr.PrimitiveTypes.Float64,
	}
})

// FromBuffer is the memory of a Buffer that the host has too (pinned, managed, registered) as an
// array without nulls, and without a copy. The Buffer has to stay open as long as the array is used,
// and work that writes it has ended. Of other memory, Download it first.
func FromBuffer[T Number](b *launch.Buffer[T]) (arr.Array, error) {
	v := b.Host()
	if v == nil {
		return nil, fmt.Errorf("arrow: FromBuffer: the host has no address of %v; make it with launch.NewPinned", b)
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
	data := array.NewData(types()[reflect.TypeFor[T]()], len(v), []*memory.Buffer{nil, memory.NewBufferBytes(bytes)}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data), nil
}

// An Allocator gives Arrow page-locked memory of a device: pass it to the builders of package array. What
// they build with it is the device's already, and [BufferOf] finds it.
type Allocator struct {
	dev *launch.Device

	mu   sync.Mutex
	open map[*byte]*launch.Buffer[byte]
}

var _ memory.Allocator = (*Allocator)(nil)

// NewAllocator returns an allocator of the device's page-locked memory.
func NewAllocator(d *launch.Device) *Allocator {
	return &Allocator{dev: d, open: map[*byte]*launch.Buffer[byte]{}}
}

// Allocate implements memory.Allocator, which has no errors: it panics where there is no memory.
func (a *Allocator) Allocate(size int) []byte {
	if size == 0 {
		return nil
	}
	b, err := launch.NewPinned[byte](a.dev, size)
	if err != nil {
		panic(err)
	}
	host := b.Host()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open[&host[0]] = b
	return host
}

// Reallocate implements memory.Allocator.
func (a *Allocator) Reallocate(size int, old []byte) []byte {
	if cap(old) >= size && size > 0 {
		return old[:size]
	}
	b := a.Allocate(size)
	copy(b, old)
	a.Free(old)
	return b
}

// Free implements memory.Allocator.
func (a *Allocator) Free(v []byte) {
	if cap(v) == 0 {
		return
	}
	key := &v[:1][0]
	a.mu.Lock()
	b := a.open[key]
	delete(a.open, key)
	a.mu.Unlock()
	_ = b.Close() // its error comes back from the device's next call
}

// BufferOf is the Buffer of an array whose values the Allocator has made: the values
// themselves, for a kernel. Closing it leaves the array as it is.
func BufferOf[T Number](a *Allocator, of Array[T]) (*launch.Buffer[T], error) {
	v := of.Values()
	if len(v) == 0 {
		return nil, fmt.Errorf("arrow: BufferOf an array of no elements")
	}
	at := uintptr(unsafe.Pointer(&v[0]))
	a.mu.Lock()
	defer a.mu.Unlock()
	for first, b := range a.open {
		if off := at - uintptr(unsafe.Pointer(first)); off < uintptr(b.Len()) {
			size := int(unsafe.Sizeof(v[0]))
			return launch.View[T](b.Slice(int(off), int(off)+len(v)*size))
		}
	}
	return nil, fmt.Errorf("arrow: BufferOf: the array was not made with this Allocator; use Values")
}
