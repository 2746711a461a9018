// The fills that primbench -rand times, by cuRAND's host API, with the same lengths and repetitions. It prints lines of a name,
// an exponent and the median of microseconds. An argument is the greatest exponent.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 curand.cu -lcurand
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <curand.h>

#define CUDA(call)                                                                  \
  do {                                                                              \
    cudaError_t e_ = (call);                                                        \
    if (e_ != cudaSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));   \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)
#define CURAND(call)                                                                \
  do {                                                                              \
    curandStatus_t s_ = (call);                                                     \
    if (s_ != CURAND_STATUS_SUCCESS) {                                              \
      fprintf(stderr, "%s:%d: curand status %d\n", __FILE__, __LINE__, (int)s_);    \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

static int most = 28;
static const int exponents[] = {10, 16, 20, 24, 28};

static int repetitions(int e) { return e <= 20 ? 31 : e <= 24 ? 15 : e <= 28 ? 5 : 3; }

template <typename F> static void time_fill(const char *generator, const char *what, int e, F f) {
  for (int i = 0; i < 2; i++) f(); // the first one sets the generator up
  CUDA(cudaDeviceSynchronize());
  cudaEvent_t begin, end;
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  std::vector<float> all;
  for (int i = 0; i < repetitions(e); i++) {
    CUDA(cudaEventRecord(begin, 0));
    f();
    CUDA(cudaEventRecord(end, 0));
    CUDA(cudaEventSynchronize(end));
    float ms = 0;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    all.push_back(ms * 1000);
  }
  std::sort(all.begin(), all.end());
  printf("%s-%s %d %.2f\n", generator, what, e, all[all.size() / 2]);
  fflush(stdout);
  CUDA(cudaEventDestroy(begin));
  CUDA(cudaEventDestroy(end));
}

static void time_generator(const char *name, curandRngType_t type, bool quasi) {
  curandGenerator_t g;
  CURAND(curandCreateGenerator(&g, type));
  if (quasi)
    CURAND(curandSetQuasiRandomGeneratorDimensions(g, 1));
  else
    CURAND(curandSetPseudoRandomGeneratorSeed(g, 42));
  for (int e : exponents) {
    if (e > most) continue;
    size_t n = (size_t)1 << e;
    void *out = nullptr;
    CUDA(cudaMalloc(&out, n * 4));
    // a sequence of 2^32 points is not to end
    auto rewind = [&] {
      if (quasi) CURAND(curandSetGeneratorOffset(g, 0));
    };
    time_fill(name, "u32", e, [&] { CURAND(curandGenerate(g, (unsigned int *)out, n)); });
    rewind();
    time_fill(name, "uniform", e, [&] { CURAND(curandGenerateUniform(g, (float *)out, n)); });
    rewind();
    time_fill(name, "normal", e, [&] { CURAND(curandGenerateNormal(g, (float *)out, n, 0.0f, 1.0f)); });
    CUDA(cudaFree(out));
    rewind();
  }
  CURAND(curandDestroyGenerator(g));
}

int main(int argc, char **argv) {
  if (argc > 1) most = atoi(argv[1]);
  time_generator("philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, false);
  time_generator("xorwow", CURAND_RNG_PSEUDO_XORWOW, false);
  time_generator("mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A, false);
  time_generator("sobol", CURAND_RNG_QUASI_SOBOL32, true);
  return 0;
}
