#include "vinculum/out/report/explain_invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vinculum::out {
namespace {

using Json = nlohmann::ordered_json;
using mechanics::Conserved;

bool is_stated(const mechanics::Model& model, const sim::Invariant& invariant) {
  return std::ranges::any_of(model.conserved, [&](const Conserved& stated) {
    if (stated.what == Conserved::What::kExpression) return stated.value == invariant.value;
    return stated.what == invariant.what && stated.coordinate == invariant.coordinate;
  });
}

}  // namespace

std::string invariants_text(const sim::CompiledModel& compiled, const sim::Invariants& invariants) {
  std::string text;
  for (const sim::Invariant& one : invariants.found) {
    text += fmt::format("  {}: constant{}; {}\n", one.name,
                        is_stated(*compiled.model, one) ? ", kept by projection" : "", one.why);
  }
  // A momentum that is not constant is the rule: worth a word are energies and what `conserve` names.
  for (const sim::NotInvariant& one : invariants.missed) {
    const bool is_named = std::ranges::any_of(compiled.model->conserved, [&one](const Conserved& stated) {
      return stated.what == one.what && stated.coordinate == one.coordinate;
    });
    if (one.what != Conserved::What::kMomentum || is_named)
      text += fmt::format("  {}: not constant; {}\n", one.name, one.why);
  }
  return text.empty() ? "" : "\ninvariants\n" + text;
}

std::string invariants_json(const sim::CompiledModel& compiled, const sim::Invariants& invariants) {
  Json found = Json::array(), missed = Json::array();
  for (const sim::Invariant& one : invariants.found) {
    found.push_back({{"name", one.name}, {"why", one.why}, {"conserved", is_stated(*compiled.model, one)}});
  }
  for (const sim::NotInvariant& one : invariants.missed) missed.push_back({{"name", one.name}, {"why", one.why}});
  const Json result = {{"found", std::move(found)}, {"missed", std::move(missed)}};
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vinculum::out
