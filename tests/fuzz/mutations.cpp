// Many random mutations of the models through check and format, with the sanitizers this is built with.
// Usage: mutations COUNT SEED. Prints the slowest and how many were still right; a fault ends it with status 1.

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "fuzz/check_one.hpp"
#include "fuzz/mutate.hpp"
#include "support/models.hpp"

int main(int argc, char** argv) {
  using namespace vinculum::test_support;
  const long count = argc > 1 ? std::atol(argv[1]) : 100000;
  const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  std::vector<std::string> texts;
  for (const auto& file : text_files()) texts.push_back(read_text(file));
  std::mt19937_64 random(seed);
  double slowest = 0.0;
  for (long i = 0; i < count; ++i) {
    const std::string text = mutate(texts[random() % texts.size()], texts, random);
    const std::clock_t begin = std::clock();  // of the processor: what else runs does not count
    const std::string fault = check_one(text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, seconds);
    if (!fault.empty() || seconds > 1.0) {
      std::printf("mutation %ld of seed %lu, %.3f s: %s\n%s\n", i, seed, seconds, fault.c_str(), text.c_str());
      return 1;
    }
  }
  std::printf("%ld mutations, seed %lu, slowest %.1f ms\n", count, seed, slowest * 1e3);
}
