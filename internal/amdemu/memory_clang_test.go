package amdemu_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"heddle/internal/amdemu"
	"heddle/internal/llvm"
)

// memorySource is C that moves data of all widths about in 256 bytes of each
// address space. The host runs the same, and must get the same bytes.
const memorySource = `
#ifdef HOST
#define global
#define local
#define private
#endif
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned u32; typedef unsigned long u64; typedef long i64;
typedef u32 v2 __attribute__((ext_vector_type(2)));
typedef u32 v3 __attribute__((ext_vector_type(3)));
typedef u32 v4 __attribute__((ext_vector_type(4)));
struct __attribute__((packed)) odd { u8 a; u32 b; u16 c; u64 d; i8 e; i16 f; };
struct padded { u8 a; u64 b; i16 c; u32 d[3]; i8 e; };

#define BODY(NAME, S) \
static __attribute__((noinline)) void NAME##move(S struct padded *to, S struct padded *from) { *to = *from; } \
static void NAME(S u8 *p, u32 seed) { \
  for (int i = 0; i < 256; i++) p[i] = (u8)(seed * (i + 7) >> 3 ^ i); \
  S i8 *b = (S i8 *)p; S u16 *h = (S u16 *)p; S i16 *s = (S i16 *)p; S u32 *w = (S u32 *)p; S u64 *d = (S u64 *)p; \
  S v4 *q = (S v4 *)p; S v2 *r = (S v2 *)p; \
  u32 k = seed & 15; \
  w[1] = b[k] - p[k + 1]; h[9] = b[k + 2]; s[11] = p[k + 3]; w[7] = s[k] + h[k + 5]; p[3] = w[k] >> 9; \
  d[4] = d[k & 3] + w[k + 9] * (u64)w[2]; \
  q[5] = q[k & 3] ^ q[1].wzyx; r[13] += r[k]; \
  v3 t = q[k & 7].xyz; t.x += 1; t.y += 2; t.z += 3; q[9].xyz = t; \
  S struct odd *o = (S struct odd *)(p + 101 + k); \
  o->b += o->c * 3; o->d ^= o->b; o->f = o->e; o->a = o->f >> 3; \
  S struct padded *x = (S struct padded *)(p + 176); \
  NAME##move(x + 1, x); \
  x[1].a = 0; x[0].a = k; x[0].b = seed; x[0].c = -7; x[0].d[k % 3] = 5; \
  for (u32 i = 0; i < 40; i++) { u32 n = (i * k + 3) & 63; u8 c = p[n]; p[n] = p[127 - i]; p[127 - i] = c; } \
  __builtin_memcpy(p + 150 + (k & 3), p + 1 + k, 37); \
  for (u32 i = 0; i < k; i++) { h[64 + i] = (h[64 + i] << 4) + p[i]; d[8 + (i & 3)] = d[8 + (i & 1)] * 5 + s[i]; } \
  u32 sum = 0; \
  for (int i = 0; i < 64; i++) sum = sum * 31 + w[i]; \
  w[0] = sum; \
}
BODY(inGlobal, global)
BODY(inLocal, local)
BODY(inPrivate, private)
#ifdef HOST
#define GENERIC
#else
#define GENERIC __generic
#endif
BODY(inGeneric, GENERIC)

#ifdef HOST
#include <stdio.h>
int main(void) {
  static u8 p[256] __attribute__((aligned(64)));
  for (u32 t = 0; t < 96; t++)
    for (u32 space = 0; space < 5; space++) {
      inGlobal(p, 77 * t + 1234567 * space + t / 5);
      fwrite(p, 256, 1, stdout);
    }
  return 0;
}
#else
kernel void all(global u8 *out) {
  local u8 shared[96 * 256] __attribute__((aligned(64)));
  u8 mine[256] __attribute__((aligned(64)));
  u32 t = __builtin_amdgcn_workitem_id_x();
  u32 seed = 77 * t + t / 5;
  local u8 *l = shared + 256 * t;
  global u8 *o = out + 256 * 5 * t;
  inGlobal(o, seed);
  inLocal(l, seed + 1234567);
  for (int i = 0; i < 256; i++) o[256 + i] = l[i];
  inPrivate(mine, seed + 1234567 * 2);
  for (int i = 0; i < 256; i++) o[512 + i] = mine[i];
  u8 *any = t % 3 == 0 ? (u8 *)l : t % 3 == 1 ? (u8 *)mine : (u8 *)(o + 768);
  inGeneric(any, seed + 1234567 * 3);
  for (int i = 0; i < 256; i++) o[768 + i] = any[i];
  any = (t & 16) ? (u8 *)l : (u8 *)mine;
  inGeneric(any, seed + 1234567 * 4);
  for (int i = 0; i < 256; i++) o[1024 + i] = any[i];
}
#endif
`

