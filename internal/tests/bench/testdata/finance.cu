#include "device.h"

__device__ inline float cnd(float d) {
	const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
	float v = 0.39894228040143267794f * expf(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
	if (d > 0) v = 1.0f - v;
	return v;
}

extern "C" __global__ void black_scholes(int n, float risk_free, float volatility, const float *price, const float *strike,
                                         const float *years, float *call, float *put) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float s = price[i], x = strike[i], t = years[i];
	float root = sqrtf(t);
	float d1 = (logf(s / x) + (risk_free + 0.5f * volatility * volatility) * t) / (volatility * root);
	float d2 = d1 - volatility * root;
	float c1 = cnd(d1), c2 = cnd(d2);
	float discount = expf(-risk_free * t);
	call[i] = s * c1 - x * discount * c2;
	put[i] = x * discount * (1.0f - c2) - s * (1.0f - c1);
}

extern "C" __global__ void mandelbrot(int w, int h, int limit, float x0, float y0, float step, int *out) {
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	if (px >= w || py >= h) return;
	float cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
	int n = 0;
	while (n < limit && x * x + y * y < 4) {
		float next = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = next;
		n++;
	}
	out[py * w + px] = n;
}

__device__ inline double normal(double d) { return 0.5 * erfc(-d * 0.70710678118654752440); }

extern "C" __global__ void black_scholes64(int n, double risk_free, double volatility, const double *price, const double *strike,
                                           const double *years, double *call, double *put) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double s = price[i], x = strike[i], t = years[i];
	double root = volatility * sqrt(t);
	double d1 = (log(s / x) + (risk_free + 0.5 * volatility * volatility) * t) / root;
	double d2 = d1 - root;
	double discounted = x * exp(-risk_free * t);
	call[i] = s * normal(d1) - discounted * normal(d2);
	put[i] = discounted * normal(-d2) - s * normal(-d1);
}

__device__ inline unsigned long long next_random(unsigned long long state) { return state * 6364136223846793005ull + 1442695040888963407ull; }
__device__ inline double uniform(unsigned long long state) { return ((double)(state >> 12) + 0.5) * 0x1p-52; }

extern "C" __global__ void monte_carlo(int n, int pairs, double drift, double spread, double strike, const unsigned long long *seeds, double *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	unsigned long long state = seeds[i];
	double sum = 0;
	for (int k = 0; k < pairs; k++) {
		state = next_random(state);
		double r = spread * sqrt(-2 * log(uniform(state)));
		state = next_random(state);
		double angle = 6.28318530717958647692 * uniform(state);
		sum += fmax(exp(drift + r * cos(angle)) - strike, 0.0);
		sum += fmax(exp(drift + r * sin(angle)) - strike, 0.0);
	}
	out[i] = sum / (2 * pairs);
}
