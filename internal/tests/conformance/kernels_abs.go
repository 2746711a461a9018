package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// absSigns compares absolute values, of which one is less than 0: the least number's.
func absSigns[T int8 | int16 | int32 | int64 | int](x []T, signs []uint8, quarters []T) {
	i := dsl.GlobalIdx().X
	v := x[i]
	if v < 0 {
		v = -v
	}
	var s uint8
	if v < 0 {
		s |= 1
	}
	if v >= 0 {
		s |= 2
	}
	if -v > 0 {
		s |= 4
	}
	if v>>3 < -1 {
		s |= 8
	}
	if int64(v) < 0 {
		s |= 16
	}
	signs[i], quarters[i] = s, v/4
}

func absCase[N int8 | int16 | int32 | int64 | int](name string, k *kernel.Kernel, least N) Case {
	return Case{"int/abs/" + name, "arithmetic", []*kernel.Kernel{k}, func(t *T) {
		in := []N{least, least + 1, -5, -1, 0, 1, 4, -(least + 1)}
		signs, quarters := alloc[uint8](t, len(in)), alloc[N](t, len(in))
		t.run(k, launch.Linear(len(in), len(in)), upload(t, in), signs, quarters)
		wantSigns, wantQuarters := make([]uint8, len(in)), make([]N, len(in))
		for i, v := range in {
			if v < 0 {
				v = -v
			}
			if wantSigns[i] = 2; v < 0 {
				wantSigns[i] = 1 | 8 | 16
			}
			wantQuarters[i] = v / 4
		}
		same(t, download(t, signs), wantSigns)
		same(t, download(t, quarters), wantQuarters)
	}}
}

func absCases() []Case {
	return []Case{
		absCase("int8", kernel.New(absSigns[int8]), int8(-1<<7)),
		absCase("int16", kernel.New(absSigns[int16]), int16(-1<<15)),
		absCase("int32", kernel.New(absSigns[int32]), int32(-1<<31)),
		absCase("int64", kernel.New(absSigns[int64]), int64(-1<<63)),
		absCase("int", kernel.New(absSigns[int]), int(-1<<63)),
	}
}
