// Kernels in the form that the cpu driver runs, by package abi's contract, but
// one thread at a time: -DKERNEL=name chooses one. heddle_run stays on its
// caller's stack, which only these kernels are small enough for.

typedef unsigned u32;
typedef unsigned long u64;
typedef long i64;

typedef struct {
	u64 next, blocks, chunk;
	u32 none, shared, grid[3], block[3];
	char *args;
	struct record *sink;
	u32 lock, stop;
} launch;

typedef struct {
	char *shared, *stacks;
	u64 stride, size;
	char *fibers;
	char own[88];
} worker;

struct record {
	u32 state, site, block[3], thread[3];
	u64 args[2];
};

typedef struct {
	launch *l;
	worker *w;
	u32 block[3], thread, threads;
	int failed;
} at;

typedef struct { float *p; i64 len, cap; } floats;
typedef struct { int *p; i64 len, cap; } ints;

#ifndef LANES
#define LANES 8
#endif
#ifndef SHARED
#define SHARED 0
#endif
#ifndef STACK
#define STACK 0
#endif
#ifndef BARRIERS
#define BARRIERS 0
#endif
const struct { u32 lanes, barriers; u64 shared, stack, waits; } heddle_info = {LANES, BARRIERS, SHARED, STACK, 0};

void *memset(void *, int, u64);

static void fail(at *a, u32 site, u64 x, u64 y) {
	a->failed = 1;
	if (__atomic_exchange_n(&a->l->lock, 1, __ATOMIC_SEQ_CST) == 0 && a->l->sink) {
		struct record *r = a->l->sink;
		r->site = site;
		for (int i = 0; i < 3; i++) r->block[i] = a->block[i];
		r->thread[0] = a->thread;
		r->args[0] = x, r->args[1] = y;
		__atomic_store_n(&r->state, 1, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&a->l->stop, 1, __ATOMIC_SEQ_CST);
}

static i64 global(at *a) { return (i64)a->block[0] * a->threads + a->thread; }

static void saxpy(at *a) {
	struct { float a; floats x, y; } *p = (void *)a->l->args;
	i64 i = global(a);
	if (i < p->y.len) p->y.p[i] += p->a * p->x.p[i];
}

static void at_(at *a) {
	struct { floats x; i64 i; } *p = (void *)a->l->args;
	if ((u64)p->i >= (u64)p->x.len) fail(a, 0, p->i, p->x.len);
	else p->x.p[p->i] = 7;
}

// By way of dynamic shared memory; the last thread stands for a barrier.
static void reverse(at *a) {
	struct { ints x; } *p = (void *)a->l->args;
	int *shared = (int *)(a->w->shared + (SHARED + 15) / 16 * 16);
	shared[a->thread] = p->x.p[a->thread];
	if (a->l->shared >= 4) { // the whole of it can be used
		char *last = (char *)shared + a->l->shared - 1;
		if (last > (char *)(shared + a->threads)) *last = 1;
	}
	if (a->thread + 1 < a->threads) return;
	for (u32 i = 0; i < a->threads; i++) p->x.p[i] = shared[a->threads - 1 - i];
}

static u64 cycles(void) {
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	u64 t;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t * 20;
#endif
}

static void spin(at *a) {
	u64 begin = cycles();
	while (cycles() - begin < *(u64 *)a->l->args) {}
}

static void empty(at *a) {}

// Counts each block once, in the int32 of its own.
static void count(at *a) {
	struct { ints x; } *p = (void *)a->l->args;
	u64 n = a->block[0] + (u64)a->l->grid[0] * (a->block[1] + (u64)a->l->grid[1] * a->block[2]);
	__atomic_add_fetch(&p->x.p[n], 1, __ATOMIC_RELAXED);
}

// Each block waits for the one before it, as a decoupled look-back does.
static void chain(at *a) {
	struct { ints x; } *p = (void *)a->l->args;
	u32 b = a->block[0];
	while (b > 0 && !__atomic_load_n(&p->x.p[b - 1], __ATOMIC_ACQUIRE)) {}
	__atomic_store_n(&p->x.p[b], b ? p->x.p[b - 1] + 1 : 1, __ATOMIC_RELEASE);
}

// Writes all the memory that a worker has, as far as the contract goes.
static void memory(at *a) {
	if (a->thread) return;
	u64 stacks = BARRIERS ? (a->threads + LANES - 1) / LANES : 1;
	if ((u64)a->w->shared % 64 || (u64)a->w->stacks % 4096 || a->w->stride % 16 || a->w->size % 16 ||
		(u64)a->w->fibers % 16 || (u64)a->l->args % 16 || a->w->size < STACK + (256 << 10)) {
		fail(a, 0, 1, 0);
		return;
	}
	for (u64 i = 0; i < stacks; i++) {
		char *low = a->w->stacks + i * a->w->stride;
		memset(low, i + 1, a->w->size);
		memset(a->w->fibers + i * 16, 0xee, 16);
	}
	memset(a->w->shared, 0x77, (SHARED + 15) / 16 * 16 + a->l->shared);
	for (u64 i = 0; i < stacks; i++) { // none overlaps another
		char *low = a->w->stacks + i * a->w->stride;
		if (low[0] != (char)(i + 1) || low[a->w->size - 1] != (char)(i + 1)) fail(a, 0, 2, i);
	}
	if (*(u64 *)a->l->args == 1) *(volatile char *)(a->w->stacks - 8) = 1; // the guard
}

int heddle_run(launch *l, worker *w) {
	at a = {l, w};
	a.threads = l->block[0] * l->block[1] * l->block[2];
	for (;;) {
		u64 first = __atomic_fetch_add(&l->next, l->chunk, __ATOMIC_RELAXED);
		if (first >= l->blocks) return 0;
		u64 end = first + l->chunk < l->blocks ? first + l->chunk : l->blocks;
		for (u64 n = first; n < end; n++) {
			if (__atomic_load_n(&l->stop, __ATOMIC_RELAXED)) return 0;
			a.block[0] = n % l->grid[0];
			a.block[1] = n / l->grid[0] % l->grid[1];
			a.block[2] = n / l->grid[0] / l->grid[1];
			for (a.thread = 0; a.thread < a.threads; a.thread++) {
				KERNEL(&a);
				if (a.failed) return 1;
			}
		}
	}
}
