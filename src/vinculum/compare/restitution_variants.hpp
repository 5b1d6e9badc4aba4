#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vinculum/model/builder.hpp"
#include "vinculum/outcome.hpp"

/// Variants of a model under several laws of restitution.
namespace vinculum::compare {

/// A law of restitution for the contacts that are compared. Their coefficients stay as stated.
struct RestitutionVariant {
  std::string name;                          ///< as shown: "newton", "poisson sequential", "stated"
  std::optional<model::RestitutionLaw> law;  ///< nothing: law and order as stated
  bool is_sequential = false;
};

/// Reads `stated`, `newton`, `newton sequential`, or `sequential` for the default law in sequential order.
/// \returns a message, without a place, for other words, for a law that is written twice, and for a single law.
[[nodiscard]] Outcome<std::vector<RestitutionVariant>, std::string> restitution_variants(
    std::span<const std::string> words);

/// Changes the law of the named unilateral constraints.
void set_restitution(model::ModelBuilder& builder, const RestitutionVariant& variant,
                     std::span<const std::string> constraints);

}  // namespace vinculum::compare
