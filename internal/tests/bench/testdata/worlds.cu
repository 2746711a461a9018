#include "device.h"

#define PI 3.14159265358979323846

__device__ inline int clamp_int(int v, int lo, int hi) { return min(max(v, lo), hi); }

struct Vec { float x, y, z; };

__device__ inline Vec operator+(Vec a, Vec b) { return Vec{a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec operator-(Vec a, Vec b) { return Vec{a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vec operator*(Vec a, float s) { return Vec{a.x * s, a.y * s, a.z * s}; }
__device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec unit(Vec a) { return a * (1 / sqrtf(dot(a, a))); }

struct FluidParticle {
	Vec pos, vel;
	float density;
};

struct Fluid {
	float reach, mass, rest, stiffness, viscosity;
	__device__ float poly6(float r2) const {
		float h2 = reach * reach;
		if (r2 >= h2) return 0;
		float d = h2 - r2;
		return (float)(315 / (64 * PI)) / (h2 * h2 * h2 * h2 * reach) * d * d * d;
	}
	__device__ float spiky() const {
		float h3 = reach * reach * reach;
		return (float)(45 / PI) / (h3 * h3);
	}
	__device__ Vec spiky_gradient(Vec d, float r) const { return d * (-spiky() * (reach - r) * (reach - r) / r); }
	__device__ float laplacian(float r) const { return spiky() * (reach - r); }
	__device__ float pressure(float density) const {
		float q = density / rest, q3 = q * q * q;
		return stiffness * fmaxf(q3 * q3 * q - 1, 0);
	}
};

extern "C" __global__ void sph_density(Fluid f, int nx, int ny, int nz, float size, const int *__restrict__ start, const int *__restrict__ end, Vec gravity,
		int n, const FluidParticle *__restrict__ particles, float *__restrict__ densities, Vec *__restrict__ accelerations) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	FluidParticle own = particles[i];
	float pressure = f.pressure(own.density), density = 0;
	Vec force = {0, 0, 0};
	int cx = (int)(own.pos.x / size), cy = (int)(own.pos.y / size), cz = (int)(own.pos.z / size);
	for (int dz = -1; dz <= 1; dz++) {
		for (int dy = -1; dy <= 1; dy++) {
			for (int dx = -1; dx <= 1; dx++) {
				int x = cx + dx, y = cy + dy, z = cz + dz;
				if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz) continue;
				int c = (z * ny + y) * nx + x;
				int last = end[c];
				for (int j = start[c]; j < last; j++) {
					FluidParticle q = particles[j];
					Vec d = own.pos - q.pos;
					float r2 = dot(d, d);
					density += f.mass * f.poly6(r2);
					if (r2 == 0 || r2 >= f.reach * f.reach) continue;
					float r = sqrtf(r2);
					float push = -f.mass * (pressure + f.pressure(q.density)) / (2 * q.density);
					float drag = f.viscosity * f.mass / q.density * f.laplacian(r);
					force = force + f.spiky_gradient(d, r) * push + (q.vel - own.vel) * drag;
				}
			}
		}
	}
	densities[i] = density;
	accelerations[i] = force * (1 / own.density) + gravity;
}

extern "C" __global__ void barnes_hut(int bodies, const float4 *__restrict__ points, const int (*__restrict__ children)[8], const float *__restrict__ sides,
		float theta, float soft, Vec *__restrict__ out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= bodies) return;
	float4 own = points[i];
	Vec sum = {0, 0, 0};
	int stack[64];
	stack[0] = bodies;
	int top = 1;
	while (top > 0) {
		int point = stack[--top];
		float4 q = points[point];
		Vec d = {q.x - own.x, q.y - own.y, q.z - own.z};
		float r2 = dot(d, d);
		bool far = point < bodies;
		if (!far) {
			float side = sides[point - bodies];
			far = side * side < theta * theta * r2;
		}
		if (far) {
			float inverse = RSQRT(r2 + soft * soft);
			sum = sum + d * (q.w * inverse * inverse * inverse);
			continue;
		}
		for (int k = 0; k < 8; k++) {
			int child = children[point - bodies][k];
			if (child >= 0) stack[top++] = child;
		}
	}
	out[i] = sum;
}

__device__ constexpr int cloth_springs[12][2] = {
	{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {2, 0}, {-2, 0}, {0, 2}, {0, -2},
};

struct Fabric {
	float distance, damping, step, stiffness[3];
	Vec gravity;
};

struct Globe {
	Vec center;
	float radius;
};

extern "C" __global__ void cloth_step(int w, int h, const Vec *__restrict__ now, const Vec *__restrict__ before, const bool *__restrict__ pinned, Fabric f,
		int count, const Globe *__restrict__ globes, Vec *__restrict__ next) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	int i = y * w + x;
	Vec own = now[i];
	if (pinned[i]) {
		next[i] = own;
		return;
	}
	Vec pull = {0, 0, 0};
#pragma unroll
	for (int k = 0; k < 12; k++) {
		int dx = cloth_springs[k][0], dy = cloth_springs[k][1];
		int u = x + dx, v = y + dy;
		if (u < 0 || u >= w || v < 0 || v >= h) continue;
		Vec d = now[v * w + u] - own;
		float length = sqrtf(dot(d, d));
		float rest = f.distance * sqrtf((float)(dx * dx + dy * dy));
		pull = pull + d * (f.stiffness[k / 4] * (length - rest) / length);
	}
	Vec a = f.gravity + pull;
	Vec p = own + (own - before[i]) * (1 - f.damping) + a * (f.step * f.step);
	for (int k = 0; k < count; k++) {
		Globe g = globes[k];
		Vec d = p - g.center;
		float r2 = dot(d, d);
		if (r2 < g.radius * g.radius) p = g.center + d * (g.radius / sqrtf(r2));
	}
	next[i] = p;
}

#define FORM_BALL 0
#define FORM_BOX 1
#define FORM_TORUS 2
#define FORM_FLOOR 3

struct Form {
	int kind;
	Vec center, size, color;
	float round;
	__device__ float distance(Vec p) const {
		Vec q = p - center;
		switch (kind) {
		case FORM_BALL: return sqrtf(dot(q, q)) - size.x;
		case FORM_BOX: {
			Vec d = Vec{fabsf(q.x), fabsf(q.y), fabsf(q.z)} - size;
			Vec out = {fmaxf(d.x, 0), fmaxf(d.y, 0), fmaxf(d.z, 0)};
			return sqrtf(dot(out, out)) + fminf(fmaxf(d.x, fmaxf(d.y, d.z)), 0) - round;
		}
		case FORM_TORUS: {
			float ring = sqrtf(q.x * q.x + q.z * q.z) - size.x;
			return sqrtf(ring * ring + q.y * q.y) - size.y;
		}
		case FORM_FLOOR: return q.y;
		}
		return 3.402823466e38f;
	}
};

struct Scene {
	const Form *__restrict__ forms;
	int count;
	float melt;
	Vec light;
	__device__ float distance(Vec p) const {
		float d = 1e9f;
		for (int i = 0; i < count; i++) {
			float e = forms[i].distance(p);
			float h = fmaxf(melt - fabsf(d - e), 0) / melt;
			d = fminf(d, e) - h * h * melt / 4;
		}
		return d;
	}
	__device__ Vec color(Vec p) const {
		float nearest = 3.402823466e38f;
		int best = 0;
		for (int i = 0; i < count; i++) {
			float d = forms[i].distance(p);
			if (d < nearest) {
				nearest = d;
				best = i;
			}
		}
		return forms[best].color;
	}
	__device__ Vec normal(Vec p) const {
		const float e = 1e-2f;
		return unit(Vec{
			distance(p + Vec{e, 0, 0}) - distance(p - Vec{e, 0, 0}),
			distance(p + Vec{0, e, 0}) - distance(p - Vec{0, e, 0}),
			distance(p + Vec{0, 0, e}) - distance(p - Vec{0, 0, e}),
		});
	}
	__device__ bool march(Vec from, Vec dir, Vec &p) const {
		float t = 0;
		for (int step = 0; step < 96; step++) {
			p = from + dir * t;
			float d = distance(p);
			if (d < 1e-3f * (1 + t)) return true;
			t += d;
			if (t > 40) break;
		}
		return false;
	}
	__device__ float shadow(Vec p) const {
		float lit = 1;
		for (float t = 0.05f; t < 12;) {
			float d = distance(p + light * t);
			if (d < 1e-3f) return 0;
			lit = fminf(lit, 8 * d / t);
			t += fmaxf(d, 0.02f);
		}
		return lit;
	}
};

extern "C" __global__ void raymarch_sdf(int count, const Form *__restrict__ forms, float melt, Vec light_dir, Vec eye, int w, int h, float zoom, Vec *__restrict__ out) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= w || y >= h) return;
	Scene scene = {forms, count, melt, light_dir};
	Vec dir = unit(Vec{(x - w / 2.f) * zoom, (h / 2.f - y) * zoom, 1});
	Vec color = Vec{0.5f, 0.7f, 0.9f} * (0.6f + 0.4f * dir.y);
	Vec p;
	if (scene.march(eye, dir, p)) {
		Vec normal = scene.normal(p);
		float light = 0.15f, facing = dot(normal, light_dir);
		if (facing > 0) light += 0.85f * facing * scene.shadow(p + normal * 0.02f);
		color = scene.color(p) * light;
	}
	out[y * w + x] = color;
}

