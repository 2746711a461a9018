package conformance

import "math"

// roundedPanics index by ints that are made of floats, and by sums of these. s has the values 1 to 4, and n is 5.
type roundedPanics struct{}

func (roundedPanics) Names() (names []string) {
	for _, how := range []string{"itself", "and one", "less one", "behind a start", "behind a start, and the next", "beside another slice", "where the sign is known"} {
		for _, of := range []string{"2.5e9", "a NaN", "-3e9", "4.2", "1e30", "-2.5"} {
			names = append(names, how+", "+of)
		}
	}
	return names
}

func (roundedPanics) Do(which, n int, s []int) {
	f, how := 1.5, which/6 // which is 1000 last: nothing panics
	if how < 7 {
		switch which % 6 {
		case 0:
			f = 2.5e9
		case 1:
			f = math.NaN()
		case 2:
			f = -3e9
		case 3:
			f = 4.2
		case 4:
			f = 1e30
		default:
			f = -2.5
		}
	}
	k := int(math.Floor(float64(float32(f * float64(n) / 5))))
	start := n >> 2 & 1
	x := 0
	switch how {
	case 0:
		x = s[k]
	case 1:
		x = s[k+1]
		x -= s[k]
	case 2:
		x = s[k-1]
		x -= s[k]
	case 3:
		x = s[start+k]
	case 4:
		x = s[start+k+1]
		x -= s[start+k]
	case 5:
		t := s[:n-1]
		x = t[k]
		x += s[k]
	case 6:
		if k >= 0 {
			x = s[k] * 2
		} else {
			x = s[k]
		}
	}
	s[0] += x * 0
}

// loadedPanics index in loops of a constant number of rounds, by what is loaded there.
type loadedPanics struct{}

func (loadedPanics) Names() []string {
	return []string{"last", "third of four", "first of two", "the load", "behind a store", "in a round that is not the first of its loop", "of two lengths"}
}

func (loadedPanics) Do(which, n int, s []int) {
	x := 0
	var local [4]int
	switch which {
	case 0:
		for k := range 4 {
			at := s[k]
			x += s[at]
		}
	case 1:
		t := s[:n-2]
		for k := range 4 {
			at := s[k]
			x += t[at]
		}
	case 2:
		t := s[:n-3]
		for k := range 2 {
			at := s[k]
			x += t[at]
			x += s[3+at]
		}
	case 3:
		for k := range 6 {
			at := s[k]
			x += s[at&3]
		}
	case 4:
		for k := range 4 {
			at := s[k]
			local[k] = at
			x += local[at&3]
			x += s[at]
		}
	case 5:
		for r := range n {
			for k := range 3 {
				at := s[k]
				x += s[at-1+r]
			}
		}
	case 6:
		t := s[:n-2]
		for k := range 4 {
			at := s[k]
			x += s[at-1]
			x += t[at-1]
		}
	}
	s[0] += x * 0
}
