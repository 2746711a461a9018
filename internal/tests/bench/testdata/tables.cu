#include "device.h"

#define DIGITS 32

extern "C" __global__ void sobol(int n, const unsigned *directions, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, dim = blockIdx.y;
	if (i >= n) return;
	unsigned x = 0, gray = i ^ (unsigned)i >> 1;
	for (int k = dim * DIGITS; gray != 0; k++) {
		if (gray & 1) x ^= directions[k];
		gray >>= 1;
	}
	out[dim * n + i] = (float)x * 0x1p-32f;
}

struct Point {
	double energy, total, elastic, absorption, fission, nu;
};

extern "C" __global__ void cross_sections(int nuclides, int n, int points, const Point *grid, const double *density, const double *energies, Point *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	double e = energies[i];
	Point sum = {e, 0, 0, 0, 0, 0};
	for (int m = 0; m < nuclides; m++) {
		double d = density[m];
		const Point *own = grid + m * points;
		int low = 0, high = points - 1;
		while (high - low > 1) {
			int mid = (low + high) / 2;
			if (own[mid].energy > e)
				high = mid;
			else
				low = mid;
		}
		const Point *a = &own[low], *b = &own[low + 1];
		double f = (e - a->energy) / (b->energy - a->energy);
		sum.total += d * (a->total + f * (b->total - a->total));
		sum.elastic += d * (a->elastic + f * (b->elastic - a->elastic));
		sum.absorption += d * (a->absorption + f * (b->absorption - a->absorption));
		sum.fission += d * (a->fission + f * (b->fission - a->fission));
		sum.nu += d * (a->nu + f * (b->nu - a->nu));
	}
	out[i] = sum;
}
