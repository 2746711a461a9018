// What the kernels of this folder need besides CUDA C++: its names on both vendors' GPUs.
// Each file is a class of the kernels in ../kernels, with the same algorithms, launch
// shapes and types. Indices are int in both languages, which is 32 bits here and 64 bits in
// Go. In place of a slice a kernel takes a pointer; the lengths that it needs come first.
#pragma once

#ifdef __HIP__
#include "hip.h"
#else
#define WARP 32
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define RSQRT(x) rsqrtf(x)
#define SHFL_DOWN(v, d) __shfl_down_sync(0xffffffffu, v, d)
#define SHFL_XOR(v, d) __shfl_xor_sync(0xffffffffu, v, d)
#define ATOMIC_CAS(p, old, v) atomicCAS(p, old, v)
#define ATOMIC_MIN(p, v) atomicMin(p, v)
#define ATOMIC_OR(p, v) atomicOr(p, v)
#define SHFL_UP(v, d) __shfl_up_sync(0xffffffffu, v, d)
#define SHFL(v, lane) __shfl_sync(0xffffffffu, v, lane)
#define BALLOT(p) (unsigned long long)__ballot_sync(0xffffffffu, p)
#define POPC(x) __popcll(x)
#define BREV(x) __brev(x)
#define CTZ(x) (__ffsll((long long)(x)) - 1) // of what is not 0
#endif

__device__ inline float warp_sum(float v) {
	for (int d = WARP / 2; d > 0; d /= 2) v += SHFL_DOWN(v, d);
	return v;
}

// Both compilers make one instruction of these.
__device__ inline unsigned rotl(unsigned x, int n) { return x << n | x >> (32 - n); }
__device__ inline unsigned rotr(unsigned x, int n) { return x >> n | x << (32 - n); }

// A key that no slot of a hash table has, and where the search for a key begins (MurmurHash3's last steps).
#define EMPTY_KEY 0xffffffffu

__device__ inline unsigned hash_slot(unsigned k, int capacity) {
	k ^= k >> 16;
	k *= 0x85ebca6b;
	k ^= k >> 13;
	k *= 0xc2b2ae35;
	k ^= k >> 16;
	return k & (capacity - 1);
}
