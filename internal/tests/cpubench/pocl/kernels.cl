// The kernels of internal/tests/bench/kernels in OpenCL C: the same algorithms and
// launch shapes (../cases.go). PoCL's CPU device has no sub-groups, so what the
// Go kernels do with shuffles is done in local memory.

kernel void saxpy(int n, float a, global const float *x, global float *y) {
	int i = get_global_id(0);
	if (i < n) y[i] += a * x[i];
}

kernel void reduce(int n, global const float *in, global float *out) {
	local float partial[256];
	int t = get_local_id(0);
	float v = 0;
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) v += in[i];
	partial[t] = v;
	for (int d = 128; d > 0; d /= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		if (t < d) partial[t] += partial[t + d];
	}
	if (t == 0) out[get_group_id(0)] = partial[0];
}

kernel void mandelbrot(int w, int h, int limit, float x0, float y0, float step, global int *out) {
	int px = get_global_id(0), py = get_global_id(1);
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

float cnd(float d) {
	const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
	float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
	float v = 0.39894228040143267794f * exp(-0.5f * d * d) * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
	if (d > 0) v = 1.0f - v;
	return v;
}

kernel void black_scholes(int n, float risk_free, float volatility, global const float *price, global const float *strike,
                          global const float *years, global float *call, global float *put) {
	int i = get_global_id(0);
	if (i >= n) return;
	float s = price[i], x = strike[i], t = years[i];
	float root = sqrt(t);
	float d1 = (log(s / x) + (risk_free + 0.5f * volatility * volatility) * t) / (volatility * root);
	float d2 = d1 - volatility * root;
	float c1 = cnd(d1), c2 = cnd(d2);
	float discount = exp(-risk_free * t);
	call[i] = s * c1 - x * discount * c2;
	put[i] = x * discount * (1.0f - c2) - s * (1.0f - c1);
}

#define BODIES 256

kernel void nbody(int n, float soft, global const float4 *pos, global float4 *force) {
	local float4 tile[BODIES];
	int t = get_local_id(0), i = get_global_id(0);
	float4 p = pos[i];
	float ax = 0, ay = 0, az = 0;
	for (int first = 0; first < n; first += BODIES) {
		tile[t] = pos[first + t];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int j = 0; j < BODIES; j++) {
			float4 q = tile[j];
			float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
			float inv = rsqrt(dx * dx + dy * dy + dz * dz + soft);
			float f = q.w * inv * inv * inv;
			ax += dx * f;
			ay += dy * f;
			az += dz * f;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	force[i] = (float4)(ax, ay, az, 0);
}

#define SIDE 16

kernel void sgemm(int n, global const float *a, global const float *b, global float *c) {
	local float as[SIDE][SIDE], bs[SIDE][SIDE];
	int tx = get_local_id(0), ty = get_local_id(1);
	int row = get_global_id(1), col = get_global_id(0);
	float sum = 0;
	for (int k = 0; k < n; k += SIDE) {
		as[ty][tx] = a[row * n + k + tx];
		bs[ty][tx] = b[(k + ty) * n + col];
		barrier(CLK_LOCAL_MEM_FENCE);
		for (int i = 0; i < SIDE; i++) sum += as[ty][i] * bs[i][tx];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	c[row * n + col] = sum;
}

kernel void stencil(int nx, int ny, int nz, float c0, float c1, global const float *in, global float *out) {
	int x = get_global_id(0), y = get_global_id(1);
	if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
	int plane = nx * ny, i = plane + y * nx + x;
	float below = in[i - plane], here = in[i];
	for (int z = 1; z < nz - 1; z++) {
		float above = in[i + plane];
		out[i] = c0 * here + c1 * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
		below = here;
		here = above;
		i += plane;
	}
}

#define BINS 256

kernel void histogram(int n, global const uint *in, global uint *counts) {
	local uint bins[BINS];
	int t = get_local_id(0);
	bins[t] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		uint v = in[i];
		atomic_inc(&bins[v & 0xff]);
		atomic_inc(&bins[v >> 8 & 0xff]);
		atomic_inc(&bins[v >> 16 & 0xff]);
		atomic_inc(&bins[v >> 24]);
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	atomic_add(&counts[t], bins[t]);
}

#define SORTED 1024

kernel void bitonic(global const float *in, global float *out) {
	local float s[SORTED];
	int t = get_local_id(0), base = get_group_id(0) * SORTED;
	s[t] = in[base + t], s[t + SORTED / 2] = in[base + t + SORTED / 2];
	for (int size = 2; size <= SORTED; size *= 2) {
		bool up = (t & (size / 2)) == 0;
		for (int stride = size / 2; stride > 0; stride /= 2) {
			barrier(CLK_LOCAL_MEM_FENCE);
			int i = 2 * t - (t & (stride - 1));
			float a = s[i], b = s[i + stride];
			if ((a > b) == up) s[i] = b, s[i + stride] = a;
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[base + t] = s[t], out[base + t + SORTED / 2] = s[t + SORTED / 2];
}

// Two copies of the sums, so that a step needs one barrier.
kernel void scan(global const int4 *in, global int4 *out, global int *totals) {
	local int sums[2][256];
	int i = get_global_id(0), t = get_local_id(0), side = 0;
	int4 v = in[i];
	v.y += v.x;
	v.z += v.y;
	v.w += v.z;
	sums[0][t] = v.w;
	for (int d = 1; d < 256; d *= 2) {
		barrier(CLK_LOCAL_MEM_FENCE);
		sums[1 - side][t] = sums[side][t] + (t >= d ? sums[side][t - d] : 0);
		side = 1 - side;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = v + (t > 0 ? sums[side][t - 1] : 0);
	if (t == 255) totals[get_group_id(0)] = sums[side][t];
}
