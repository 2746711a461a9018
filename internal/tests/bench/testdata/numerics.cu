#include "device.h"

typedef unsigned long long uint64;

struct Alloy { double barrier, border, mobility, grid, step; };

__device__ inline int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

struct PhaseField {
	int nx, ny, nz;
	const double *__restrict__ c;
	__device__ int index(int x, int y, int z) const { return (wrap(z, nz) * ny + wrap(y, ny)) * nx + wrap(x, nx); }
	__device__ double at(int x, int y, int z) const { return c[index(x, y, z)]; }
};

template <class F> __device__ inline double laplace(F f, int x, int y, int z, double grid) {
	double around = f(x - 1, y, z) + f(x + 1, y, z) + f(x, y - 1, z) + f(x, y + 1, z) + f(x, y, z - 1) + f(x, y, z + 1);
	return (around - 6 * f(x, y, z)) * grid;
}

extern "C" __global__ void cahn_hilliard(Alloy a, int nx, int ny, int nz, const double *__restrict__ now, double *__restrict__ next) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x >= nx || y >= ny || z >= nz) return;
	PhaseField field = {nx, ny, nz, now};
	auto at = [&](int x, int y, int z) { return field.at(x, y, z); };
	auto potential = [&](int x, int y, int z) {
		double c = field.at(x, y, z);
		return 2 * a.barrier * c * (1 - c) * (1 - 2 * c) - a.border * laplace(at, x, y, z, a.grid);
	};
	double change = a.mobility * laplace(potential, x, y, z, a.grid);
	next[field.index(x, y, z)] = field.at(x, y, z) + a.step * change;
}

#define GPP_THREADS 128
#define GPP_OFFSETS 2

struct alignas(16) Complex {
	double re, im;
	__device__ Complex operator+(Complex b) const { return Complex{re + b.re, im + b.im}; }
	__device__ Complex operator-(Complex b) const { return Complex{re - b.re, im - b.im}; }
	__device__ Complex operator*(Complex b) const { return Complex{re * b.re - im * b.im, re * b.im + im * b.re}; }
	__device__ Complex operator*(double b) const { return Complex{re * b, im * b}; }
};

__device__ inline Complex conj(Complex z) { return Complex{z.re, -z.im}; }
__device__ inline double norm(Complex z) { return z.re * z.re + z.im * z.im; }

struct Offsets { double at[GPP_OFFSETS]; };

extern "C" __global__ void self_energy(int waves, const Complex *__restrict__ frequency, const Complex *__restrict__ strength, Offsets offsets, int bands,
		const double *__restrict__ energies, const Complex *__restrict__ elements, const double *__restrict__ coulomb, Complex *__restrict__ out) {
	__shared__ double shared[GPP_OFFSETS][GPP_THREADS][2];
	int t = threadIdx.x, wave = blockIdx.x;
	Complex sums[GPP_OFFSETS] = {};
	for (int other = t; other < waves; other += GPP_THREADS) {
		Complex w = frequency[wave * waves + other], s = strength[wave * waves + other];
		for (int band = 0; band < bands; band++) {
			const Complex *row = elements + band * waves;
			Complex weight = conj(row[wave]) * row[other] * s;
			for (int k = 0; k < GPP_OFFSETS; k++) {
				Complex apart = Complex{energies[band] + offsets.at[k], 0} - w;
				sums[k] = sums[k] + weight * (w * conj(apart) * (1 / norm(apart)));
			}
		}
	}
	for (int k = 0; k < GPP_OFFSETS; k++) {
		shared[k][t][0] = sums[k].re;
		shared[k][t][1] = sums[k].im;
		for (int d = GPP_THREADS / 2; d > 0; d /= 2) {
			__syncthreads();
			if (t < d) {
				shared[k][t][0] += shared[k][t + d][0];
				shared[k][t][1] += shared[k][t + d][1];
			}
		}
		__syncthreads();
		if (t == 0) out[wave * GPP_OFFSETS + k] = Complex{shared[k][0][0], shared[k][0][1]} * (0.5 * coulomb[wave]);
	}
}

#define LIBOR_RATES 80
#define LIBOR_STEPS 40

struct alignas(4) Swaption {
	int periods;
	float rate;
};

__device__ inline void evolve(float delta, const float *__restrict__ variance, float *rates, const float *__restrict__ normals, int paths, int path) {
	for (int step = 0; step < LIBOR_STEPS; step++) {
		float shock = sqrtf(delta) * normals[step * paths + path];
		float drift = 0;
		for (int i = step + 1; i < LIBOR_RATES; i++) {
			float lambda = variance[i - step - 1];
			float c = delta * lambda;
			drift += c * rates[i] / (1 + delta * rates[i]);
			rates[i] *= expf(c * drift + lambda * (shock - 0.5f * c));
		}
	}
}

