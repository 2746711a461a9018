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
func (b *Buffer[T]) Upload(src []T) error {
	return b.head().upload(context.Background(), valuesOf(src))
}

// UploadContext is [Buffer.Upload], which waits for the work that uses b, for as long
// as ctx lasts. Once ctx is done, nothing is copied, and the work that it waited for
// is treated as [Stream.SyncContext] says.
func (b *Buffer[T]) UploadContext(ctx context.Context, src []T) error {
	return b.head().upload(ctx, valuesOf(src))
}

// Download copies b to dst, which must be as long. It waits for the work that
// uses b; if that failed, it copies nothing and returns (and so clears) the
// error: a *[KernelPanic], say. dst may be device memory, as the source of
// [Upload] may.
func (b *Buffer[T]) Download(dst []T) error {
	return b.head().download(context.Background(), valuesOf(dst))
}

// DownloadContext is [Buffer.Download], which waits for the work that uses b, for as
// long as ctx lasts. Once ctx is done, nothing is copied, and the work that it waited
// for is treated as [Stream.SyncContext] says.
func (b *Buffer[T]) DownloadContext(ctx context.Context, dst []T) error {
	return b.head().download(ctx, valuesOf(dst))
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
	return b.head().uploadAsync(s, valuesOf(src))
}

// DownloadAsync queues a copy of b to dst, which must be as long, on s and may
// return before it is done: dst must not be looked at until s has been waited
// for (hipMemcpyAsync). dst may be memory of the same device. As for [Buffer.UploadAsync], only
// a copy to page-locked memory is sure not to wait for the stream.
func (b *Buffer[T]) DownloadAsync(s *Stream, dst []T) error {
	return b.head().downloadAsync(s, valuesOf(dst))
}

// CopyFrom queues a copy of from, a buffer of the same device and length, to b
// on s (hipMemcpyDtoDAsync). The two may not overlap.
func (b *Buffer[T]) CopyFrom(s *Stream, from *Buffer[T]) error {
	return b.head().copyFrom(s, from.head())
}

// Clear queues on s the setting of every byte of b to zero (hipMemsetAsync).
func (b *Buffer[T]) Clear(s *Stream) error { return b.head().clear(s) }

// Fill queues on s the setting of every element of b to v (hipMemsetAsync, hipMemsetD16Async,
// hipMemsetD32Async).
func (b *Buffer[T]) Fill(s *Stream, v T) error { return b.head().fill(s, valuesOf([]T{v})) }

// values are a slice of any type: of Go's memory, or of a device's.
type values struct {
	at   unsafe.Pointer
	len  int
	elem reflect.Type
}

func valuesOf[T any](s []T) values {
	return values{unsafe.Pointer(unsafe.SliceData(s)), len(s), reflect.TypeFor[T]()}
}

// size is in bytes.
func (v values) size() int { return v.len * int(v.elem.Size()) }

// check says whether the device addresses that v's elements hold, if its type has any,
// lie in live memory of d.
func (v values) check(d *Device) error {
	offsets := pointerOffsets(v.elem, 0, nil)
	if len(offsets) == 0 {
		return nil
	}
	for i := range v.len {
		for _, o := range offsets {
			p := *(*unsafe.Pointer)(unsafe.Add(v.at, i*int(v.elem.Size())+int(o)))
			if !isNowhere(uintptr(p)) && d.mem.find(p) == nil {
				return errs.F("launch: element [%d]%s is not memory of %s; store the Device() of a Buffer there",
					i, fieldAt(v.elem, o), d.Name())
			}
		}
	}
	return nil
}

// size is the bytes of the buffer.
func (h *header) size() int { return h.len * int(typeOf(h.elem).Size()) }

// upload copies v to the buffer when the work with it is done.
func (h *header) upload(ctx context.Context, v values) error {
	return h.whole(ctx, "Upload", "src", v, h.copyIn)
}

// download copies the buffer to v when the work with it is done.
func (h *header) download(ctx context.Context, v values) error {
	return h.whole(ctx, "Download", "dst", v, h.copyOut)
}

// whole calls copy for a slice as long as the buffer, when the work with that is done.
func (h *header) whole(ctx context.Context, call, what string, v values, copy func(context.Context, values) error) error {
	if err := h.enter(call); err != nil {
		return err
	}
	defer h.leave()
	if err := h.sameLen(call, what, v.len); err != nil {
		return err
	}
	if err := h.dev.waitFor(ctx, h.own.b); err != nil {
		return err
	}
	return copy(ctx, v)
}

