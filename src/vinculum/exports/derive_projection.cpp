#include "vinculum/exports/derive_projection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/exports/derive_events.hpp"
#include "vinculum/exports/program_solvers.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::report {
namespace {

using equations::Row;
using equations::System;
using expr::Expr;

constexpr int kMostTurns = 40;

bool has_function(const CodeWriter& writer, std::string_view end) {
  return std::ranges::any_of(writer.program.functions, [&](const Function& one) { return one.name.ends_with(end); });
}

/// Whether the row has a relation of positions that restricts them. The coordinates satisfy other rows identically.
bool restricts_positions(const Derivation& derivation, std::size_t row) {
  return derivation.system->rows[row].phi.is_valid() && derivation.system->rows[row].conditions.empty() &&
         std::ranges::find(derivation.held_rows, static_cast<int>(row)) == derivation.held_rows.end();
}

bool has_positions(const Derivation& derivation) {
  for (std::size_t i = 0; i < derivation.system->rows.size(); ++i)
    if (restricts_positions(derivation, i)) return true;
  return false;
}

/// Writes residuals and their gradients along the speeds; 0 where `residual` is invalid and while a row does not act.
void write_relations(CodeWriter& writer, const Derivation& derivation, std::string_view name, std::string_view about,
                     const auto& residual) {
  const System& system = *derivation.system;
  const Expr zero = system.graph->constant(0.0), half = system.graph->constant(0.5);
  std::vector<Expr> values, A;
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const Expr acts = acts_of(derivation, static_cast<int>(i)), value = residual(i);
    const auto while_it_acts = [&](Expr e) {
      if (!value.is_valid()) return zero;
      return acts.is_valid() ? expr::select(expr::less(half, acts), e, zero) : e;
    };
    values.push_back(value.is_valid() ? while_it_acts(value) : zero);
    for (const Expr entry : system.rows[i].A.dense()) A.push_back(while_it_acts(entry));
  }
  const std::string array(name.substr(0, 3));  // phi, psi
  writer.assign(array, values);
  writer.assign("A", A, system.u.size());
  writer.write_body(
      writer.add(std::string(name.substr(4)), std::string(about), writer.state(), array + "[NC], A[NC][NU]", false));
}

/// q' − g for the speeds w: how a displacement along the speeds changes the coordinates.
void write_displacement(CodeWriter& writer, const Derivation& derivation) {
  const System& system = *derivation.system;
  std::vector<Expr> change;
  for (std::size_t i = 0; i < system.q.size(); ++i) {
    Expr sum = system.graph->constant(0.0);
    for (const auto& [r, factor] : system.G[i]) sum += factor * system.u[r];
    change.push_back(sum);
  }
  writer.assign("dq", change);
  writer.write_body(
      writer.add("displacement", "Change of the coordinates along displacements u", writer.state(), "dq[NQ]", false));
}

std::string indented_by_two(const std::string& text) {
  std::string result = "  ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  result.resize(result.find_last_not_of(' ') + 1);
  return result;
}

/// Writes the solver of corrections, with helper functions that the program lacks, and its metric.
void write_corrections(CodeWriter& writer, const Derivation& derivation, bool is_iterated) {
  const System& system = *derivation.system;
  for (Function& one : solver_of_corrections(is_iterated)) {
    const bool is_there =
        std::ranges::find(writer.program.functions, one.name, &Function::name) != writer.program.functions.end();
    if (!is_there) writer.program.functions.push_back(std::move(one));
  }
  writer.assign("M", system.metric.get(), system.u.size());
  writer.write_body(writer.add("metric", "The metric of corrections", writer.state(), "M[NU][NU]", false));
}

/// Newton's iteration of one level: `step` computes the changes, which are added to `array`. Changes are small relative
/// to the largest entry; entries whose squares are 0 in SI units [tolerance::kZero] count as the root of that.
std::string iteration(const std::string& step, const char* array, const char* change, const char* count,
                      bool is_repeated) {
  const std::string size = fmt::format("  size = max({}, largest_of({}, {}))\n", tolerance::kRoot, array, count);
  const std::string add = fmt::format("  for i < {}: {}[i] += {}[i]\n", count, array, change);
  if (!is_repeated) return step + add;
  return fmt::format(
             "  turn = 0\n  largest = 1.0\n  size = 0.0\n  while largest > {} * size\n    if turn > {}: fail 4\n",
             tolerance::kHalfDigits, kMostTurns) +
         indented_by_two(size + step + add +
                         fmt::format("  largest = largest_of({}, {})\n  turn += 1\n", change, count));
}

