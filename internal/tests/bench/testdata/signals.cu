#include "device.h"

#define PI 3.14159265358979f

struct alignas(8) Complex {
	float re, im;
	__device__ Complex operator+(Complex b) const { return Complex{re + b.re, im + b.im}; }
	__device__ Complex operator*(Complex b) const { return Complex{re * b.re - im * b.im, re * b.im + im * b.re}; }
};

struct ControlledGate {
	int control, targets[2], sorted[3];
	Complex u[4][4];
};

__device__ inline int insert_zero(int i, int bit) {
	int low = i & ((1 << bit) - 1);
	return (i - low) << 1 | low;
}

extern "C" __global__ void qubit_gate(ControlledGate g, int n, Complex *state) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n / 8) return;
	for (int k = 0; k < 3; k++) i = insert_zero(i, g.sorted[k]);
	i |= 1 << g.control;
	int a = 1 << g.targets[0], b = 1 << g.targets[1];
	int at[4] = {i, i | a, i | b, i | a | b};
	Complex old[4];
	for (int k = 0; k < 4; k++) old[k] = state[at[k]];
	for (int r = 0; r < 4; r++) {
		Complex sum = {};
		for (int k = 0; k < 4; k++) sum = sum + g.u[r][k] * old[k];
		state[at[r]] = sum;
	}
}

__device__ inline float projected(int detectors, const float *sino, int angle, float at) {
	int d = (int)floorf(at);
	if (d < 0 || d + 1 >= detectors) return 0;
	float f = at - d;
	const float *row = sino + angle * detectors;
	return row[d] * (1 - f) + row[d + 1] * f;
}

extern "C" __global__ void backproject(int detectors, const float *__restrict__ sino, int angles, const float2 *__restrict__ turns, int size, float spacing, float *__restrict__ image) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= size || y >= size) return;
	float middle = (size - 1) / 2.0f;
	float px = (x - middle) * spacing, py = (middle - y) * spacing;
	float center = (detectors - 1) / 2.0f;
	float sum = 0;
	for (int a = 0; a < angles; a++) {
		float2 t = turns[a];
		sum += projected(detectors, sino, a, px * t.x + py * t.y + center);
	}
	image[y * size + x] = sum * (PI / angles);
}

#define HMM_STATES 64

__device__ inline float log_add(float a, float b) {
	if (a < b) {
		float c = a;
		a = b;
		b = c;
	}
	if (b == -INFINITY) return a;
	return a + log1pf(expf(b - a));
}

extern "C" __global__ void hmm_forward(const float *__restrict__ start, const float *__restrict__ trans, const float *__restrict__ emit, const int *__restrict__ starts,
		const unsigned char *__restrict__ symbols, float *__restrict__ out) {
	__shared__ float alpha[2][HMM_STATES];
	int j = threadIdx.x;
	const unsigned char *seq = symbols + starts[blockIdx.x];
	int length = starts[blockIdx.x + 1] - starts[blockIdx.x];
	alpha[0][j] = start[j] + emit[seq[0] * HMM_STATES + j];
	int now = 0;
	for (int t = 1; t < length; t++) {
		__syncthreads();
		float most = -INFINITY;
		for (int i = 0; i < HMM_STATES; i++) most = fmaxf(most, alpha[now][i] + trans[i * HMM_STATES + j]);
		float next = -INFINITY;
		if (most > -INFINITY) {
			float sum = 0;
			for (int i = 0; i < HMM_STATES; i++) sum += expf(alpha[now][i] + trans[i * HMM_STATES + j] - most);
			next = most + logf(sum) + emit[seq[t] * HMM_STATES + j];
		}
		now = 1 - now;
		alpha[now][j] = next;
	}
	for (int d = HMM_STATES / 2; d > 0; d /= 2) {
		__syncthreads();
		if (j < d) alpha[now][j] = log_add(alpha[now][j], alpha[now][j + d]);
	}
	if (j == 0) out[blockIdx.x] = alpha[now][0];
}

#define QR_ORDER 12
#define QR_BATCH 16

extern "C" __global__ void batched_qr(int count, float *matrices, float *tau) {
	__shared__ float tile[QR_BATCH][QR_ORDER][QR_ORDER + 1];
	__shared__ float taus[QR_BATCH];
	int col = threadIdx.x, ty = threadIdx.y;
	int matrix = blockIdx.x * QR_BATCH + ty;
	bool there = matrix < count;
	float (*a)[QR_ORDER + 1] = tile[ty];
	if (there) {
		for (int r = 0; r < QR_ORDER; r++) a[r][col] = matrices[(matrix * QR_ORDER + r) * QR_ORDER + col];
	}
	for (int k = 0; k < QR_ORDER; k++) {
		__syncthreads();
		if (there && col == k) {
			float norm = 0;
			for (int r = k + 1; r < QR_ORDER; r++) norm += a[r][k] * a[r][k];
			taus[ty] = 0;
			float alpha = a[k][k];
			if (norm > 0) {
				float beta = -copysignf(sqrtf(alpha * alpha + norm), alpha);
				taus[ty] = (beta - alpha) / beta;
				float scale = 1 / (alpha - beta);
				for (int r = k + 1; r < QR_ORDER; r++) a[r][k] *= scale;
				a[k][k] = beta;
			}
			tau[matrix * QR_ORDER + k] = taus[ty];
		}
		__syncthreads();
		if (there && col > k) {
			float dot = a[k][col];
			for (int r = k + 1; r < QR_ORDER; r++) dot += a[r][k] * a[r][col];
			dot *= taus[ty];
			a[k][col] -= dot;
			for (int r = k + 1; r < QR_ORDER; r++) a[r][col] -= dot * a[r][k];
		}
	}
	if (there) {
		for (int r = 0; r < QR_ORDER; r++) matrices[(matrix * QR_ORDER + r) * QR_ORDER + col] = a[r][col];
	}
}

