// Package dlpack passes device memory to and from other libraries as DLPack tensors: PyTorch,
// JAX, CuPy and TVM speak it. A [ManagedTensor] is C's DLManagedTensor, field by field, and its
// address is what a "dltensor" capsule holds.
//
//	t, err := dlpack.Export(b, 480, 640)          // b is the tensor's from now on
//	b, shape, err := dlpack.Import[float32](dev, t) // nothing is copied
//
// No C is needed: the deleter of an exported tensor is a callback that purego makes.
package dlpack

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/launch"
	"heddle/vector"
)

// A DeviceType is DLDeviceType: whose memory a tensor is in.
type DeviceType int32

// The device types of heddle's devices.
const (
	CPU         DeviceType = 1
	CUDA        DeviceType = 2
	CUDAHost    DeviceType = 3 // pinned
	ROCm        DeviceType = 10
	ROCmHost    DeviceType = 11
	CUDAManaged DeviceType = 13
)

// A Device is DLDevice.
type Device struct {
	Type DeviceType
	ID   int32
}

// A DataType is DLDataType: Bits of one lane, and the lanes of an element.
type DataType struct {
	Code  uint8 // 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool
	Bits  uint8
	Lanes uint16
}

// A Tensor is DLTensor. Shape and Strides point to NDim numbers; Strides is nil where rows
// have no gaps.
type Tensor struct {
	Data       unsafe.Pointer
	Device     Device
	NDim       int32
	DType      DataType
	Shape      *int64
	Strides    *int64
	ByteOffset uint64
}

// A ManagedTensor is DLManagedTensor. Who has it calls Deleter, a C function of its address,
// once when it is no longer used ([ManagedTensor.Delete]).
type ManagedTensor struct {
	Tensor     Tensor
	ManagerCtx unsafe.Pointer
	Deleter    uintptr
}

// exported are the tensors that Export made and whose deleter was not called.
var exported struct {
	sync.Mutex
	all map[*ManagedTensor]func() error
}

// deleter is C's address of the deleter of exported tensors.
var deleter = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(t *ManagedTensor) uintptr {
		forget(t)
		return 0
	})
})

// forget closes an exported tensor's Buffer.
func forget(t *ManagedTensor) {
	exported.Lock()
	free := exported.all[t]
	delete(exported.all, t)
	exported.Unlock()
	if free != nil {
		_ = free() // the other library cannot take an error; the device's next call returns it
	}
}

// Export makes a tensor of a shape of b's memory, without a copy; without a shape it is b's
// length. The tensor owns b: its deleter closes it, and until then b stays as it is. Work with b
// must have ended, or the other library's must be ordered behind it by an event.
func Export[T any](b *launch.Buffer[T], shape ...int) (*ManagedTensor, error) {
	if b.Len() == 0 {
		return nil, fmt.Errorf("dlpack: Export of an empty or nil Buffer")
	}
	at := b.Device()
	if at == nil {
		return nil, fmt.Errorf("dlpack: Export: %v is closed", b)
	}
	t := reflect.TypeFor[T]()
	dtype, ok := typeOf(t)
	if !ok {
		return nil, fmt.Errorf("dlpack: Export of %s: DLPack has numbers and bools", t)
	}
	if len(shape) == 0 {
		shape = []int{b.Len()}
	}
	dims, n := make([]int64, len(shape)), 1
	for i, d := range shape {
		if d < 1 || n > b.Len()/d {
			return nil, fmt.Errorf("dlpack: Export of %d elements as a shape of %v", b.Len(), shape)
		}
		dims[i] = int64(d)
		n *= d
	}
	if n != b.Len() {
		return nil, fmt.Errorf("dlpack: Export of %d elements as a shape of %v, which has %d", b.Len(), shape, n)
	}
	m := &ManagedTensor{Tensor: Tensor{
		Data: unsafe.Pointer(&at[0]), Device: deviceOf(b.On().Name(), b.Kind()),
		NDim: int32(len(dims)), DType: dtype, Shape: &dims[0],
	}, Deleter: deleter()}
	exported.Lock()
	defer exported.Unlock()
	if exported.all == nil {
		exported.all = map[*ManagedTensor]func() error{}
	}
	exported.all[m] = b.Close // which keeps b, too
	return m, nil
}

// Delete calls the tensor's deleter, of whoever made it; of a nil one nothing.
func (t *ManagedTensor) Delete() {
	exported.Lock()
	_, own := exported.all[t]
	exported.Unlock()
	switch {
	case own:
		forget(t)
	case t != nil && t.Deleter != 0:
		purego.SyscallN(t.Deleter, uintptr(unsafe.Pointer(t)))
	}
}

