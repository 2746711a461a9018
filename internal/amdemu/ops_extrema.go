package amdemu

// This file has minima, maxima and medians of floats. -0 is below +0. They differ
// in what they make of NaNs.

// key orders floats that are no NaNs as unsigned integers.
func (f *format[W]) key(a W) W {
	if a&f.sign != 0 {
		return f.sign - 1 - a&^f.sign
	}
	return f.sign + a
}

// A nanRule is the result for two sources of which one or both are NaNs.
type nanRule[W uint32 | uint64] func(f *format[W], a, b W) W

// nanIEEE is the rule of v_min and v_max in IEEE mode: a signaling NaN comes out as
// a quiet one, a quiet one gives way to the other source.
func nanIEEE[W uint32 | uint64](f *format[W], a, b W) W {
	switch {
	case f.signaling(a):
		return a | f.quiet
	case f.signaling(b):
		return b | f.quiet
	case f.nan(b):
		return a
	}
	return b
}

// nanNumber is the rule of GFX12's v_min_num and v_max_num: NaNs give way.
func nanNumber[W uint32 | uint64](f *format[W], a, b W) W {
	switch {
	case !f.nan(a):
		return a
	case !f.nan(b):
		return b
	}
	return a | f.quiet
}

// nanStays is the rule of v_minimum and v_maximum.
func nanStays[W uint32 | uint64](f *format[W], a, b W) W {
	switch {
	case f.signaling(a):
		return a | f.quiet
	case f.signaling(b):
		return b | f.quiet
	case f.nan(a):
		return a
	}
	return b
}

// minimum makes the function of a minimum, maximum that of a maximum.
func minimum[W uint32 | uint64](f format[W], rule nanRule[W]) func(a, b W) W {
	return func(a, b W) W {
		switch {
		case f.nan(a) || f.nan(b):
			return rule(&f, a, b)
		case f.key(a) < f.key(b):
			return a
		}
		return b
	}
}

func maximum[W uint32 | uint64](f format[W], rule nanRule[W]) func(a, b W) W {
	return func(a, b W) W {
		switch {
		case f.nan(a) || f.nan(b):
			return rule(&f, a, b)
		case f.key(a) > f.key(b):
			return a
		}
		return b
	}
}

// quick asks the host first, which knows all but equal numbers and NaNs.
func quick(least bool, rest func(a, b uint32) uint32) func(a, b uint32) uint32 {
	if least {
		return func(a, b uint32) uint32 {
			switch x, y := f32of(a), f32of(b); {
			case x < y:
				return a
			case x > y:
				return b
			}
			return rest(a, b)
		}
	}
	return func(a, b uint32) uint32 {
		switch x, y := f32of(a), f32of(b); {
		case x > y:
			return a
		case x < y:
			return b
		}
		return rest(a, b)
	}
}

// both is outer(inner(a, b), c).
func both[W uint32 | uint64](outer, inner func(a, b W) W) func(a, b, c W) W {
	return func(a, b, c W) W { return outer(inner(a, b), c) }
}

// median is the middle one of three; of NaNs, what min3 gives. As the documents have
// it, zeros of either sign are the same when it is asked which is the greatest.
func median[W uint32 | uint64](f format[W], least, most func(a, b W) W) func(a, b, c W) W {
	same := func(a, b W) bool { return a == b || f.zero(a) && f.zero(b) }
	return func(a, b, c W) W {
		if f.nan(a) || f.nan(b) || f.nan(c) {
			return least(least(a, b), c)
		}
		switch top := most(most(a, b), c); {
		case same(top, a):
			return most(b, c)
		case same(top, b):
			return most(a, c)
		}
		return most(a, b)
	}
}

// extrema adds the rows of one type and one rule; suffix ends their names, word is
// the type.
func extrema(t table, suffix, word string, f format[uint32], rule nanRule[uint32]) {
	least, most := minimum(f, rule), maximum(f, rule)
	if f == format32 {
		least, most = quick(true, least), quick(false, most)
	}
	two, three := word+" "+word+" "+word, word+" "+word+" "+word+" "+word
	for name, r := range map[string]row{
		"v_min": {two, least}, "v_max": {two, most},
		"v_min3": {three, both(least, least)}, "v_max3": {three, both(most, most)},
		"v_minmax": {three, both(most, least)}, "v_maxmin": {three, both(least, most)},
		"v_med3": {three, median(f, least, most)},
	} {
		t[name+suffix] = r
	}
}

// floatExtrema is the rows of this file.
func floatExtrema() table {
	t := table{
		"v_min_f64":     {"f64 f64 f64", minimum(format64, nanIEEE)},
		"v_max_f64":     {"f64 f64 f64", maximum(format64, nanIEEE)},
		"v_min_num_f64": {"f64 f64 f64", minimum(format64, nanNumber)},
		"v_max_num_f64": {"f64 f64 f64", maximum(format64, nanNumber)},
		"v_minimum_f64": {"f64 f64 f64", minimum(format64, nanStays)},
		"v_maximum_f64": {"f64 f64 f64", maximum(format64, nanStays)},
	}
	extrema(t, "_f32", "f32", format32, nanIEEE)
	extrema(t, "_f16", "f16", format16, nanIEEE)
	extrema(t, "_num_f32", "f32", format32, nanNumber)
	extrema(t, "_num_f16", "f16", format16, nanNumber)
	for suffix, f := range map[string]format[uint32]{"f32": format32, "f16": format16} {
		least, most := minimum(f, nanStays), maximum(f, nanStays)
		two, three := suffix+" "+suffix+" "+suffix, suffix+" "+suffix+" "+suffix+" "+suffix
		t["v_minimum_"+suffix] = row{two, least}
		t["v_maximum_"+suffix] = row{two, most}
		t["v_minimum3_"+suffix] = row{three, both(least, least)}
		t["v_maximum3_"+suffix] = row{three, both(most, most)}
		t["v_minimummaximum_"+suffix] = row{three, both(most, least)}
		t["v_maximumminimum_"+suffix] = row{three, both(least, most)}
	}
	for name, r := range map[string]row{
		"v_pk_min_f16":     {"v2f16 v2f16 v2f16", minimum(format16, nanIEEE)},
		"v_pk_max_f16":     {"v2f16 v2f16 v2f16", maximum(format16, nanIEEE)},
		"v_pk_min_num_f16": {"v2f16 v2f16 v2f16", minimum(format16, nanNumber)},
		"v_pk_max_num_f16": {"v2f16 v2f16 v2f16", maximum(format16, nanNumber)},
		"v_pk_minimum_f16": {"v2f16 v2f16 v2f16", minimum(format16, nanStays)},
		"v_pk_maximum_f16": {"v2f16 v2f16 v2f16", maximum(format16, nanStays)},
	} {
		t[name] = r
	}
	return t
}
