#include "vinculum/motion/friction/failures.hpp"

#include <fmt/format.h>

#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/model/sliding.hpp"

namespace vinculum::sim {
namespace {

std::string slide_name(const CompiledModel& compiled, int slide) {
  return model::name_of(*compiled.model, nth(compiled.model->slides, slide));
}

}  // namespace

Failure friction_failure(const CompiledModel& compiled, FailureKind kind, int slide, std::string message) {
  Failure failure;
  failure.kind = kind;
  const model::ConstraintId constraint = nth(compiled.system->slides, slide).constraint;
  for (int row = 0; row < compiled.nc() && constraint.is_valid(); ++row) {
    if (nth(compiled.system->rows, row).constraint == constraint) failure.rows.push_back(row);
  }
  failure.message = std::move(message);
  return failure;
}

Failure negative_bound(const CompiledModel& compiled, int slide, double bound) {
  Failure failure = friction_failure(
      compiled, FailureKind::kNegativeFriction, slide,
      fmt::format("the bound of friction at `{}` is negative here: {:.3g}", slide_name(compiled, slide), bound));
  failure.size = bound;
  return failure;
}

Failure says_nothing_about_rest(const CompiledModel& compiled, int slide) {
  return friction_failure(
      compiled, FailureKind::kFrictionNoSolution, slide,
      "friction at `" + slide_name(compiled, slide) +
          "` is not against the velocity whose direction it takes: it does not determine the force at rest");
}

const char* advice_for_contacts(FailureKind kind) {
  return kind == FailureKind::kFrictionNoSolution
             ? "lower the coefficient of friction, let one of the bodies yield, for example by a spring, or end the "
               "run before this time"
             : "lower the coefficient of friction, or state `compliance 1` at contacts that share a force";
}

}  // namespace vinculum::sim
