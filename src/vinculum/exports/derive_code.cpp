#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <variant>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/exports/derive_additional.hpp"
#include "vinculum/exports/derive_code_writer.hpp"
#include "vinculum/exports/derive_contents.hpp"
#include "vinculum/exports/derive_events.hpp"
#include "vinculum/exports/derive_nonlinear.hpp"
#include "vinculum/exports/derive_outputs.hpp"
#include "vinculum/exports/derive_projection.hpp"
#include "vinculum/exports/derive_report.hpp"
#include "vinculum/exports/derive_reveal.hpp"
#include "vinculum/exports/derive_switches.hpp"
#include "vinculum/exports/program_solvers.hpp"
#include "vinculum/expr/sharing.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::report {
namespace {

using equations::Formulation;
using expr::Expr;

// Builds the program of a derivation.
class ProgramBuilder : CodeWriter {
 public:
  explicit ProgramBuilder(const Derivation& derivation)
      : CodeWriter(derivation), derivation_(derivation), system_(*derivation.system), model_(*system_.model) {
    for (const auto& directed : system_.directed) effort_count_ += directed.Gamma.size();
    revealed_ = revealed_forces(derivation);
    outputs_ = program_outputs(derivation);
    surfaces_ = switching_surfaces(derivation);
  }

  Program written() {
    describe(derivation_, outputs_, surfaces_, program);
    sizes();
    if (is_minimal()) choice_of_speeds();
    if (has_efforts()) efforts();
    name_symbols(!revealed_.empty() || !outputs_.entries.empty() || !model_.nonlinear_speeds.empty() ||
                 derivation_.additional != Additional::kSpeeds);
    program.graph = system_.graph.get();
    for (std::size_t i = 0; i < program.graph->size() && !program.is_guarded; ++i)
      program.is_guarded = program.graph->node(expr::NodeId(i)).op == expr::Op::kSelect;
    parameters();
    if (system_.higher) {
      coordinate_rates();
      highest_derivatives();
      outputs();
      if (!surfaces_.empty()) write_switches(*this, surfaces_);
      write_events(*this, derivation_);
      return std::move(program);
    }
    coordinate_rates();
    equations();
    if (system_.has_indefinite_mass) masses();
    if (has_states()) rates_of_states();
    std::vector<Function> more = solvers(derivation_.form, has_efforts(), system_.has_indefinite_mass);
    std::ranges::move(more, std::back_inserter(program.functions));
    if (has_dependent_speeds()) dependent_speeds();
    accelerations();
    if (!revealed_.empty()) revealed();
    if (!model_.nonlinear_speeds.empty()) nonlinear_speeds();
    if (derivation_.additional != Additional::kSpeeds) additional();
    outputs();
    if (why_no_projection(derivation_).empty()) write_projection(*this, derivation_);
    if (!surfaces_.empty()) write_switches(*this, surfaces_);
    write_events(*this, derivation_);
    return std::move(program);
  }

 private:
  [[nodiscard]] bool is_minimal() const { return derivation_.form == Formulation::kMinimal; }
  [[nodiscard]] bool has_efforts() const { return !system_.directed.empty(); }
  [[nodiscard]] bool has_states() const { return !system_.z.empty(); }
  [[nodiscard]] bool has_dependent_speeds() const {
    return is_minimal() && !derivation_.dependent.empty() && std::ranges::all_of(derivation_.pivot_rows, [&](int row) {
             return system_.rows[static_cast<std::size_t>(row)].psi.is_valid();
           });
  }

  void sizes() {
    const std::size_t nu = system_.u.size(), rows = system_.rows.size(), ideal = derivation_.ideal_rows.size();
    program.sizes = {{"NQ", system_.q.size()},
                     {"NU", nu},
                     {"NP", system_.parameters.size()},
                     {"NC", rows},
                     {"NI", ideal},
                     {"NE", effort_count_},
                     {"NX", std::max({nu, rows, effort_count_})},
                     {"NS", nu + ideal}};
    if (has_states()) program.sizes.push_back({"NZ", system_.z.size()});
    if (!revealed_.empty()) program.sizes.push_back({"NR", revealed_.size()});
    if (!outputs_.entries.empty()) program.sizes.push_back({"NO", outputs_.entries.size()});
    if (!surfaces_.empty()) program.sizes.push_back({"NSW", surfaces_.size()});
    if (!model_.nonlinear_speeds.empty()) program.sizes.push_back({"NV", model_.nonlinear_speeds.size()});
    if (const std::size_t events = system_.events.size(), acts = derivation_.switched.size(); events + acts > 0) {
      if (acts > 0) program.sizes.push_back({"NACTS", acts});
      if (events > 0) program.sizes.push_back({"NEV", events});
      program.sizes.push_back({"NG", events + acts});
    }
    if (system_.higher) program.sizes.push_back({"NT", system_.higher->top.size()});
    if (!is_minimal()) return;
    program.sizes.push_back({"NW", derivation_.independent.size()});
    program.sizes.push_back({"ND", derivation_.dependent.size()});
  }

