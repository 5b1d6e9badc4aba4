// Checks that the change of the state equals the integral of its rates, along the whole run.
#include <fmt/format.h>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/packed_state.hpp"
#include "vinculum/run/spectrum.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using sim::RateBalance;

/// Compares the integral of the rates with the change of the state between the first and the last sample. A run that
/// stopped is left out: its balance ends before the last sample, which may be the state after an event at that instant.
void see_whole_run(const Case& of, const RateBalance& balance, Judge& judge) {
  const Sample &first = of.trajectory.start(), &last = of.trajectory.end();
  if (of.trajectory.stopped || first.t != balance.t_begin || last.t != balance.t_end) return;
  const Vector begin = sim::packed_state(first), end = sim::packed_state(last);
  for (Eigen::Index i = 0; i < begin.size(); ++i) {
    const double size = std::abs(begin[i]) + std::abs(end[i]) + balance.size[i];
    judge.see({end[i] - begin[i] - balance.change[i], balance.rounding[i] + tolerance::kRounded * size}, size, last.t,
              sim::component_name(of.bound, static_cast<int>(i)) + ", over the whole run", balance.limit[i]);
  }
}

}  // namespace

AuditLine audit_integrals(const Case& of) {
  Judge judge("coordinates, speeds and states change by the integrals of their rates", "10.5",
              "the quadrature, the steps' errors at the run's tolerance");
  const auto& rates = of.trajectory.stopped ? of.trajectory.rates_before_last : of.trajectory.rates;
  if (!rates) {
    judge.does_not_apply(of.trajectory.rates || !of.trajectory.step_times.empty()
                             ? "the run stopped in its first steps, or did not record its rates"
                             : "the run took no step");
    return judge.verdict();
  }
  const RateBalance& balance = *rates;
  const auto see = [&](const RateBalance::Miss& miss, std::size_t i, const char* what) {
    judge.see({miss.residual, miss.rounding}, miss.size, miss.t,
              sim::component_name(of.bound, static_cast<int>(i)) + what, miss.limit);
  };
  for (std::size_t i = 0; i < balance.motion.size(); ++i) {
    see(balance.motion[i], i, ", since the start");
    see(balance.jumps[i], i, ", an event");
  }
  see_whole_run(of, balance, judge);
  if (balance.unread > 0)
    judge.note(fmt::format("of {} in {} steps there are no rates", balance.unread, balance.stretches));
  return judge.verdict();
}

}  // namespace vinculum::audit