/// Fails if rows that depend on others do not hold: the constraints contradict each other.
std::string check_of_positions() {
  return fmt::format(R"(  call NAME_position_relations(STATE) -> real left[NC], real J[NC][NU]
  real longest = 0.0
  for k < NC: longest = max(longest, sqrt(dot(J[k], J[k], NU)))
  for k < NC
    if abs(left[k]) > {} * longest * size: fail 4
)",
                     tolerance::kHalfDigits);
}

std::string unit_quaternions(const System& system) {
  std::string text;
  for (const auto& four : system.quaternions) {
    std::string square;
    for (const int i : four) square += fmt::format("{}q[{}] * q[{}]", square.empty() ? "" : " + ", i, i);
    text += fmt::format("  length = sqrt({})\n", square);
    for (const int i : four) text += fmt::format("  q[{}] /= length\n", i);
  }
  return text;
}

}  // namespace

bool has_curved_rows(const System& system) {
  for (const Row& row : system.rows) {
    for (const auto& [i, entry] : row.A) {
      if (row.psi.is_valid() && expr::depends_on(entry, system.u)) return true;
    }
  }
  return false;
}

std::string why_no_projection(const Derivation& derivation) {
  const System& system = *derivation.system;
  if (system.higher) return "constraints of higher order are conditions on derivatives too";
  const auto is_functional = [](const Row& row) { return !row.conditions.empty(); };
  if (std::ranges::any_of(system.rows, is_functional))
    return "a constraint contains states with equations of their own";
  const bool has_relations = std::ranges::any_of(system.rows, [](const Row& row) { return row.psi.is_valid(); });
  if (!has_relations && system.quaternions.empty()) return "there is no relation of positions or velocities";
  return "";
}

void write_velocity_relations(CodeWriter& writer, const Derivation& derivation) {
  if (has_function(writer, "_velocity_relations")) return;
  write_relations(writer, derivation, "psi:velocity_relations",
                  "Residuals of the constraints at the velocity level and their derivatives by the speeds",
                  [&](std::size_t i) { return derivation.system->rows[i].psi; });
}

void write_projection(CodeWriter& writer, const Derivation& derivation) {
  const System& system = *derivation.system;
  const bool positions = has_positions(derivation), velocities = !system.rows.empty();
  const bool is_curved = has_curved_rows(system);
  if (velocities) write_corrections(writer, derivation, positions || is_curved);
  std::string body;
  if (positions || is_curved) body += "  int turn = 0\n  real largest = 1.0\n  real size = 0.0\n";
  if (!system.quaternions.empty()) body += "  real length = 1.0\n" + unit_quaternions(system);
  const std::string metric = "  call NAME_metric(STATE) -> real M[NU][NU]\n";
  if (positions) {
    write_relations(writer, derivation, "phi:position_relations",
                    "Residuals of the constraints at the position level and their derivatives along the speeds",
                    [&](std::size_t i) { return restricts_positions(derivation, i) ? system.rows[i].phi : Expr(); });
    write_displacement(writer, derivation);
    body += iteration(metric +
                          "  call NAME_position_relations(STATE) -> real phi[NC], real A[NC][NU]\n"
                          "  for k < NC: phi[k] = -phi[k]\n"
                          "  call correction(M, A, phi, size) -> real w[NU]\n"
                          "  call NAME_displacement(WITH_W) -> real dq[NQ]\n",
                      "q", "dq", "NQ", true) +
            unit_quaternions(system) + check_of_positions();
  }
  if (velocities) {
    write_velocity_relations(writer, derivation);
    body += iteration(metric +
                          "  call NAME_velocity_relations(STATE) -> real psi[NC], real A[NC][NU]\n"
                          "  for k < NC: psi[k] = -psi[k]\n"
                          "  call correction(M, A, psi, " +
                          (is_curved ? "size" : "0.0") + ") -> real du[NU]\n",
                      "u", "du", "NU", is_curved);
  }
  std::string with_w;
  for (const Variable& one : writer.state())
    with_w += (with_w.empty() ? "" : ", ") + (one.name == "u" ? "w" : one.name);
  if (const std::size_t at = body.find("WITH_W"); at != std::string::npos) body.replace(at, 6, with_w);
  writer.add_text(
      "NAME_project(STATE) -> q[NQ], u[NU] fails\n",
      "The nearest q and u that satisfy the constraints that act, in the metric of M. It removes the drift of an "
      "integration.",
      body);
}

}  // namespace vinculum::report
