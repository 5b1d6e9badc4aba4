#include "vinculum/report/impacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/unilateral_text.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::report {
namespace {

/// A constraint with `>=` has one row.
int row_of(const sim::CompiledModel& compiled, model::ConstraintId constraint) {
  const auto row = std::ranges::find(compiled.system->rows, constraint, &equations::Row::constraint);
  return static_cast<int>(row - compiled.system->rows.begin());
}

std::string law_of(const model::Model& model, const sim::ContactImpact& impact) {
  const bool is_sequential = model.constraint(impact.constraint).unilateral->is_sequential;
  return std::string(model::name_of(impact.law)) + (is_sequential ? " sequential" : "");
}

void add(ImpactSummary& to, double t, double impulse, const solve::ImpactWork& work) {
  to.last = t;
  ++to.count;
  to.total += impulse;
  if (impulse > to.greatest) {
    to.greatest = impulse;
    to.t_greatest = t;
  }
  to.work.compression += work.compression;
  to.work.restitution += work.restitution;
  to.work.tangential += work.tangential;
}

/// "0.5 J lost", "no energy lost", "0.5 J gained".
std::string energy_of(const solve::ImpactWork& work, bool has_units) {
  const double change = energy_change(work);
  if (change == 0.0) return "no energy lost";
  return fmt::format("{:.4g}{} {}", std::abs(change), has_units ? " J" : "", change > 0.0 ? "gained" : "lost");
}

std::string line_of(const std::string& name, const ImpactSummary& one, const std::string& unit, bool has_units) {
  const std::string impulse = fmt::format("{:.4g}{}", one.greatest, unit.empty() ? "" : " " + unit);
  const std::string energy = energy_of(one.work, has_units);
  if (one.count == 1)
    return fmt::format("constraint `{}` had one impact ({}), at t = {:.6g} s: impulse {}, {}\n", name, one.law,
                       one.first, impulse, energy);
  return fmt::format(
      "constraint `{}` had {} impacts ({}), first at t = {:.6g} s, last at t = {:.6g} s: greatest impulse {} at t = "
      "{:.6g} s, {}\n",
      name, one.count, one.law, one.first, one.last, impulse, one.t_greatest, energy);
}

}  // namespace

double energy_change(const solve::ImpactWork& work) {
  const double size = std::abs(work.compression) + work.restitution + std::abs(work.tangential);
  return std::abs(work.total()) <= tolerance::kZero * size ? 0.0 : work.total();
}

std::vector<ImpactSummary> impact_summaries(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  std::vector<ImpactSummary> all;
  for (const sim::RunEvent& event : trajectory.events) {
    const auto* impulse = std::get_if<sim::Impulse>(&event);
    if (impulse == nullptr) continue;
    for (const sim::ContactImpact& impact : impulse->contacts) {
      auto one = std::ranges::find(all, impact.constraint, &ImpactSummary::constraint);
      if (one == all.end()) {
        one = all.emplace(one);
        one->constraint = impact.constraint;
        one->law = law_of(*compiled.model, impact);
        one->first = impulse->t;
      }
      add(*one, impulse->t, nth(impulse->rows, row_of(compiled, impact.constraint)), impact.work);
    }
  }
  return all;
}

std::string unit_of_impulse(const sim::CompiledModel& compiled, int row) {
  const model::Model& model = *compiled.model;
  if (!model.has_units) return {};
  const equations::Row& of = nth(compiled.system->rows, row);
  const std::string unit = model::unit_of_multiplier(model, of.constraint, static_cast<std::size_t>(of.index)).si;
  return unit.empty() || unit == "1" ? "s" : unit.find('/') == unit.npos ? unit + "*s" : "(" + unit + ")*s";
}

std::string unit_of_impulse(const sim::CompiledModel& compiled, model::ConstraintId constraint) {
  return unit_of_impulse(compiled, row_of(compiled, constraint));
}

Node impacts_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  constexpr std::size_t kMostLines = 8;
  const model::Model& model = *compiled.model;
  const std::vector<ImpactSummary> summaries = impact_summaries(compiled, trajectory);
  Node all = Node::list();
  for (const ImpactSummary& one : summaries) {
    const std::string& name = model.constraint(one.constraint).name;
    const std::string unit = unit_of_impulse(compiled, one.constraint);
    Node& node = all.add(Node::object({{"constraint", name},
                                       {"law", one.law},
                                       {"count", one.count},
                                       {"first", one.first},
                                       {"last", one.last},
                                       {"greatest_impulse", one.greatest},
                                       {"t_greatest", one.t_greatest},
                                       {"total_impulse", one.total},
                                       {"unit", unit},
                                       {"compression", one.work.compression},
                                       {"restitution", one.work.restitution},
                                       {"friction", one.work.tangential}}));
    if (all.parts.size() <= kMostLines) node.said = line_of(name, one, unit, model.has_units);
  }
  if (!summaries.empty()) all.said = "\n";
  if (summaries.size() > kMostLines)
    all.parts.back().said = fmt::format("and impacts of {} more constraints\n", summaries.size() - kMostLines);
  return all;
}

}  // namespace vinculum::report