__device__ constexpr int d3q19[19][3] = {
	{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
	{1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1},
	{1, 0, -1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};
__device__ constexpr int d3q19_opposite[19] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};
__device__ constexpr float d3q19_weight[19] = {
	1.f / 3, 1.f / 18, 1.f / 18, 1.f / 18, 1.f / 18, 1.f / 18, 1.f / 18,
	1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36,
};

#define LATTICE_FLUID 0
#define LATTICE_WALL 1
#define LATTICE_LID 2

__device__ inline int wrap(int i, int n) {
	if (i < 0) return i + n;
	if (i >= n) return i - n;
	return i;
}

extern "C" __global__ void lbm_d3q19(int nx, int ny, int nz, const unsigned char *__restrict__ flags, float omega, Vec lid, const float *__restrict__ from,
		float *__restrict__ to) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x >= nx || y >= ny || z >= nz) return;
	int cells = nx * ny * nz, own = (z * ny + y) * nx + x;
	if (flags[own] != LATTICE_FLUID) return;
	float f[19];
#pragma unroll
	for (int q = 0; q < 19; q++) {
		const int *c = d3q19[q];
		int at = (wrap(z - c[2], nz) * ny + wrap(y - c[1], ny)) * nx + wrap(x - c[0], nx);
		switch (flags[at]) {
		case LATTICE_FLUID: f[q] = from[q * cells + at]; break;
		case LATTICE_WALL: f[q] = from[d3q19_opposite[q] * cells + own]; break;
		case LATTICE_LID: f[q] = from[d3q19_opposite[q] * cells + own] + 6 * d3q19_weight[q] * (c[0] * lid.x + c[1] * lid.y + c[2] * lid.z); break;
		default: f[q] = 0;
		}
	}
	float rho = 0;
	Vec u = {0, 0, 0};
