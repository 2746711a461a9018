package kernels

import (
	"math/bits"

	"heddle/dsl"
	"heddle/vector"
)

// mixTable is AES's substitution and its mixing of a column in one: for the byte x, the
// substituted byte s as 2s, s, s, 3s from the highest byte down.
var (
	mixTable = dsl.NewConstant(mixed)
	mixed    = makeMixTable()
)

// AesSub substitutes the bytes of a word, on the host, as a key's expansion wants it.
func AesSub(w uint32) uint32 { return substitute(&mixed, w, w, w, w, 0) }

// makeMixTable works out the table, on the host.
func makeMixTable() (table [256]uint32) {
	double := func(x byte) byte { return x<<1 ^ x>>7*0x1b }
	// p goes through all numbers but 0 as powers of 3, q as those of its inverse.
	p, q := byte(1), byte(1)
	for {
		p ^= double(p)
		q ^= q << 1
		q ^= q << 2
		q ^= q << 4
		q ^= q >> 7 * 0x09
		s := uint32(q ^ bits.RotateLeft8(q, 1) ^ bits.RotateLeft8(q, 2) ^ bits.RotateLeft8(q, 3) ^ bits.RotateLeft8(q, 4) ^ 0x63)
		d := uint32(double(byte(s)))
		table[p] = d<<24 | s<<16 | s<<8 | d ^ s
		if p == 1 {
			break
		}
	}
	table[0] = 0xc66363a5
	return table
}

// mix is one column of a round.
func mix(table *[256]uint32, a, b, c, d, key uint32) uint32 {
	return table[a>>24] ^ bits.RotateLeft32(table[b>>16&0xff], -8) ^
		bits.RotateLeft32(table[c>>8&0xff], -16) ^ bits.RotateLeft32(table[d&0xff], -24) ^ key
}

// substitute is one column of the last round.
func substitute(table *[256]uint32, a, b, c, d, key uint32) uint32 {
	return (table[a>>24]>>8&0xff<<24 | table[b>>16&0xff]>>8&0xff<<16 |
		table[c>>8&0xff]>>8&0xff<<8 | table[d&0xff]>>8&0xff) ^ key
}

const (
	AesRounds  = 10
	AesThreads = 256 // of a block
)

// Aes encrypts blocks, each by itself, with a table in shared memory; keys are the rounds'.
func Aes(keys []uint32, in, out []vector.Uint4) {
	table := dsl.Shared[[256]uint32]()
	t := dsl.ThreadIdx().X
	table[t] = mixTable.Ptr()[t]
	dsl.SyncThreads()
	i := dsl.GlobalIdx().X
	if i >= len(in) {
		return
	}
	v := in[i]
	a, b, c, d := v.X^keys[0], v.Y^keys[1], v.Z^keys[2], v.W^keys[3]
	for r := 4; r < 4*AesRounds; r += 4 {
		a, b, c, d = mix(table, a, b, c, d, keys[r]), mix(table, b, c, d, a, keys[r+1]),
			mix(table, c, d, a, b, keys[r+2]), mix(table, d, a, b, c, keys[r+3])
	}
	last := keys[4*AesRounds:]
	out[i] = vector.Uint4{
		X: substitute(table, a, b, c, d, last[0]), Y: substitute(table, b, c, d, a, last[1]),
		Z: substitute(table, c, d, a, b, last[2]), W: substitute(table, d, a, b, c, last[3]),
	}
}

// quarter is ChaCha's quarter round on four words of the state.
func quarter(s *[16]uint32, a, b, c, d int) {
	s[a] += s[b]
	s[d] = bits.RotateLeft32(s[d]^s[a], 16)
	s[c] += s[d]
	s[b] = bits.RotateLeft32(s[b]^s[c], 12)
	s[a] += s[b]
	s[d] = bits.RotateLeft32(s[d]^s[a], 8)
	s[c] += s[d]
	s[b] = bits.RotateLeft32(s[b]^s[c], 7)
}

// ChaChaBlock is block n of the key stream of ChaCha20, without a nonce.
func ChaChaBlock(key [8]uint32, n uint32) [16]uint32 {
	start := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
		key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7], n, 0, 0, 0}
	s := start
	for range 10 {
		quarter(&s, 0, 4, 8, 12)
		quarter(&s, 1, 5, 9, 13)
		quarter(&s, 2, 6, 10, 14)
		quarter(&s, 3, 7, 11, 15)
		quarter(&s, 0, 5, 10, 15)
		quarter(&s, 1, 6, 11, 12)
		quarter(&s, 2, 7, 8, 13)
		quarter(&s, 3, 4, 9, 14)
	}
	for i, v := range start {
		s[i] += v
	}
	return s
}

// ChaCha encrypts text; a thread does 16 words of it.
func ChaCha(key [8]uint32, in, out []uint32) {
	i := dsl.GlobalIdx().X
	if 16*i >= len(in) {
		return
	}
	stream := ChaChaBlock(key, uint32(i))
	for k, v := range stream {
		out[16*i+k] = in[16*i+k] ^ v
	}
}

// primes are SHA-256's round constants.
var primes = dsl.NewConstant([64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
})

// Sha256 hashes messages of 8 words. Word k of message i of n is in[k*n+i], as of the hash
// in out.
func Sha256(n int, in, out []uint32) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	var w [16]uint32
	for k := range 8 {
		w[k] = in[k*n+i]
	}
	w[8], w[15] = 0x80000000, 256 // the end of the message, and its length in bits
	start := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	s := start
	constants := primes.Ptr()
	for r := range constants {
		if r >= 16 {
			w15, w2 := w[(r+1)%16], w[(r+14)%16]
			w[r%16] += (bits.RotateLeft32(w15, -7) ^ bits.RotateLeft32(w15, -18) ^ w15>>3) + w[(r+9)%16] +
				(bits.RotateLeft32(w2, -17) ^ bits.RotateLeft32(w2, -19) ^ w2>>10)
		}
		e, a := s[4], s[0]
		t1 := s[7] + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) +
			(e&s[5] ^ ^e&s[6]) + constants[r] + w[r%16]
		t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) +
			(a&s[1] ^ a&s[2] ^ s[1]&s[2])
		s = [8]uint32{t1 + t2, a, s[1], s[2], s[3] + t1, e, s[5], s[6]}
	}
	for k, v := range s {
		out[k*n+i] = start[k] + v
	}
}

// HashChain hashes each number rounds times, by multiplications, shifts and a rotation.
func HashChain(rounds int, in, out []uint32) {
	i := dsl.GlobalIdx().X
	if i >= len(in) {
		return
	}
	out[i] = Chain(rounds, in[i])
}

// Chain is HashChain of one number.
func Chain(rounds int, x uint32) uint32 {
	for r := range rounds {
		x ^= x >> 16
		x *= 0x7feb352d
		x ^= x >> 15
		x *= 0x846ca68b
		x = bits.RotateLeft32(x, 11) + uint32(r)
	}
	return x
}
