// The algorithms that primbench -host times, by C++'s standard library with its parallel policies (libstdc++ on TBB), with the same data,
// lengths and repetitions. It prints lines of a name, an exponent and the median of microseconds.
//
//   g++ -O3 -march=native -std=c++17 std.cpp -ltbb
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

static uint64_t mixed(uint64_t i) {
  uint64_t x = i * 0x9e3779b97f4a7c15ull + 0x7f4a7c15ull;
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
template <typename T> static T number(uint64_t i) { return (T)mixed(i); }
template <> float number<float>(uint64_t i) { return (float)(mixed(i) >> 40) / (1 << 24); }

static int most = 26;
static volatile float sink;

static int repetitions(int e) { return e <= 20 ? 31 : e <= 24 ? 15 : e <= 28 ? 5 : 3; }

// Times f(in, out) for each length.
template <typename T, typename F> static void each(const char *name, F f) {
  for (int e = 10; e <= most; e += 2) {
    size_t n = (size_t)1 << e;
    std::vector<T> in(n), out(n);
    for (size_t i = 0; i < n; i++) in[i] = number<T>(i);
    for (int i = 0; i < 2; i++) f(in, out);
    std::vector<double> all;
    for (int i = 0; i < repetitions(e); i++) {
      auto begin = std::chrono::steady_clock::now();
      f(in, out);
      all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(all.begin(), all.end());
    printf("%s %d %.2f\n", name, e, all[all.size() / 2]);
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) most = std::min(26, atoi(argv[1]));
  auto par = std::execution::par;
  auto unseq = std::execution::par_unseq;
  using Floats = std::vector<float>;
  using Ints = std::vector<int32_t>;
  using Words = std::vector<uint32_t>;
  each<float>("reduce-f32", [&](Floats &in, Floats &) { sink = std::reduce(unseq, in.begin(), in.end(), 0.0f); });
  auto scan = [&](auto &in, auto &out) { std::inclusive_scan(unseq, in.begin(), in.end(), out.begin()); };
  each<int32_t>("scan-i32", scan);
  each<float>("scan-f32", scan);
  each<int64_t>("scan-i64", scan);
  each<int32_t>("select-i32", [&](Ints &in, Ints &out) {
    std::copy_if(unseq, in.begin(), in.end(), out.begin(), [](int32_t v) { return v < 0; });
  });
  each<uint32_t>("sort-u32", [&](Words &in, Words &out) {
    std::copy(unseq, in.begin(), in.end(), out.begin());
    std::sort(par, out.begin(), out.end());
  });
  each<float>("transform-f32", [&](Floats &in, Floats &out) {
    std::transform(unseq, in.begin(), in.end(), out.begin(), [](float v) { return 2 * v + 1; });
  });
}
