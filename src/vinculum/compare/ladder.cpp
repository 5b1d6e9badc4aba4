#include "vinculum/compare/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

namespace vinculum::compare {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
// An observed order is computed only if both differences exceed this many tolerances.
constexpr double kNoise = 100.0;

struct Limit {
  std::string text;          ///< limit as the laws of the ladder's constraints state it; empty: no limit is known
  std::string is_different;  ///< limit stated by another constraint of the ladder; empty: all state the same limit
};

/// Returns the limit of the ladder parameter in which the laws of `rung` become the laws of `reference`. The text is
/// empty if a constraint with the ladder parameter has no such limit, or if the law of another constraint differs
/// between the two.
Limit limit(const Variant& rung, const Variant& reference, bool rises) {
  const auto& rungs = rung.bound->compiled->model->constraints;
  const auto& kept = reference.bound->compiled->model->constraints;
  if (rungs.size() != kept.size()) return {};
  Limit result;
  for (std::size_t c = 0; c < rungs.size(); ++c) {
    const model::Law &own = *rungs[c].law, &other = *kept[c].law;
    if (!own.ladder().is_valid()) {
      if (own.word() != other.word()) return {};
      continue;
    }
    if (other.ladder().is_valid() && other.kept() == own.kept()) return {};
    const std::string text = own.limit(rungs[c], kept[c], rises);
    if (text.empty()) return {};
    if (result.text.empty()) result.text = text;
    if (text != result.text) result.is_different = text;
  }
  return result;
}

double order(double distance_before, double distance, double value_before, double value, double noise) {
  if (!(distance_before > noise) || !(distance > noise)) return kNoValue;
  return std::fabs(std::log(value / value_before)) > 0.0
             ? std::log(distance_before / distance) / std::fabs(std::log(value / value_before))
             : kNoValue;
}

}  // namespace

Parting parting(const Comparison& comparison, std::size_t a, std::size_t b, std::size_t quantity) {
  Parting result;
  const auto column = static_cast<Eigen::Index>(quantity);
  for (std::size_t k = 0; k < comparison.times.size(); ++k) {
    const double apart = std::fabs(comparison.values[b](static_cast<Eigen::Index>(k), column) -
                                   comparison.values[a](static_cast<Eigen::Index>(k), column));
    if (!std::isfinite(apart)) continue;
    if (!result.is_there || apart > result.largest) {
      result.largest = apart;
      result.t = comparison.times[k];
    }
    result.is_there = true;
    result.end = apart;
  }
  return result;
}

Parting parting(const Comparison& comparison, std::size_t a, std::size_t b, Group group) {
  Parting result;
  for (std::size_t k = 0; k < comparison.times.size(); ++k) {
    std::optional<double> largest;
    for (std::size_t i = 0; i < comparison.quantities.size(); ++i) {
      const Quantity& quantity = comparison.quantities[i];
      if (quantity.group != group) continue;
      const auto row = static_cast<Eigen::Index>(k), column = static_cast<Eigen::Index>(i);
      const double apart =
          std::fabs(comparison.values[b](row, column) - comparison.values[a](row, column)) / quantity.scale;
      if (std::isfinite(apart)) largest = std::max(largest.value_or(0.0), apart);
    }
    if (!largest) continue;
    if (!result.is_there || *largest > result.largest) {
      result.largest = *largest;
      result.t = comparison.times[k];
    }
    result.is_there = true;
    result.end = *largest;
  }
  return result;
}

LadderResult climb(const std::vector<Variant>& variants, const Ladder& ladder, const Comparison& comparison) {
  LadderResult result;
  result.ladder = ladder;
  const bool rises = ladder.values.back() > ladder.values.front();
  const Variant& first = variants[ladder.variants[0]];
  for (std::size_t i = 0; i < variants.size() && result.limit.empty(); ++i) {
    if (std::ranges::find(ladder.variants, i) != ladder.variants.end()) continue;
    const Limit found = limit(first, variants[i], rises);
    if (!found.is_different.empty()) {
      result.no_limit = fmt::format("the constraints of this ladder have different limits: {} and {}", found.text,
                                    found.is_different);
      continue;
    }
    result.limit = found.text;
    if (!result.limit.empty()) result.reference = i;
  }
  if (result.limit.empty()) {
    if (result.no_limit.empty()) result.no_limit = "none of the laws compared here is known to be its limit";
  } else {
    result.theory = 1.0;
  }
  const double noise = kNoise * first.options.tolerance;
  for (std::size_t k = 0; k < ladder.variants.size(); ++k) {
    LadderResult::Rung rung;
    const Parting coordinates = parting(comparison, result.reference, ladder.variants[k], Group::kCoordinates);
    const Parting speeds = parting(comparison, result.reference, ladder.variants[k], Group::kSpeeds);
    rung.coordinates = coordinates.is_there ? coordinates.largest : kNoValue;
    rung.speeds = speeds.is_there ? speeds.largest : kNoValue;
    rung.coordinates_order = rung.speeds_order = kNoValue;
    if (k > 0) {
      const LadderResult::Rung& before = result.rungs.back();
      rung.coordinates_order =
          order(before.coordinates, rung.coordinates, ladder.values[k - 1], ladder.values[k], noise);
      rung.speeds_order = order(before.speeds, rung.speeds, ladder.values[k - 1], ladder.values[k], noise);
    }
    result.rungs.push_back(rung);
  }
  return result;
}

}  // namespace vinculum::compare
