// Friction at rest and in motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::audit {
namespace {

struct Value {
  Vector3 value = Vector3::Zero(), rate = Vector3::Zero();
};

Value value_of(mechanics::TermValues& at, mechanics::Term v) {
  if (v.is_scalar()) {
    const mechanics::Jet jet = at.scalar(v);
    return {{jet.value, 0.0, 0.0}, {jet.rate, 0.0, 0.0}};
  }
  const mechanics::JetVector jet = at.vector(v);
  return {{jet[0].value, jet[1].value, jet[2].value}, {jet[0].rate, jet[1].rate, jet[2].rate}};
}

}  // namespace

AuditLine audit_friction(const Case& of) {
  Judge judge("friction is against the velocity of sliding, and sticks within its bound", "4.6",
              tolerance::kConsistency);
  const std::vector<mechanics::Slide>& slides = of.compiled.model->slides;
  for (const auto& e : of.evidence) {
    const sim::FrictionState& friction = e->sample.friction;
    const Vector unit = e->at.units(), forces = e->at.sizes(e->sample);
    for (std::size_t i = 0; i < slides.size(); ++i) {
      const dynamics::Slide& slide = of.compiled.system->slides[i];
      const std::string name = of.compiled.model->constraint(slides[i].constraint).name;
      const Value v = value_of(e->now(), slides[i].velocity), still = value_of(e->rest(), slides[i].velocity);
      double speed = still.value.norm(), rate = 0.0;  // sizes of what v and v' are made of
      for (std::size_t r = 0; r < of.compiled.model->speeds.size(); ++r) {
        const auto at = static_cast<Eigen::Index>(r);
        const double partial = (value_of(e->unit(r), slides[i].velocity).value - still.value).norm();
        speed += partial * std::abs(e->sample.u[at]);
        rate += partial * (std::abs(e->sample.reaction.u_dot()[at]) + forces[at] * unit[at] * unit[at]);
      }
      speed += rate * of.scales.duration;
      Vector3 s = Vector3::Zero();
      for (int c = 0; c < slide.count; ++c) s[c] = friction.direction[slide.first + c];
      if (friction.sticks[i] != 0) {
        const double ratio = slides[i].static_ratio.is_valid() ? e->scalar(slides[i].static_ratio) : 1.0;
        judge.see(v.value.norm(), speed, e->sample.t, name + ", velocity of what sticks", "v");
        judge.see(v.rate.norm(), rate, e->sample.t, name + ", acceleration of what sticks", "v'");
        judge.see(std::max(s.norm() - ratio, 0.0), ratio, e->sample.t, name + ", force of what sticks over its bound");
      } else if (v.value.norm() > tolerance::kConditioned * speed) {
        judge.see((s - v.value.normalized()).norm(), 1.0, e->sample.t, name + ", direction of sliding");
      } else {
        judge.see(s.norm() - 1.0, 1.0, e->sample.t, name + ", friction of what sets off");
        judge.see(std::min(v.rate.dot(s), 0.0), rate, e->sample.t, name + ", direction in which it sets off", "v'");
      }
    }
  }
  return judge.verdict();
}

}  // namespace vinculum::audit
