#include "device.h"

typedef unsigned char uint8;
typedef unsigned long long uint64;

struct Vec { float x, y, z; };

__device__ inline Vec operator+(Vec a, Vec b) { return Vec{a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ inline Vec operator-(Vec a, Vec b) { return Vec{a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vec operator*(Vec a, float s) { return Vec{a.x * s, a.y * s, a.z * s}; }
__device__ inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Vec cross(Vec a, Vec b) { return Vec{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
__device__ inline float lerp(float t, float a, float b) { return a + t * (b - a); }

#define AUTODOCK_THREADS 64
#define LIGAND_ATOMS 64
#define OUTSIDE 1e3f

struct Quaternion { float w, x, y, z; };
struct LigandPose {
	Quaternion turn;
	Vec center;
	int conformer;
};
struct LigandAtom {
	int type;
	float charge;
};
struct GridMaps {
	int nx, ny, nz, types;
	Vec origin;
	float spacing;
};

__device__ inline Vec rotate(Quaternion q, Vec v) {
	Vec u = {q.x, q.y, q.z};
	Vec t = cross(u, v) * 2;
	return v + t * q.w + cross(u, t);
}

__device__ inline float beyond(float x, int n) {
	float last = n - 1;
	if (x < 0) return -x;
	if (x >= last) return x - last;
	return 0;
}

__device__ inline float between(const GridMaps &m, const float *map, Vec p) {
	int x = (int)p.x, y = (int)p.y, z = (int)p.z;
	float fx = p.x - x, fy = p.y - y, fz = p.z - z;
	const float *v = map + (z * m.ny + y) * m.nx + x;
	const float *up = v + m.nx * m.ny;
	float a = lerp(fy, lerp(fx, v[0], v[1]), lerp(fx, v[m.nx], v[m.nx + 1]));
	float b = lerp(fy, lerp(fx, up[0], up[1]), lerp(fx, up[m.nx], up[m.nx + 1]));
	return lerp(fz, a, b);
}

__device__ inline float map_energy(const GridMaps &m, const float *energy, LigandAtom a, Vec place) {
	Vec p = (place - m.origin) * (1 / m.spacing);
	if (!(p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x < m.nx - 1 && p.y < m.ny - 1 && p.z < m.nz - 1)) {
		Vec far = {beyond(p.x, m.nx), beyond(p.y, m.ny), beyond(p.z, m.nz)};
		return OUTSIDE * (1 + dot(far, far));
	}
	int size = m.nx * m.ny * m.nz;
	return between(m, energy + a.type * size, p) + a.charge * between(m, energy + m.types * size, p);
}

extern "C" __global__ void autodock_grid(GridMaps maps, const float *__restrict__ map, int types, int steps, float scale, const float *__restrict__ table,
		int atoms, const LigandAtom *__restrict__ atom, int pairs, const uint8 *__restrict__ pair, const Vec *__restrict__ conformers,
		const LigandPose *__restrict__ poses, float *__restrict__ energy) {
	__shared__ Vec places[LIGAND_ATOMS];
	__shared__ float sums[AUTODOCK_THREADS];
	int t = threadIdx.x;
	LigandPose pose = poses[blockIdx.x];
	const Vec *conformer = conformers + pose.conformer * atoms;
	float sum = 0;
	for (int i = t; i < atoms; i += AUTODOCK_THREADS) {
		Vec p = rotate(pose.turn, conformer[i]) + pose.center;
		places[i] = p;
		sum += map_energy(maps, map, atom[i], p);
	}
	__syncthreads();
	for (int k = t; k < pairs; k += AUTODOCK_THREADS) {
		int i = pair[2 * k], j = pair[2 * k + 1];
		Vec d = places[i] - places[j];
		float at = sqrtf(dot(d, d)) * scale;
		int step = (int)at;
		if (step < steps - 1) {
			const float *row = table + (atom[i].type * types + atom[j].type) * steps;
			sum += lerp(at - step, row[step], row[step + 1]);
		}
	}
	sums[t] = sum;
	for (int d = AUTODOCK_THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (t < d) sums[t] += sums[t + d];
	}
	if (t == 0) energy[blockIdx.x] = sums[0];
}

struct Torsion { int atoms[4], type; };
struct FourierTerm {
	float force, phase;
	int periods;
};

__device__ inline void atomic_add(Vec *v, Vec d) {
	ATOMIC_ADD(&v->x, d.x);
	ATOMIC_ADD(&v->y, d.y);
	ATOMIC_ADD(&v->z, d.z);
}

extern "C" __global__ void dihedral_forces(int count, const Torsion *__restrict__ torsions, const int *__restrict__ first, const FourierTerm *__restrict__ terms,
		const Vec *__restrict__ positions, Vec *__restrict__ forces, float *__restrict__ energies) {
	int which = blockIdx.x * blockDim.x + threadIdx.x;
	if (which >= count) return;
	Torsion torsion = torsions[which];
	Vec p[4];
	for (int k = 0; k < 4; k++) p[k] = positions[torsion.atoms[k]];
	Vec ij = p[0] - p[1], kj = p[2] - p[1], kl = p[2] - p[3];
	Vec m = cross(ij, kj), n = cross(kj, kl);
	float length2 = dot(kj, kj);
	float length = sqrtf(length2);
	float angle = atan2f(length * dot(ij, n), dot(m, n));
	float energy = 0, slope = 0;
	for (int k = first[torsion.type]; k < first[torsion.type + 1]; k++) {
		FourierTerm term = terms[k];
		float s, c;
		sincosf(term.periods * angle - term.phase, &s, &c);
		energy += term.force * (1 + c);
		slope -= term.force * term.periods * s;
	}
	Vec fi = m * (-slope * length / dot(m, m)), fl = n * (slope * length / dot(n, n));
	Vec s = fi * (dot(ij, kj) / length2) - fl * (dot(kl, kj) / length2);
	atomic_add(&forces[torsion.atoms[0]], fi);
	atomic_add(&forces[torsion.atoms[1]], s - fi);
	atomic_add(&forces[torsion.atoms[2]], s * -1 - fl);
	atomic_add(&forces[torsion.atoms[3]], fl);
	energies[which] = energy;
}

__device__ inline int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

extern "C" __global__ void cell_neighbors(int count, int nx, int ny, int nz, Vec box, const int *__restrict__ start, const int *__restrict__ end,
		const int *__restrict__ atoms, float reach, int most, const Vec *__restrict__ points, int *__restrict__ counts, int *__restrict__ list) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	Vec p = points[i];
	int cx = min((int)(p.x / box.x * nx), nx - 1);
	int cy = min((int)(p.y / box.y * ny), ny - 1);
	int cz = min((int)(p.z / box.z * nz), nz - 1);
	int n = 0;
	for (int z = cz - 1; z <= cz + 1; z++) {
		for (int y = cy - 1; y <= cy + 1; y++) {
			for (int x = cx - 1; x <= cx + 1; x++) {
				int cell = (wrap(z, nz) * ny + wrap(y, ny)) * nx + wrap(x, nx);
				int last = end[cell];
				for (int k = start[cell]; k < last; k++) {
					int j = atoms[k];
					if (j == i) continue;
					Vec d = points[j] - p;
					d.x -= box.x * rintf(d.x / box.x);
					d.y -= box.y * rintf(d.y / box.y);
					d.z -= box.z * rintf(d.z / box.z);
					if (dot(d, d) >= reach * reach) continue;
					if (n < most) list[n * count + i] = j;
					n++;
				}
			}
		}
	}
	counts[i] = n;
}

#define CLUSTER_ATOMS 4
#define CLUSTER_BONDS 3

struct RigidBond {
	int a, b;
	float length;
};
struct ClusterKind {
	int atoms, count;
	RigidBond bonds[CLUSTER_BONDS];
};
struct Cluster { int atoms[CLUSTER_ATOMS], kind; };

extern "C" __global__ void shake(const ClusterKind *__restrict__ kinds, int count, const Cluster *__restrict__ clusters, float tolerance, int steps,
		const float *__restrict__ inverse_masses, const Vec *__restrict__ before, const Vec *__restrict__ now, Vec *__restrict__ out, int *__restrict__ failed) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	Cluster cluster = clusters[i];
	const ClusterKind &kind = kinds[cluster.kind];
	Vec old[CLUSTER_ATOMS], at[CLUSTER_ATOMS];
	float inverse[CLUSTER_ATOMS];
	for (int k = 0; k < kind.atoms; k++) {
		int atom = cluster.atoms[k];
		old[k] = before[atom];
		at[k] = now[atom];
		inverse[k] = inverse_masses[atom];
	}
	bool done = false;
	for (int step = 0; step < steps && !done; step++) {
		done = true;
		for (int k = 0; k < kind.count; k++) {
			RigidBond b = kind.bonds[k];
			Vec r = at[b.a] - at[b.b];
			float length2 = b.length * b.length;
			float wrong = length2 - dot(r, r);
			if (fabsf(wrong) <= tolerance * length2) continue;
			done = false;
			Vec d = old[b.a] - old[b.b];
			float g = wrong / (2 * (inverse[b.a] + inverse[b.b]) * dot(d, r));
			at[b.a] = at[b.a] + d * (g * inverse[b.a]);
			at[b.b] = at[b.b] - d * (g * inverse[b.b]);
		}
	}
	if (!done) ATOMIC_ADD(&failed[0], 1);
	for (int k = 0; k < kind.atoms; k++) out[cluster.atoms[k]] = at[k];
}

struct Material { float conductivity, capacity; };

__device__ inline float flow_from(float t, float k, float other, float other_k) { return 2 * k * other_k / (k + other_k) * (other - t); }

extern "C" __global__ void thermal_3d(const Material *__restrict__ materials, const uint8 *__restrict__ which, const float *__restrict__ now, int nx, int ny, int nz,
		float step, float *__restrict__ next) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= nx || y >= ny) return;
	int plane = nx * ny, i = y * nx + x;
	int west = y * nx + max(x - 1, 0), east = y * nx + min(x + 1, nx - 1);
	int north = max(y - 1, 0) * nx + x, south = min(y + 1, ny - 1) * nx + x;
	float here = now[i], below = here;
	Material m = materials[which[i]];
	float k_below = m.conductivity;
	for (int z = 0; z < nz; z++) {
		int base = z * plane, up = min(z + 1, nz - 1) * plane + i;
		float above = now[up], k = m.conductivity;
		Material m_above = materials[which[up]];
		float flow = flow_from(here, k, below, k_below) + flow_from(here, k, above, m_above.conductivity);
#define SIDE(i) flow_from(here, k, now[base + (i)], materials[which[base + (i)]].conductivity)
		flow += SIDE(west) + SIDE(east);
		flow += SIDE(north) + SIDE(south);
		next[base + i] = here + step * flow / m.capacity;
		below = here;
		k_below = k;
		here = above;
		m = m_above;
	}
}

struct Layer { float index, absorb, scatter, forward, top, bottom; };
struct Tissue {
	float above, below;
	int count;
	const Layer *layers;
};
struct Scores {
	int nr, nz;
	float dr, dz;
	float *absorbed, *reflected, *transmitted;
};
struct Photon {
	Vec place, dir;
	float weight;
	int layer;
};

__device__ inline float uniform(unsigned &s) {
	s ^= s << 13;
	s ^= s >> 17;
	s ^= s << 5;
	return ((s >> 8) + 1) * 0x1p-24f;
}

__device__ inline float refractive(const Tissue &t, int layer) { return layer < 0 ? t.above : layer >= t.count ? t.below : t.layers[layer].index; }
__device__ inline int radius(const Scores &s, Vec p) { return min((int)(sqrtf(p.x * p.x + p.y * p.y) / s.dr), s.nr - 1); }
__device__ inline int depth(const Scores &s, Vec p) { return min((int)(p.z / s.dz), s.nz - 1); }

__device__ inline float fresnel(float n1, float n2, float cos1, float &cos2) {
	if (n1 == n2) {
		cos2 = cos1;
		return 0;
	}
	float sin2 = n1 / n2 * sqrtf(1 - cos1 * cos1);
	if (sin2 >= 1) {
		cos2 = 0;
		return 1;
	}
	cos2 = sqrtf(1 - sin2 * sin2);
	float s = (n1 * cos1 - n2 * cos2) / (n1 * cos1 + n2 * cos2);
	float p = (n1 * cos2 - n2 * cos1) / (n1 * cos2 + n2 * cos1);
	return (s * s + p * p) / 2;
}

__device__ inline void cross_border(Photon &p, const Tissue &tissue, int to, unsigned &random, const Scores &scores) {
	float n1 = refractive(tissue, p.layer), n2 = refractive(tissue, to), c;
	float share = fresnel(n1, n2, fabsf(p.dir.z), c);
	if (uniform(random) <= share) {
		p.dir.z = -p.dir.z;
	} else if (to == -1) {
		ATOMIC_ADD(&scores.reflected[radius(scores, p.place)], p.weight);
		p.weight = 0;
	} else if (to == tissue.count) {
		ATOMIC_ADD(&scores.transmitted[radius(scores, p.place)], p.weight);
		p.weight = 0;
	} else {
		p.dir = Vec{p.dir.x * n1 / n2, p.dir.y * n1 / n2, copysignf(c, p.dir.z)};
		p.layer = to;
	}
}

__device__ inline void scatter(Photon &p, float g, unsigned &random) {
	float c = 2 * uniform(random) - 1;
	if (g != 0) {
		float t = (1 - g * g) / (1 + g * c);
		c = (1 + g * g - t * t) / (2 * g);
	}
	c = fminf(fmaxf(c, -1), 1);
	float s = sqrtf(1 - c * c), sin_psi, cos_psi;
	sincosf(2 * 3.14159265358979323846f * uniform(random), &sin_psi, &cos_psi);
	Vec d = p.dir;
	if (fabsf(d.z) > 0.99999f) {
		p.dir = Vec{s * cos_psi, s * sin_psi, copysignf(c, c * d.z)};
		return;
	}
	float side = sqrtf(1 - d.z * d.z);
	p.dir = Vec{
		s * (d.x * d.z * cos_psi - d.y * sin_psi) / side + d.x * c,
		s * (d.y * d.z * cos_psi + d.x * sin_psi) / side + d.y * c,
		-s * cos_psi * side + d.z * c,
	};
}

__device__ inline void hop(Photon &p, const Tissue &tissue, unsigned &random, const Scores &scores) {
	Layer layer = tissue.layers[p.layer];
	float total = layer.absorb + layer.scatter;
	float step = -logf(uniform(random)) / total;
	float border = layer.bottom;
	int to = p.layer + 1;
	if (p.dir.z < 0) {
		border = layer.top;
		to = p.layer - 1;
	}
	float z = p.place.z + step * p.dir.z;
	if (z > layer.bottom || z < layer.top) {
		p.place = p.place + p.dir * ((border - p.place.z) / p.dir.z);
		p.place.z = border;
		cross_border(p, tissue, to, random, scores);
		return;
	}
	p.place = p.place + p.dir * step;
	float absorbed = p.weight * layer.absorb / total;
	p.weight -= absorbed;
	ATOMIC_ADD(&scores.absorbed[radius(scores, p.place) * scores.nz + depth(scores, p.place)], absorbed);
	scatter(p, layer.forward, random);
	if (p.weight < 1e-3f) p.weight = uniform(random) <= 0.1f ? p.weight * 10 : 0;
}

extern "C" __global__ void mc_photon(float above, float below, int layers, const Layer *__restrict__ layer, int photons, int count, unsigned *__restrict__ states,
		int nr, int nz, float dr, float dz, float *__restrict__ absorbed, float *__restrict__ reflected, float *__restrict__ transmitted) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count) return;
	Tissue tissue = {above, below, layers, layer};
	Scores scores = {nr, nz, dr, dz, absorbed, reflected, transmitted};
	unsigned random = states[i];
	float c;
	float lost = fresnel(above, refractive(tissue, 0), 1, c);
	for (int k = 0; k < photons; k++) {
		Photon p = {{0, 0, 0}, {0, 0, 1}, 1 - lost, 0};
		while (p.weight > 0) hop(p, tissue, random, scores);
	}
	states[i] = random;
}

