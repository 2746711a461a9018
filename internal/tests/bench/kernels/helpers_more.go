package kernels

import "heddle/dsl"

// A Split sends a sample left or right, by one of its features. A leaf has none.
type Split struct {
	Feature     int32
	Threshold   float32
	Left, Right int32
}

const ForestClasses = 10

func leaf(nodes []Split, at int32, x []float32) int32 {
	for nodes[at].Feature >= 0 {
		n := nodes[at]
		if x[n.Feature] < n.Threshold {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return nodes[at].Left
}

// Forest asks all trees what a sample is.
//
//heddle:noalias
func Forest(features int, roots []int32, nodes []Split, samples []float32, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	x := samples[i*features : (i+1)*features]
	var votes [ForestClasses]int32
	for _, root := range roots {
		votes[leaf(nodes, root, x)]++
	}
	best := 0
	for c, v := range votes {
		if v > votes[best] {
			best = c
		}
	}
	out[i] = int32(best)
}

const (
	LZThreads = 256
	LZWindow  = 256
	LZMost    = 16
)

// A Longest is where the longest match is, and its length.
type Longest struct{ Offset, Length int32 }

func commonPrefix(a, b []byte) int {
	for i, c := range a {
		if b[i] != c {
			return i
		}
	}
	return len(a)
}

// LZMatch finds for each byte the longest match among those before.
func LZMatch(in []byte, out []Longest) {
	buf := dsl.Shared[[LZWindow + LZThreads + LZMost]byte]()
	t := dsl.ThreadIdx().X
	start := dsl.BlockIdx().X*LZThreads - LZWindow
	for i := t; i < len(buf); i += LZThreads {
		if at := start + i; at >= 0 && at < len(in) {
			buf[i] = in[at]
		}
	}
	dsl.SyncThreads()
	at := dsl.GlobalIdx().X
	if at >= len(in) {
		return
	}
	most := min(LZMost, len(in)-at)
	own := buf[LZWindow+t:][:most]
	var best Longest
	for offset := 1; offset <= min(LZWindow, at); offset++ {
		n := commonPrefix(own, buf[LZWindow+t-offset:])
		if n <= int(best.Length) {
			continue
		}
		best = Longest{int32(offset), int32(n)}
		if n == most {
			break
		}
	}
	out[at] = best
}
