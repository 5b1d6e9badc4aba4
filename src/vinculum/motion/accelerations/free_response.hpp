#pragma once

#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/matrices.hpp"

namespace vinculum::sim {

/// Computes accelerations and multipliers under given forces without friction, with the present factor of
/// `Routes::explicit_route`.
class FreeResponse {
 public:
  /// \param at  the vectors and matrices that were factored
  FreeResponse(const CompiledModel& compiled, Routes& routes, const Matrices& at) : routes_(routes), at_(at) {
    for (Vector* v : {&solution.u, &solution.Q}) v->setZero(compiled.nu());
    solution.lambda.setZero(compiled.nc());
    solution.effort.setZero(compiled.effort_count());
  }

  /// \param r_f [nu]  forces
  /// \param r_b [nc]  right-hand sides of the rows
  /// \param multipliers  receives a copy of the multipliers in `solution`
  [[nodiscard]] Outcome<void> to(ConstVector r_f, ConstVector r_b, Vector& multipliers) {
    auto done = routes_.explicit_route().solve(at_, 0.0, r_f, r_b, solution);
    if (done) multipliers = solution.lambda;
    return done;
  }

  SolvedMotion solution;

 private:
  Routes& routes_;
  const Matrices& at_;
};

}  // namespace vinculum::sim
