#include "vinculum/out/report/law_text.hpp"

#include <fmt/format.h>

#include "vinculum/mechanics/calculus.hpp"

namespace vinculum::out {

using mechanics::Term;

namespace {

template <class... Case>
struct Cases : Case... {
  using Case::operator()...;
};
template <class... Case>
Cases(Case...) -> Cases<Case...>;

std::string joined(const std::string& so_far, const std::string& next) {
  return so_far.empty() ? next : so_far + ", " + next;
}

}  // namespace

std::string law_name(const mechanics::Constraint& constraint) {
  using By = mechanics::RealisedLaw::By;
  return std::visit(
      Cases{
          [&](const mechanics::IdealLaw&) -> std::string { return constraint.nonideal.empty() ? "ideal" : "nonideal"; },
          [](const mechanics::DirectedLaw& law) -> std::string { return law.is_via ? "via" : "directed"; },
          [](const mechanics::VakonomicLaw& law) -> std::string { return law.c.is_valid() ? "kozlov" : "vakonomic"; },
          [](const mechanics::AdiabaticLaw&) -> std::string { return "adiabatic"; },
          [](const mechanics::GyroscopicLaw&) -> std::string { return "gyroscopic"; },
          [](const mechanics::RealisedLaw& law) -> std::string {
            return law.by == By::kStiff ? "stiff" : law.by == By::kViscous ? "viscous" : "inertial";
          }},
      constraint.law);
}

std::string law_line(const mechanics::Model& model, const mechanics::Constraint& constraint) {
  const auto text = [&](Term term) { return mechanics::to_text(model, term); };
  const std::string head = "law " + law_name(constraint);
  if (const auto* law = std::get_if<mechanics::VakonomicLaw>(&constraint.law)) {
    std::string start;
    for (const mechanics::StateId id : law->mu) {
      const mechanics::State& mu = model.states[id.index()];
      start = joined(start, mu.start.is_valid() ? text(mu.start) : "0");
    }
    std::string line =
        (law->c.is_valid() ? fmt::format("{} c = {}", head, text(law->c)) : head) + " start mu = " + start;
    std::string name = "mu";
    for (const auto& rates : law->mu_rates) {
      start.clear();
      for (const mechanics::StateId id : rates) {
        const mechanics::State& mu = model.states[id.index()];
        start = joined(start, mu.start.is_valid() ? text(mu.start) : "0");
      }
      line += fmt::format(", {} = {}", name += "'", start);
    }
    return line;
  }
  if (const auto* law = std::get_if<mechanics::AdiabaticLaw>(&constraint.law)) {
    std::string mu;
    for (const Term one : law->mu) mu = joined(mu, text(one));
    return head + " mu = " + mu;
  }
  if (const auto* law = std::get_if<mechanics::GyroscopicLaw>(&constraint.law)) {
    std::string rows;
    for (const auto& row : law->H) {
      std::string entries;
      for (const Term one : row) entries = joined(entries, text(one));
      rows += (rows.empty() ? "" : "; ") + entries;
    }
    return fmt::format("{} H = [{}]", head, rows);
  }
  if (const auto* law = std::get_if<mechanics::RealisedLaw>(&constraint.law))
    return fmt::format("{} kappa = {}", head, text(law->kappa));
  return {};
}

}  // namespace vinculum::out
