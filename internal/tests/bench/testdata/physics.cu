#include "device.h"

#define SRAD_THREADS 256

extern "C" __global__ void srad(int nr, int n, float q0, const int *north, const int *south, const int *east, const int *west,
		float *dN, float *dS, float *dE, float *dW, float *c, const float *image) {
	int i = blockIdx.x * SRAD_THREADS + threadIdx.x;
	if (i >= n) return;
	int row = i % nr, col = i / nr;
	float jc = image[i];
	float n1 = image[north[row] + nr * col] - jc;
	float s1 = image[south[row] + nr * col] - jc;
	float w1 = image[row + nr * west[col]] - jc;
	float e1 = image[row + nr * east[col]] - jc;
	float g2 = (n1 * n1 + s1 * s1 + w1 * w1 + e1 * e1) / (jc * jc);
	float l = (n1 + s1 + w1 + e1) / jc;
	float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
	float den = 1 + 0.25f * l;
	float q = num / (den * den);
	den = (q - q0) / (q0 * (1 + q0));
	float c_loc = 1.0f / (1.0f + den);
	if (c_loc < 0)
		c_loc = 0;
	else if (c_loc > 1)
		c_loc = 1;
	dN[i] = n1;
	dS[i] = s1;
	dW[i] = w1;
	dE[i] = e1;
	c[i] = c_loc;
}

struct Vec3 {
	float x, y, z;
};

struct FarField {
	Vec3 momentum, energy_flux, flux_x, flux_y, flux_z;
};

#define GAMMA 1.4f
#define NEIGHBORS 4
#define DENSITY 0
#define MOMENTUM 1
#define ENERGY 4

__device__ inline void compute_velocity(float d, Vec3 m, Vec3 *v) {
	v->x = m.x / d;
	v->y = m.y / d;
	v->z = m.z / d;
}

