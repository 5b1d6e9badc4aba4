// Checks that switching functions have the sign of the region in force, along the whole run.
#include <fmt/format.h>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {

using sim::SideBalance;

AuditLine audit_sides(const Case& of) {
  Judge judge("every step is in the region whose equations it uses", "10.5",
              "the steps' errors at the run's tolerance");
  const Trajectory& run = of.trajectory;
  const auto& sides = run.stopped ? run.sides_before_last : run.sides;
  if (!sides) {
    judge.does_not_apply(run.sides || !run.step_times.empty()
                             ? "the run stopped in its first steps, or did not record the steps between its samples"
                             : "the run took no step");
    return judge.verdict();
  }
  judge.where_nothing("the equations have no switches, and nothing slides or sticks");
  const auto see = [&](const SideBalance::Miss& miss, const std::string& where) {
    judge.see({miss.residual, 0.0}, miss.size, miss.t, where, miss.limit);
  };
  const bool is_said = run.looking.not_proven > 0;
  double beyond = 0.0;
  for (std::size_t k = 0; k < sides->on_sides.size(); ++k) {
    const std::string& text = of.bound->watches->switches.surfaces()[k].text;
    see(sides->on_sides[k], "`" + text + "`");
    if (!is_said) see(sides->as_stated[k], "`" + text + "`, within a step");
    beyond = std::max(beyond, sides->as_stated[k].residual);
  }
  for (std::size_t i = 0; i < sides->slides.size(); ++i)
    see(sides->slides[i],
        fmt::format("`{}`, what slides or sticks", model::name_of(*of.bound->model, of.bound->model->slides[i])));
  if (is_said && beyond > 0.0) judge.note("steps that the run reports as not proven may pass switches");
  return judge.verdict();
}

}  // namespace vinculum::audit
