package fuzz

//lint:file-ignore U1000 batches of kernels call what is here

import (
	"math/rand/v2"
	"reflect"
	"slices"
)

// This file has what kernels of slices of structs (feature lists) work on.

// Lists are their slices. A and B are read only. Of Own each thread has elements that only it reads and writes: those of
// beside, or those of apart. Alias is Own again.
type Lists[A, B, W any] struct {
	A     []A
	N     int
	B     []B
	Own   []W
	Alias []W
}

// ownElems is how many elements of Own a thread has.
const ownElems = 4

// beside is the place of a thread's element where its elements are beside each other.
func beside(me, k int) int { return me*ownElems + int(uint(k)%ownElems) }

// apart is the place of a thread's element where it is beside those of other threads, which are n.
func apart(me, k, n int) int { return int(uint(k)%ownElems)*n + me }

// A listKernel is a kernel of such slices.
type listKernel interface {
	kernel() any
	// fresh are its slices as a launch of so many threads finds them. undo makes those elements so again that are of
	// threads that panic.
	fresh(threads int) (all any)
	undo(all any, panics []Panic)
	// call runs a thread.
	call(all any, in []Input, out []Output, n [3]int, u Uniform)
}

// A list is one, in one of three forms: the slices are parameters, fields of one, or captured.
type list[A, B, W any] struct {
	plain    func(in []Input, out []Output, a []A, b []B, own, alias []W, p, q, r int, u Uniform)
	held     func(in []Input, out []Output, l Lists[A, B, W], p, q, r int, u Uniform)
	captures func() (func(in []Input, out []Output, p, q, r int, u Uniform), func(Lists[A, B, W]))

	lengths [2]int // of A and B
	seed    uint64 // of what is in them
	apart   bool   // where a thread's own elements are
	noalias bool   // Alias is nil

	captured func(in []Input, out []Output, p, q, r int, u Uniform)
	capture  func(Lists[A, B, W])
}

func (k *list[A, B, W]) kernel() any {
	switch {
	case k.plain != nil:
		return k.plain
	case k.held != nil:
		return k.held
	case k.captured == nil:
		k.captured, k.capture = k.captures()
	}
	return k.captured
}

// args are a launch's arguments, or a call's.
func (k *list[A, B, W]) args(l Lists[A, B, W], in, out any, n [3]int, u Uniform) []any {
	if k.noalias {
		l.Alias = nil
	}
	args := []any{in, out}
	switch {
	case k.plain != nil:
		args = append(args, l.A, l.B, l.Own, l.Alias)
	case k.held != nil:
		args = append(args, l)
	default:
		k.kernel()
		k.capture(l)
	}
	return append(args, n[0], n[1], n[2], u)
}

func (k *list[A, B, W]) fresh(threads int) any {
	l := Lists[A, B, W]{A: make([]A, k.lengths[0]), N: k.lengths[0], B: make([]B, k.lengths[1]), Own: make([]W, threads*ownElems)}
	r := rand.New(rand.NewPCG(k.seed, 0x6c69737473))
	for _, s := range []any{l.A, l.B, l.Own} {
		fillAll(r, reflect.ValueOf(s))
	}
	l.Alias = l.Own
	if k.captures != nil {
		k.args(l, nil, nil, [3]int{}, Uniform{})
	}
	return &l
}

func (k *list[A, B, W]) undo(all any, panics []Panic) {
	own, was := all.(*Lists[A, B, W]).Own, k.fresh(len(panics)).(*Lists[A, B, W]).Own
	for thread, p := range panics {
		for e := range ownElems {
			at := beside(thread, e)
			if k.apart {
				at = apart(thread, e, len(panics))
			}
			if p != (Panic{}) {
				own[at] = was[at]
			}
		}
	}
}

func (k *list[A, B, W]) call(all any, in []Input, out []Output, n [3]int, u Uniform) {
	l := *all.(*Lists[A, B, W])
	if k.noalias {
		l.Alias = nil
	}
	switch {
	case k.plain != nil:
		k.plain(in, out, l.A, l.B, l.Own, l.Alias, n[0], n[1], n[2], u)
	case k.held != nil:
		k.held(in, out, l, n[0], n[1], n[2], u)
	default:
		k.captured(in, out, n[0], n[1], n[2], u)
	}
}

// fillAll fills a slice, an array or a struct of such, or a number.
func fillAll(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fillAll(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fillAll(r, v.Field(i))
		}
	default:
		fill(r, v)
	}
}

// unlike is the first place where a written slice, as a device made it, is other than gc's code made it; -1 if there is none. All NaNs are alike.
func unlike(got, want reflect.Value) int {
	for i := range want.Len() {
		if !alike(got.Index(i), want.Index(i)) {
			return i
		}
	}
	return -1
}

func alike(x, y reflect.Value) bool {
	switch x.Kind() {
	case reflect.Array:
		return unlike(x, y) < 0
	case reflect.Struct:
		return !slices.ContainsFunc(reflect.VisibleFields(x.Type()), func(f reflect.StructField) bool {
			return !alike(x.FieldByIndex(f.Index), y.FieldByIndex(f.Index))
		})
	case reflect.Float32, reflect.Float64:
		return bits64(x.Float()) == bits64(y.Float())
	case reflect.Complex64, reflect.Complex128:
		a, b := x.Complex(), y.Complex()
		return bits64(real(a)) == bits64(real(b)) && bits64(imag(a)) == bits64(imag(b))
	}
	return x.Equal(y)
}