__device__ inline float compute_speed_sqd(Vec3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

__device__ inline float compute_pressure(float d, float e, float speed2) { return (GAMMA - 1.0f) * (e - 0.5f * d * speed2); }

__device__ inline float compute_speed_of_sound(float d, float p) { return sqrtf(GAMMA * p / d); }

__device__ inline void compute_flux_contribution(Vec3 m, float e, float p, Vec3 v, Vec3 *fx, Vec3 *fy, Vec3 *fz, Vec3 *fe) {
	fx->x = v.x * m.x + p;
	fx->y = v.x * m.y;
	fx->z = v.x * m.z;
	fy->x = fx->y;
	fy->y = v.y * m.y + p;
	fy->z = v.y * m.z;
	fz->x = fx->z;
	fz->y = fy->z;
	fz->z = v.z * m.z + p;
	float ep = e + p;
	fe->x = v.x * ep;
	fe->y = v.y * ep;
	fe->z = v.z * ep;
}

extern "C" __global__ void euler_flux(int n, FarField ff, const int *around, const float *normals, const float *variables, float *fluxes) {
	const float smoothing = 0.2f;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float d = variables[i + DENSITY * n];
	Vec3 m = {variables[i + MOMENTUM * n], variables[i + (MOMENTUM + 1) * n], variables[i + (MOMENTUM + 2) * n]};
	float e = variables[i + ENERGY * n];
	Vec3 v;
	compute_velocity(d, m, &v);
	float speed2 = compute_speed_sqd(v), speed = sqrtf(speed2);
	float p = compute_pressure(d, e, speed2);
	float sound = compute_speed_of_sound(d, p);
	Vec3 fx, fy, fz, fe;
	compute_flux_contribution(m, e, p, v, &fx, &fy, &fz, &fe);
	float flux_d = 0, flux_e = 0;
	Vec3 flux_m = {0, 0, 0};
#pragma unroll
	for (int j = 0; j < NEIGHBORS; j++) {
		int nb = around[i + j * n];
		Vec3 normal = {normals[i + j * n], normals[i + (j + NEIGHBORS) * n], normals[i + (j + 2 * NEIGHBORS) * n]};
		float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z), factor;
		if (nb >= 0) {
			float dn = variables[nb + DENSITY * n];
			Vec3 mn = {variables[nb + MOMENTUM * n], variables[nb + (MOMENTUM + 1) * n], variables[nb + (MOMENTUM + 2) * n]};
			float en = variables[nb + ENERGY * n];
			Vec3 vn;
			compute_velocity(dn, mn, &vn);
			float speed2n = compute_speed_sqd(vn);
			float pn = compute_pressure(dn, en, speed2n);
			float sound_n = compute_speed_of_sound(dn, pn);
			Vec3 fxn, fyn, fzn, fen;
			compute_flux_contribution(mn, en, pn, vn, &fxn, &fyn, &fzn, &fen);
			factor = -length * smoothing * 0.5f * (speed + sqrtf(speed2n) + sound + sound_n);
			flux_d += factor * (d - dn);
			flux_e += factor * (e - en);
			flux_m.x += factor * (m.x - mn.x);
			flux_m.y += factor * (m.y - mn.y);
			flux_m.z += factor * (m.z - mn.z);

			factor = 0.5f * normal.x;
			flux_d += factor * (mn.x + m.x);
			flux_e += factor * (fen.x + fe.x);
			flux_m.x += factor * (fxn.x + fx.x);
			flux_m.y += factor * (fyn.x + fy.x);
			flux_m.z += factor * (fzn.x + fz.x);

			factor = 0.5f * normal.y;
			flux_d += factor * (mn.y + m.y);
			flux_e += factor * (fen.y + fe.y);
			flux_m.x += factor * (fxn.y + fx.y);
			flux_m.y += factor * (fyn.y + fy.y);
			flux_m.z += factor * (fzn.y + fz.y);

			factor = 0.5f * normal.z;
			flux_d += factor * (mn.z + m.z);
			flux_e += factor * (fen.z + fe.z);
			flux_m.x += factor * (fxn.z + fx.z);
			flux_m.y += factor * (fyn.z + fy.z);
			flux_m.z += factor * (fzn.z + fz.z);
		} else if (nb == -1) {
			flux_m.x += normal.x * p;
			flux_m.y += normal.y * p;
			flux_m.z += normal.z * p;
		} else if (nb == -2) {
			factor = 0.5f * normal.x;
			flux_d += factor * (ff.momentum.x + m.x);
			flux_e += factor * (ff.energy_flux.x + fe.x);
			flux_m.x += factor * (ff.flux_x.x + fx.x);
			flux_m.y += factor * (ff.flux_y.x + fy.x);
			flux_m.z += factor * (ff.flux_z.x + fz.x);

			factor = 0.5f * normal.y;
			flux_d += factor * (ff.momentum.y + m.y);
			flux_e += factor * (ff.energy_flux.y + fe.y);
			flux_m.x += factor * (ff.flux_x.y + fx.y);
			flux_m.y += factor * (ff.flux_y.y + fy.y);
			flux_m.z += factor * (ff.flux_z.y + fz.y);

			factor = 0.5f * normal.z;
			flux_d += factor * (ff.momentum.z + m.z);
			flux_e += factor * (ff.energy_flux.z + fe.z);
			flux_m.x += factor * (ff.flux_x.z + fx.z);
			flux_m.y += factor * (ff.flux_y.z + fy.z);
			flux_m.z += factor * (ff.flux_z.z + fz.z);
		}
	}
	fluxes[i + DENSITY * n] = flux_d;
	fluxes[i + MOMENTUM * n] = flux_m.x;
	fluxes[i + (MOMENTUM + 1) * n] = flux_m.y;
	fluxes[i + (MOMENTUM + 2) * n] = flux_m.z;
	fluxes[i + ENERGY * n] = flux_e;
}

struct Complex {
	double r, i;
};

