// The algorithms of primbench's cases on CUB, with the same data, lengths and repetitions. It prints lines of a name, an
// exponent and the median of microseconds. PART is 0 to 5: each is compiled by itself, at the same time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/iterator/transform_iterator.h>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    cudaError_t e = (call);                                                              \
    if (e != cudaSuccess) {                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));         \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

static int least = 0, most = 30;

__host__ __device__ inline uint64_t mixed(uint64_t i) {
  uint64_t x = i * 0x9e3779b97f4a7c15ull + 0x7f4a7c15ull;
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

template <typename T> struct Number {
  __device__ static T at(size_t i) { return (T)mixed(i); }
};
template <> struct Number<float> {
  __device__ static float at(size_t i) { return (float)(mixed(i) >> 40) / (1 << 24); }
};

template <typename T> __global__ void fill(T *p, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = Number<T>::at(i);
}
__global__ void tens(int32_t *p, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = (int32_t)(i / 10);
}

template <typename T> T *alloc(size_t n) {
  T *p;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  return p;
}
template <typename T> T *random_numbers(size_t n) {
  T *p = alloc<T>(n);
  fill<<<4096, 256>>>(p, n);
  CHECK(cudaGetLastError());
  return p;
}

static int repetitions(int e) { return e <= 20 ? 31 : e <= 24 ? 15 : e <= 28 ? 5 : 3; }

// Times f(temp, bytes), which is first asked for the bytes that it needs.
template <typename F> void time_case(const char *name, int e, F f) {
  size_t bytes = 0;
  CHECK(f(nullptr, bytes));
  void *temp = alloc<char>(bytes + 1);
  for (int i = 0; i < 2; i++) CHECK(f(temp, bytes));
  CHECK(cudaDeviceSynchronize());
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> all;
  for (int i = 0; i < repetitions(e); i++) {
    CHECK(cudaEventRecord(begin));
    CHECK(f(temp, bytes));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    all.push_back(ms * 1000);
  }
  std::sort(all.begin(), all.end());
  printf("%s %d %.2f\n", name, e, all[all.size() / 2]);
  fflush(stdout);
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFree(temp));
}

static const int exponents[] = {10, 16, 20, 24, 28, 30};

// Calls f(exponent, n) for the lengths up to 2^limit.
template <typename F> void each(int limit, F f) {
  for (int e : exponents)
    if (e >= least && e <= limit && e <= most) f(e, (size_t)1 << e);
}

template <typename T> void reduce(const char *name) {
  each(30, [&](int e, size_t n) {
    T *in = random_numbers<T>(n), *out = alloc<T>(1);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, out, n); });
    cudaFree(in), cudaFree(out);
  });
}
template <typename T> void scan(const char *name, int limit) {
  each(limit, [&](int e, size_t n) {
    T *in = random_numbers<T>(n), *out = alloc<T>(n);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
    cudaFree(in), cudaFree(out);
  });
}
struct Negative {
  template <typename T> __device__ bool operator()(const T &v) const { return v < 0; }
};
template <typename T> void select_half(const char *name, int limit) {
  each(limit, [&](int e, size_t n) {
    T *in = random_numbers<T>(n), *out = alloc<T>(n);
    int64_t *count = alloc<int64_t>(1);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, in, out, count, n, Negative()); });
    cudaFree(in), cudaFree(out), cudaFree(count);
  });
}
template <typename T> struct LowByte {
  __host__ __device__ uint8_t operator()(const T &v) const { return (uint8_t)v; }
};
template <typename T> void histogram(const char *name) {
  each(30, [&](int e, size_t n) {
    T *in = random_numbers<T>(n);
    unsigned *counts = alloc<unsigned>(256);
    if constexpr (sizeof(T) == 1) {
      time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, in, counts, 257, 0, 256, (int64_t)n); });
    } else {
      auto low = thrust::make_transform_iterator(in, LowByte<T>());
      time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, low, counts, 257, 0, 256, (int64_t)n); });
    }
    cudaFree(in), cudaFree(counts);
  });
}
template <typename T> void sort_keys(const char *name, int limit) {
  each(limit, [&](int e, size_t n) {
    T *in = random_numbers<T>(n), *out = alloc<T>(n);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, in, out, n); });
    cudaFree(in), cudaFree(out);
  });
}
template <typename K, typename V> void sort_pairs(const char *name, int limit) {
  each(limit, [&](int e, size_t n) {
    K *in = random_numbers<K>(n), *out = alloc<K>(n);
    V *values = random_numbers<V>(n), *sorted = alloc<V>(n);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceRadixSort::SortPairs(t, b, in, out, values, sorted, n); });
    cudaFree(in), cudaFree(out), cudaFree(values), cudaFree(sorted);
  });
}
__global__ void affine(float *out, const float *in, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i * 4 + 3 < n) {
    float4 v = ((const float4 *)in)[i];
    v.x = 2 * v.x + 1, v.y = 2 * v.y + 1, v.z = 2 * v.z + 1, v.w = 2 * v.w + 1;
    ((float4 *)out)[i] = v;
  }
}
// CUB's DeviceTransform differs from release to release: a kernel of vectors stands for it.
void transform(const char *name) {
  each(30, [&](int e, size_t n) {
    float *in = random_numbers<float>(n), *out = alloc<float>(n);
    time_case(name, e, [&](void *t, size_t &b) {
      if (t) affine<<<(unsigned)((n / 4 + 255) / 256), 256>>>(out, in, n);
      b = 1;
      return cudaGetLastError();
    });
    cudaFree(in), cudaFree(out);
  });
}
void runs(const char *name) {
  each(28, [&](int e, size_t n) {
    int32_t *in = alloc<int32_t>(n), *keys = alloc<int32_t>(n);
    tens<<<4096, 256>>>(in, n);
    int64_t *lengths = alloc<int64_t>(n), *count = alloc<int64_t>(1);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceRunLengthEncode::Encode(t, b, in, keys, lengths, count, (int)n); });
    cudaFree(in), cudaFree(keys), cudaFree(lengths), cudaFree(count);
  });
}
struct Less {
  template <typename T> __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
void merge_sort(const char *name) {
  each(28, [&](int e, size_t n) {
    int32_t *in = random_numbers<int32_t>(n), *out = alloc<int32_t>(n);
    time_case(name, e, [&](void *t, size_t &b) { return cub::DeviceMergeSort::SortKeysCopy(t, b, in, out, n, Less()); });
    cudaFree(in), cudaFree(out);
  });
}

int main(int argc, char **argv) {
  if (argc > 1) most = atoi(argv[1]);
  if (argc > 2) least = atoi(argv[2]);
#if PART == 0
  reduce<float>("reduce-f32");
  reduce<int64_t>("reduce-i64");
  scan<int32_t>("scan-i32", 30);
  scan<float>("scan-f32", 30);
  scan<int64_t>("scan-i64", 28);
  transform("transform-f32");
#elif PART == 1
  select_half<int32_t>("select-i32", 30);
  select_half<int64_t>("select-i64", 28);
  histogram<uint8_t>("histogram-u8");
  histogram<uint32_t>("histogram-u32");
  runs("runs-i32");
#elif PART == 2
  sort_keys<uint32_t>("sort-u32", 30);
  sort_keys<float>("sort-f32", 28);
#elif PART == 3
  sort_keys<uint64_t>("sort-u64", 28);
#elif PART == 4
  sort_pairs<uint32_t, uint32_t>("sort-pairs-u32", 28);
  merge_sort("merge-sort-i32");
#else
  sort_pairs<uint64_t, uint64_t>("sort-pairs-u64", 28);
#endif
}
