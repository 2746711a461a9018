// The CUDA side of the comparison: runs each kernel of kernels.cuh on the same
// inputs as ../cases.go makes, writes samples of its output to a folder, and
// prints name and median time in microseconds.
//
//	driver FOLDER REPETITIONS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define WARP 32
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define RSQRT(x) rsqrtf(x)
#define SHFL_DOWN(v, d) __shfl_down_sync(0xffffffffu, v, d)
#define SHFL_UP(v, d) __shfl_up_sync(0xffffffffu, v, d)
#include "kernels.cuh"

static void check(cudaError_t e, const char *what) {
	if (e != cudaSuccess) {
		fprintf(stderr, "driver: %s: %s\n", what, cudaGetErrorString(e));
		exit(1);
	}
}

static const char *folder;
static int repetitions;

// Inputs, as Uniform and Hash in ../kernels/inputs.go.
__host__ __device__ inline unsigned hash(unsigned i, unsigned seed) {
	unsigned x = i * 2654435761u + seed;
	x ^= x >> 16;
	x *= 0x85ebca6bu;
	return x ^ x >> 13;
}

__global__ void fill_float(float *p, int n, unsigned seed, float lo, float hi) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		p[i] = __fadd_rn(lo, __fmul_rn(hi - lo, (float)(hash(i, seed) >> 8) * 0x1p-24f));
}

__global__ void fill_int(unsigned *p, int n, unsigned seed, unsigned mask) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = hash(i, seed) & mask;
}

static std::vector<void *> held;

