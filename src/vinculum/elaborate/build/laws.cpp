#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/evaluate.hpp"

// The laws of reaction beside the ideal and the directed ones: theory.md §6.3, 6.4, 6.6, 6.8.
namespace vinculum::elaborate {

using diag::Kind;
using mechanics::ConstraintId;
using mechanics::Instant;
using mechanics::Level;
using mechanics::RealisedLaw;
using mechanics::Term;

namespace {

constexpr std::uint8_t kGiven = kHoldsTime | kHoldsCoordinates | kHoldsRates | kHoldsStates;
constexpr double kTolRounding = 1e-9;
const Dimension kTime = make_dimension(0, 0, 1);

/// A state that is nowhere special, the same in every run; rates as given by `rate`.
template <class Rate>
Instant general_state(const mechanics::Model& model, double seed, const Rate& rate) {
  Instant at;
  at.t = seed;
  at.z.assign(model.states.size(), seed);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const double x = static_cast<double>(i) + seed;
    at.q.push_back(std::sin(3.1 * x));
    at.q_dot.push_back(rate(x));
    at.q_ddot.push_back(0.0);
  }
  return at;
}

enum class Linearity { kHomogeneous, kAffine, kNonlinear };

/// Of a row of velocity level, told at a few states.
Linearity linearity(const mechanics::Model& model, Term row) {
  for (const double seed : {0.37, 0.81, 1.13}) {
    const auto value = [&](double a, double b) {
      const auto rate = [&](double x) { return a * std::sin(5.3 * x) + b * std::cos(7.9 * x); };
      return mechanics::TermValues(model, general_state(model, seed, rate)).scalar(row).value;
    };
    const double none = value(0.0, 0.0), first = value(1.0, 0.0), second = value(0.0, 1.0), mixed = value(-1.7, 0.6);
    const double size = std::fabs(none) + std::fabs(first) + std::fabs(second) + std::fabs(mixed);
    const double expected = none - 1.7 * (first - none) + 0.6 * (second - none);
    if (!(std::fabs(mixed - expected) <= kTolRounding * size)) return Linearity::kNonlinear;
    if (std::fabs(none) > kTolRounding * size) return Linearity::kAffine;
  }
  return Linearity::kHomogeneous;
}

bool is_skew(const mechanics::Model& model, const std::vector<std::vector<Term>>& H, std::size_t& row,
             std::size_t& column) {
  for (const double seed : {0.37, 0.81}) {
    mechanics::TermValues values(model, general_state(model, seed, [](double x) { return std::sin(5.3 * x); }));
    for (row = 0; row < H.size(); ++row) {
      for (column = 0; column <= row; ++column) {
        const double a = values.scalar(H[row][column]).value, b = values.scalar(H[column][row]).value;
        if (!(std::fabs(a + b) <= kTolRounding * (std::fabs(a) + std::fabs(b)))) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool Elaborator::set_law(ConstraintId id, const lang::Clause& clause, const lang::ConstraintStatement* relation) {
  context_.place = "a law of reaction";
  if (const auto* vakonomic = std::get_if<lang::VakonomicClause>(&clause.what)) {
    return set_law_by_mu(id, nullptr, vakonomic->start, vakonomic->start_of_rates, clause.range, "law vakonomic");
  }
  if (const auto* kozlov = std::get_if<lang::KozlovClause>(&clause.what)) {
    return set_law_by_mu(id, kozlov->c, kozlov->start, {}, clause.range, "law kozlov");
  }
  if (const auto* adiabatic = std::get_if<lang::AdiabaticClause>(&clause.what)) {
    mechanics::AdiabaticLaw law;
    if (!has_homogeneous_rows(id, clause.range, "law adiabatic", relation) ||
        !mu_of_rows(id, adiabatic->mu, clause.range, "the multiplier of an adiabatic law", kGiven, law.mu)) {
      return false;
    }
    builder_.set_law(id, std::move(law));
    return true;
  }
  if (const auto* gyroscopic = std::get_if<lang::GyroscopicClause>(&clause.what)) {
    return has_homogeneous_rows(id, clause.range, "law gyroscopic", relation) && set_gyroscopic(id, *gyroscopic->H);
  }
  return set_realised(id, std::get<lang::RealisedClause>(clause.what), clause.range);
}

bool Elaborator::has_rows_of(ConstraintId id, diag::SourceRange range, const std::string& law, Level lowest,
                             Level highest) {
  const mechanics::Constraint& constraint = model_.constraint(id);
  for (const Term row : constraint.rows) {
    // A row of a vector relation may be of lower level than the relation: then it is what it is.
    const Level level = mechanics::level_of(model_, row);
    if (level >= lowest && level <= highest) continue;
    const std::string wanted = lowest == highest ? std::string(to_string(lowest)) : "position or velocity";
    std::string hint;
    if (level == Level::kPosition && lowest == Level::kVelocity)
      hint = "its derivative is of velocity level: `dt(LHS) = dt(RHS)`";
    if (level == Level::kVelocity && highest == Level::kPosition)
      hint = "at velocity level it is `law viscous` that dissipates, `law inertial` that does not";
    context_.reporter.error(Kind::kNotAllowedHere, range,
                            "`" + law + "` needs rows of " + wanted + " level, `" + constraint.name + "` is of " +
                                std::string(to_string(level)) + " level",
                            std::move(hint));
    return false;
  }
  return true;
}

/// The first summand that holds no velocity, or null. All of the sum was evaluated before.
const lang::Expression* Elaborator::summand_without_rates(const lang::Expression& sum) {
  if (const auto* sign = std::get_if<lang::Unary>(&sum.node)) return summand_without_rates(*sign->operand);
  const auto* binary = std::get_if<lang::Binary>(&sum.node);
  if (binary != nullptr &&
      (binary->op == lang::BinaryOperator::kAdd || binary->op == lang::BinaryOperator::kSubtract)) {
    const lang::Expression* left = summand_without_rates(*binary->left);
    return left != nullptr ? left : summand_without_rates(*binary->right);
  }
  const Value value = check_.evaluate(sum);
  const bool is_there = value.is_quantity() && !value.term.is_zero();
  return is_there && (context_.facts.holds(value.term) & kHoldsRates) == 0 ? &sum : nullptr;
}

bool Elaborator::has_homogeneous_rows(ConstraintId id, diag::SourceRange range, const std::string& law,
                                      const lang::ConstraintStatement* relation) {
  if (!has_rows_of(id, range, law, Level::kVelocity, Level::kVelocity)) return false;
  const mechanics::Constraint& constraint = model_.constraint(id);
  for (const Term row : constraint.rows) {
    const Linearity found = linearity(model_, row);
    if (found == Linearity::kHomogeneous) continue;
    if (found == Linearity::kNonlinear) {
      context_.reporter.error(Kind::kNotAllowedHere, range,
                              "`" + law + "` needs rows linear in the velocities, `" + constraint.name + "` is not");
      return false;
    }
    const lang::Expression* at_fault = relation == nullptr ? nullptr : summand_without_rates(*relation->left);
    if (at_fault == nullptr && relation != nullptr) at_fault = summand_without_rates(*relation->right);
    diag::Diagnostic diagnostic;
    diagnostic.kind = Kind::kNotAllowedHere;
    diagnostic.range = range;
    diagnostic.message = "`" + law + "` needs rows homogeneous in the velocities: ";
    if (at_fault != nullptr) {
      diagnostic.message += context_.reporter.quoted(at_fault->range) + " is free of them";
      diagnostic.labels.push_back({at_fault->range, "no velocity here"});
    } else {
      diagnostic.message += "`" + constraint.name + "` asks for motion where all coordinates rest";
    }
    diagnostic.hint =
        "the reaction of an affine row does work, R*q' = -lambda times the free term; take `law ideal` or `law "
        "vakonomic`";
    context_.reporter.report(std::move(diagnostic));
    return false;
  }
  return true;
}

/// One value a row, of the dimension of mu: mu F adds to L, so J per rate of the row.
bool Elaborator::mu_of_rows(ConstraintId id, const std::vector<lang::ExpressionPtr>& written, diag::SourceRange range,
                            std::string_view what, std::uint8_t allowed, std::vector<Term>& mu, int order) {
  const mechanics::Constraint& constraint = model_.constraint(id);
  if (written.size() != constraint.rows.size()) {
    const auto count = [](std::size_t n, const std::string& noun) {
      return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
    };
    context_.reporter.error(Kind::kWrongArgumentCount, range,
                            "`mu` has one value for each row: `" + constraint.name + "` has " +
                                count(constraint.rows.size(), "row") + ", and there " +
                                (written.size() == 1 ? "is " : "are ") + count(written.size(), "value"));
    return false;
  }
  bool is_right = true;
  for (std::size_t row = 0; row < written.size(); ++row) {
    const Dimension dimension = dimension_of_mu(model_, id, row) / power(kTime, make_rational(order, 1));
    const Value value = check_.measured(*written[row], {1.0, dimension}, what);
    is_right = check_.holds_only(*written[row], value, allowed, what) && is_right;
    mu.push_back(value.term);
  }
  return is_right;
}

bool Elaborator::set_law_by_mu(ConstraintId id, const lang::ExpressionPtr& c,
                               const std::vector<lang::ExpressionPtr>& start,
                               const std::vector<lang::StartOfRate>& start_of_rates, diag::SourceRange range,
                               const std::string& law) {
  Term rate;
  bool is_right = true;
  if (c) {
    const std::string_view what = "the rate `c` of `law kozlov`";
    const Value value = check_.measured(*c, {1.0, make_dimension(0, 0, -1)}, what);
    is_right = check_.holds_only(*c, value, kGiven, what);
    rate = value.term;
  }
  const Level level = model_.constraint(id).level;
  const bool is_higher_order = !c && level > Level::kVelocity;
  if (is_higher_order) {
    is_right = has_rows_of(id, range, law, level, level) && is_right;
  } else {
    is_right = has_rows_of(id, range, law, Level::kPosition, Level::kVelocity) && is_right;
  }
  std::vector<Term> starts;
  if (!start.empty()) {
    is_right = mu_of_rows(id, start, range, "the start of `mu`", kHoldsTime | kHoldsCoordinates, starts) && is_right;
  }
  std::vector<std::vector<Term>> rate_starts;
  is_right = starts_of_rates(id, start_of_rates, range, rate_starts) && is_right;
  if (!is_right) return false;
  const mechanics::Constraint& constraint = model_.constraint(id);
  if (is_higher_order) {
    std::string unstated;
    for (int k = 0; k < static_cast<int>(level); ++k) {
      const bool is_stated = k == 0
                                 ? !start.empty()
                                 : std::ranges::any_of(start_of_rates, [k](const auto& one) { return one.order == k; });
      if (!is_stated)
        unstated += (unstated.empty() ? "`mu" : ", `mu") + std::string(static_cast<std::size_t>(k), '\'') + "`";
    }
    if (!unstated.empty()) {
      context_.reporter.report(
          {Kind::kUnstatedStart,
           diag::Severity::kNotice,
           range,
           unstated + " of `" + constraint.name + "` start" + (unstated.find(',') == unstated.npos ? "s" : "") +
               " at 0: under this law the motion depends on " + (unstated.find(',') == unstated.npos ? "it" : "them"),
           {},
           {},
           "state them: `start mu = 0, mu' = 0" + std::string(level == Level::kThird ? ", mu'' = 0`" : "`")});
    }
  }
  // Of a holonomic constraint mu' alone acts, whatever mu starts from.
  if (start.empty() && constraint.level == Level::kVelocity) {
    const bool is_one = constraint.rows.size() == 1;
    context_.reporter.report({Kind::kUnstatedStart,
                              diag::Severity::kNotice,
                              range,
                              std::string(is_one ? "the multiplier" : "the multipliers") + " of `" + constraint.name +
                                  "` " + (is_one ? "starts at 0" : "start at 0") +
                                  ": under this law the motion depends on it",
                              {},
                              {},
                              is_one ? "state it: `start mu = 0`" : "state them: `start mu = 0, 0`, one for each row"});
  }
  builder_.set_vakonomic_law(id, starts, rate, rate_starts);
  const auto& of_law = std::get<mechanics::VakonomicLaw>(model_.constraint(id).law);
  for (std::size_t row = 0; row < of_law.mu.size(); ++row) {
    Dimension dimension = dimension_of_mu(model_, id, row);
    model_.states[of_law.mu[row].index()].dimension = context_.stored(dimension);
    for (const auto& mus : of_law.mu_rates)
      model_.states[mus[row].index()].dimension = context_.stored(dimension = dimension / kTime);
  }
  return true;
}

/// mu', …, mu^(p−1) of a relation of order p.
bool Elaborator::starts_of_rates(ConstraintId id, const std::vector<lang::StartOfRate>& written,
                                 diag::SourceRange range, std::vector<std::vector<Term>>& starts) {
  const int order = static_cast<int>(model_.constraint(id).level);
  for (const lang::StartOfRate& rate : written) {
    const std::string name = "mu" + std::string(static_cast<std::size_t>(rate.order), '\'');
    if (rate.order >= std::max(order, 1)) {
      context_.reporter.error(Kind::kBadStart, cover(rate.values.front()->range, rate.values.back()->range),
                              "`" + name + "` has no start value: it follows from the motion",
                              order < 2 ? "a relation of velocity level has the start `mu`"
                                        : "a relation of order p has those of mu to its derivative p - 1");
      return false;
    }
    starts.resize(static_cast<std::size_t>(rate.order));
    if (!mu_of_rows(id, rate.values, range, "the start of `" + name + "`", kHoldsTime | kHoldsCoordinates,
                    starts.back(), rate.order))
      return false;
  }
  return true;
}

/// H_ij q_j' is a generalized force on q_i.
bool Elaborator::set_gyroscopic(ConstraintId id, const lang::Expression& H) {
  const std::string what = "the matrix of `law gyroscopic`";
  const Value value = check_.evaluate(H);
  if (value.is_fault()) return false;
  const std::size_t n = model_.coordinates.size();
  if (!value.is(ValueKind::kMatrix)) {
    (void)check_.wrong_kind(H, value, what + " is a matrix");
    return false;
  }
  if (static_cast<std::size_t>(value.rows) != n || static_cast<std::size_t>(value.columns) != n) {
    context_.reporter.error(Kind::kWrongArgumentCount, H.range,
                            what + " has a row and a column for each of the " + std::to_string(n) +
                                " coordinates, found " + std::to_string(value.rows) + " by " +
                                std::to_string(value.columns));
    return false;
  }
  if (!check_.holds_only(H, value, kGiven, what)) return false;
  mechanics::GyroscopicLaw law;
  law.H.resize(n);
  const auto place = [](std::size_t i, std::size_t j) { return std::to_string(i + 1) + ", " + std::to_string(j + 1); };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const Entry& entry = value.entries[i * n + j];
      const Dimension wanted =
          make_dimension(1, 2, -1) / (model_.coordinates[i].dimension * model_.coordinates[j].dimension);
      if (model_.has_units && !entry.fits_any && !(entry.dimension == wanted)) {
        context_.reporter.error(Kind::kDimensionMismatch, H.range,
                                "entry " + place(i, j) + " of " + what + " differs in dimension: " +
                                    vinculum::describe(entry.dimension) + " instead of " + vinculum::describe(wanted),
                                "H_ij*q_j' is a generalized force on q_i");
        return false;
      }
      law.H[i].push_back(entry.term);
    }
  }
  std::size_t row = 0, column = 0;
  if (!is_skew(model_, law.H, row, column)) {
    context_.reporter.error(Kind::kBadValue, H.range,
                            what + " is skew, its entries " + place(row, column) +
                                (row == column ? " is not 0" : " and " + place(column, row) + " are not opposite"),
                            "a gyroscopic force does no work; others are `generalized force on q = EXPR`");
    return false;
  }
  builder_.set_law(id, std::move(law));
  return true;
}

bool Elaborator::set_realised(ConstraintId id, const lang::RealisedClause& clause, diag::SourceRange range) {
  const std::string law = "law " + clause.kind.text;
  const bool is_stiff = clause.kind.text == "stiff", is_viscous = clause.kind.text == "viscous";
  const Level level = is_stiff ? Level::kPosition : Level::kVelocity;
  if (!has_rows_of(id, range, law, level, level)) return false;
  // ½ κ φ² and ½ κ ψ² are energies, κ ψ² is a power; that is κ = λ/row, or mu/row with added inertia.
  const mechanics::Constraint& constraint = model_.constraint(id);
  const auto dimension_of = [&](std::size_t row) {
    const Dimension of_multiplier = dimension_of_multiplier(model_, id, row);
    const Dimension of_row = constraint.row_dimensions.empty() ? constraint.dimension : constraint.row_dimensions[row];
    return (is_stiff || is_viscous ? of_multiplier : of_multiplier * kTime) / of_row;
  };
  const std::string_view what = "`kappa`";
  const Dimension dimension = dimension_of(0);
  for (std::size_t row = 1; model_.has_units && row < constraint.rows.size(); ++row) {
    if (dimension_of(row) == dimension) continue;
    context_.reporter.error(
        Kind::kDimensionMismatch, range,
        "rows of `" + constraint.name + "` differ in dimension, so one `kappa` does not suit them all",
        "state them as constraints of their own");
    return false;
  }
  const Value value = check_.measured(*clause.kappa, {1.0, dimension}, what);
  const std::optional<double> kappa = value.is_fault() ? std::nullopt : constant(*clause.kappa, value, what);
  if (!kappa) return false;
  if (*kappa <= 0.0) {
    context_.reporter.error(Kind::kBadValue, clause.kappa->range, "`kappa` is positive");
    return false;
  }
  using By = RealisedLaw::By;
  builder_.set_law(id, RealisedLaw{is_stiff ? By::kStiff : is_viscous ? By::kViscous : By::kInertial, value.term});
  return true;
}

}  // namespace vinculum::elaborate
