// Runs check and format on many random mutations of the models, or on random statements (third argument
// `statements`), with the sanitizers of this build. Usage: mutations COUNT SEED [statements]. Prints the slowest.
// Exit status 1 after a fault, or if a mutation takes four times as long as the slowest model.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "fuzz/check_one.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/statements.hpp"
#include "support/models.hpp"

namespace {
constexpr double kMostOfLongest = 4.0;
}

int main(int argc, char** argv) {
  using namespace vinculum::test_support;
  const long count = argc > 1 ? std::atol(argv[1]) : 100000;
  const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  std::vector<std::string> texts;
  for (const auto& file : text_files()) texts.push_back(read_text(file));
  // Processor time, so that other programs have no influence. No mutation should take much longer than the longest
  // text.
  const auto check = [](const std::string& text, double& seconds) {
    const std::clock_t begin = std::clock();
    std::string fault = check_one(text);
    seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return fault;
  };
  double longest = 0.0, slowest = 0.0, seconds = 0.0;
  for (const std::string& text : texts) {
    (void)check(text, seconds);
    longest = std::max(longest, seconds);
  }
  std::mt19937_64 random(seed);
  StatementTexts statements(random);
  const bool has_statements = argc > 3 && std::string_view(argv[3]) == "statements";
  for (long i = 0; i < count; ++i) {
    const std::string text = has_statements ? statements.text() : mutate(texts[random() % texts.size()], texts, random);
    const std::string fault = check(text, seconds);
    slowest = std::max(slowest, seconds);
    if (!fault.empty() || seconds > kMostOfLongest * longest) {
      std::printf("mutation %ld of seed %lu, %.3f s: %s\n%s\n", i, seed, seconds, fault.c_str(), text.c_str());
      return 1;
    }
  }
  std::printf("%ld mutations, seed %lu, slowest %.1f ms, of the models themselves %.1f ms\n", count, seed,
              slowest * 1e3, longest * 1e3);
}