#define DECIMATION 8
#define PHASE_TAPS 16
#define FIR_THREADS 256

extern "C" __global__ void decimate(int samples, int n, const float *__restrict__ taps, const Complex *__restrict__ in, Complex *__restrict__ out) {
	__shared__ float h[DECIMATION * PHASE_TAPS];
	__shared__ Complex tile[DECIMATION][FIR_THREADS + PHASE_TAPS - 1];
	int t = threadIdx.x;
	if (t < DECIMATION * PHASE_TAPS) h[t] = taps[t];
	int first = blockIdx.x * FIR_THREADS * DECIMATION;
	for (int k = t; k < DECIMATION * (FIR_THREADS + PHASE_TAPS - 1); k += FIR_THREADS) {
		Complex v = {};
		if (first + k < samples) v = in[first + k];
		tile[k % DECIMATION][k / DECIMATION] = v;
	}
	__syncthreads();
	int i = blockIdx.x * blockDim.x + t;
	if (i >= n) return;
	float re = 0, im = 0;
	for (int p = 0; p < DECIMATION; p++) {
		for (int q = 0; q < PHASE_TAPS; q++) {
			float w = h[q * DECIMATION + p];
			Complex v = tile[p][t + q];
			re += w * v.re;
			im += w * v.im;
		}
	}
	out[i] = Complex{re, im};
}

#define GRID_REACH 6
#define GRID_STEPS 64

struct Visibility { float u, v, re, im; };

__device__ inline float kernel_at(const float *table, float distance) {
	float at = fabsf(distance) * GRID_STEPS;
	int k = (int)at;
	float f = at - k;
	return table[k] + f * (table[k + 1] - table[k]);
}

__device__ inline int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

extern "C" __global__ void gridding(int samples, int n, const float *__restrict__ table, const Visibility *__restrict__ visibilities, float2 *__restrict__ grid) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= samples) return;
	Visibility s = visibilities[i];
	int x0 = (int)ceilf(s.u - GRID_REACH / 2), y0 = (int)ceilf(s.v - GRID_REACH / 2);
	float wx[GRID_REACH], wy[GRID_REACH];
	for (int k = 0; k < GRID_REACH; k++) {
		wx[k] = kernel_at(table, x0 + k - s.u);
		wy[k] = kernel_at(table, y0 + k - s.v);
	}
	for (int j = 0; j < GRID_REACH; j++) {
		int y = wrap(y0 + j, n);
		for (int k = 0; k < GRID_REACH; k++) {
			float2 *p = &grid[y * n + wrap(x0 + k, n)];
			float w = wx[k] * wy[j];
			ATOMIC_ADD(&p->x, w * s.re);
			ATOMIC_ADD(&p->y, w * s.im);
		}
	}
}

extern "C" __global__ void level_solve(const int *__restrict__ first, const int *__restrict__ index, const double *__restrict__ values, const double *__restrict__ inverse,
		const int *__restrict__ parts, const int *__restrict__ levels, const int *__restrict__ rows, const double *__restrict__ b, double *__restrict__ x) {
	int part = blockIdx.x;
	for (int l = parts[part]; l < parts[part + 1]; l++) {
		int end = levels[l + 1];
		for (int k = levels[l] + threadIdx.x; k < end; k += blockDim.x) {
			int row = rows[k];
			double sum = b[row];
			for (int j = first[row]; j < first[row + 1]; j++) sum -= values[j] * x[index[j]];
			x[row] = sum * inverse[row];
		}
		__syncthreads();
	}
}

struct alignas(4) IQ { short i, q; };
struct Probe { float rate, start, frequency, sound, f_number, gain; };
struct Field {
	int w, h;
	float x, z, dx, dz;
};

extern "C" __global__ void beamform(Probe p, Field field, int samples, int channels, const float *__restrict__ elements, const IQ *__restrict__ echoes, Complex *__restrict__ image) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= field.w || y >= field.h) return;
	float px = field.x + x * field.dx, pz = field.z + y * field.dz;
	Complex sum = {};
	for (int c = 0; c < channels; c++) {
		float dx = px - elements[c];
		if (2 * p.f_number * fabsf(dx) > pz) continue;
		float delay = (pz + sqrtf(dx * dx + pz * pz)) / p.sound;
		float at = (delay - p.start) * p.rate;
		int k = (int)at;
		if (at < 0 || k + 1 >= samples) continue;
		float f = at - k;
		IQ a = echoes[c * samples + k], b = echoes[c * samples + k + 1];
		float i = a.i * (1 - f) + b.i * f;
		float q = a.q * (1 - f) + b.q * f;
		float sin, cos;
		sincosf(2 * PI * p.frequency * delay, &sin, &cos);
		sum = sum + Complex{i, q} * Complex{cos, sin};
	}
	image[y * field.w + x] = Complex{sum.re * p.gain, sum.im * p.gain};
}