  void choice_of_speeds() {
    std::vector<int> pivots;  // index of each pivot row among the ideal rows, because `solve` gets only these
    for (const int row : derivation_.pivot_rows) {
      pivots.push_back(
          static_cast<int>(std::ranges::find(derivation_.ideal_rows, row) - derivation_.ideal_rows.begin()));
    }
    program.indices = {
        {"independent", derivation_.independent}, {"dependent", derivation_.dependent}, {"pivot_rows", pivots}};
  }

  void efforts() {
    std::vector<int> rows;  // for each effort, the row whose multiplier it is under `law directed`; −1: there is none
    std::vector<double> scales;
    for (const auto& directed : system_.directed) {
      const bool is_named = model_.constraint(directed.constraint).law->has_named_actuators();
      for (std::size_t k = 0; k < directed.Gamma.size(); ++k) {
        rows.push_back(is_named ? -1 : directed.first_row + static_cast<int>(k));
      }
      scales.insert(scales.end(), directed.scale.begin(), directed.scale.end());
    }
    program.indices.push_back({"ideal_rows", derivation_.ideal_rows});
    program.indices.push_back({"directed_rows", derivation_.directed_rows});
    program.indices.push_back({"row_of_effort", rows});
    program.numbers.push_back({"effort_scale", scales});
  }

  void parameters() {
    Function& function = add("parameters", "The model's own values of the parameters", {}, "p[NP]", true);
    for (std::size_t i = 0; i < model_.parameters.size(); ++i) {
      function.body.push_back(assignment(fmt::format("p[{}]", i), system_.graph->constant(model_.parameters[i].value)));
      function.body.back().note = model_.parameters[i].name;
    }
  }

  // Returns declarations of the arrays of the equations, each preceded by the text `before`: "qdot[NQ], M[NU][NU],
  // f[NU], …".
  [[nodiscard]] std::string pieces(const char* before = "") const {
    std::string text;
    for (const char* piece : {"qdot[NQ]", "M[NU][NU]", "f[NU]", "C[NU]", "A[NC][NU]", "b[NC]", "Gamma[NE][NU]"}) {
      if ((piece[0] == 'C' && !system_.has_nonideal) || (piece[0] == 'G' && !has_efforts())) continue;
      text.append(text.empty() ? "" : ", ").append(before).append(piece);
    }
    return text;
  }

  [[nodiscard]] Expr number(double value) const { return system_.graph->constant(value); }

  void equations() {
    std::string about = "The pieces of the equations of motion: " + pieces();
    if (has_efforts()) about += ", the generalized force of a unit of each effort";
    Function& function = add("equations", about, state(), pieces(), true);
    const std::size_t nu = system_.u.size();
    assign("qdot", system_.q_dot);
    assign("M", system_.M, nu);
    assign("f", system_.f);
    if (system_.has_nonideal) assign("C", system_.C);
    std::vector<Expr> A, b, Gamma;
    for (const equations::Row& row : system_.rows) {
      const Expr acts = acts_of(derivation_, static_cast<int>(b.size()));
      const auto while_acting = [&](Expr e) {
        return acts.is_valid() ? expr::select(expr::less(number(0.5), acts), e, number(0.0)) : e;
      };
      for (const Expr entry : row.A.dense()) A.push_back(while_acting(entry));
      b.push_back(while_acting(row.b));
    }
    for (const auto& directed : system_.directed) {
      for (const auto& column : directed.Gamma) Gamma.insert(Gamma.end(), column.begin(), column.end());
    }
    assign("A", A, nu);
    assign("b", b);
    assign("Gamma", Gamma, nu);
    write_body(function);
  }