__device__ inline float portfolio(float delta, const float *rates, int count, const Swaption *__restrict__ swaptions) {
	float bonds[LIBOR_RATES - LIBOR_STEPS], annuities[LIBOR_RATES - LIBOR_STEPS];
	float bond = 1, annuity = 0;
	for (int k = 0; k < LIBOR_RATES - LIBOR_STEPS; k++) {
		bond /= 1 + delta * rates[LIBOR_STEPS + k];
		annuity += delta * bond;
		bonds[k] = bond;
		annuities[k] = annuity;
	}
	float sum = 0;
	for (int k = 0; k < count; k++) {
		int last = swaptions[k].periods - 1;
		float swap = bonds[last] + swaptions[k].rate * annuities[last] - 1;
		if (swap < 0) sum -= 100 * swap;
	}
	for (int k = 0; k < LIBOR_STEPS; k++) sum /= 1 + delta * rates[k];
	return sum;
}

extern "C" __global__ void libor_paths(float delta, const float *__restrict__ start, const float *__restrict__ variance, int count, const Swaption *__restrict__ swaptions,
		const float *__restrict__ normals, int paths, float *__restrict__ values) {
	int path = blockIdx.x * blockDim.x + threadIdx.x;
	if (path >= paths) return;
	float rates[LIBOR_RATES];
	for (int i = 0; i < LIBOR_RATES; i++) rates[i] = start[i];
	evolve(delta, variance, rates, normals, paths, path);
	values[path] = portfolio(delta, rates, count, swaptions);
}

#define KALMAN_ORDER 4

struct StateVector { double v[KALMAN_ORDER]; };
struct StateMatrix { double m[KALMAN_ORDER][KALMAN_ORDER]; };
struct StateSpace {
	StateMatrix move, noise;
	StateVector see;
};

__device__ inline double dot(const double *a, const double *b) {
	double sum = 0;
	for (int i = 0; i < KALMAN_ORDER; i++) sum += a[i] * b[i];
	return sum;
}

__device__ inline StateVector apply(const StateMatrix &m, const double *v) {
	StateVector out;
	for (int i = 0; i < KALMAN_ORDER; i++) out.v[i] = dot(m.m[i], v);
	return out;
}

__device__ inline StateMatrix times(const StateMatrix &a, const StateMatrix &b) {
	StateMatrix out = {};
	for (int i = 0; i < KALMAN_ORDER; i++) {
		for (int j = 0; j < KALMAN_ORDER; j++) {
			for (int k = 0; k < KALMAN_ORDER; k++) out.m[i][j] += a.m[i][k] * b.m[k][j];
		}
	}
	return out;
}

__device__ inline StateMatrix times_transposed(const StateMatrix &a, const StateMatrix &b) {
	StateMatrix out;
	for (int i = 0; i < KALMAN_ORDER; i++) {
		for (int j = 0; j < KALMAN_ORDER; j++) out.m[i][j] = dot(b.m[j], a.m[i]);
	}
	return out;
}

extern "C" __global__ void kalman(int n, int total, const StateSpace *models, const StateVector *states, const StateMatrix *spreads, const double *observations,
		double *news, double *likelihood) {
	int series = blockIdx.x * blockDim.x + threadIdx.x;
	if (series >= n) return;
	StateSpace model = models[series];
	StateVector state = states[series];
	StateMatrix spread = spreads[series];
	int length = total / n;
	double sum = 0;
	for (int k = 0; k < length; k++) {
		double seen = observations[series * length + k];
		if (seen == seen) {
			StateVector column = apply(spread, model.see.v);
			double variance = dot(model.see.v, column.v);
			double residual = seen - dot(model.see.v, state.v);
			for (int i = 0; i < KALMAN_ORDER; i++) {
				double gain = column.v[i] / variance;
				state.v[i] += gain * residual;
				for (int j = 0; j < KALMAN_ORDER; j++) spread.m[i][j] -= gain * column.v[j];
			}
			news[series * length + k] = residual;
			sum += log(variance) + residual * residual / variance;
		}
		state = apply(model.move, state.v);
		spread = times_transposed(times(model.move, spread), model.move);
		for (int i = 0; i < KALMAN_ORDER; i++) {
			for (int j = 0; j < KALMAN_ORDER; j++) spread.m[i][j] += model.noise.m[i][j];
		}
	}
	likelihood[series] = -0.5 * sum;
}

