// What BenchmarkAllReduce of package ccl does, in C++:
//   nvcc -O3 -o allreduce allreduce.cpp -lnccl && NCCL_NVLS_ENABLE=0 ./allreduce
#include <cuda_runtime.h>
#include <nccl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#define OK(call) \
	do { \
		if ((call) != 0) { \
			fprintf(stderr, "%s failed\n", #call); \
			exit(1); \
		} \
	} while (0)

constexpr int ranks = 2, calls = 20;

int main() {
	int devices[ranks] = {0, 1};
	ncclComm_t comms[ranks];
	cudaStream_t streams[ranks];
	float *bufs[ranks];
	OK(ncclCommInitAll(comms, ranks, devices));
	for (int i = 0; i < ranks; i++) {
		OK(cudaSetDevice(i));
		OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
		OK(cudaMalloc(&bufs[i], size_t(1) << 30));
		OK(cudaMemset(bufs[i], 0, size_t(1) << 30));
	}
	for (size_t size = 8; size <= size_t(1) << 30; size *= 8) {
		auto all = [&](int n) {
			for (int k = 0; k < n; k++) {
				OK(ncclGroupStart());
				for (int i = 0; i < ranks; i++)
					OK(ncclAllReduce(bufs[i], bufs[i], size / 4, ncclFloat, ncclSum, comms[i], streams[i]));
				OK(ncclGroupEnd());
			}
			for (int i = 0; i < ranks; i++) {
				OK(cudaSetDevice(i));
				OK(cudaStreamSynchronize(streams[i]));
			}
		};
		all(5);
		double sum = 0;
		const int rounds = 20;
		for (int r = 0; r < rounds; r++) {
			auto begin = std::chrono::steady_clock::now();
			all(calls);
			double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
			sum += s;
		}
		double mean = sum / rounds;
		printf("%10zu bytes %10.2f us/call %8.2f GB/s\n", size, mean * 1e6, double(size) * 2 * (ranks - 1) / ranks / mean / 1e9);
	}
}