// Import returns a Buffer of a tensor's memory, without a copy, and the tensor's shape. It owns
// the tensor: closing the Buffer calls the deleter. The tensor must be on d, have T's type, and be
// without gaps. Where there is an error, the tensor is still the caller's.
func Import[T any](d *launch.Device, t *ManagedTensor) (*launch.Buffer[T], []int, error) {
	if t == nil {
		return nil, nil, fmt.Errorf("dlpack: Import of no tensor")
	}
	elem := reflect.TypeFor[T]()
	dtype, ok := typeOf(elem)
	if !ok || dtype != t.Tensor.DType {
		return nil, nil, fmt.Errorf("dlpack: Import of a tensor of %v as %s, which is %v", t.Tensor.DType, elem, dtype)
	}
	if err := reach(d.Name(), t.Tensor.Device); err != nil {
		return nil, nil, err
	}
	shape, n, err := t.Tensor.shape()
	if err != nil {
		return nil, nil, err
	}
	b, err := launch.Wrap[T](d, unsafe.Add(t.Tensor.Data, t.Tensor.ByteOffset), n, func() error { t.Delete(); return nil })
	return b, shape, err
}

// shape is the tensor's shape and number of elements.
func (t *Tensor) shape() ([]int, int, error) {
	if t.NDim < 0 || t.NDim > 64 || t.NDim > 0 && t.Shape == nil {
		return nil, 0, fmt.Errorf("dlpack: a tensor of %d dimensions", t.NDim)
	}
	shape, n := make([]int, t.NDim), 1
	for i, d := range unsafe.Slice(t.Shape, t.NDim) {
		if d < 0 || d > 0 && int64(n) > (1<<62)/d {
			return nil, 0, fmt.Errorf("dlpack: a tensor whose dimension %d is %d", i, d)
		}
		shape[i] = int(d)
		n *= int(d)
	}
	if t.Strides == nil {
		return shape, n, nil
	}
	want := int64(1)
	strides := unsafe.Slice(t.Strides, t.NDim)
	for i := len(shape) - 1; i >= 0; i-- {
		if shape[i] != 1 && strides[i] != want {
			return nil, 0, fmt.Errorf("dlpack: a tensor of shape %v with strides %v has gaps; make it contiguous first", shape, strides)
		}
		want *= int64(shape[i])
	}
	return shape, n, nil
}

var codes = map[reflect.Kind]uint8{
	reflect.Int8: 0, reflect.Int16: 0, reflect.Int32: 0, reflect.Int64: 0, reflect.Int: 0,
	reflect.Uint8: 1, reflect.Uint16: 1, reflect.Uint32: 1, reflect.Uint64: 1, reflect.Uint: 1,
	reflect.Float32: 2, reflect.Float64: 2, reflect.Complex64: 5, reflect.Complex128: 5, reflect.Bool: 6,
}

// typeOf is the data type of elements.
func typeOf(t reflect.Type) (DataType, bool) {
	code, ok := codes[t.Kind()]
	switch t {
	case reflect.TypeFor[vector.Half]():
		code, ok = 2, true
	case reflect.TypeFor[vector.BFloat16]():
		code, ok = 4, true
	}
	return DataType{code, uint8(8 * t.Size()), 1}, ok
}

// deviceOf is the DLPack device of a heddle device.
func deviceOf(name string, kind launch.MemoryKind) Device {
	vendor, id, _ := strings.Cut(name, ":")
	n, _ := strconv.Atoi(id)
	host := kind == launch.PinnedMemory || kind == launch.RegisteredMemory
	switch {
	case vendor == "cuda" && host:
		return Device{CUDAHost, int32(n)}
	case vendor == "cuda" && kind == launch.ManagedMemory:
		return Device{CUDAManaged, int32(n)}
	case vendor == "cuda":
		return Device{CUDA, int32(n)}
	case vendor == "hip" && host:
		return Device{ROCmHost, int32(n)}
	case vendor == "hip":
		return Device{ROCm, int32(n)}
	}
	return Device{CPU, 0}
}

// reach says whether the device called name can use memory of d.
func reach(name string, d Device) error {
	own := deviceOf(name, launch.DeviceMemory)
	host := map[DeviceType]DeviceType{CUDAHost: CUDA, CUDAManaged: CUDA, ROCmHost: ROCm}
	if d == own || host[d.Type] == own.Type && own.Type != CPU || own.Type == CPU && d.Type == CPU {
		return nil
	}
	return fmt.Errorf("dlpack: Import of a tensor on device %d of type %d; %s is device %d of type %d", d.ID, d.Type, name, own.ID, own.Type)
}
