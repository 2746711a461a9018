package fuzz

import (
	"errors"
	"reflect"
	"testing"

	"heddle/launch"
)

// onDevice is a kernel of slices of structs whose slices can be a device's.
type onDevice interface {
	upload(dev *launch.Device, threads int) (deviceLists, error)
}

// deviceLists are slices of a device: what they are as arguments, what the kernel has written, and their end.
type deviceLists struct {
	args  func(in, out any, n [3]int, u Uniform) []any
	own   func() (any, error)
	close func() error
}

func (k *list[A, B, W]) upload(dev *launch.Device, threads int) (deviceLists, error) {
	host := k.fresh(threads).(*Lists[A, B, W])
	a, err1 := launch.Upload(dev, host.A)
	b, err2 := launch.Upload(dev, host.B)
	own, err3 := launch.Upload(dev, host.Own)
	if err := errors.Join(err1, err2, err3); err != nil {
		return deviceLists{}, err
	}
	l := Lists[A, B, W]{A: a.Device(), N: host.N, B: b.Device(), Own: own.Device(), Alias: own.Device()}
	return deviceLists{
		args: func(in, out any, n [3]int, u Uniform) []any { return k.args(l, in, out, n, u) },
		own: func() (any, error) {
			all := make([]W, len(host.Own))
			return all, own.Download(all)
		},
		close: func() error { return errors.Join(a.Close(), b.Close(), own.Close()) },
	}, nil
}

// owned is what a kernel wrote to its slices, as a slice; nil if it has none.
func (k *list[A, B, W]) owned(all any) any { return all.(*Lists[A, B, W]).Own }

// compareOwn compares what a kernel wrote to its slices.
func compareOwn(t *testing.T, c Case, got, lists any) {
	t.Helper()
	if c.Lists == nil {
		return
	}
	want := c.Lists.(interface{ owned(any) any }).owned(lists)
	if i := unlike(reflect.ValueOf(got), reflect.ValueOf(want)); i >= 0 {
		t.Errorf("element %d of own is %+v, want %+v", i, reflect.ValueOf(got).Index(i), reflect.ValueOf(want).Index(i))
	}
}