  void coordinate_rates() {
    assign("qdot", system_.q_dot);
    write_body(add("coordinate_rates", "q' at a state, qdot[NQ]", state(), "qdot[NQ]", true));
  }

  void masses() {
    std::vector<Expr> diagonal;
    for (std::size_t r = 0; r < system_.u.size(); ++r) diagonal.push_back(system_.metric[r * system_.u.size() + r]);
    assign("mass", diagonal);
    write_body(add("masses", "Inertia of each speed without what multipliers add to it", state(), "mass[NU]", false));
  }

  void rates_of_states() {
    assign("zdot", system_.z_dot);
    write_body(add("state_rates", "The rates of the states, which may depend on the multipliers, lambda[NC]",
                   state_and("lambda[NC]"), "zdot[NZ]", true));
  }

  void revealed() {
    std::vector<Expr> values;
    for (const RevealedForce& one : revealed_) values.push_back(one.value);
    assign("revealed", values);
    write_body(add(
        "revealed", "Forces of joints embedded in the coordinates, -(F + F*) of their auxiliary speeds: revealed[NR]",
        state_and(has_efforts() ? "udot[NU], lambda[NC], effort[NE]" : "udot[NU], lambda[NC]"), "revealed[NR]", true));
  }

  void outputs() {
    if (!outputs_.entries.empty()) write_outputs(*this, derivation_, outputs_);
  }

  void nonlinear_speeds() {
    const NonlinearValues all = nonlinear_values(derivation_);
    assign("v", all.values);
    assign("vdot", all.rates);
    write_body(add("nonlinear_speeds",
                   "Speeds that are not affine in the derivatives of the coordinates, v[NV], and their rates, vdot[NV]",
                   state_and("udot[NU]"), "v[NV], vdot[NV]", true));
  }

  void dependent_speeds() {
    const std::vector<int>& dependent = derivation_.dependent;
    std::vector<Expr> psi, A;
    for (const int pivot : derivation_.pivot_rows) {
      const equations::Row& row = system_.rows[static_cast<std::size_t>(pivot)];
      psi.push_back(row.psi);
      for (const int s : dependent) A.push_back(row.A[static_cast<std::size_t>(s)]);
    }
    assign("psi", psi, 1);
    assign("A", A, dependent.size());
    write_body(add("velocity_rows",
                   "The pivot rows at the velocity level and their derivatives by the dependent speeds", state(),
                   "psi[ND][1], A[ND][ND]", false));
    add_text(
        "NAME_dependent_speeds(STATE) -> u[NU] fails\n",
        "u with the dependent speeds such that the constraints hold, by Newton's iteration from what stands there\n"
        "(linear constraints: one step, and one against rounding).",
        fmt::format(R"(  int step = 0
  real change = 1.0
  real size = 0.0
  real x[ND][1]
  int column[ND]
  while step < 2 or (step < 50 and change > {} * size + {})
    call NAME_velocity_rows(STATE) -> real psi[ND][1], real A[ND][ND]
    if eliminate(A, psi, ND, 1, x, column) < ND: fail 3
    change = 0.0
    size = 0.0
    for k < ND
      u[dependent[k]] -= x[k][0]
      change = max(change, abs(x[k][0]))
      size = max(size, abs(u[dependent[k]]))
    step += 1
)",
                    tolerance::kRounded, tolerance::kLeast));
  }