#define LCG_FACTOR 2806196910506780709ull
#define LCG_MASK 0x7fffffffffffffffull

__device__ inline double lcg_next(uint64 &s) {
	s = (s * LCG_FACTOR + 1) & LCG_MASK;
	return (double)s / 9223372036854775808.0;
}

__device__ inline uint64 lcg_skip(uint64 s, uint64 n) {
	uint64 factor = LCG_FACTOR, term = 1, factors = 1, terms = 0;
	for (; n > 0; n >>= 1) {
		if (n & 1) {
			factors *= factor;
			terms = terms * factor + term;
		}
		term *= factor + 1;
		factor *= factor;
	}
	return (factors * s + terms) & LCG_MASK;
}

__constant__ double reactor_shares[12] = {0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013};

__device__ inline int pick_material(uint64 &s) {
	double roll = lcg_next(s), sum = 0;
	for (int i = 0; i < 12; i++) {
		sum += reactor_shares[i];
		if (roll < sum) return i;
	}
	return 0;
}

struct Point { double energy, total, elastic, absorption, fission, nu; };

extern "C" __global__ void xs_unionized(int n, uint64 seed, int energies, const double *__restrict__ energy, const int *__restrict__ index, int count, int points,
		const Point *__restrict__ grid, const int *__restrict__ first, const int *__restrict__ nuclides, const double *__restrict__ densities, uint8 *__restrict__ largest) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	uint64 random = lcg_skip(seed, 2 * (uint64)i);
	double e = lcg_next(random);
	int material = pick_material(random);
	int low = 0, high = energies - 1;
	while (high - low > 1) {
		int mid = low + (high - low) / 2;
		if (energy[mid] > e) high = mid;
		else low = mid;
	}
	double sums[5] = {};
	for (int k = first[material]; k < first[material + 1]; k++) {
		int nuclide = nuclides[k];
		double density = densities[k];
		int at = index[low * count + nuclide];
		if (at == points - 1) at--;
		const Point &a = grid[nuclide * points + at], &b = grid[nuclide * points + at + 1];
		double f = (b.energy - e) / (b.energy - a.energy);
		sums[0] += density * (b.total - f * (b.total - a.total));
		sums[1] += density * (b.elastic - f * (b.elastic - a.elastic));
		sums[2] += density * (b.absorption - f * (b.absorption - a.absorption));
		sums[3] += density * (b.fission - f * (b.fission - a.fission));
		sums[4] += density * (b.nu - f * (b.nu - a.nu));
	}
	int best = 0;
	double most = sums[0];
	for (int c = 1; c < 5; c++) {
		if (sums[c] > most) {
			most = sums[c];
			best = c;
		}
	}
	largest[i] = best + 1;
}

extern "C" __global__ void halton(int skip, int points, int dims, const int *__restrict__ first, const short *__restrict__ digits, float *__restrict__ out) {
	int d = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	if (d >= dims || i >= points) return;
	const short *permutation = digits + first[d];
	int base = first[d + 1] - first[d];
	float inverse = 1 / (float)base, weight = inverse, x = 0;
	for (int n = skip + i; n > 0; n /= base) {
		x += weight * permutation[n % base];
		weight *= inverse;
	}
	out[i * dims + d] = x;
}