__device__ inline void count_genotypes(int people, const unsigned *__restrict__ bits, int i, int j, int counts[3][3]) {
	int words = (people + 31) / 32;
	const unsigned *i0 = bits + 2 * i * words, *i1 = i0 + words, *j0 = bits + 2 * j * words, *j1 = j0 + words;
	for (int w = 0; w < words; w++) {
		unsigned there = ~0u;
		int rest = people - 32 * w;
		if (rest < 32) there = (1u << rest) - 1;
		unsigned a[3] = {i0[w], i1[w], ~(i0[w] | i1[w]) & there};
		unsigned b[3] = {j0[w], j1[w], ~(j0[w] | j1[w]) & there};
		for (int p = 0; p < 3; p++) {
			for (int q = 0; q < 3; q++) counts[p][q] += __popc(a[p] & b[q]);
		}
	}
}

extern "C" __global__ void epistasis(int places, int sick, const unsigned *__restrict__ sick_bits, int healthy, const unsigned *__restrict__ healthy_bits,
		const float *__restrict__ log_factorials, float *__restrict__ scores) {
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i >= j || j >= places) return;
	int cases[3][3] = {}, controls[3][3] = {};
	count_genotypes(sick, sick_bits, i, j, cases);
	count_genotypes(healthy, healthy_bits, i, j, controls);
	float score = 0;
	for (int p = 0; p < 3; p++) {
		for (int q = 0; q < 3; q++) {
			int n = cases[p][q], m = controls[p][q];
			score += log_factorials[n + m + 1] - log_factorials[n] - log_factorials[m];
		}
	}
	scores[i * places + j] = score;
}

struct Fatigue {
	float *open;
	int n, halves;
	float damage;
	__device__ void count(float span, int cycles) {
		halves += cycles;
		damage += cycles * span * span * span * span * span;
	}
	__device__ void turn(float load) {
		open[n++] = load;
		while (n >= 3) {
			float last = fabsf(open[n - 1] - open[n - 2]), before = fabsf(open[n - 2] - open[n - 3]);
			if (last < before) return;
			if (n == 3) {
				count(before, 1);
				open[0] = open[1];
				open[1] = open[2];
				n = 2;
			} else {
				count(before, 2);
				open[n - 3] = open[n - 1];
				n -= 2;
			}
		}
	}
};

extern "C" __global__ void rainflow(int n, const int *starts, const float *loads, float *scratch, int *halves, float *damage) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int start = starts[i], end = starts[i + 1];
	Fatigue f = {scratch + start, 0, 0, 0};
	float before = loads[start], now = before;
	f.turn(now);
	for (int k = start + 1; k < end; k++) {
		float load = loads[k];
		if (load == now) continue;
		if (now != before && (load > now) != (now > before)) f.turn(now);
		before = now;
		now = load;
	}
	f.turn(now);
	for (int k = 1; k < f.n; k++) f.count(fabsf(f.open[k] - f.open[k - 1]), 1);
	halves[i] = f.halves;
	damage[i] = f.damage;
}

// A number modulo the prime of secp256k1, the lowest word first.
struct Residue { uint64 w[4]; };

#define PRIME Residue{{0xfffffffefffffc2fULL, ~0ULL, ~0ULL, ~0ULL}}
#define PRIME_REST 0x1000003d1ULL

__device__ inline uint64 subtract(Residue &out, const Residue &a, const Residue &b) {
	uint64 borrow = 0;
	for (int i = 0; i < 4; i++) {
		unsigned __int128 d = (unsigned __int128)a.w[i] - b.w[i] - borrow;
		out.w[i] = (uint64)d;
		borrow = (uint64)(d >> 64) & 1;
	}
	return borrow;
}

__device__ inline Residue reduced(const Residue &a) {
	Residue less;
	return subtract(less, a, PRIME) ? a : less;
}

__device__ inline uint64 add_word(Residue &a, uint64 word) {
	for (int i = 0; i < 4; i++) {
		a.w[i] += word;
		word = a.w[i] < word;
	}
	return word;
}

