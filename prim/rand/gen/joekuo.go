package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// pack reads lines of "dimension degree polynomial m1 ... m_degree" from dimension 2 on, and writes a stream of bits, the lowest of a
// byte first: for each dimension one bit that says whether the degree is one more than the last, degree-1 bits of polynomial
// coefficients between the first and the last, which are 1, and k-1 bits of each m_k, less its lowest, which is 1.
func pack(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []byte
	n := 0
	put := func(v uint64, bits int) {
		for i := range bits {
			if n%8 == 0 {
				out = append(out, 0)
			}
			out[n/8] |= byte(v>>i&1) << (n % 8)
			n++
		}
	}
	degree := 1
	lines := bufio.NewScanner(f)
	lines.Scan() // a heading
	for lines.Scan() {
		var v []uint64
		for _, w := range strings.Fields(lines.Text()) {
			x, err := strconv.ParseUint(w, 10, 32)
			if err != nil {
				return nil, err
			}
			v = append(v, x)
		}
		s := int(v[1])
		if len(v) != 3+s || s != degree && s != degree+1 {
			return nil, fmt.Errorf("%s: line %q", name, lines.Text())
		}
		put(uint64(s-degree), 1)
		degree = s
		put(v[2], s-1)
		for k, m := range v[3:] {
			if m&1 == 0 || m>>(k+1) != 0 {
				return nil, fmt.Errorf("%s: m%d of line %q", name, k+1, lines.Text())
			}
			put(m>>1, k)
		}
	}
	return out, lines.Err()
}