#pragma unroll
	for (int q = 0; q < 19; q++) {
		const int *c = d3q19[q];
		rho += f[q];
		u = u + Vec{(float)c[0], (float)c[1], (float)c[2]} * f[q];
	}
	u = u * (1 / rho);
	float square = 1.5f * dot(u, u);
#pragma unroll
	for (int q = 0; q < 19; q++) {
		const int *c = d3q19[q];
		float cu = dot(u, Vec{(float)c[0], (float)c[1], (float)c[2]});
		float equilibrium = d3q19_weight[q] * rho * (1 + 3 * cu + 4.5f * cu * cu - square);
		to[q * cells + own] = f[q] + omega * (equilibrium - f[q]);
	}
}

struct Quantity {
	int nx, ny, nz;
	Vec origin;
	const float *__restrict__ values;
	__device__ float at(int x, int y, int z) const {
		return values[(clamp_int(z, 0, nz - 1) * ny + clamp_int(y, 0, ny - 1)) * nx + clamp_int(x, 0, nx - 1)];
	}
	__device__ static float mix(float a, float b, float t) { return a + t * (b - a); }
	__device__ float at(Vec p) const {
		p = p - origin;
		float left = floorf(p.x), front = floorf(p.y), low = floorf(p.z);
		int x = (int)left, y = (int)front, z = (int)low;
		float a = p.x - left, b = p.y - front, c = p.z - low;
		float near = mix(mix(at(x, y, z), at(x + 1, y, z), a), mix(at(x, y + 1, z), at(x + 1, y + 1, z), a), b);
		float far = mix(mix(at(x, y, z + 1), at(x + 1, y, z + 1), a), mix(at(x, y + 1, z + 1), at(x + 1, y + 1, z + 1), a), b);
		return mix(near, far, c);
	}
};

