package launch

import (
	"context"
	"reflect"
	"runtime"
	"unsafe"

	"heddle/internal/errs"
)

// Upload copies src, which must be as long as b, to the device. It waits for
// the work that uses b, and returns its errors instead of copying (hipMemcpy).
// src may be device memory, as [Upload] says.
func (b *Buffer[T]) Upload(src []T) error { return b.UploadContext(context.Background(), src) }

// copyIn copies src to the start of b and waits for that; no work uses b.
func (b *Buffer[T]) copyIn(ctx context.Context, src []T) error {
	n := sizeOf(src)
	if n == 0 {
		return nil
	}
	from, err := operandOf(ctx, "Upload", src)
	if err != nil {
		return err
	}
	defer from.leave()
	switch {
	case from.dev == nil:
		err = b.checkValues(src)
	case from.host && overlap(b.ptr, from.at, n):
		return from.copy(b.ptr, from.at, n)
	case from.host:
		err = b.checkValues(src)
	case from.dev != b.dev:
		if src, err = staged[T](from, len(src)); err == nil {
			err = b.checkValues(src)
		}
	default:
		return from.copy(b.ptr, unsafe.Pointer(&src[0]), n)
	}
	if err != nil {
		return err
	}
	err = b.dev.service.CopyIn(b.ptr, unsafe.Pointer(&src[0]), n)
	if err == nil {
		err = b.dev.service.Sync()
	}
	runtime.KeepAlive(src)
	return b.dev.vendor(err)
}

// Download copies b to dst, which must be as long. It waits for the work that
// uses b; if that failed, it copies nothing and returns (and so clears) the
// error: a *[KernelPanic], say. dst may be device memory, as the source of
// [Upload] may.
func (b *Buffer[T]) Download(dst []T) error { return b.DownloadContext(context.Background(), dst) }

// copyOut copies b to dst and waits for that; no work uses b.
func (b *Buffer[T]) copyOut(ctx context.Context, dst []T) error {
	n := sizeOf(dst)
	if n == 0 {
		return nil
	}
	to, err := operandOf(ctx, "Download", dst)
	if err != nil {
		return err
	}
	defer to.leave()
	if to.dev == b.dev && (!to.host || overlap(to.at, b.ptr, n)) {
		return to.copy(unsafe.Pointer(&dst[0]), b.ptr, n)
	}
	host := dst
	if to.dev != nil && !to.host {
		host = make([]T, len(dst))
	}
	err = b.dev.service.CopyOut(unsafe.Pointer(&host[0]), b.ptr, n)
	if err == nil {
		err = b.dev.service.Sync()
	}
	runtime.KeepAlive(host)
	if err != nil || to.dev == nil || to.host {
		return b.dev.vendor(err)
	}
	return to.put(unsafe.Pointer(&host[0]), n, func() error { return checkValues(to.dev, host) })
}

// UploadAsync queues a copy of src, which must be as long as b, on s and may
// return before it is done: src must not change until s has been waited for
// (hipMemcpyAsync). src may be memory of the same device.
//
// From page-locked memory (the Host of [NewPinned], what [Register] was given) it returns at
// once, and the copy goes on beside kernels of other streams. From other memory of Go the
// driver of a GPU first copies to page-locked memory of its own, and the call returns when it
// has: it may wait for the stream.
func (b *Buffer[T]) UploadAsync(s *Stream, src []T) error {
	return s.queue("UploadAsync", b.head(), func() error {
		if err := b.sameLen("UploadAsync", "src", len(src)); err != nil || sizeOf(src) == 0 {
			return err
		}
		at := unsafe.Pointer(&src[0])
		if is, err := s.ofDevice("UploadAsync", at, sizeOf(src)); err != nil {
			return err
		} else if is {
			return s.copy("UploadAsync", b.ptr, at, sizeOf(src))
		}
		if err := b.apart("UploadAsync", at); err != nil {
			return err
		}
		if err := b.checkValues(src); err != nil {
			return err
		}
		s.keep = append(s.keep, at)
		return s.vendor(s.drv.CopyIn(b.ptr, at, sizeOf(src)))
	})
}