// TestMemoryAsHost compiles memorySource for processors at two levels of
// optimisation and runs it, with the sanitizer.
func TestMemoryAsHost(t *testing.T) {
	c := newCompiler(t, memorySource)
	host := filepath.Join(c.dir, "host")
	c.build(t, host, "-x", "c", "-O1", "-fno-strict-aliasing", "-DHOST")
	want, err := exec.Command(host).Output()
	if err != nil {
		t.Fatal(err)
	}
	c.each(t, func(t *testing.T, object string) {
		got := make([]byte, len(want))
		if err := c.run(t, object, "all", 1, 96, got); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("thread %d, space %d, byte %d: %#x, want %#x", i/1280, i/256%5, i%256, got[i], want[i])
			}
		}
	})
}

// A compiler compiles one file of C with clang.
type compiler struct {
	clang, dir, source string
	lib                *llvm.Library
}

func newCompiler(t *testing.T, source string) *compiler {
	t.Helper()
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	lib, err := llvm.Open()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	c := &compiler{clang, dir, filepath.Join(dir, "memory.c"), lib}
	if err := os.WriteFile(c.source, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *compiler) build(t *testing.T, out string, args ...string) {
	t.Helper()
	text, err := exec.Command(c.clang, append(args, "-Wno-everything", c.source, "-o", out)...).CombinedOutput()
	if strings.Contains(string(text), "unable to execute") || strings.Contains(string(text), "stdio.h") {
		t.Skipf("%s", text)
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
}

// each calls f with code for all processors at two levels of optimisation.
func (c *compiler) each(t *testing.T, f func(t *testing.T, object string)) {
	for _, arch := range []string{"gfx90a:64", "gfx942:64", "gfx1030:32", "gfx1030:64", "gfx1100:32", "gfx1100:64", "gfx1201:32", "gfx1201:64"} {
		for _, level := range []string{"-O0", "-O2"} {
			t.Run(arch+level, func(t *testing.T) {
				name, size, _ := strings.Cut(arch, ":")
				object := filepath.Join(c.dir, arch+level)
				args := []string{"-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + name, "-nogpulib", level,
					"-fno-strict-aliasing", "-fno-unroll-loops", "-g"}
				if size == "64" && len(name) == 7 {
					args = append(args, "-mwavefrontsize64")
				}
				c.build(t, object, args...)
				f(t, object)
			})
		}
	}
}

// run runs a kernel whose argument is a buffer like out, with the sanitizer, and
// copies the buffer there.
func (c *compiler) run(t *testing.T, object, name string, blocks, threads int, out []byte) error {
	t.Helper()
	code, err := os.ReadFile(object)
	if err != nil {
		t.Fatal(err)
	}
	m := amdemu.NewMemory(amdemu.Options{Uninitialised: true, Races: true, Counters: true})
	p, err := amdemu.Load(code, m, c.lib.Disassemble)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	// Aligned as buffers are.
	space := make([]byte, len(out)+256)
	skew := -int(uintptr(unsafe.Pointer(&space[0]))) & 255
	buf := space[skew:][:len(out)]
	copy(buf, out)
	zeros := bytes.Count(out, []byte{0}) == len(out)
	if err := m.Add(unsafe.Pointer(&buf[0]), len(buf), "the buffer", !zeros); err != nil {
		t.Fatal(err)
	}
	args := binary.LittleEndian.AppendUint64(nil, uint64(uintptr(unsafe.Pointer(&buf[0]))))
	_, err = k.Run(amdemu.Config{Grid: [3]int{blocks, 1, 1}, Block: [3]int{threads, 1, 1}, Args: args, Memory: m, Budget: 10e6})
	copy(out, buf)
	return err
}