extern "C" __global__ void advect_mac(int nx, int ny, int nz, const float *__restrict__ u, const float *__restrict__ v, const float *__restrict__ w, float step,
		const float *__restrict__ smoke, const float *__restrict__ heat, float *__restrict__ next_smoke, float *__restrict__ next_heat) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x >= nx || y >= ny || z >= nz) return;
	Quantity qu = {nx + 1, ny, nz, {0, 0.5f, 0.5f}, u}, qv = {nx, ny + 1, nz, {0.5f, 0, 0.5f}, v}, qw = {nx, ny, nz + 1, {0.5f, 0.5f, 0}, w};
	Vec center = {0.5f, 0.5f, 0.5f};
	Quantity qs = {nx, ny, nz, center, smoke}, qh = {nx, ny, nz, center, heat};
	Vec p = center + Vec{(float)x, (float)y, (float)z};
	Vec middle = p - Vec{qu.at(p), qv.at(p), qw.at(p)} * (step / 2);
	Vec from = p - Vec{qu.at(middle), qv.at(middle), qw.at(middle)} * step;
	int cell = (z * ny + y) * nx + x;
	next_smoke[cell] = qs.at(from);
	next_heat[cell] = qh.at(from);
}

#define SEDOV_W 32
#define SEDOV_H 8
#define GAMMA 1.4f

struct alignas(16) Gas { float d, mx, my, e; };

__device__ inline Gas operator+(Gas a, Gas b) { return Gas{a.d + b.d, a.mx + b.mx, a.my + b.my, a.e + b.e}; }
__device__ inline Gas operator-(Gas a, Gas b) { return Gas{a.d - b.d, a.mx - b.mx, a.my - b.my, a.e - b.e}; }
__device__ inline Gas operator*(Gas a, float s) { return Gas{a.d * s, a.mx * s, a.my * s, a.e * s}; }

struct alignas(16) Flow {
	float d, u, v, p;
	__device__ Flow swapped() const { return Flow{d, v, u, p}; }
	__device__ float sound() const { return sqrtf(GAMMA * p / d); }
	__device__ float energy() const { return p / (GAMMA - 1) + d * (u * u + v * v) / 2; }
	__device__ Gas gas() const { return Gas{d, d * u, d * v, energy()}; }
	__device__ Flow plus(float s, Flow o) const { return Flow{d + s * o.d, u + s * o.u, v + s * o.v, p + s * o.p}; }
	__device__ Gas flux() const {
		float m = d * u;
		return Gas{m, m * u + p, m * v, u * (energy() + p)};
	}
	__device__ Gas beyond(float s, float contact) const {
		float density = d * (s - u) / (s - contact);
		float e = energy() / d + (contact - u) * (contact + p / (d * (s - u)));
		return Gas{density, density * contact, density * v, density * e};
	}
};

__device__ inline Flow flow_of(Gas g) {
	float u = g.mx / g.d, v = g.my / g.d;
	return Flow{g.d, u, v, (GAMMA - 1) * (g.e - (g.mx * u + g.my * v) / 2)};
}

__device__ inline float van_leer(float a, float b) {
	if (a * b <= 0) return 0;
	return 2 * a * b / (a + b);
}

__device__ inline Flow slope(Flow a, Flow b, Flow c) {
	return Flow{van_leer(b.d - a.d, c.d - b.d), van_leer(b.u - a.u, c.u - b.u), van_leer(b.v - a.v, c.v - b.v), van_leer(b.p - a.p, c.p - b.p)};
}

__device__ inline Gas hllc(Flow l, Flow r) {
	float sl = fminf(l.u - l.sound(), r.u - r.sound()), sr = fmaxf(l.u + l.sound(), r.u + r.sound());
	float contact = (r.p - l.p + l.d * l.u * (sl - l.u) - r.d * r.u * (sr - r.u)) / (l.d * (sl - l.u) - r.d * (sr - r.u));
	if (sl >= 0) return l.flux();
	if (sr <= 0) return r.flux();
	if (contact >= 0) return l.flux() + (l.beyond(sl, contact) - l.gas()) * sl;
	return r.flux() + (r.beyond(sr, contact) - r.gas()) * sr;
}

__device__ inline Gas face_flux(Flow a, Flow b, Flow c, Flow d) { return hllc(b.plus(0.5f, slope(a, b, c)), c.plus(-0.5f, slope(b, c, d))); }

