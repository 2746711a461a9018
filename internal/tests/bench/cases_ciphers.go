package main

import (
	"crypto/aes"
	"crypto/sha256"
	"encoding/binary"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// cipherCases are kernels of integers: ciphers and hashes.
func cipherCases(s scale) []*benchmark {
	return []*benchmark{aesCase(s), chaChaCase(s), sha256Case(s), hashChainCase(s)}
}

// hashes are n random words.
func hashes(n int, seed uint32) []uint32 {
	return filled(n, func(i int) uint32 { return kernels.Hash(i, seed) })
}

// aesKey is the key of all blocks.
var aesKey = [16]byte{0: 0x2b, 5: 0x7e, 9: 0x15, 15: 0x16}

// aesRoundKeys expands the key.
func aesRoundKeys() []uint32 {
	w := make([]uint32, 4*(kernels.AesRounds+1))
	for i := range 4 {
		w[i] = binary.BigEndian.Uint32(aesKey[4*i:])
	}
	round := byte(1)
	for i := 4; i < len(w); i++ {
		t := w[i-1]
		if i%4 == 0 {
			t = kernels.AesSub(t<<8|t>>24) ^ uint32(round)<<24
			round = round<<1 ^ round>>7*0x1b
		}
		w[i] = w[i-4] ^ t
	}
	return w
}

func aesCase(s scale) *benchmark {
	n := s.of(1<<22, 500)
	cipher, err := aes.NewCipher(aesKey[:])
	if err != nil {
		panic(err)
	}
	return &benchmark{
		name: "aes", kernel: kernels.Aes, cfg: launch.Linear(n, kernels.AesThreads), unit: "GB/s", work: 16 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			in := filled(n, func(i int) vector.Uint4 {
				at := func(k int) uint32 { return kernels.Hash(4*i+k, 1) }
				return vector.Uint4{X: at(0), Y: at(1), Z: at(2), W: at(3)}
			})
			out := alloc[vector.Uint4](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, aesRoundKeys()), upload(d, in), out}, results: []result{sampled[uint32](out)}}
		},
		want: func(_, e int) float64 {
			var b [16]byte
			for k := range 4 {
				binary.BigEndian.PutUint32(b[4*k:], kernels.Hash(e/4*4+k, 1))
			}
			cipher.Encrypt(b[:], b[:])
			return float64(binary.BigEndian.Uint32(b[e%4*4:]))
		},
	}
}

func chaChaCase(s scale) *benchmark {
	n := s.of(1<<25, 16*300)
	key := [8]uint32{1, 0x10203040, 3, 0xffffffff, 5, 6, 0x70000000, 8}
	return &benchmark{
		name: "chacha", kernel: kernels.ChaCha, cfg: launch.Linear(n/16, 256), unit: "GB/s", work: 4 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, n)
			return inputs{lens: []int{n}, args: []any{key, upload(d, hashes(n, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			return float64(kernels.Hash(i, 1) ^ kernels.ChaChaBlock(key, uint32(i/16))[i%16])
		},
	}
}

func sha256Case(s scale) *benchmark {
	n := s.of(1<<22, 500)
	return &benchmark{
		name: "sha256", kernel: kernels.Sha256, cfg: launch.Linear(n, 256), unit: "Ghash/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, 8*n)
			return inputs{args: []any{n, upload(d, hashes(8*n, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			var message [32]byte
			for k := range 8 {
				binary.BigEndian.PutUint32(message[4*k:], kernels.Hash(k*n+e%n, 1))
			}
			sum := sha256.Sum256(message[:])
			return float64(binary.BigEndian.Uint32(sum[e/n*4:]))
		},
	}
}

func hashChainCase(s scale) *benchmark {
	n, rounds := s.of(1<<22, 500), s.of(256, 32)
	return &benchmark{
		name: "hash_chain", kernel: kernels.HashChain, cfg: launch.Linear(n, 256), unit: "Ghash/s", work: float64(n) * float64(rounds) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, n)
			return inputs{lens: []int{n}, args: []any{rounds, upload(d, hashes(n, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return float64(kernels.Chain(rounds, kernels.Hash(i, 1))) },
	}
}
