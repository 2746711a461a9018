#include "device.h"

#define COULOMB_POINTS 4

extern "C" __global__ void coulomb(int count, int w, int h, float spacing, float z, const float4 *atoms, float *energy) {
	int x = (blockIdx.x * blockDim.x + threadIdx.x) * COULOMB_POINTS, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	float px = spacing * x, py = spacing * y;
	float sum[COULOMB_POINTS] = {};
	for (int i = 0; i < count; i++) {
		float4 a = atoms[i];
		float dy = py - a.y, dz = z - a.z;
		float dyz = dy * dy + dz * dz;
		float dx = px - a.x;
		for (int k = 0; k < COULOMB_POINTS; k++) {
			sum[k] += a.w * RSQRT(dx * dx + dyz);
			dx += spacing;
		}
	}
	for (int k = 0; k < COULOMB_POINTS; k++) {
		if (x + k < w) energy[y * w + x + k] += sum[k];
	}
}

#define WAVE_X 32
#define WAVE_Y 16
#define REACH 4

struct WaveWeights { float of[REACH + 1]; };

extern "C" __global__ void wave25(int nx, int ny, int nz, WaveWeights c, const float *__restrict__ cur, const float *__restrict__ speed, float *__restrict__ next) {
	__shared__ float tile[WAVE_Y + 2 * REACH][WAVE_X + 2 * REACH];
	int tx = threadIdx.x + REACH, ty = threadIdx.y + REACH;
	int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
	bool inside = x < nx - REACH && y < ny - REACH;
	// A thread beyond the plane reads the last point in it.
	int cx = min(x, nx - 1), cy = min(y, ny - 1);
	int west = min(x - REACH, nx - 1), east = min(x + WAVE_X, nx - 1);
	int north = min(y - REACH, ny - 1), south = min(y + WAVE_Y, ny - 1);
	int plane = nx * ny, i = cy * nx + cx;
	float queue[2 * REACH + 1];
	for (int k = 0; k < 2 * REACH; k++) queue[k + 1] = cur[k * plane + i];
	for (int z = REACH; z < nz - REACH; z++) {
		for (int k = 0; k < 2 * REACH; k++) queue[k] = queue[k + 1];
		queue[2 * REACH] = cur[(z + REACH) * plane + i];
		__syncthreads();
		tile[ty][tx] = queue[REACH];
		if (threadIdx.x < REACH) {
			tile[ty][tx - REACH] = cur[z * plane + cy * nx + west];
			tile[ty][tx + WAVE_X] = cur[z * plane + cy * nx + east];
		}
		if (threadIdx.y < REACH) {
			tile[ty - REACH][tx] = cur[z * plane + north * nx + cx];
			tile[ty + WAVE_Y][tx] = cur[z * plane + south * nx + cx];
		}
		__syncthreads();
		if (inside) {
			float here = queue[REACH], lap = 3 * c.of[0] * here;
			for (int k = 1; k <= REACH; k++) {
				lap += c.of[k] * (queue[REACH - k] + queue[REACH + k] + tile[ty - k][tx] + tile[ty + k][tx] + tile[ty][tx - k] + tile[ty][tx + k]);
			}
			int at = z * plane + i;
			next[at] = 2 * here - next[at] + speed[at] * lap;
		}
	}
}

__device__ inline void volu_der(double x0, double x1, double x2, double x3, double x4, double x5, double y0, double y1, double y2, double y3, double y4, double y5,
		double z0, double z1, double z2, double z3, double z4, double z5, double *dx, double *dy, double *dz) {
	const double twelfth = 1.0 / 12.0;
	*dx = (y1 + y2) * (z0 + z1) - (y0 + y1) * (z1 + z2) +
		(y0 + y4) * (z3 + z4) - (y3 + y4) * (z0 + z4) -
		(y2 + y5) * (z3 + z5) + (y3 + y5) * (z2 + z5);
	*dy = -(x1 + x2) * (z0 + z1) + (x0 + x1) * (z1 + z2) -
		(x0 + x4) * (z3 + z4) + (x3 + x4) * (z0 + z4) +
		(x2 + x5) * (z3 + z5) - (x3 + x5) * (z2 + z5);
	*dz = -(y1 + y2) * (x0 + x1) + (y0 + y1) * (x1 + x2) -
		(y0 + y4) * (x3 + x4) + (y3 + y4) * (x0 + x4) +
		(y2 + y5) * (x3 + x5) - (y3 + y5) * (x2 + x5);
	*dx *= twelfth;
	*dy *= twelfth;
	*dz *= twelfth;
}

