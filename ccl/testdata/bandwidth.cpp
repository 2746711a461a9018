// What TestBandwidth of package ccl does, in C++, by the method of nccl-tests: one thread drives all GPUs, or, with threads,
// one each (nccl-tests' -t), calls follow each other without waiting, and source and destination are two buffers. It prints a
// line for each operation and size: its name, bytes, microseconds a call. scripts/bench-ccl.sh runs the two beside each other.
//   nvcc -O3 -std=c++17 -o bandwidth bandwidth.cpp -lnccl
//   ./bandwidth RANKS MOST_BYTES [registered] [threads]
#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#define OK(call) \
	do { \
		if ((call) != 0) { \
			fprintf(stderr, "%s failed\n", #call); \
			exit(1); \
		} \
	} while (0)

static ncclResult_t sendrecv(const void *src, void *dst, size_t n, int rank, int ranks, ncclComm_t comm, cudaStream_t s) {
	ncclResult_t r = ncclSend(src, n, ncclFloat, (rank + 1) % ranks, comm, s);
	return r != ncclSuccess ? r : ncclRecv(dst, n, ncclFloat, (rank + ranks - 1) % ranks, comm, s);
}

static void allocate(char **b, size_t n, ncclComm_t comm, bool registered) {
	if (!registered) {
		OK(cudaMalloc((void **)b, n));
		return;
	}
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 19, 0)
	void *handle;
	OK(ncclMemAlloc((void **)b, n));
	OK(ncclCommRegister(comm, *b, n, &handle));
#else
	(void)comm;
	fprintf(stderr, "this NCCL registers no buffers\n");
	exit(2);
#endif
}

int main(int argc, char **argv) {
	if (argc < 3) {
		fprintf(stderr, "usage: bandwidth RANKS MOST_BYTES [registered] [threads]\n");
		return 2;
	}
	const int ranks = atoi(argv[1]);
	const size_t most = strtoull(argv[2], nullptr, 10);
	bool registered = false, threads = false;
	for (int i = 3; i < argc; i++) {
		registered |= !strcmp(argv[i], "registered");
		threads |= !strcmp(argv[i], "threads");
	}
	std::vector<ncclComm_t> comms(ranks);
	std::vector<cudaStream_t> streams(ranks);
	std::vector<char *> src(ranks), dst(ranks);
	OK(ncclCommInitAll(comms.data(), ranks, nullptr));
	for (int i = 0; i < ranks; i++) {
		OK(cudaSetDevice(i));
		OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
		for (char **b : {&src[i], &dst[i]}) {
			allocate(b, most, comms[i], registered);
			OK(cudaMemset(*b, 0, most));
		}
		OK(cudaDeviceSynchronize());
	}
	using Call = std::function<ncclResult_t(int rank, size_t bytes)>;
	const std::pair<const char *, Call> operations[] = {
		{"AllReduce", [&](int i, size_t n) { return ncclAllReduce(src[i], dst[i], n / 4, ncclFloat, ncclSum, comms[i], streams[i]); }},
		{"AllGather", [&](int i, size_t n) { return ncclAllGather(src[i], dst[i], n / 4 / ranks, ncclFloat, comms[i], streams[i]); }},
		{"ReduceScatter", [&](int i, size_t n) { return ncclReduceScatter(src[i], dst[i], n / 4 / ranks, ncclFloat, ncclSum, comms[i], streams[i]); }},
		{"Broadcast", [&](int i, size_t n) { return ncclBroadcast(src[i], src[i], n / 4, ncclFloat, 0, comms[i], streams[i]); }},
		{"SendRecv", [&](int i, size_t n) { return sendrecv(src[i], dst[i], n / 4, i, ranks, comms[i], streams[i]); }},
	};
	for (auto &operation : operations) {
		for (size_t size = 8; size <= most; size = size < most && size * 8 > most ? most : size * 8) {
			const bool several = !strcmp(operation.first, "SendRecv");
			auto each = [&](int rank, int n) {
				OK(cudaSetDevice(rank));
				for (int k = 0; k < n; k++) {
					if (several)
						OK(ncclGroupStart());
					OK(operation.second(rank, size));
					if (several)
						OK(ncclGroupEnd());
				}
				OK(cudaStreamSynchronize(streams[rank]));
			};
			auto all = [&](int n) {
				if (threads) {
					std::vector<std::thread> list;
					for (int i = 0; i < ranks; i++)
						list.emplace_back(each, i, n);
					for (auto &t : list)
						t.join();
					return;
				}
				for (int k = 0; k < n; k++) {
					OK(ncclGroupStart());
					for (int i = 0; i < ranks; i++)
						OK(operation.second(i, size));
					OK(ncclGroupEnd());
				}
				for (int i = 0; i < ranks; i++) {
					OK(cudaSetDevice(i));
					OK(cudaStreamSynchronize(streams[i]));
				}
			};
			const int calls = threads && size <= 1 << 20 ? 200 : 20, rounds = size > (1 << 28) ? 3 : 9;
			all(5);
			std::vector<double> times;
			for (int r = 0; r < rounds; r++) {
				auto begin = std::chrono::steady_clock::now();
				all(calls);
				times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls);
			}
			std::sort(times.begin(), times.end());
			printf("%s %zu %.3f\n", operation.first, size, times[rounds / 2] * 1e6);
			fflush(stdout);
		}
	}
}
