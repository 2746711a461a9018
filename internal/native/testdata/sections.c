// Something of every kind of section and relocation; see native_test.go.
typedef long int64_t;
double sqrt(double), sin(double), pow(double, double);
void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long);

static const double table[4] = {1.5, 2.5, 3.5, 4.5};
static int counter = 40;
int common;
static int zeros[1000];
int exported = 7;
int *const pointer = &exported;
extern int absent_weak(void) __attribute__((weak));

typedef double (*function)(double);
static double half(double x) { return x / 2; }
static double twice(double x) { return x * 2; }
function const functions[] = {half, twice, sqrt, sin};

__attribute__((noinline)) int bump(int by) { return counter += by; }

__attribute__((noinline)) double lookup(unsigned i) { return table[i & 3] * 0.1f; }

int64_t run(int64_t *out) {
	out[0] = bump(1) + bump(1);
	out[1] = (int64_t)(lookup(2) * 1000);
	out[2] = ++common;
	zeros[999]++;
	out[3] = zeros[999] + zeros[0];
	out[4] = *pointer + exported;
	double x = 0;
	for (int i = 0; i < 4; i++) x += functions[i](16);
	out[5] = (int64_t)(x * 1e6);
	char a[300], b[300];
	memset(a, out[0], sizeof a);
	memcpy(b, a, out[0] > 0 ? sizeof b : 1);
	out[6] = b[299];
	out[7] = absent_weak ? 1 : 2;
	out[8] = (int64_t)(pow(out[0], 0.5) * 1e6);
	return 42;
}

int64_t choose(int64_t i) { // a jump table
	switch (i) {
	case 0: return 11;
	case 1: return counter;
	case 2: return 33 * counter;
	case 3: return exported;
	case 4: return -5;
	case 5: return common - 1;
	}
	return 0;
}