// copyIn copies v to the start of the buffer and waits for that; no work uses the buffer.
func (h *header) copyIn(ctx context.Context, v values) error {
	n := v.size()
	if n == 0 {
		return nil
	}
	from, err := operandOf(ctx, "Upload", v)
	if err != nil {
		return err
	}
	defer from.leave()
	switch {
	case from.dev == nil:
		err = v.check(h.dev)
	case from.host && overlap(h.ptr, from.at, n):
		return from.copy(h.ptr, from.at, n)
	case from.host:
		err = v.check(h.dev)
	case from.dev != h.dev:
		if v, err = from.staged(v); err == nil {
			err = v.check(h.dev)
		}
	default:
		return from.copy(h.ptr, v.at, n)
	}
	if err != nil {
		return err
	}
	err = h.dev.service.CopyIn(h.ptr, v.at, n)
	if err == nil {
		err = h.dev.service.Sync()
	}
	runtime.KeepAlive(v.at)
	return h.dev.vendor(err)
}

// copyOut copies the buffer to v and waits for that; no work uses the buffer.
func (h *header) copyOut(ctx context.Context, v values) error {
	n := v.size()
	if n == 0 {
		return nil
	}
	to, err := operandOf(ctx, "Download", v)
	if err != nil {
		return err
	}
	defer to.leave()
	if to.dev == h.dev && (!to.host || overlap(to.at, h.ptr, n)) {
		return to.copy(v.at, h.ptr, n)
	}
	host := v
	if to.dev != nil && !to.host {
		host = v.fresh()
	}
	err = h.dev.service.CopyOut(host.at, h.ptr, n)
	if err == nil {
		err = h.dev.service.Sync()
	}
	runtime.KeepAlive(host.at)
	if err != nil || to.dev == nil || to.host {
		return h.dev.vendor(err)
	}
	return to.put(host)
}

// fresh is new memory of Go for as many elements.
func (v values) fresh() values {
	v.at = reflect.MakeSlice(reflect.SliceOf(v.elem), v.len, v.len).UnsafePointer()
	return v
}

func (h *header) uploadAsync(s *Stream, v values) error {
	return s.queue("UploadAsync", h, func() error {
		n := v.size()
		if err := h.sameLen("UploadAsync", "src", v.len); err != nil || n == 0 {
			return err
		}
		if is, err := s.ofDevice("UploadAsync", v.at, n); err != nil {
			return err
		} else if is {
			return s.copy("UploadAsync", h.ptr, v.at, n)
		}
		if err := h.apart("UploadAsync", v.at); err != nil {
			return err
		}
		if err := v.check(h.dev); err != nil {
			return err
		}
		s.keep = append(s.keep, v.at)
		return s.vendor(s.drv.CopyIn(h.ptr, v.at, n))
	})
}

func (h *header) downloadAsync(s *Stream, v values) error {
	return s.queue("DownloadAsync", h, func() error {
		n := v.size()
		if err := h.sameLen("DownloadAsync", "dst", v.len); err != nil || n == 0 {
			return err
		}
		if is, err := s.ofDevice("DownloadAsync", v.at, n); err != nil {
			return err
		} else if is {
			return s.copy("DownloadAsync", v.at, h.ptr, n)
		}
		if err := h.apart("DownloadAsync", v.at); err != nil {
			return err
		}
		s.keep = append(s.keep, v.at)
		return s.vendor(s.drv.CopyOut(v.at, h.ptr, n))
	})
}

func (h *header) copyFrom(s *Stream, from *header) error {
	return s.queue("CopyFrom", h, func() error {
		if err := from.usable(); err != nil {
			return errs.F("launch: CopyFrom: %w", err)
		}
		if from.dev != s.dev {
			return errs.F("launch: CopyFrom: %v is on %s, the stream on %s", from.own.b, from.dev.Name(), s.dev.besides(from.dev))
		}
		if err := h.sameLen("CopyFrom", "the source", from.len); err != nil {
			return err
		}
		if from.size() == 0 {
			return nil
		}
		if !from.own.b.note(s, s.seq+1) {
			return errs.F("launch: CopyFrom: %v is closed", from.own.b)
		}
		return s.copy("CopyFrom", h.ptr, from.ptr, from.size())
	})
}

func (h *header) clear(s *Stream) error {
	return s.queue("Clear", h, func() error {
		if h.size() == 0 {
			return nil
		}
		return s.vendor(s.drv.Fill(h.ptr, 0, h.size()))
	})
}

func (h *header) fill(s *Stream, v values) error {
	return s.queue("Fill", h, func() error {
		if err := v.check(h.dev); err != nil {
			return err
		}
		return s.fill(h.ptr, unsafe.Slice((*byte)(v.at), v.size()), h.len)
	})
}

// apart says whether a copy between the buffer and as much memory of the host is one between
// different memory.
func (h *header) apart(call string, at unsafe.Pointer) error {
	if b := h.own.b; b.host != nil && overlap(h.hostAt(), at, h.size()) {
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
