// Random mechanisms against Newton–Euler balances; a program to be run by hand:
//
//   random_mechanisms FIRST COUNT              judges COUNT seeds from FIRST on, counts disagreements by class
//   random_mechanisms SEED                     one mechanism: its text and all disagreements; with its outputs if
//                                              OUTPUTS=1 is set in the environment
//   random_mechanisms SEED shrink TEXT         a smaller mechanism with a finding that has TEXT in "check | about"
//   random_mechanisms audit FIRST [COUNT]      audits runs of the mechanisms: broken lines of each
//   random_mechanisms audit SEED shrink TEXT   a smaller mechanism with a broken line that has TEXT
//
// With PLAIN set in the environment: no constant turns, at most one body per frame.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "audit/random_motion.hpp"
#include "support/mechanisms/search.hpp"
#include "support/mechanisms/shrink.hpp"

using namespace vinculum::mechanisms;

namespace {

GeneratorOptions options() {
  return std::getenv("PLAIN") != nullptr ? GeneratorOptions{false, false} : GeneratorOptions{};
}

int one(const Mechanism& m) {
  const Structure s(m);
  const Reading reading = read(m, s);
  std::printf("%s\n", std::getenv("OUTPUTS") != nullptr ? reading.text.c_str() : text_of(m).c_str());
  const Verdict verdict = judge(m, s, reading);
  if (!verdict.refused.empty())
    std::printf("refused: %s: %s\n%s: %s\n", verdict.refused.c_str(), verdict.refusal_message.c_str(),
                verdict.is_refusal_justified ? "justified" : "not justified", verdict.refusal_class.c_str());
  std::printf("%s; %d values, %d flags\n", verdict.is_clear ? "clear" : "not clear", verdict.values, verdict.flags);
  for (const Finding& f : verdict.findings)
    std::printf("%-16s | %-40s %.2e  %s\n", f.check.c_str(), f.about.c_str(), f.size, f.detail.c_str());
  return verdict.findings.empty() ? 0 : 1;
}

int shrink(std::uint64_t seed, const std::string& text) {
  const auto is_one = [&](const Mechanism& m) {
    const Verdict verdict = judge(m);
    return std::ranges::any_of(verdict.findings, [&](const Finding& f) {
      return (f.check + " | " + f.about).find(text) != std::string::npos;
    });
  };
  const Mechanism m = random_mechanism(seed, options());
  if (!is_one(m)) {
    std::printf("seed %llu has no such finding\n", static_cast<unsigned long long>(seed));
    return 2;
  }
  return one(shrunk(m, is_one));
}

/// All broken lines of the mechanism's run, such as "8.3 M u' = …: where".
std::string broken_lines(const Mechanism& m) {
  std::optional<vinculum::audit::Motion> motion = vinculum::audit::motion_of(m);
  return motion ? vinculum::audit::broken_lines(motion->judged(3)) : "";
}

int shrink_audited(std::uint64_t seed, const std::string& text) {
  const auto is_one = [&](const Mechanism& m) { return broken_lines(m).find(text) != std::string::npos; };
  const Mechanism m = random_mechanism(seed, options());
  if (!is_one(m)) {
    std::printf("seed %llu has no such line\n", static_cast<unsigned long long>(seed));
    return 2;
  }
  const Mechanism smaller = shrunk(m, is_one);
  const int result = one(smaller);
  std::printf("%s", broken_lines(smaller).c_str());
  return result;
}

int audit(std::uint64_t first, std::uint64_t count) {
  int audited = 0, broken = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::optional<vinculum::audit::Motion> motion = vinculum::audit::random_motion(seed);
    if (!motion) continue;
    ++audited;
    const std::string lines = vinculum::audit::broken_lines(motion->judged(3));
    if (lines.empty()) continue;
    ++broken;
    std::printf("%llu\n%s", static_cast<unsigned long long>(seed), lines.c_str());
    std::fflush(stdout);
  }
  std::printf("%d of %d motions have broken lines\n", broken, audited);
  return broken == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return static_cast<std::uint64_t>(std::strtoull(argv[i], nullptr, 10)); };
  if (argc == 5 && std::strcmp(argv[1], "audit") == 0) return shrink_audited(number(2), argv[4]);
  if (argc >= 3 && std::strcmp(argv[1], "audit") == 0) return audit(number(2), argc > 3 ? number(3) : 1);
  if (argc == 2) return one(random_mechanism(number(1), options()));
  if (argc == 4 && std::strcmp(argv[2], "shrink") == 0) return shrink(number(1), argv[3]);
  if (argc != 3) return 2;
  const Search result = search(number(1), number(2), options());
  std::printf("made of\n%s\nrefused\n%s\nfindings\n%s\n%s", table_of(result.kinds).c_str(),
              table_of(result.refusals).c_str(), table_of(result.findings).c_str(), summary_of(result).c_str());
  return result.failed == 0 ? 0 : 1;
}
