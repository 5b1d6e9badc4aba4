#include "vinculum/report/thin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace vinculum::report {
namespace {

std::vector<double> even(int count, double end) {
  std::vector<double> t;
  for (int i = 0; i <= count; ++i) t.push_back(end * i / count);
  return t;
}

template <class F>
std::vector<double> values(const std::vector<double>& t, F f) {
  std::vector<double> result;
  for (const double one : t) result.push_back(f(one));
  return result;
}

/// Largest distance between a sample and the line through the kept instants.
double farthest(const std::vector<double>& t, const std::vector<double>& x, const std::vector<std::size_t>& kept) {
  double worst = 0.0;
  for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
    const std::size_t a = kept[k], b = kept[k + 1];
    for (std::size_t i = a; i <= b; ++i)
      worst = std::max(worst, std::abs(x[a] + (x[b] - x[a]) * (t[i] - t[a]) / (t[b] - t[a]) - x[i]));
  }
  return worst;
}

TEST(InstantsNeeded, OfALineAreItsEnds) {
  const auto t = even(1000, 2.0);
  const std::vector<Drawn> drawn{{values(t, [](double s) { return 3.0 * s - 1.0; }), 1e-9}};
  EXPECT_EQ(instants_needed(t, drawn), (std::vector<std::size_t>{0, 1000}));
}

TEST(InstantsNeeded, OfStepsAreTheSamplesBeforeAndAfterThem) {
  const auto t = even(1000, 2.0);
  const std::vector<Drawn> stairs{{values(t, [](double s) { return std::floor(4.0 * s + 1e-9); }), 1e-9, true}};
  std::vector<std::size_t> expected{0};
  for (std::size_t step = 125; step < 1000; step += 125) expected.insert(expected.end(), {step - 1, step});
  expected.insert(expected.end(), {999, 1000});
  EXPECT_EQ(instants_needed(t, stairs), expected);
  // without `has_steps`, steps at every sample are a straight line; with `has_steps` every sample is needed
  EXPECT_EQ(instants_needed(t, std::vector<Drawn>{{t, 1e-9, true}}).size(), t.size());
  // if steps are below the allowed error, samples can be left out: the drawn value differs from the sample by at most
  // this error
  const auto kept = instants_needed(t, std::vector<Drawn>{{t, 0.1, true}});
  EXPECT_LT(kept.size(), 50U);
  for (std::size_t k = 0; k + 1 < kept.size(); ++k) EXPECT_LE(t[kept[k + 1] - 1] - t[kept[k]], 0.1 + 1e-12);
}

TEST(InstantsNeeded, PassByEverySampleWithinWhatIsAllowed) {
  const auto t = even(5000, 10.0);
  const std::vector<Drawn> drawn{{values(t, [](double s) { return std::sin(3.0 * s); }), 5e-4},
                                 {values(t, [](double s) { return 100.0 * std::exp(-s * s); }), 0.05}};
  const auto kept = instants_needed(t, drawn);
  for (const Drawn& one : drawn) EXPECT_LE(farthest(t, one.values, kept), one.allowed * (1.0 + 1e-9));
  EXPECT_LT(kept.size(), 700U);
  EXPECT_GT(kept.size(), 300U);  // at the peaks of a sine of amplitude 1, intervals of √(8·5e-4)/3 are needed
}

TEST(InstantsNeeded, HoldEveryLeastAndGreatestValue) {
  const auto t = even(1000, 1.0);
  std::vector<double> peak(t.size(), 0.0);
  peak[333] = 1e-6;  // far below the permitted error
  const std::vector<Drawn> drawn{{peak, 1.0}};
  const auto kept = instants_needed(t, drawn);
  EXPECT_NE(std::ranges::find(kept, std::size_t{333}), kept.end());
}

TEST(InstantsNeeded, KeepBothSidesOfAGapAndOfAJump) {
  std::vector<double> t{0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 5.0};
  std::vector<double> x{0.0, 0.0, 0.0, 5.0, 5.0, std::nan(""), std::nan("")};
  const auto kept = instants_needed(t, std::vector<Drawn>{{x, 0.1}});
  for (const std::size_t i : {2U, 3U, 4U, 5U}) EXPECT_NE(std::ranges::find(kept, i), kept.end()) << i;
  EXPECT_TRUE(instants_needed({}, {}).empty());
  EXPECT_EQ(instants_needed(std::vector<double>{1.0}, std::vector<Drawn>{{{2.0}, 0.0}}).size(), 1U);
}

}  // namespace
}  // namespace vinculum::report
