package kernels

import (
	"math/bits"

	"heddle/dsl"
)

// The kernels here are of compression, of text and of databases, written as Go programs have them.

// An lz4Reader takes bytes from a block.
type lz4Reader struct {
	src []byte
	at  int
}

func (r *lz4Reader) next() byte {
	c := r.src[r.at]
	r.at++
	return c
}

// length is a length of a token, of which more bytes may follow.
func (r *lz4Reader) length(n int) int {
	if n < 15 {
		return n
	}
	for {
		more := int(r.next())
		n += more
		if more < 255 {
			return n
		}
	}
}

// decodeLZ4 unpacks a block and returns how many bytes it has.
func decodeLZ4(dst, src []byte) int {
	r := lz4Reader{src: src}
	n := 0
	for r.at < len(src) {
		token := r.next()
		literals := r.length(int(token >> 4))
		n += copy(dst[n:], src[r.at:r.at+literals])
		r.at += literals
		if r.at == len(src) {
			break // the last sequence has no match
		}
		offset := int(r.next()) | int(r.next())<<8
		for range r.length(int(token&15)) + 4 {
			dst[n] = dst[n-offset]
			n++
		}
	}
	return n
}

// LZ4Decode unpacks blocks of at most size bytes, a thread each, which begin at starts.
//
//heddle:noalias
func LZ4Decode(packed []byte, starts []int32, size int, out []byte, lengths []int32) {
	block := dsl.GlobalIdx().X
	if block >= len(lengths) {
		return
	}
	src := packed[starts[block]:starts[block+1]]
	lengths[block] = int32(decodeLZ4(out[block*size:(block+1)*size], src))
}

const PackedValues = 128 // of a block of a column

// A PackedBlock says how the values of a block are packed: they are First and a number each, or
// each is the value before, Least, and a number. A number has Width bits.
type PackedBlock struct {
	First, Least int32
	Start        uint32 // the first word
	Width        uint8
	Deltas       bool
}

// A PackedColumn has blocks of numbers in words, the lowest bits first.
type PackedColumn struct {
	Blocks []PackedBlock
	Words  []uint64
}

// number is the i-th of a block.
func (c PackedColumn) number(b PackedBlock, i int) int32 {
	width := int(b.Width)
	word, shift := int(b.Start)+i*width/64, i*width%64
	v := c.Words[word] >> shift
	if shift+width > 64 {
		v |= c.Words[word+1] << (64 - shift)
	}
	return int32(v & (1<<width - 1))
}

// BitUnpack unpacks a column, a warp for each block.
//
//heddle:noalias
func BitUnpack(column PackedColumn, out []int32) {
	lane, lanes := dsl.LaneID(), dsl.WarpSize()
	for n := dsl.GlobalIdx().X / lanes; n < len(column.Blocks); n += dsl.GlobalSize().X / lanes {
		b := column.Blocks[n]
		values := out[n*PackedValues : (n+1)*PackedValues]
		before := b.First
		for i := lane; i < len(values); i += lanes {
			v := column.number(b, i)
			if !b.Deltas {
				values[i] = b.First + v
				continue
			}
			sum := before + dsl.WarpInclusiveScan(b.Least+v, func(x, y int32) int32 { return x + y })
			values[i] = sum
			before = dsl.Shfl(sum, lanes-1)
		}
	}
}

const (
	JSONThreads = 128 // of a block
	JSONChunk   = 64  // bytes of a thread
)

// A JSONChunkIndex says which characters of a chunk are structural, and how many there are.
type JSONChunkIndex struct {
	Mask  uint64
	Count int32
}

// A jsonClasses has a bit for each character of a chunk.
type jsonClasses struct{ quotes, backslashes, structural uint64 }

func classifyJSON(chunk []byte) (m jsonClasses) {
	for i, c := range chunk {
		bit := uint64(1) << i
		switch c {
		case '"':
			m.quotes |= bit
		case '\\':
			m.backslashes |= bit
		case '{', '}', '[', ']', ':', ',':
			m.structural |= bit
		}
	}
	return m
}

// escaped are the characters after an odd number of backslashes (Langdale and Lemire).
func escaped(backslashes, first uint64) uint64 {
	const even = 0x5555555555555555
	backslashes &^= first
	follows := backslashes<<1 | first
	odd := backslashes &^ even &^ follows
	return (even ^ (odd+backslashes)<<1) & follows
}

// prefixXor has in each bit the parity of those up to it.
func prefixXor(x uint64) uint64 {
	for d := 1; d < 64; d *= 2 {
		x ^= x << d
	}
	return x
}

