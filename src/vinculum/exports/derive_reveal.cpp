#include "vinculum/exports/derive_reveal.hpp"

#include <fmt/format.h>

#include "vinculum/equations/derive.hpp"
#include "vinculum/exports/derive_reduction.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/reveal.hpp"

namespace vinculum::report {
namespace {

using expr::Expr;
using model::Model;
using model::Term;

// Returns the frame for the measure numbers of a direction: if it is a basis vector of a frame, that frame, because its
// expression is shortest there.
model::FrameId frame_for(Term direction) {
  return direction.kind() == model::TermKind::kBasisVector ? model::frame_of(direction) : Model::newtonian();
}

// Rewrites an expression in the symbols that the equations contain. For a law whose μ is a state, the ideal multiplier
// occurs nowhere else, so the multiplier of the solver replaces it. The direction of slip replaces the symbols of the
// friction direction.
Expr as_in_equations(const equations::System& system, Expr e) {
  return of_sliding(system, expr::substitute(std::vector{e}, system.lambda_ideal, system.lambda))[0];
}

}  // namespace

std::vector<RevealedForce> revealed_forces(const Derivation& derivation) {
  equations::System& system = *derivation.system;
  const Model& model = *system.model;
  std::vector<RevealedForce> all;
  for (std::size_t i = 0; i < model.reveals.size(); ++i) {
    const model::Reveal& reveal = model.reveals[i];
    for (std::size_t k = 0; k < reveal.along.size(); ++k) {
      const std::string index = reveal.along.size() > 1 ? fmt::format("[{}]", k + 1) : "";
      RevealedForce one{
          reveal.name + index, "u(" + reveal.name + ")" + index, model::RevealId(i), static_cast<int>(k), {}, {}, {}};
      const model::AuxiliarySpeed speed = model::auxiliary_speed(model, one.reveal, one.k);
      one.active = as_in_equations(system, equations::lower(system, speed.active)[0]);
      one.inertia = equations::lower(system, speed.inertia)[0];
      one.value = -(one.active + one.inertia);
      all.push_back(std::move(one));
    }
  }
  return all;
}

void list_revealed(Lines& lines, const Derivation& derivation) {
  equations::System& system = *derivation.system;
  const Model& model = *system.model;
  const std::vector<RevealedForce> forces = revealed_forces(derivation);
  if (forces.empty()) return;
  lines.heading("Revealed forces");
  lines.note("Each by an auxiliary speed, which is 0 along every motion: force = -(F + F*), F the generalized active");
  lines.note("force of all loads and reactions, F* the generalized inertia force for the partial velocities listed.");
  for (const RevealedForce& one : forces) {
    const model::AuxiliarySpeed speed = model::auxiliary_speed(model, one.reveal, one.k);
    const model::FrameId frame = frame_for(speed.direction);
    for (const auto& [point, v] : speed.velocities)
      lines.vector(fmt::format("d vel({}) / d {}", model.point(point).name, one.speed),
                   equations::lower(system, v, frame), frame);
    for (const auto& [body, omega] : speed.angular_velocities)
      lines.vector(fmt::format("d omega({}) / d {}", model.body(*model.frame(body).body).name, one.speed),
                   equations::lower(system, omega, frame), frame);
    const std::string F = "F" + one.speed.substr(1), F_star = "F*" + one.speed.substr(1);
    lines.result(F, one.active);
    lines.result(F_star, one.inertia);
    lines.result(one.name, -(system.graph->symbol(F) + system.graph->symbol(F_star)));
  }
}

}  // namespace vinculum::report
