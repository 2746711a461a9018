package amdemu_test

import (
	"encoding/binary"
	"strings"
	"testing"
)

// orderSource is C whose threads order their accesses by other means than
// barriers, of many waves in several blocks; out has 64 words, the first 1.
const orderSource = `
typedef unsigned u32;
#define WG __MEMORY_SCOPE_WRKGRP
#define DEV __MEMORY_SCOPE_DEVICE
#define LANE0 (__builtin_amdgcn_workitem_id_x() % 64 == 0)
#define TID __builtin_amdgcn_workitem_id_x()
#define BLOCK __builtin_amdgcn_workgroup_id_x()
static void barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// A lock in LDS, released by a store.
kernel void lockStore(global u32 *out) {
  local u32 lock, n;
  if (TID == 0) { lock = 0; n = 0; }
  barrier();
  if (LANE0)
    for (int i = 0; i < 20; i++) {
      while (__scoped_atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE, WG)) __builtin_amdgcn_s_sleep(1);
      n = n + 1;
      __scoped_atomic_store_n(&lock, 0, __ATOMIC_RELEASE, WG);
    }
  barrier();
  if (TID == 0) out[BLOCK + 1] = n;
}

// A lock in LDS, released by an exchange.
kernel void lockExchange(global u32 *out) {
  local u32 lock, n;
  if (TID == 0) { lock = 0; n = 0; }
  barrier();
  if (LANE0)
    for (int i = 0; i < 20; i++) {
      u32 none = 0;
      while (!__scoped_atomic_compare_exchange_n(&lock, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, WG)) { none = 0; __builtin_amdgcn_s_sleep(1); }
      n = n + 1;
      __scoped_atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE, WG);
    }
  barrier();
  if (TID == 0) out[BLOCK + 1] = n;
}

// A lock of all blocks: out[0] is 1 where it is free.
kernel void lockDevice(global u32 *out) {
  if (LANE0)
    for (int i = 0; i < 20; i++) {
      while (!__scoped_atomic_exchange_n(&out[0], 0, __ATOMIC_ACQUIRE, DEV)) __builtin_amdgcn_s_sleep(1);
      out[1] = out[1] + 1;
      __scoped_atomic_store_n(&out[0], 1, __ATOMIC_RELEASE, DEV);
    }
}

// The last block adds what all have stored.
kernel void last(global u32 *out) {
  local u32 is;
  if (TID == 63) out[8 + BLOCK] = 5 + BLOCK;
  barrier();
  if (TID == 0) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
    is = __scoped_atomic_fetch_add(&out[0], 1, __ATOMIC_RELAXED, DEV) == 4;
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  }
  barrier();
  if (is && TID == 0) {
    u32 sum = 0;
    for (int i = 0; i < 4; i++) sum += out[8 + i];
    out[1] = sum;
  }
}

// Each block waits for a flag of the one before: decoupled look-back.
kernel void chain(global u32 *out) {
  if (TID == 0) {
    u32 sum = 0;
    if (BLOCK > 0) {
      while (!__scoped_atomic_fetch_add(&out[16 + BLOCK - 1], 0, __ATOMIC_ACQUIRE, DEV)) __builtin_amdgcn_s_sleep(1);
      sum = out[32 + BLOCK - 1];
    }
    out[32 + BLOCK] = sum + BLOCK + 1;
    __scoped_atomic_fetch_add(&out[16 + BLOCK], 1, __ATOMIC_RELEASE, DEV);
    if (BLOCK == 3) out[1] = out[32 + 3];
  }
}

// The same with loads and stores of the flag.
kernel void chainStore(global u32 *out) {
  if (TID == 0) {
    u32 sum = 0;
    if (BLOCK > 0) {
      while (!__scoped_atomic_load_n(&out[16 + BLOCK - 1], __ATOMIC_ACQUIRE, DEV)) __builtin_amdgcn_s_sleep(1);
      sum = out[32 + BLOCK - 1];
    }
    out[32 + BLOCK] = sum + BLOCK + 1;
    __scoped_atomic_store_n(&out[16 + BLOCK], 1, __ATOMIC_RELEASE, DEV);
    if (BLOCK == 3) out[1] = out[32 + 3];
  }
}

// Every thread sets the same flag.
kernel void flag(global u32 *out) {
  local u32 any;
  any = 3;
  out[1] = 7;
  barrier();
  if (any != 3) out[1] = 8;
}

// Races: of waves, of blocks, with an atomic, after a relaxed one.
kernel void raceWaves(global u32 *out) {
  local u32 a[256];
  a[TID] = 0;
  barrier();
  a[TID] = TID;
  out[1 + (TID & 7)] = a[TID ^ 128];
}
kernel void raceBlocks(global u32 *out) {
  if (TID == 0) { out[8 + BLOCK] = BLOCK; out[16 + BLOCK] = out[8 + (BLOCK ^ 1)]; }
}
kernel void raceInit(global u32 *out) {
  local u32 n;
  if (TID == 0) n = 0;
  __scoped_atomic_fetch_add(&n, 1, __ATOMIC_RELAXED, WG);
}
kernel void raceRelaxed(global u32 *out) {
  if (TID == 0) {
    out[8 + BLOCK] = 1;
    __scoped_atomic_fetch_add(&out[0], 1, __ATOMIC_RELAXED, DEV);
    out[16 + BLOCK] = out[8 + (BLOCK ^ 1)];
  }
}
`

// What is ordered is no race, whatever orders it, and gives the right result; what
// is not is found.
func TestOrder(t *testing.T) {
	c := newCompiler(t, orderSource)
	waves := uint32(256 / 64)
	want := map[string][]uint32{
		"lockStore": {1, 20 * waves, 20 * waves, 20 * waves, 20 * waves}, "lockExchange": {1, 20 * waves, 20 * waves, 20 * waves, 20 * waves},
		"lockDevice": {1, 4 * 20 * waves}, "last": {5, 5 + 6 + 7 + 8}, "chain": {1, 10}, "chainStore": {1, 10}, "flag": {1, 7},
		"raceWaves": nil, "raceBlocks": nil, "raceInit": nil, "raceRelaxed": nil,
	}
	c.each(t, func(t *testing.T, object string) {
		for name, want := range want {
			out := make([]byte, 256)
			out[0] = 1
			err := c.run(t, object, name, 4, 256, out)
			switch {
			case want == nil:
				if err == nil || !strings.Contains(err.Error(), "race: ") {
					t.Errorf("%s: want a race, got %v", name, err)
				}
			case err != nil:
				t.Errorf("%s: %v", name, err)
			default:
				for i, n := range want {
					if got := binary.LittleEndian.Uint32(out[4*i:]); got != n {
						t.Errorf("%s: word %d is %d, want %d", name, i, got, n)
					}
				}
			}
		}
	})
}