__device__ inline Complex operator+(Complex a, Complex b) { return {a.r + b.r, a.i + b.i}; }
__device__ inline Complex operator-(Complex a, Complex b) { return {a.r - b.r, a.i - b.i}; }
__device__ inline Complex operator*(Complex a, Complex b) { return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
__device__ inline Complex operator/(Complex x, Complex y) {
	double a = x.r, b = x.i, c = y.r, d = y.i;
	double denom = c * c + d * d;
	return {(a * c + b * d) / denom, (b * c - a * d) / denom};
}

struct SU3 {
	Complex e[3][3];
};

struct Site {
	SU3 link[4];
	int x, y, z, t, index;
	signed char parity;
	int pad[2];
};

extern "C" __global__ void su3_multiply(int total, const Site *__restrict__ a, const SU3 *__restrict__ b, Site *__restrict__ c) {
	int id = blockDim.x * blockIdx.x + threadIdx.x;
	int i = id / 36;
	if (i < total) {
		int j = (id % 36) / 9, k = (id % 9) / 3, l = id % 3;
		Complex sum = {0, 0};
		for (int m = 0; m < 3; m++) sum = sum + a[i].link[j].e[k][m] * b[j].e[m][l];
		c[i].link[j].e[k][l] = sum;
	}
}

#define BOX_PARTICLES 100
#define BOX_THREADS 128

struct Particle {
	float v, x, y, z;
};

struct Neighbor {
	int x, y, z, number;
	long offset;
};

struct Box {
	int x, y, z, number;
	long offset;
	int count;
	Neighbor around[26];
};

#define PRODUCT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))

extern "C" __global__ void lava_md(int total, float alpha, const Box *boxes, const Particle *particles, const float *charges, Particle *forces) {
	__shared__ Particle own[BOX_PARTICLES], other[BOX_PARTICLES];
	__shared__ float charge[BOX_PARTICLES];
	int bx = blockIdx.x, tx = threadIdx.x;
	if (bx >= total) return;
	float a2 = 2 * alpha * alpha;
	int first = boxes[bx].offset;
	for (int t = tx; t < BOX_PARTICLES; t += BOX_THREADS) own[t] = particles[first + t];
	__syncthreads();
	for (int k = 0; k < 1 + boxes[bx].count; k++) {
		int at = k == 0 ? bx : boxes[bx].around[k - 1].number;
		int start = boxes[at].offset;
		for (int t = tx; t < BOX_PARTICLES; t += BOX_THREADS) {
			other[t] = particles[start + t];
			charge[t] = charges[start + t];
		}
		__syncthreads();
		for (int t = tx; t < BOX_PARTICLES; t += BOX_THREADS) {
			for (int j = 0; j < BOX_PARTICLES; j++) {
				float r2 = own[t].v + other[j].v - PRODUCT(own[t], other[j]);
				float u2 = a2 * r2;
				float v = expf(-u2);
				float fs = 2 * v;
				float dx = own[t].x - other[j].x, dy = own[t].y - other[j].y, dz = own[t].z - other[j].z;
				forces[first + t].v += charge[j] * v;
				forces[first + t].x += charge[j] * (fs * dx);
				forces[first + t].y += charge[j] * (fs * dy);
				forces[first + t].z += charge[j] * (fs * dz);
			}
		}
		__syncthreads();
	}
}

#define RADIUS 4

extern "C" __global__ void bilateral(int w, int h, float scale, float intensity, float spatial, const float *__restrict__ in, float *__restrict__ out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int id = y * w + x;
	float here = in[id], sum = 0, norm = 0;
	for (int i = -RADIUS; i <= RADIUS; i++) {
		for (int j = -RADIUS; j <= RADIUS; j++) {
			int k = x + i, l = y + j;
			if (k < 0) k = -k;
			if (l < 0) l = -l;
			if (k > w - 1) k = w - 1 - i;
			if (l > h - 1) l = h - 1 - j;
			float v = in[l * w + k];
			float closeness = -(here - v) * (here - v) / (2.f * intensity);
			float distance = -((k - x) * (k - x) + (l - y) * (l - y)) / (2.f * spatial);
			float weight = scale * expf(distance + closeness);
			norm += weight;
			sum += v * weight;
		}
	}
	out[id] = sum / norm;
}

struct Pole {
	Complex ea, rt, ra, rf;
	short l;
};

struct Window {
	double t, a, f;
	int start, end;
};

__device__ inline double fast_exp(double x) {
	x = 1.0 + x * 0.000244140625;
	x *= x; x *= x; x *= x; x *= x;
	x *= x; x *= x; x *= x; x *= x;
	x *= x; x *= x; x *= x; x *= x;
	return x;
}

__device__ inline Complex fast_cexp(Complex z) {
	double e = fast_exp(z.r);
	return Complex{e, 0} * Complex{cos(z.i), sin(z.i)};
}

__device__ Complex faddeeva(Complex z) {
	if (sqrt(z.r * z.r + z.i * z.i) < 6.0) {
		Complex prefactor = {0, 8.124330e+01};
		double an[10] = {
			2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02,
			2.505215e-02, 1.027747e-02, 3.676164e-03, 1.146494e-03, 3.117570e-04,
		};
		double sign[10] = {-1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
		double left[10] = {
			9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02,
			3.553058e+02, 4.836106e+02, 6.316547e+02, 7.994380e+02, 9.869604e+02,
		};
		Complex t1 = {0, 12}, t2 = {12, 0}, i = {0, 1}, one = {1, 0};
		Complex w = (i * (one - fast_cexp(t1 * z))) / (t2 * z);
		Complex sum = {0, 0};
		for (int n = 0; n < 10; n++) {
			Complex t3 = {sign[n], 0};
			Complex top = t3 * fast_cexp(t1 * z) - one;
			Complex t4 = {left[n], 0}, t5 = {144, 0};
			Complex bottom = t4 - t5 * (z * z);
			Complex t6 = {an[n], 0};
			sum = sum + t6 * (top / bottom);
		}
		return w + prefactor * (z * sum);
	}
	Complex a = {0.512424224754768462984202823134979415014943561548661637413182, 0};
	Complex b = {0.275255128608410950901357962647054304017026259671664935783653, 0};
	Complex c = {0.051765358792987823963876628425793170829107067780337219430904, 0};
	Complex d = {2.724744871391589049098642037352945695982973740328335064216346, 0};
	Complex i = {0, 1}, z2 = z * z;
	return (z * i) * (a / (z2 - b) + c / (z2 - d));
}

#define ANGULAR 4

extern "C" __global__ void rs_poles(int n, int nuclides, int max_windows, int max_poles, const double *energies, const int *material, const int *counts,
		const int *members, const double *share, const int *windows_of, const double *k0rs, const Window *windows, const Pole *poles, double *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double e = energies[i], macro[4] = {0};
	int mat = material[i];
	for (int j = 0; j < counts[mat]; j++) {
		int nuc = members[mat * nuclides + j];
		double spacing = 1.0 / windows_of[nuc];
		int window = (int)(e / spacing);
		if (window == windows_of[nuc]) window--;
		Complex factors[ANGULAR];
		for (int l = 0; l < ANGULAR; l++) {
			double phi = k0rs[nuc * ANGULAR + l] * sqrt(e);
			if (l == 1)
				phi -= -atan(phi);
			else if (l == 2)
				phi -= atan(3.0 * phi / (3.0 - phi * phi));
			else if (l == 3)
				phi -= atan(phi * (15.0 - phi * phi) / (15.0 - 6.0 * phi * phi));
			phi *= 2.0;
			factors[l].r = cos(phi);
			factors[l].i = -sin(phi);
		}
		Window w = windows[nuc * max_windows + window];
		double t = e * w.t, a = e * w.a, f = e * w.f;
		for (int k = w.start; k < w.end; k++) {
			Pole pole = poles[nuc * max_poles + k];
			Complex z = (Complex{e, 0} - pole.ea) * Complex{0.5, 0};
			Complex fad = faddeeva(z);
			t += (pole.rt * (fad * factors[pole.l])).r;
			a += (pole.ra * fad).r;
			f += (pole.rf * fad).r;
		}
		double micro[4] = {t, a, f, t - a};
		for (int k = 0; k < 4; k++) macro[k] += micro[k] * share[mat * nuclides + j];
	}
	for (int k = 0; k < 4; k++) out[4 * i + k] = macro[k];
}

#define BINS 21
#define CORRELATION_THREADS 256

__constant__ float bounds[BINS + 1] = {
	1, 0.999986292, 0.999978582, 0.999966534, 0.999947709, 0.999918296, 0.999872339, 0.999800532, 0.999688337, 0.999513041, 0.999239162,
	0.998811275, 0.998142824, 0.997098668, 0.995467902, 0.992921608, 0.988947361, 0.982748178, 0.973087748, 0.958056168, 0.934722247, 0.898634447,
};

extern "C" __global__ void correlation(const float *x, const float *y, const float *z, unsigned *histogram) {
	__shared__ Vec3 tile[CORRELATION_THREADS];
	__shared__ unsigned local[BINS];
	int t = threadIdx.x, i = blockIdx.x * CORRELATION_THREADS + t, j = blockIdx.y * CORRELATION_THREADS + t;
	if (t < BINS) local[t] = 0;
	tile[t] = Vec3{x[j], y[j], z[j]};
	Vec3 own = {x[i], y[i], z[i]};
	__syncthreads();
	for (int k = 0; k < CORRELATION_THREADS; k++) {
		Vec3 other = tile[k];
		float dot = own.x * other.x + own.y * other.y + own.z * other.z;
		int low = 0, high = BINS;
		while (high > low + 1) {
			int mid = (low + high) / 2;
			if (dot >= bounds[mid])
				high = mid;
			else
				low = mid;
		}
		ATOMIC_ADD(&local[low], 1u);
	}
	__syncthreads();
	if (t < BINS) ATOMIC_ADD(&histogram[t], local[t]);
}

struct Sample {
	float x, y, z, phi;
};

extern "C" __global__ void mri_q(int count, int n, const Sample *__restrict__ samples, const float *__restrict__ x, const float *__restrict__ y,
		const float *__restrict__ z, float *__restrict__ qr, float *__restrict__ qi) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float sx = x[i], sy = y[i], sz = z[i], re = qr[i], im = qi[i];
	for (int k = 0; k < count; k++) {
		float arg = 6.28318530717958647692f * (samples[k].x * sx + samples[k].y * sy + samples[k].z * sz);
		re += samples[k].phi * cosf(arg);
		im += samples[k].phi * sinf(arg);
	}
	qr[i] = re;
	qi[i] = im;
}

extern "C" __global__ void lattice(int nx, int ny, float omega, const int *__restrict__ obstacles,
		const float *__restrict__ f0, const float *__restrict__ f1, const float *__restrict__ f2, const float *__restrict__ f3, const float *__restrict__ f4,
		const float *__restrict__ f5, const float *__restrict__ f6, const float *__restrict__ f7, const float *__restrict__ f8,
		float *__restrict__ t0, float *__restrict__ t1, float *__restrict__ t2, float *__restrict__ t3, float *__restrict__ t4,
		float *__restrict__ t5, float *__restrict__ t6, float *__restrict__ t7, float *__restrict__ t8) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= nx || y >= ny) return;
	int n = (y + 1) % ny, e = (x + 1) % nx;
	int s = y == 0 ? ny - 1 : y - 1, w = x == 0 ? nx - 1 : x - 1;
	float f[9] = {
		f0[y * nx + x], f1[y * nx + w], f2[s * nx + x], f3[y * nx + e], f4[n * nx + x],
		f5[s * nx + w], f6[s * nx + e], f7[n * nx + e], f8[n * nx + w],
	};
	float *to[9] = {t0, t1, t2, t3, t4, t5, t6, t7, t8};
	int i = y * nx + x;
	if (obstacles[i]) {
		const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
		for (int k = 0; k < 9; k++) to[k][i] = f[back[k]];
		return;
	}
	float rho = 0;
	for (int k = 0; k < 9; k++) rho += f[k];
	float ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho;
	float uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho;
	float square = 1.5f * (ux * ux + uy * uy);
	float u[9] = {0, ux, uy, -ux, -uy, ux + uy, -ux + uy, -ux - uy, ux - uy};
	const float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
	for (int k = 0; k < 9; k++) {
		float equilibrium = weight[k] * rho * (1 + 3 * u[k] + 4.5f * u[k] * u[k] - square);
		to[k][i] = f[k] + omega * (equilibrium - f[k]);
	}
}
