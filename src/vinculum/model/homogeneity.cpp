#include "vinculum/model/homogeneity.hpp"

#include <cmath>
#include <random>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace homogeneity_detail {

constexpr int kStatesTried = 3, kMostStates = 40;
constexpr unsigned kSeed = 1931;

/// Random states, with random values of the parameters that are not fixed by other decisions.
class States {
 public:
  explicit States(const Model& model) : model_(model), generator_(kSeed) {}
  Instant draw() {
    std::uniform_real_distribution<double> anywhere(-1.2, 1.2), factor(0.6, 1.6);
    Instant at;
    at.t = anywhere(generator_);
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      at.q.push_back(anywhere(generator_));
      at.q_dot.push_back(anywhere(generator_));
    }
    at.q_ddot.assign(at.q.size(), 0.0);
    for (std::size_t i = 0; i < model_.states.size(); ++i) at.z.push_back(anywhere(generator_));
    at.parameters = declared_values(model_);
    for (std::size_t i = 0; i < at.parameters.size(); ++i) {
      const Parameter& parameter = model_.parameters[i];
      const double by = factor(generator_);
      if (!parameter.definition.is_valid() && parameter.fixed_by.empty()) at.parameters[i] *= by;
      if (parameter.definition.is_valid()) at.parameters[i] = TermValues(model_, at).scalar(parameter.definition).value;
    }
    return at;
  }

 private:
  const Model& model_;
  std::mt19937_64 generator_;
};

/// F (see `degree_in_rates`) with its error bound.
Rounded value_of(const Model& model, Term relation, const Instant& at) {
  const Series series = TermValues(model, at).series(relation);
  return level_of(model, relation) == Level::kPosition ? series.derivative(1) : series.value();
}

Instant scaled(Instant at, double by) {
  for (double& rate : at.q_dot) rate *= by;
  return at;
}

}  // namespace homogeneity_detail

std::optional<double> degree_in_rates(const Model& model, Term relation) {
  using homogeneity_detail::scaled, homogeneity_detail::value_of;
  homogeneity_detail::States states(model);
  std::optional<double> ratio;  // F(q, 2 q')/F(q, q') = 2^k for the degree k
  int tried = 0;
  for (int trial = 0; trial < homogeneity_detail::kMostStates && tried < homogeneity_detail::kStatesTried; ++trial) {
    const Instant at = states.draw();
    const double once = value_of(model, relation, at).value, twice = value_of(model, relation, scaled(at, 2.0)).value,
                 fourfold = value_of(model, relation, scaled(at, 4.0)).value;
    if (!std::isfinite(once) || !std::isfinite(fourfold) || once == 0.0) continue;
    ++tried;
    const double here = twice / once;
    if (!ratio) ratio = here;
    const double doubt = tolerance::kGeneric * std::abs(*ratio);
    if (!(*ratio > 0.0) || !(std::abs(here - *ratio) <= doubt) || !(std::abs(fourfold / twice - *ratio) <= doubt))
      return std::nullopt;
  }
  return ratio ? std::optional(std::log2(*ratio)) : std::nullopt;
}

bool changes_with_time(const Model& model, Term relation) {
  using homogeneity_detail::value_of;
  homogeneity_detail::States states(model);
  for (int trial = 0; trial < homogeneity_detail::kStatesTried; ++trial) {
    Instant at = states.draw();
    const Rounded now = value_of(model, relation, at);
    at.t += 0.7;
    const Rounded later = value_of(model, relation, at);
    if (!(now - later).may_be_zero()) return true;
  }
  return false;
}

}  // namespace vinculum::model