__device__ inline Residue multiply(const Residue &a, const Residue &b) {
	uint64 product[8] = {};
	for (int i = 0; i < 4; i++) {
		uint64 carry = 0;
		for (int j = 0; j < 4; j++) {
			unsigned __int128 sum = (unsigned __int128)a.w[i] * b.w[j] + product[i + j] + carry;
			product[i + j] = (uint64)sum;
			carry = (uint64)(sum >> 64);
		}
		product[i + 4] = carry;
	}
	Residue r;
	uint64 carry = 0;
	for (int i = 0; i < 4; i++) {
		unsigned __int128 sum = (unsigned __int128)product[i + 4] * PRIME_REST + product[i] + carry;
		r.w[i] = (uint64)sum;
		carry = (uint64)(sum >> 64);
	}
	unsigned __int128 sum = (unsigned __int128)carry * PRIME_REST;
	for (int i = 0; i < 4; i++) {
		sum += r.w[i];
		r.w[i] = (uint64)sum;
		sum >>= 64;
	}
	if (sum != 0) add_word(r, PRIME_REST);
	return reduced(r);
}

__device__ inline Residue squared(Residue a, int n) {
	for (int i = 0; i < n; i++) a = multiply(a, a);
	return a;
}

__device__ inline bool square_root(Residue &root, const Residue &a) {
	Residue x2 = multiply(squared(a, 1), a);
	Residue x3 = multiply(squared(x2, 1), a);
	Residue x6 = multiply(squared(x3, 3), x3);
	Residue x9 = multiply(squared(x6, 3), x3);
	Residue x11 = multiply(squared(x9, 2), x2);
	Residue x22 = multiply(squared(x11, 11), x11);
	Residue x44 = multiply(squared(x22, 22), x22);
	Residue x88 = multiply(squared(x44, 44), x44);
	Residue x176 = multiply(squared(x88, 88), x88);
	Residue x220 = multiply(squared(x176, 44), x44);
	Residue x223 = multiply(squared(x220, 3), x3);
	root = squared(multiply(squared(multiply(squared(x223, 23), x22), 6), x2), 2);
	Residue square = squared(root, 1);
	for (int i = 0; i < 4; i++) {
		if (square.w[i] != a.w[i]) return false;
	}
	return true;
}

extern "C" __global__ void lift_x(int n, const Residue *xs, Residue *ys, bool *found) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	Residue x = xs[i];
	Residue cube = multiply(squared(x, 1), x);
	if (add_word(cube, 7)) add_word(cube, PRIME_REST);
	Residue y;
	bool ok = square_root(y, reduced(cube));
	if (y.w[0] & 1) subtract(y, PRIME, y);
	found[i] = ok;
	if (ok) ys[i] = y;
}

#define SPGEMM_THREADS 64
#define SPGEMM_GROUP 8
#define SPGEMM_SLOTS 512

extern "C" __global__ void spgemm(const int *__restrict__ a_first, const int *__restrict__ a_column, const double *__restrict__ a_value,
		const int *__restrict__ b_first, const int *__restrict__ b_column, const double *__restrict__ b_value,
		const int *__restrict__ c_first, int *__restrict__ c_column, double *__restrict__ c_value) {
	__shared__ unsigned columns[SPGEMM_SLOTS];
	__shared__ double sums[SPGEMM_SLOTS];
	__shared__ int used[SPGEMM_SLOTS], count;
	int t = threadIdx.x, row = blockIdx.x;
	for (int k = t; k < SPGEMM_SLOTS; k += SPGEMM_THREADS) {
		columns[k] = EMPTY_KEY;
		sums[k] = 0;
	}
	if (t == 0) count = 0;
	__syncthreads();
	for (int k = a_first[row] + t / SPGEMM_GROUP; k < a_first[row + 1]; k += SPGEMM_THREADS / SPGEMM_GROUP) {
		int inner = a_column[k];
		double factor = a_value[k];
		for (int l = b_first[inner] + t % SPGEMM_GROUP; l < b_first[inner + 1]; l += SPGEMM_GROUP) {
			unsigned key = b_column[l];
			unsigned slot = hash_slot(key, SPGEMM_SLOTS);
			while (true) {
				unsigned old = ATOMIC_CAS(&columns[slot], EMPTY_KEY, key);
				if (old == EMPTY_KEY) used[ATOMIC_ADD(&count, 1)] = slot;
				if (old == EMPTY_KEY || old == key) {
					ATOMIC_ADD(&sums[slot], factor * b_value[l]);
					break;
				}
				slot = (slot + 1) % SPGEMM_SLOTS;
			}
		}
	}
	__syncthreads();
	int first = c_first[row];
	for (int k = t; k < count; k += SPGEMM_THREADS) {
		int slot = used[k], before = 0;
		for (int l = 0; l < count; l++) {
			if (columns[used[l]] < columns[slot]) before++;
		}
		c_column[first + before] = columns[slot];
		c_value[first + before] = sums[slot];
	}
}