  void additional() {
    const AdditionalVariables variables = additional_variables(derivation_);
    const std::size_t m = variables.R.size();
    program.indices.push_back({"additional_rows", derivation_.pivot_rows});
    std::vector<Variable> inputs = state_and(has_efforts() ? "udot[NU], effort[NE]" : "udot[NU]");
    std::vector<Expr> E;
    for (std::size_t k = 0; k < m; ++k) {
      for (const int row : derivation_.pivot_rows)
        E.push_back(variables.E[static_cast<std::size_t>(std::ranges::find(derivation_.ideal_rows, row) -
                                                         derivation_.ideal_rows.begin())][k]);
    }
    assign("E", E, m);
    assign("R", variables.R, 1);
    write_body(add("additional_equations", "Kane's equations of the additional motion variables, E lambda = R", inputs,
                   "E[ND][ND], R[ND][1]", false));
    const std::string effort = has_efforts() ? ", effort" : "";
    add_text(fmt::format("NAME_additional(STATE) -> lambda[NC] fails\n"),
             "The multipliers, lambda[NC], by the additional motion variables from u', udot[NU].",
             fmt::format(R"(  call NAME_additional_equations(STATE, udot{}) -> real E[ND][ND], real R[ND][1]
  real x[ND][1]
  int column[ND]
  for i < NC: lambda[i] = 0.0
  if eliminate(E, R, ND, 1, x, column) < ND: fail 3
  for k < ND: lambda[additional_rows[k]] = x[k][0]
)",
                         effort));
    program.functions.back().inputs = std::move(inputs);
  }

  // Writes the function that solves J x = r and computes u', lambda and z' from x and z.
  void highest_derivatives() {
    const equations::HigherOrder& h = *system_.higher;
    assign("qdot", system_.q_dot);
    assign("J", h.J, h.top.size());
    assign("r", h.r, 1);
    write_body(add("equations",
                   "q' and the linear system of the highest derivatives, J x = r: qdot[NQ], J[NT][NT], r[NT]", state(),
                   "qdot[NQ], J[NT][NT], r[NT][1]", true));
    std::vector<Function> solver = solver_of_higher_order();
    std::ranges::move(solver, std::back_inserter(program.functions));
    std::string body =
        "  call NAME_equations(STATE) -> real qdot[NQ], real J[NT][NT], real r[NT][1]\n"
        "  call highest(J, r) -> real x[NT]\n";
    const auto put = [&](const char* array, const std::vector<int>& places) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        int place = places[i];
        const char* from = place < 0 ? "x" : "q";
        if (place < 0)
          place = -1 - place;
        else if (place >= system_.nq() + system_.nu())
          from = "z", place -= system_.nq() + system_.nu();
        else if (place >= system_.nq())
          from = "u", place -= system_.nq();
        body += fmt::format("  {}[{}] = {}[{}]\n", array, i, from, place);
      }
    };
    put("udot", h.u_dot), put("lambda", h.lambda), put("zdot", h.z_dot);
    add_text("NAME_accelerations(STATE) -> udot[NU], lambda[NC], zdot[NZ] fails\n",
             "u' at a state, udot[NU], the multipliers of the other constraints, lambda[NC], and z', zdot[NZ].", body);
  }

  void accelerations() {
    const char* const effort = has_efforts() ? ", effort[NE]" : "";
    const std::string body = fmt::format(
        "  call NAME_equations(STATE) -> {}\n{}{}  call {}{}) -> udot, lambda{}\n{}", pieces("real "),
        system_.has_nonideal ? "  for i < NU: f[i] += C[i]\n" : "",
        system_.has_indefinite_mass ? "  call NAME_masses(STATE) -> real mass[NU]\n"
                                    : "  real mass[NU]\n  for i < NU: mass[i] = M[i][i]\n",
        has_efforts() ? "solve_with_efforts(M, mass, f, A, b, Gamma" : "solve(M, mass, f, A, b", "",
        has_efforts() ? ", effort" : "", has_states() ? "  call NAME_state_rates(STATE, lambda) -> zdot\n" : "");
    add_text(fmt::format("NAME_accelerations(STATE) -> udot[NU], lambda[NC]{}{} fails\n", effort,
                         has_states() ? ", zdot[NZ]" : ""),
             fmt::format("u' at a state, udot[NU], the multipliers, lambda[NC]{}{}.",
                         has_efforts() ? ", the efforts, effort[NE]" : "", has_states() ? ", and z', zdot[NZ]" : ""),
             body);
  }

  const Derivation& derivation_;
  const equations::System& system_;
  const model::Model& model_;
  std::size_t effort_count_ = 0;
  std::vector<RevealedForce> revealed_;
  ProgramOutputs outputs_;
  std::vector<SwitchingSurface> surfaces_;
};

}  // namespace

std::string derive_c(const Derivation& derivation) {
  VINCULUM_EXPECTS(!why_no_code(derivation));
  return to_c(ProgramBuilder(derivation).written());
}

std::string derive_python(const Derivation& derivation) {
  VINCULUM_EXPECTS(!why_no_code(derivation));
  return to_python(ProgramBuilder(derivation).written());
}

}  // namespace vinculum::report