// DownloadAsync queues a copy of b to dst, which must be as long, on s and may
// return before it is done: dst must not be looked at until s has been waited
// for (hipMemcpyAsync). dst may be memory of the same device. As for [Buffer.UploadAsync], only
// a copy to page-locked memory is sure not to wait for the stream.
func (b *Buffer[T]) DownloadAsync(s *Stream, dst []T) error {
	return s.queue("DownloadAsync", b.head(), func() error {
		if err := b.sameLen("DownloadAsync", "dst", len(dst)); err != nil || sizeOf(dst) == 0 {
			return err
		}
		at := unsafe.Pointer(&dst[0])
		if is, err := s.ofDevice("DownloadAsync", at, sizeOf(dst)); err != nil {
			return err
		} else if is {
			return s.copy("DownloadAsync", at, b.ptr, sizeOf(dst))
		}
		if err := b.apart("DownloadAsync", at); err != nil {
			return err
		}
		s.keep = append(s.keep, at)
		return s.vendor(s.drv.CopyOut(at, b.ptr, sizeOf(dst)))
	})
}

// CopyFrom queues a copy of from, a buffer of the same device and length, to b
// on s (hipMemcpyDtoDAsync). The two may not overlap.
func (b *Buffer[T]) CopyFrom(s *Stream, from *Buffer[T]) error {
	return s.queue("CopyFrom", b.head(), func() error {
		h := from.head()
		if err := h.usable(); err != nil {
			return errs.F("launch: CopyFrom: %w", err)
		}
		if h.dev != s.dev {
			return errs.F("launch: CopyFrom: %v is on %s, the stream on %s", h.own.b, h.dev.Name(), s.dev.besides(h.dev))
		}
		if err := b.sameLen("CopyFrom", "the source", h.len); err != nil {
			return err
		}
		n := h.len * int(unsafe.Sizeof(*new(T)))
		if n == 0 {
			return nil
		}
		if !h.own.b.note(s, s.seq+1) {
			return errs.F("launch: CopyFrom: %v is closed", h.own.b)
		}
		return s.copy("CopyFrom", b.ptr, h.ptr, n)
	})
}

// Clear queues on s the setting of every byte of b to zero (hipMemsetAsync).
func (b *Buffer[T]) Clear(s *Stream) error {
	return s.queue("Clear", b.head(), func() error {
		n := b.len * int(unsafe.Sizeof(*new(T)))
		if n == 0 {
			return nil
		}
		return s.vendor(s.drv.Fill(b.ptr, 0, n))
	})
}

// Fill queues on s the setting of every element of b to v (hipMemsetAsync, hipMemsetD16Async,
// hipMemsetD32Async).
func (b *Buffer[T]) Fill(s *Stream, v T) error {
	return s.queue("Fill", b.head(), func() error {
		if err := b.checkValues([]T{v}); err != nil {
			return err
		}
		return s.fill(b.ptr, bytesOf(&v), b.len)
	})
}

func sizeOf[T any](s []T) int { return len(s) * int(unsafe.Sizeof(*new(T))) }

// apart says whether a copy between the buffer and as much memory of the host is one between
// different memory.
func (h *header) apart(call string, at unsafe.Pointer) error {
	if b := h.own.b; b.host != nil && overlap(h.hostAt(), at, h.len*int(b.elem.Size())) {
		return errs.F("launch: %s: the two overlap within a %v", call, b)
	}
	return nil
}

func (h *header) sameLen(call, what string, n int) error {
	if n == h.len {
		return nil
	}
	return errs.F("launch: %s: the buffer has %d elements and %s has %d; use Slice", call, h.len, what, n)
}

// checkValues says whether the device addresses that src holds, if T has any,
// lie in live memory of b's device.
func (b *Buffer[T]) checkValues(src []T) error { return checkValues(b.dev, src) }

func checkValues[T any](d *Device, src []T) error {
	t := reflect.TypeFor[T]()
	offsets := pointerOffsets(t, 0, nil)
	for i := range src {
		if len(offsets) == 0 {
			return nil
		}
		for _, o := range offsets {
			p := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&src[i]), o))
			if p != nil && d.mem.find(p) == nil {
				return errs.F("launch: element [%d]%s is not memory of %s; store the Device() of a Buffer there",
					i, fieldAt(t, o), d.Name())
			}
		}
	}
	return nil
}