extern "C" __global__ void hexforces(int n, const int *__restrict__ nodes, const double *__restrict__ px, const double *__restrict__ py, const double *__restrict__ pz,
		double *__restrict__ dvdx, double *__restrict__ dvdy, double *__restrict__ dvdz) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double x[8], y[8], z[8], dx[8], dy[8], dz[8];
	for (int k = 0; k < 8; k++) {
		int node = nodes[8 * i + k];
		x[k] = px[node];
		y[k] = py[node];
		z[k] = pz[node];
	}
	volu_der(x[1], x[2], x[3], x[4], x[5], x[7], y[1], y[2], y[3], y[4], y[5], y[7],
		z[1], z[2], z[3], z[4], z[5], z[7], &dx[0], &dy[0], &dz[0]);
	volu_der(x[0], x[1], x[2], x[7], x[4], x[6], y[0], y[1], y[2], y[7], y[4], y[6],
		z[0], z[1], z[2], z[7], z[4], z[6], &dx[3], &dy[3], &dz[3]);
	volu_der(x[3], x[0], x[1], x[6], x[7], x[5], y[3], y[0], y[1], y[6], y[7], y[5],
		z[3], z[0], z[1], z[6], z[7], z[5], &dx[2], &dy[2], &dz[2]);
	volu_der(x[2], x[3], x[0], x[5], x[6], x[4], y[2], y[3], y[0], y[5], y[6], y[4],
		z[2], z[3], z[0], z[5], z[6], z[4], &dx[1], &dy[1], &dz[1]);
	volu_der(x[7], x[6], x[5], x[0], x[3], x[1], y[7], y[6], y[5], y[0], y[3], y[1],
		z[7], z[6], z[5], z[0], z[3], z[1], &dx[4], &dy[4], &dz[4]);
	volu_der(x[4], x[7], x[6], x[1], x[0], x[2], y[4], y[7], y[6], y[1], y[0], y[2],
		z[4], z[7], z[6], z[1], z[0], z[2], &dx[5], &dy[5], &dz[5]);
	volu_der(x[5], x[4], x[7], x[2], x[1], x[3], y[5], y[4], y[7], y[2], y[1], y[3],
		z[5], z[4], z[7], z[2], z[1], z[3], &dx[6], &dy[6], &dz[6]);
	volu_der(x[6], x[5], x[4], x[3], x[2], x[0], y[6], y[5], y[4], y[3], y[2], y[0],
		z[6], z[5], z[4], z[3], z[2], z[0], &dx[7], &dy[7], &dz[7]);
	for (int k = 0; k < 8; k++) {
		dvdx[8 * i + k] = dx[k];
		dvdy[8 * i + k] = dy[k];
		dvdz[8 * i + k] = dz[k];
	}
}

#define POOL_KERNEL 3
#define POOL_STRIDE 2
#define POOL_PAD 1

extern "C" __global__ void maxpool3d(int n, int d, int h, int w, int od, int oh, int ow, const float *__restrict__ in, float *__restrict__ out, int *__restrict__ index) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int ox = i % ow, oy = i / ow % oh, oz = i / ow / oh % od;
	int volume = i / ow / oh / od * d * h * w;
	int z0 = oz * POOL_STRIDE - POOL_PAD, y0 = oy * POOL_STRIDE - POOL_PAD, x0 = ox * POOL_STRIDE - POOL_PAD;
	int z1 = min(z0 + POOL_KERNEL, d), y1 = min(y0 + POOL_KERNEL, h), x1 = min(x0 + POOL_KERNEL, w);
	z0 = max(z0, 0);
	y0 = max(y0, 0);
	x0 = max(x0, 0);
	float best = -INFINITY;
	int at = (z0 * h + y0) * w + x0;
	for (int z = z0; z < z1; z++) {
		for (int y = y0; y < y1; y++) {
			for (int x = x0; x < x1; x++) {
				int k = (z * h + y) * w + x;
				float v = in[volume + k];
				if (v > best) {
					best = v;
					at = k;
				}
			}
		}
	}
	out[i] = best;
	index[i] = at;
}

#define PCR_EQUATIONS 256

