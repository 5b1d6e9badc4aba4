#include "vinculum/out/program/derive_partials.hpp"

#include <fmt/format.h>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/latex.hpp"

namespace vinculum::out {
namespace {

using expr::Expr;
using mechanics::Model;
using Kind = Line::Kind;

constexpr std::size_t kMostPartials = 80;  // listed; beyond, they are left to the code

std::size_t place_of(int index) { return static_cast<std::size_t>(index); }

// A velocity or an angular velocity, as the lines name it.
struct Rate {
  std::string name, latex;
  mechanics::Term value;
  mechanics::FrameId frame;  // of the measure numbers
};

// Velocities of particles and mass centres, angular velocities of bodies (accelerations where the rows are nonlinear).
std::vector<Rate> rates_of(const Model& model, bool is_linear) {
  constexpr mechanics::FrameId kNewtonian = Model::newtonian();
  const auto upright = [](const std::string& name) { return "\\mathrm{" + expr::latex_words(name) + "}"; };
  std::vector<Rate> rates;
  const auto add_point = [&](const std::string& name, mechanics::PointId point) {
    rates.push_back({fmt::format("{}({})", is_linear ? "vel" : "acc", name),
                     fmt::format("\\mathbf{{{}}}^{{{}}}", is_linear ? "v" : "a", upright(name)),
                     model.terms->velocity(point, kNewtonian), kNewtonian});
  };
  for (const auto& particle : model.particles) add_point(particle.name, particle.point);
  for (const auto& body : model.bodies) {
    add_point(body.name, body.center);
    rates.push_back({fmt::format("{}({})", is_linear ? "omega" : "alpha", body.name),
                     fmt::format("\\boldsymbol{{\\{}}}^{{{}}}", is_linear ? "omega" : "alpha", upright(body.name)),
                     model.terms->angular_velocity(body.frame, kNewtonian), body.frame});
  }
  return rates;
}

}  // namespace

void append_partials(const Derivation& derivation, const Reduction& reduction, std::vector<Line>& lines) {
  dynamics::System& system = *derivation.system;
  const Model& model = *system.model;
  const std::size_t count = derivation.independent.size() * (model.particles.size() + 2 * model.bodies.size());
  lines.push_back(
      {Kind::kHeading, std::string("Partial ") + (reduction.is_linear ? "velocities" : "accelerations"), {}, {}});
  if (count > kMostPartials) {
    lines.push_back({Kind::kNote, fmt::format("{} of them: not listed.", count), {}, {}});
    return;
  }
  const Expr zero = system.graph->constant(0.0);
  for (const Rate& rate : rates_of(model, reduction.is_linear)) {
    std::vector<std::vector<Expr>> by_speed(system.u.size(), std::vector<Expr>(3, zero));
    const std::vector<Expr> value = dynamics::lower(system, rate.value, rate.frame);
    for (const expr::Entry& e : expr::sparse_jacobian(value, system.u))
      by_speed[place_of(e.column)][place_of(e.row)] = e.value;
    for (std::size_t j = 0; j < derivation.independent.size(); ++j) {
      std::vector<Expr> partial(3, zero);
      for (std::size_t s = 0; s < by_speed.size(); ++s) {
        for (std::size_t k = 0; k < 3; ++k) partial[k] += by_speed[s][k] * reduction.V[s][j];
      }
      const std::string by = model.speeds[place_of(derivation.independent[j])].name + (reduction.is_linear ? "" : "'");
      lines.push_back({Kind::kVector,
                       {},
                       fmt::format("d {} / d {}", rate.name, by),
                       fmt::format("\\frac{{\\partial {}}}{{\\partial {}}}", rate.latex, expr::latex_name(by)),
                       {},
                       partial,
                       model.frame(rate.frame).name});
    }
  }
}

}  // namespace vinculum::out