extern "C" __global__ void sedov_flux(int w, int h, float ratio, const Gas *__restrict__ cells, Gas *__restrict__ next) {
	__shared__ Flow tile[SEDOV_H + 4][SEDOV_W + 4];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x0 = blockIdx.x * SEDOV_W - 2, y0 = blockIdx.y * SEDOV_H - 2;
	for (int j = ty; j < SEDOV_H + 4; j += SEDOV_H) {
		for (int i = tx; i < SEDOV_W + 4; i += SEDOV_W) tile[j][i] = flow_of(cells[clamp_int(y0 + j, 0, h - 1) * w + clamp_int(x0 + i, 0, w - 1)]);
	}
	__syncthreads();
	int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
	if (x >= w || y >= h) return;
	int i = tx + 2, j = ty + 2;
	Flow row[5], column[5];
#pragma unroll
	for (int k = 0; k < 5; k++) {
		row[k] = tile[j][i + k - 2];
		column[k] = tile[j + k - 2][i].swapped();
	}
	Gas left = face_flux(row[0], row[1], row[2], row[3]), right = face_flux(row[1], row[2], row[3], row[4]);
	Gas below = face_flux(column[0], column[1], column[2], column[3]), above = face_flux(column[1], column[2], column[3], column[4]);
	Gas across = below - above;
	Gas change = left - right + Gas{across.d, across.my, across.mx, across.e};
	next[y * w + x] = cells[y * w + x] + change * ratio;
}

struct Place { double x, y, z; };

struct Orbit { double axis, eccentricity, inclination, node, perihelion, anomaly, motion; };

struct OrbitPlane { Place p, q; };

__device__ inline OrbitPlane plane_of(const Orbit &o) {
	double si, ci, sn, cn, sp, cp;
	sincos(o.inclination, &si, &ci);
	sincos(o.node, &sn, &cn);
	sincos(o.perihelion, &sp, &cp);
	return OrbitPlane{
		{cp * cn - sp * sn * ci, cp * sn + sp * cn * ci, sp * si},
		{-sp * cn - cp * sn * ci, -sp * sn + cp * cn * ci, cp * si},
	};
}

__device__ inline double eccentric(double eccentricity, double mean) {
	double e = eccentricity > 0.8 ? PI : mean;
	for (int i = 0; i < 30; i++) {
		double sin, cos;
		sincos(e, &sin, &cos);
		double step = (e - eccentricity * sin - mean) / (1 - eccentricity * cos);
		e -= step;
		if (fabs(step) < 1e-13) break;
	}
	return e;
}

__device__ inline Place place_at(const Orbit &o, const OrbitPlane &plane, double t) {
	double turns = (o.anomaly + o.motion * t) / (2 * PI), sin, cos;
	sincos(eccentric(o.eccentricity, 2 * PI * (turns - floor(turns))), &sin, &cos);
	double x = o.axis * (cos - o.eccentricity), y = o.axis * sqrt(1 - o.eccentricity * o.eccentricity) * sin;
	const Place &p = plane.p, &q = plane.q;
	return Place{x * p.x + y * q.x, x * p.y + y * q.y, x * p.z + y * q.z};
}

struct Encounter {
	double distance2;
	int time, planet;
};

__device__ inline void closer(Encounter &e, Encounter f) {
	if (f.distance2 < e.distance2 || (f.distance2 == e.distance2 && f.time < e.time)) e = f;
}

#define EPHEM_THREADS 128

extern "C" __global__ void kepler_ephem(const Orbit *__restrict__ orbits, int steps, const double *__restrict__ times, int count, const Place *__restrict__ planets,
		double *__restrict__ distance, int *__restrict__ time, int *__restrict__ planet) {
	__shared__ Encounter shared[EPHEM_THREADS / 32];
	int t = threadIdx.x;
	Orbit orbit = orbits[blockIdx.x];
	OrbitPlane plane = plane_of(orbit);
	Encounter best = {INFINITY, -1, -1};
	for (int k = t; k < steps; k += EPHEM_THREADS) {
		Place p = place_at(orbit, plane, times[k]);
		for (int j = 0; j < count; j++) {
			Place q = planets[k * count + j];
			double x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
			closer(best, Encounter{x * x + y * y + z * z, k, j});
		}
	}
	for (int d = WARP / 2; d > 0; d /= 2) closer(best, Encounter{SHFL_XOR(best.distance2, d), SHFL_XOR(best.time, d), SHFL_XOR(best.planet, d)});
	if (t % WARP == 0) shared[t / WARP] = best;
	__syncthreads();
	if (t == 0) {
		for (int k = 1; k < EPHEM_THREADS / WARP; k++) closer(best, shared[k]);
		distance[blockIdx.x] = sqrt(best.distance2);
		time[blockIdx.x] = best.time;
		planet[blockIdx.x] = best.planet;
	}
}