extern "C" __global__ void pcr(const float *lower, const float *diag, const float *upper, const float *right, float *out) {
	__shared__ float a[PCR_EQUATIONS], b[PCR_EQUATIONS], c[PCR_EQUATIONS], d[PCR_EQUATIONS], x[PCR_EQUATIONS];
	int t = threadIdx.x, i = blockIdx.x * PCR_EQUATIONS + t;
	a[t] = lower[i];
	b[t] = diag[i];
	c[t] = upper[i];
	d[t] = right[i];
	__syncthreads();
	int delta = 1;
	while (delta < PCR_EQUATIONS / 2) {
		// At the ends a and c are zero, so it does not matter which equation stands in.
		int l = max(t - delta, 0), r = min(t + delta, PCR_EQUATIONS - 1);
		float k1 = a[t] / b[l], k2 = c[t] / b[r];
		float new_b = b[t] - c[l] * k1 - a[r] * k2;
		float new_d = d[t] - d[l] * k1 - d[r] * k2;
		float new_a = -a[l] * k1, new_c = -c[r] * k2;
		__syncthreads();
		a[t] = new_a;
		b[t] = new_b;
		c[t] = new_c;
		d[t] = new_d;
		__syncthreads();
		delta *= 2;
	}
	if (t < delta) { // pairs of equations are left
		int u = t + delta;
		float det = b[u] * b[t] - c[t] * a[u];
		x[t] = (b[u] * d[t] - c[t] * d[u]) / det;
		x[u] = (d[u] * b[t] - d[t] * a[u]) / det;
	}
	__syncthreads();
	out[i] = x[t];
}

extern "C" __global__ void boxfilter(int w, int h, int r, const float *in, float *out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	if (x >= w) return;
	float scale = 1 / (float)(2 * r + 1);
	float sum = in[x] * (r + 1);
	for (int y = 0; y < r; y++) sum += in[min(y, h - 1) * w + x];
	for (int y = 0; y < h; y++) {
		sum += in[min(y + r, h - 1) * w + x] - in[max(y - r - 1, 0) * w + x];
		out[y * w + x] = sum * scale;
	}
}

extern "C" __global__ void jaccard(int edges, const int *__restrict__ first, const int *__restrict__ source, const int *__restrict__ target, float *__restrict__ out) {
	int e = blockIdx.x * blockDim.x + threadIdx.x;
	if (e >= edges) return;
	int u = source[e], v = target[e];
	const int *few = target + first[u], *many = target + first[v];
	int shorter = first[u + 1] - first[u], longer = first[v + 1] - first[v];
	if (shorter > longer) {
		const int *p = few;
		few = many;
		many = p;
		int n = shorter;
		shorter = longer;
		longer = n;
	}
	int common = 0;
	for (int k = 0; k < shorter; k++) {
		int key = few[k], lo = 0, hi = longer;
		while (lo < hi) {
			int mid = (lo + hi) / 2;
			if (many[mid] < key) lo = mid + 1;
			else hi = mid;
		}
		if (lo < longer && many[lo] == key) common++;
	}
	out[e] = (float)common / (shorter + longer - common);
}

struct Vec3 { float x, y, z; };

#define TPACF_THREADS 256
#define TPACF_BOUNDS 20

extern "C" __global__ void tpacf(int points, int others, const Vec3 *data, const Vec3 *random, const float *bounds, unsigned *histogram) {
	__shared__ Vec3 tile[TPACF_THREADS];
	__shared__ unsigned local[TPACF_BOUNDS + 1];
	int t = threadIdx.x;
	if (t <= TPACF_BOUNDS) local[t] = 0;
	int first = blockIdx.y * TPACF_THREADS;
	int size = min(TPACF_THREADS, others - first);
	if (t < size) tile[t] = random[first + t];
	__syncthreads();
	int i = blockIdx.x * blockDim.x + t;
	if (i < points) {
		Vec3 p = data[i];
		for (int j = 0; j < size; j++) {
			Vec3 q = tile[j];
			float dot = p.x * q.x + p.y * q.y + p.z * q.z;
			int lo = 0, hi = TPACF_BOUNDS;
			while (lo < hi) {
				int mid = (lo + hi) / 2;
				if (dot >= bounds[mid]) hi = mid;
				else lo = mid + 1;
			}
			ATOMIC_ADD(&local[lo], 1u);
		}
	}
	__syncthreads();
	if (t <= TPACF_BOUNDS) ATOMIC_ADD(&histogram[t], local[t]);
}
