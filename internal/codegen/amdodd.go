package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

var shuffle = lazy.Regexp{Expr: `(?m)^( +)(%(?:"[^"\n]*"|[-\w$.]+)) = shufflevector <(\d+) x i16> (.*), <\d+ x i16> (.*), <(\d+) x i32> (<[^>\n]*>|zeroinitializer|poison|undef)(.*)$`}

// placeLanes writes shuffles to lanes of 16 bits whose number is no power of two as an
// insertion for each lane. Of such a one LLVM's instruction selection for AMD GPUs may make a
// bitcast of four registers to three, or of eight to five or six, and give up: "Cannot select:
// v3i32 = bitcast". They come of a local array of five int16, say, of whose elements two
// are computed as a vector. Insertions are selected another way.
func placeLanes(text string) (fixed string, ok bool) {
	n := 0
	fixed = shuffle.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := shuffle.Get().FindStringSubmatch(line)
		from, err := strconv.Atoi(m[3])
		to, err2 := strconv.Atoi(m[6])
		if err != nil || err2 != nil || to < 5 || to&(to-1) == 0 {
			return line
		}
		var w strings.Builder
		vector := "poison"
		mask := strings.Split(strings.Trim(m[7], "<>"), ", ")
		for lane := range to {
			at := 0 // of zeroinitializer
			if len(mask) == to {
				if at, err = strconv.Atoi(strings.TrimPrefix(mask[lane], "i32 ")); err != nil {
					continue // poison
				}
			} else if m[7] != "zeroinitializer" {
				break
			}
			source := m[4]
			if at >= from {
				source, at = m[5], at-from
			}
			n++
			fmt.Fprintf(&w, "%s%%heddle.odd.%d = extractelement <%d x i16> %s, i64 %d%s\n", m[1], n, from, source, at, m[8])
			fmt.Fprintf(&w, "%s%%heddle.odds.%d = insertelement <%d x i16> %s, i16 %%heddle.odd.%d, i64 %d%s\n", m[1], n, to, vector, n, lane, m[8])
			vector = fmt.Sprintf("%%heddle.odds.%d", n)
		}
		if vector == "poison" {
			return line
		}
		// A name for a value takes an instruction, and LLVM drops this one.
		return fmt.Sprintf("%s%s%s = bitcast <%d x i16> %s to <%d x i16>%s", w.String(), m[1], m[2], to, vector, to, m[8])
	})
	return fixed, n > 0
}
