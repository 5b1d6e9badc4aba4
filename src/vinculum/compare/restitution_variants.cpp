#include "vinculum/compare/restitution_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vinculum/model/unilateral_text.hpp"

namespace vinculum::compare {
namespace {

using Law = model::RestitutionLaw;
constexpr std::array kLaws = {Law::kEnergetic, Law::kNewton, Law::kPoisson, Law::kMoreau};
constexpr std::string_view kSequential = "sequential";

/// Nothing for other words.
std::optional<RestitutionVariant> variant_of(const std::string& words) {
  RestitutionVariant variant{words, std::nullopt};
  if (words == "stated") return variant;
  std::string_view law = words;
  if (law == kSequential) law = {};
  const std::size_t space = law.find(' ');
  variant.is_sequential = words == kSequential || (space != law.npos && law.substr(space + 1) == kSequential);
  if (space != law.npos && variant.is_sequential) law = law.substr(0, space);
  const auto found = std::ranges::find(kLaws, law, [](Law one) { return model::name_of(one); });
  if (found == kLaws.end() && words != kSequential) return std::nullopt;
  variant.law = law.empty() ? Law::kEnergetic : *found;
  return variant;
}

}  // namespace

Outcome<std::vector<RestitutionVariant>, std::string> restitution_variants(std::span<const std::string> words) {
  std::vector<RestitutionVariant> variants;
  for (const std::string& word : words) {
    const std::optional<RestitutionVariant> variant = variant_of(word);
    if (!variant)
      return Unexpected<std::string>{fmt::format(
          "`{}` is not a law of restitution; there are `energetic`, `newton`, `poisson`, `moreau`, each also with "
          "`sequential`, and `stated`",
          word)};
    if (std::ranges::find(variants, word, &RestitutionVariant::name) != variants.end())
      return Unexpected<std::string>{fmt::format("the law of restitution `{}` is compared twice", word)};
    variants.push_back(*variant);
  }
  if (variants.size() < 2)
    return Unexpected<std::string>{"name two laws of restitution or more: `energetic,newton,poisson,moreau`"};
  return variants;
}

void set_restitution(model::ModelBuilder& builder, const RestitutionVariant& variant,
                     std::span<const std::string> constraints) {
  if (!variant.law) return;
  for (model::Constraint& constraint : builder.model().constraints) {
    if (!constraint.unilateral || std::ranges::find(constraints, constraint.name) == constraints.end()) continue;
    constraint.unilateral->law = *variant.law;
    constraint.unilateral->is_sequential = variant.is_sequential;
  }
}

}  // namespace vinculum::compare
