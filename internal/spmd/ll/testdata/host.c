// What scalar host code has, for the parser.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct rec {
	int a;
	double b;
	char c[3];
};

static struct rec table[4] = {{1, 2.0, "ab"}, {3, 4.5, "cd"}};
volatile int cell;

int sum(const int *p, int n) {
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

float mathematics(float a, float b) { return sqrtf(a) * b + expf(a); }

int choose(int x) {
	switch (x) {
	case 0: return 5;
	case 1: return 9;
	case 7: puts("x"); return 2;
	case 100: return x * x;
	default: return printf("%d\n", x);
	}
}

struct rec record(int i) { return table[i]; }

void atomics(int *p) {
	int e = 3;
	__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
	__atomic_compare_exchange_n(p, &e, 7, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(p, e, __ATOMIC_RELEASE);
}

int indirect(int (*f)(int), int x) { return f(x) + f(x + 1); }

int assembly(int x) {
	int y;
	__asm__ volatile("mov %1, %0" : "=r"(y) : "r"(x) : "memory");
	return y;
}

void copy(struct rec *a, struct rec b) { *a = b; }

typedef float v4 __attribute__((vector_size(16)));
v4 shuffle(v4 a, v4 b) { return __builtin_shufflevector(a + b, b, 0, 4, 1, 5); }

float aligned(float *p) {
	p = __builtin_assume_aligned(p, 32);
	return p[3];
}

int zeros(unsigned x) { return __builtin_popcount(x) + (x ? __builtin_clz(x) : 32); }

unsigned __int128 wide(uint64_t a, uint64_t b) { return (unsigned __int128)a * b; }

int ever(void) {
	cell = 3;
	return cell;
}

int overflow(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }

double nest(double *a, int n, int m) {
	double s = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			if (a[i * m + j] < 0)
				continue;
			s += fabs(a[i * m + j]);
			if (s > 1e9)
				return s;
		}
	return s;
}

_Bool order(double x, double y) { return x < y || x != x; }