// JSONIndex finds the characters of documents that are structural: outside of strings. A block
// has a document, whose chunks begin at starts.
//
//heddle:noalias
func JSONIndex(text []byte, starts []int32, lengths []int32, index []JSONChunkIndex) {
	parity := dsl.Shared[[JSONThreads]uint8]()
	t, d := dsl.ThreadIdx().X, dsl.BlockIdx().X
	first, end := int(starts[d]), int(starts[d+1])
	document := text[first*JSONChunk:][:lengths[d]]
	inside := uint8(0) // a string
	for base := 0; base < end-first; base += JSONThreads {
		at := min((base+t)*JSONChunk, len(document))
		chunk := document[at:min(at+JSONChunk, len(document))]
		m := classifyJSON(chunk)
		run := 0 // of backslashes before
		for run < at && document[at-run-1] == '\\' {
			run++
		}
		quotes := m.quotes &^ escaped(m.backslashes, uint64(run%2))
		parity[t] = uint8(bits.OnesCount64(quotes) % 2)
		dsl.SyncThreads()
		for d := 1; d < JSONThreads; d *= 2 {
			sum := parity[t]
			if t >= d {
				sum ^= parity[t-d]
			}
			dsl.SyncThreads()
			parity[t] = sum
			dsl.SyncThreads()
		}
		before := inside
		if t > 0 {
			before ^= parity[t-1]
		}
		strings := prefixXor(quotes)
		if before != 0 {
			strings = ^strings
		}
		if c := first + base + t; c < end {
			mask := m.structural &^ strings
			index[c] = JSONChunkIndex{mask, int32(bits.OnesCount64(mask))}
		}
		inside ^= parity[JSONThreads-1]
		dsl.SyncThreads()
	}
}

const CSVGroups = 64

// A CSVTotal is what the lines of a group add up to. Money is in ten-thousandths.
type CSVTotal struct{ Lines, Quantity, Money int64 }

// A csvLine is what a line says.
type csvLine struct {
	group           int
	quantity, money int64
}

// cutField cuts a line after its first field.
func cutField(line []byte) (field, rest []byte) {
	for i, c := range line {
		if c == ',' {
			return line[:i], line[i+1:]
		}
	}
	return line, nil
}

func cutSign(field []byte) (digits []byte, negative bool) {
	if len(field) > 0 && field[0] == '-' {
		return field[1:], true
	}
	return field, false
}

// parseInt is a field's integer.
func parseInt(field []byte) (n int64, ok bool) {
	digits, negative := cutSign(field)
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, len(digits) > 0
}

// parseDecimal is a field's number, in ten-thousandths.
func parseDecimal(field []byte) (n int64, ok bool) {
	digits, negative := cutSign(field)
	places, point := 0, false
	for _, c := range digits {
		switch {
		case c == '.' && !point:
			point = true
		case c < '0' || c > '9':
			return 0, false
		default:
			n = 10*n + int64(c-'0')
			if point {
				places++
			}
		}
	}
	if places > 4 {
		return 0, false
	}
	for ; places < 4; places++ {
		n *= 10
	}
	if negative {
		n = -n
	}
	return n, len(digits) > 0
}

// parseLine parses a line of a number, a group, a quantity, a name and money.
func parseLine(line []byte) (l csvLine, ok bool) {
	_, line = cutField(line)
	field, line := cutField(line)
	group, ok := parseInt(field)
	if !ok || group < 0 || group >= CSVGroups {
		return l, false
	}
	field, line = cutField(line)
	quantity, ok := parseInt(field)
	if !ok {
		return l, false
	}
	_, line = cutField(line)
	field, _ = cutField(line)
	money, ok := parseDecimal(field)
	return csvLine{int(group), quantity, money}, ok
}

// CSVSum adds up lines by their group. It counts those that it cannot read.
//
//heddle:noalias
func CSVSum(text []byte, starts []int32, totals []CSVTotal, bad []int32) {
	shared := dsl.Shared[[CSVGroups]CSVTotal]()
	for g := dsl.ThreadIdx().X; g < len(shared); g += dsl.BlockDim().X {
		shared[g] = CSVTotal{}
	}
	dsl.SyncThreads()
	for i := dsl.GlobalIdx().X; i+1 < len(starts); i += dsl.GlobalSize().X {
		l, ok := parseLine(text[starts[i] : starts[i+1]-1]) // without its newline
		if !ok {
			dsl.AtomicAdd(&bad[0], 1)
			continue
		}
		total := &shared[l.group]
		dsl.AtomicAdd(&total.Lines, 1)
		dsl.AtomicAdd(&total.Quantity, l.quantity)
		dsl.AtomicAdd(&total.Money, l.money)
	}
	dsl.SyncThreads()
	for g := dsl.ThreadIdx().X; g < len(shared); g += dsl.BlockDim().X {
		dsl.AtomicAdd(&totals[g].Lines, shared[g].Lines)
		dsl.AtomicAdd(&totals[g].Quantity, shared[g].Quantity)
		dsl.AtomicAdd(&totals[g].Money, shared[g].Money)
	}
}
