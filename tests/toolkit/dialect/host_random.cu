// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// widths: 32
// tiers: auto
//
// Host draws: the toolkit's <random> counts engine calls at compile time and must draw what the library's own template
// draws, to the last bit. An engine derived from a standard one still takes the library's way.
#include <cstdio>
#include <cstring>
#include <random>

template <class Engine>
struct Plain : Engine {
  using Engine::Engine;
};

template <class Real, class Engine>
static int differing(const char* name) {
  Engine ours(7);
  Plain<Engine> library(7);
  std::uniform_real_distribution<Real> uniform(-3, 5);
  std::normal_distribution<Real> normal(1, 2), normalOfLibrary(1, 2);
  int different = 0;
  for (int i = 0; i < 20000; ++i) {
    Real pairs[][2] = {{uniform(ours), uniform(library)}, {normal(ours), normalOfLibrary(library)}};
    for (auto& pair : pairs) different += std::memcmp(&pair[0], &pair[1], sizeof(Real)) != 0;
  }
  if (different) std::printf("%s, %zu bytes: %d of 40000 draws differ\n", name, sizeof(Real), different);
  return different;
}

#define BOTH(ENGINE) differing<float, ENGINE>(#ENGINE) + differing<double, ENGINE>(#ENGINE)

int main() {
  int different = BOTH(std::minstd_rand0) + BOTH(std::minstd_rand) + BOTH(std::mt19937) + BOTH(std::mt19937_64) +
                  BOTH(std::ranlux24_base) + BOTH(std::ranlux48_base) + BOTH(std::ranlux24) + BOTH(std::ranlux48) +
                  BOTH(std::knuth_b);
  return different != 0;
}