template <class T> static T *alloc(int n) {
	void *p;
	check(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
	check(cudaMemset(p, 0, n * sizeof(T)), "cudaMemset");
	held.push_back(p);
	return (T *)p;
}

static float *floats(int n, unsigned seed, float lo = 0, float hi = 1) {
	float *p = alloc<float>(n);
	fill_float<<<1024, 256>>>(p, n, seed, lo, hi);
	return p;
}

static unsigned *ints(int n, unsigned seed, unsigned mask) {
	unsigned *p = alloc<unsigned>(n);
	fill_int<<<1024, 256>>>(p, n, seed, mask);
	return p;
}

// sample writes about 2048 evenly spaced elements of a result, as doubles.
template <class T> static void sample(FILE *f, const T *dev, int n) {
	std::vector<T> host(n);
	check(cudaMemcpy(host.data(), dev, n * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
	int step = n / 2048 | 1;
	for (int i = 0; i < n; i += step) {
		double v = host[i];
		fwrite(&v, sizeof v, 1, f);
	}
}

// measure launches once, lets result write samples, and then times.
template <class Launch, class Result> static void measure(const char *name, Launch launch, Result result) {
	launch();
	check(cudaGetLastError(), name);
	check(cudaDeviceSynchronize(), name);
	FILE *f = fopen((std::string(folder) + "/" + name + ".bin").c_str(), "wb");
	if (!f) {
		perror(folder);
		exit(1);
	}
	result(f);
	fclose(f);
	std::vector<cudaEvent_t> events(2 * repetitions);
	for (auto &e : events) check(cudaEventCreate(&e), "cudaEventCreate");
	for (int i = 0; i < 5; i++) launch();
	for (int i = 0; i < repetitions; i++) {
		cudaEventRecord(events[2 * i]);
		launch();
		cudaEventRecord(events[2 * i + 1]);
	}
	check(cudaDeviceSynchronize(), name);
	std::vector<float> ms(repetitions);
	for (int i = 0; i < repetitions; i++) cudaEventElapsedTime(&ms[i], events[2 * i], events[2 * i + 1]);
	std::sort(ms.begin(), ms.end());
	printf("%s %.3f\n", name, ms[repetitions / 2] * 1000);
	for (auto &e : events) cudaEventDestroy(e);
	for (void *p : held) cudaFree(p);
	held.clear();
}

int main(int argc, char **argv) {
	if (argc != 3) {
		fprintf(stderr, "usage: driver FOLDER REPETITIONS\n");
		return 2;
	}
	folder = argv[1];
	repetitions = atoi(argv[2]);
	{
		const int n = 1 << 26;
		float *x = floats(n, 1), *y = floats(n, 2);
		measure("saxpy", [=] { saxpy<<<n / 256, 256>>>(n, 2, x, y); }, [=](FILE *f) { sample(f, y, n); });
	}
	{
		const int n = 1 << 26, blocks = 2048;
		float *in = floats(n, 1), *out = alloc<float>(blocks);
		measure("reduce", [=] { reduce<<<blocks, 256>>>(n, in, out); }, [=](FILE *f) { sample(f, out, blocks); });
	}
	{
		const int n = 8192;
		float *in = floats(n * n, 1), *out = alloc<float>(n * n);
		measure("transpose", [=] { transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(n, in, out); }, [=](FILE *f) { sample(f, out, n * n); });
	}
	{
		const int n = 2048;
		float *a = floats(n * n, 1), *b = floats(n * n, 2), *c = alloc<float>(n * n);
		measure("sgemm", [=] { sgemm<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(n, a, b, c); }, [=](FILE *f) { sample(f, c, n * n); });
	}
	{
		const int n = 4096;
		float *a = floats(n * n, 1), *b = floats(n * n, 2), *c = alloc<float>(n * n);
		measure("sgemm_registers", [=] { sgemm_registers<<<dim3(n / BN, n / BM), 256>>>(n, a, b, c); }, [=](FILE *f) { sample(f, c, n * n); });
	}
	{
		const int n = 1 << 26;
		unsigned *in = ints(n, 1, ~0u), *counts = alloc<unsigned>(256);
		measure("histogram", [=] { histogram<<<2048, 256>>>(n, in, counts); }, [=](FILE *f) { sample(f, counts, 256); });
	}
	{
		const int n = 1 << 24;
		float *s = floats(n, 1, 5, 30), *x = floats(n, 2, 1, 100), *t = floats(n, 3, 0.25f, 10);
		float *call = alloc<float>(n), *put = alloc<float>(n);
		measure("black_scholes", [=] { black_scholes<<<n / 256, 256>>>(n, 0.02f, 0.3f, s, x, t, call, put); },
			[=](FILE *f) { sample(f, call, n), sample(f, put, n); });
	}
	{
		const int n = 1 << 16;
		float *pos = floats(4 * n, 1), *force = alloc<float>(4 * n);
		measure("nbody", [=] { nbody<<<n / 256, 256>>>(n, 0.01f, (float4 *)pos, (float4 *)force); }, [=](FILE *f) { sample(f, force, 4 * n); });
	}
	{
		const int n = 512;
		float *in = floats(n * n * n, 1), *out = alloc<float>(n * n * n);
		measure("stencil", [=] { stencil<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(n, n, n, 0.5f, 0.1f, in, out); },
			[=](FILE *f) { sample(f, out, n * n * n); });
	}
	{
		const int n = 4096;
		int *out = alloc<int>(n * n);
		measure("mandelbrot", [=] { mandelbrot<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(n, n, 256, -2, -1.5f, 3.0f / n, out); },
			[=](FILE *f) { sample(f, out, n * n); });
	}
	{
		const int n = 1 << 24;
		float *in = floats(n, 1), *out = alloc<float>(n);
		measure("bitonic", [=] { bitonic<<<n / 1024, 512>>>(in, out); }, [=](FILE *f) { sample(f, out, n); });
	}
	{
		const int n = 1 << 26;
		unsigned *in = ints(n, 1, 0xffff), *out = alloc<unsigned>(n), *totals = alloc<unsigned>(n / 1024);
		measure("scan", [=] { scan<<<n / 1024, 256>>>((int4 *)in, (int4 *)out, (int *)totals); },
			[=](FILE *f) { sample(f, out, n), sample(f, totals, n / 1024); });
	}
}
