#include "vinculum/out/program/derive_listing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/reaction_laws.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/latex.hpp"
#include "vinculum/expr/readable.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/inspect/variation.hpp"
#include "vinculum/out/program/derive_partials.hpp"
#include "vinculum/out/program/derive_reduction.hpp"
#include "vinculum/out/program/derive_statements.hpp"

namespace vinculum::out {
namespace {

using dynamics::Formulation;
using expr::Expr;
using mechanics::Model;
using mechanics::Term;
using Kind = Line::Kind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::string upright(const std::string& name) { return "\\mathrm{" + expr::latex_words(name) + "}"; }

class Listing {
 public:
  explicit Listing(const Derivation& derivation)
      : derivation_(derivation), system_(*derivation.system), model_(*system_.model) {}

  std::vector<Line> lines() {
    statements();
    kinematics();
    state_rates();
    switch (derivation_.form) {
      case Formulation::kExplicit: explicit_form(); break;
      case Formulation::kAugmented: augmented_form(); break;
      case Formulation::kMinimal: minimal_form(); break;
    }
    make_readable();
    return std::move(lines_);
  }

 private:
  void heading(std::string words) { lines_.push_back({Kind::kHeading, std::move(words), {}, {}}); }
  void note(std::string words) { lines_.push_back({Kind::kNote, std::move(words), {}, {}}); }
  void given(std::string words) { lines_.push_back({Kind::kGiven, std::move(words), {}, {}}); }
  void result(std::string left, std::string left_latex, Expr right) {
    lines_.push_back({Kind::kResult, {}, std::move(left), std::move(left_latex), {}, {right}});
  }
  void equation(Expr left, Expr right) { lines_.push_back({Kind::kResult, {}, {}, {}, left, {right}}); }
  void vector(std::string left, std::string left_latex, const std::vector<Expr>& right, mechanics::FrameId frame) {
    lines_.push_back({Kind::kVector, {}, std::move(left), std::move(left_latex), {}, right, model_.frame(frame).name});
  }
  // Σ factor_k symbol_k = right, without what is 0.
  void linear_equation(const std::vector<Expr>& factors, const std::vector<Expr>& symbols, Expr right) {
    Line line{Kind::kResult, {}, {}, {}, {}, {right}};
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (factors[k].is_zero()) continue;
      line.left_factors.push_back(factors[k]);
      line.left_symbols.push_back(symbols[k]);
    }
    if (line.left_factors.empty()) line.left_value = number(0.0);
    lines_.push_back(std::move(line));
  }
  Expr number(double value) { return system_.graph->constant(value); }
  [[nodiscard]] const std::string& speed(int s) const { return model_.speeds[at(s)].name; }

  template <class Quantities>
  void quantities(const char* keyword, const Quantities& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
      text += (text.empty() ? "" : ", ") + list[i].name;
      const bool closes = i + 1 == list.size() || !(list[i + 1].dimension == list[i].dimension);
      if (closes && model_.has_units) text += fmt::format(" [{}]", si_unit(list[i].dimension));
    }
    if (!text.empty()) given(fmt::format("{} {}", keyword, text));
  }

  void angular_velocity(const mechanics::Frame& frame, mechanics::FrameId id) {
    const Term omega = model_.terms->angular_velocity(id, Model::newtonian());
    vector(fmt::format("omega({})", frame.name), fmt::format("\\boldsymbol{{\\omega}}^{{{}}}", upright(frame.name)),
           dynamics::lower(system_, omega, id), id);
  }
  void velocity(const std::string& name, mechanics::PointId point) {
    const Term v = model_.terms->velocity(point, Model::newtonian());
    vector(fmt::format("vel({})", name), fmt::format("\\mathbf{{v}}^{{{}}}", upright(name)),
           dynamics::lower(system_, v), Model::newtonian());
  }

  void statements() {
    heading("The model");
    for (const auto& parameter : model_.parameters) {
      const std::string unit = model_.has_units && !parameter.dimension.is_dimensionless()
                                   ? fmt::format(" [{}]", si_unit(parameter.dimension))
                                   : "";
      given(fmt::format("param {} = {}{}", parameter.name, parameter.value, unit));
    }
    quantities("coord", model_.coordinates);
    for (std::size_t i = 0; i < model_.frames.size(); ++i) {
      const mechanics::Frame& frame = model_.frames[i];
      if (!frame.name.starts_with('(')) given(statement_of(model_, frame));  // else the model states none
      if (i > 0) angular_velocity(frame, mechanics::FrameId(i));
    }
    bool has_stated_speeds = false;
    for (const auto& stated : model_.speeds) {
      if (stated.is_default) continue;
      given(statement_of(model_, stated));
      has_stated_speeds = true;
    }
    if (has_stated_speeds) quantities("speeds", model_.speeds);
    for (const mechanics::Point& point : model_.points) {
      if (!point.particle && !point.center_of) given(statement_of(model_, point));
    }
    for (const mechanics::Particle& particle : model_.particles) {
      given(statement_of(model_, particle));
      velocity(particle.name, particle.point);
    }
    for (const mechanics::Body& body : model_.bodies) {
      given(statement_of(model_, body));
      velocity(body.name, body.center);
    }
    for (const mechanics::Load& load : model_.loads) given(statement_of(model_, load));
    for (const mechanics::State& state : model_.states) {
      if (state.rate.is_valid()) given(statement_of(model_, state));
    }
    for (std::size_t i = 0; i < model_.constraints.size(); ++i) {
      given(statement_of(model_, model_.constraints[i]));
      for (std::string& clause : clauses_of(model_, model_.constraints[i])) given(std::move(clause));
      reactions(mechanics::ConstraintId(i));
    }
  }

  // Which force on which point, which torque on which body: λW and λτ of each row, and what μ brings beside.
  void reactions(mechanics::ConstraintId id) {
    if (dynamics::is_realised(model_.constraint(id))) {
      const auto add = [&](const char* what, const char* letter, const std::string& name, Term action) {
        vector(fmt::format("{} on {}", what, name), fmt::format("\\mathbf{{{}}}^{{{}}}", letter, upright(name)),
               dynamics::lower(system_, action), Model::newtonian());
      };
      for (const mechanics::PointId point : mechanics::points_of(model_, id)) {
        add("force", "F", model_.point(point).name, mechanics::total_force(model_, id, point));
      }
      for (const mechanics::FrameId body : mechanics::frames_of_torques(model_, id)) {
        add("torque", "T", model_.frame(body).name, mechanics::torque_on(model_, id, body));
      }
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      const dynamics::Row& row = system_.rows[i];
      if (row.constraint != id ||
          std::ranges::find(derivation_.directed_rows, static_cast<int>(i)) != derivation_.directed_rows.end())
        continue;
      const mechanics::RowInspection inspection = mechanics::inspect_row(model_, id, at(row.index));
      const mechanics::RowReaction reaction = mechanics::react(model_, id, at(row.index));
      const auto add = [&](const char* what, const char* letter, const std::string& on, Term term, Expr factor,
                           const char* share, const char* index) {
        lines_.push_back({Kind::kReaction,
                          mechanics::to_text(model_, term),
                          fmt::format("{} on {}{}", what, on, share),
                          fmt::format("\\mathbf{{{}}}^{{{}}}{}", letter, upright(on), index),
                          {},
                          dynamics::lower(system_, term),
                          model_.frames.front().name,
                          factor});
      };
      const auto add_all = [&](const mechanics::RowInspection& read, Expr factor, const char* share,
                               const char* index) {
        for (const auto& force : read.forces)
          add("force", "F", model_.point(force.point).name, force.W, factor, share, index);
        for (const auto& torque : read.torques)
          add("torque", "T", model_.frame(torque.body).name, torque.tau, factor, share, index);
      };
      const bool has_mu =
          reaction.mu.is_valid() && (!reaction.varied.forces.empty() || !reaction.varied.torques.empty());
      add_all(inspection, system_.lambda[i], has_mu ? ", by lambda" : "", has_mu ? "_{\\lambda}" : "");
      if (has_mu) add_all(reaction.varied, dynamics::lower(system_, reaction.mu)[0], ", by mu", "_{\\mu}");
      const bool is_alone =
          std::ranges::find(system_.changes, id, &dynamics::LawChange::constraint) == system_.changes.end();
      if (is_alone && inspection.has_bare_part && inspection.forces.empty() && inspection.torques.empty()) {
        for (std::size_t r = 0; r < row.A.size(); ++r) {
          if (row.A[r].is_zero()) continue;
          result("generalized force on " + speed(static_cast<int>(r)),
                 "Q_{" + expr::latex_name(speed(static_cast<int>(r))) + "}", system_.lambda[i] * row.A[r]);
        }
      }
    }
    law_reaction(id);
  }

  // A^T lambda + f − M u' of the law, as generalized forces, where forces and torques do not tell all of what it adds
  // to M or f.
  void law_reaction(mechanics::ConstraintId id) {
    const auto change = std::ranges::find(system_.changes, id, &dynamics::LawChange::constraint);
    if (change == system_.changes.end() || !mechanics::acts_on_coordinates(model_, id)) return;
    const std::size_t nu = system_.u.size();
    for (std::size_t r = 0; r < nu; ++r) {
      Expr force = change->f[r];
      for (std::size_t s = 0; s < nu && !change->M.empty(); ++s) force -= change->M[r * nu + s] * system_.u_dot[s];
      for (std::size_t i = 0; i < system_.rows.size(); ++i) {
        if (system_.rows[i].constraint == id) force += system_.lambda[i] * system_.rows[i].A[r];
      }
      if (force.is_zero()) continue;
      const std::string& name = speed(static_cast<int>(r));
      result(fmt::format("generalized force of {} on {}", model_.constraint(id).name, name),
             "Q_{" + expr::latex_name(name) + "}", force);
    }
  }

  void state_rates() {
    if (system_.z.empty()) return;
    heading("States");
    for (std::size_t i = 0; i < system_.z.size(); ++i) {
      const std::string& symbol = system_.graph->symbol_name(system_.z[i].node());
      result(text_of_state(model_, mechanics::StateId(i)) + "'", expr::latex_name(symbol + "'"), system_.z_dot[i]);
    }
  }

  // What stands on both sides of the equations, said where they are stated.
  void implicit_notes() {
    if (system_.has_nonlinear_rows) {
      note(
          "A constraint is not linear in the accelerations: its A is the derivative by them, b = A u' - constraint, "
          "and both hold u'. Of the");
      note("solutions the motion takes the one nearest to the unconstrained acceleration (Gauss), and follows it.");
    }
    if (system_.has_implicit_nonideal)
      note("C holds multipliers: u' and lambda follow together from the equations below.");
    if (system_.has_indefinite_mass)
      note("M holds multipliers, as the inertia of the constraints' own law. It need not be positive.");
  }

  void kinematics() {
    bool is_identity = system_.q.size() == system_.u.size();
    for (std::size_t i = 0; i < system_.q.size(); ++i) is_identity = is_identity && system_.q_dot[i] == system_.u[i];
    heading("Kinematics");
    if (is_identity) {
      note("The speeds are the derivatives of the coordinates.");
      return;
    }
    for (std::size_t i = 0; i < system_.q.size(); ++i) {
      const std::string name = model_.coordinates[i].name + "'";
      result(name, expr::latex_name(name), system_.q_dot[i]);
    }
  }

  void matrix_entry(const char* letter, std::size_t i, std::size_t j, Expr value) {
    if (value.is_zero()) return;
    result(fmt::format("{}[{},{}]", letter, i + 1, j + 1), fmt::format("{}_{{{},{}}}", letter, i + 1, j + 1), value);
  }
  void entry(const char* letter, std::size_t i, Expr value) {
    result(fmt::format("{}[{}]", letter, i + 1), fmt::format("{}_{{{}}}", letter, i + 1), value);
  }

  void explicit_form() {
    heading(system_.rows.empty()   ? "M u' = f"
            : system_.has_nonideal ? "M u' = f + C + A^T lambda, A u' = b"
                                   : "M u' = f + A^T lambda, A u' = b");
    implicit_notes();
    const std::size_t nu = system_.u.size();
    for (std::size_t r = 0; r < nu; ++r) {
      for (std::size_t s = r; s < nu; ++s) matrix_entry("M", r, s, system_.M[r * nu + s]);
    }
    note("M is symmetric; entries of M and A that are not listed are 0.");
    for (std::size_t r = 0; r < nu; ++r) entry("f", r, system_.f[r]);
    if (system_.has_nonideal) {
      for (std::size_t r = 0; r < nu; ++r) entry("C", r, system_.C[r]);
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      for (std::size_t r = 0; r < nu; ++r) matrix_entry("A", i, r, system_.rows[i].A[r]);
      entry("b", i, system_.rows[i].b);
    }
    std::size_t k = 0;
    for (const auto& directed : system_.directed) {
      for (const auto& column : directed.Gamma) {
        for (std::size_t r = 0; r < nu; ++r) matrix_entry("Gamma", k, r, column[r]);
        ++k;
      }
    }
    const Solved solved = solve_by_hand(derivation_);
    if (system_.has_implicit_nonideal || system_.has_nonlinear_rows) {
      note(system_.has_nonlinear_rows
               ? "u' and lambda: A and b hold u'; solved at each state for the u' nearest to M^-1 (f + C) (Gauss)."
               : "u' and lambda: C holds reactions; solved together with them at each state.");
      return;
    }
    if (solved.u_dot.empty()) {
      if (system_.has_nonlinear_rows || system_.has_implicit_nonideal) return;
      note(system_.has_indefinite_mass
               ? "u' and lambda: solved at each state together, from [M -A^T; A 0] [u'; lambda] = [f; b]."
               : "u' and lambda: solved at each state (Udwadia and Kalaba: u' = a + M^-1/2 B^+ (b - A a), a = M^-1 f, "
                 "B = A M^-1/2).");
      return;
    }
    heading("Solved");
    for (std::size_t i = 0; i < solved.lambda.size(); ++i) {
      equation(system_.lambda[at(derivation_.ideal_rows[i])], solved.lambda[i]);
    }
    for (std::size_t r = 0; r < nu; ++r) equation(system_.u_dot[r], solved.u_dot[r]);
  }

  // Both sides of equation r of M u' = f + C + A^T λ + Γ^T e.
  void dynamical_equation(std::size_t r) {
    const std::size_t nu = system_.u.size();
    Expr right = system_.f[r] + system_.C[r];
    const auto first = system_.M.begin() + static_cast<std::ptrdiff_t>(r * nu);
    const std::vector<Expr> masses(first, first + static_cast<std::ptrdiff_t>(nu));
    for (const int row : derivation_.ideal_rows) right += system_.rows[at(row)].A[r] * system_.lambda[at(row)];
    for (const auto& directed : system_.directed) {
      for (std::size_t k = 0; k < directed.Gamma.size(); ++k)
        right += directed.Gamma[k][r] * system_.effort[at(directed.first_effort) + k];
    }
    linear_equation(masses, system_.u_dot, right);
  }
  void constraint_equation(const dynamics::Row& row) {
    if (row.chi.is_valid()) {
      equation(number(0.0), row.chi);
    } else {
      linear_equation(row.A, system_.u_dot, row.b);
    }
  }

  void augmented_form() {
    heading("Equations of motion with multipliers");
    implicit_notes();
    for (std::size_t r = 0; r < system_.u.size(); ++r) dynamical_equation(r);
    if (system_.rows.empty()) return;
    heading("Constraints at the level of accelerations");
    for (const dynamics::Row& row : system_.rows) constraint_equation(row);
  }

  [[nodiscard]] std::string names_of(const std::vector<int>& speeds) const {
    std::string text;
    for (const int s : speeds) text += (text.empty() ? "" : ", ") + speed(s);
    return text.empty() ? "none" : text;
  }

  void minimal_form() {
    const Reduction reduction = reduce(derivation_);
    heading("Independent speeds");
    note(fmt::format("Independent: {}. Dependent: {}; by pivoting at {}.", names_of(derivation_.independent),
                     names_of(derivation_.dependent), derivation_.chosen_at));
    if (!system_.directed.empty()) note("Rows kept by efforts leave their speeds independent.");
    if (reduction.is_linear) {
      for (std::size_t k = 0; k < derivation_.dependent.size(); ++k) {
        equation(system_.u[at(derivation_.dependent[k])], reduction.u_dependent[k]);
      }
    } else {
      note("The constraints are not linear in the speeds: the dependent speeds from");
      for (const int row : derivation_.pivot_rows) {
        const Expr psi = system_.rows[at(row)].psi;
        if (psi.is_valid()) equation(number(0.0), psi);
      }
    }
    for (std::size_t k = 0; k < derivation_.dependent.size(); ++k) {
      Expr right = reduction.c[k];
      for (std::size_t j = 0; j < derivation_.independent.size(); ++j) {
        right += reduction.X[k][j] * system_.u_dot[at(derivation_.independent[j])];
      }
      equation(system_.u_dot[at(derivation_.dependent[k])], right);
    }
    append_partials(derivation_, reduction, lines_);
    heading("Kane's equations");
    implicit_notes();
    std::vector<Expr> independent_rates;
    for (const int s : derivation_.independent) independent_rates.push_back(system_.u_dot[at(s)]);
    for (std::size_t i = 0; i < derivation_.independent.size(); ++i) {
      Expr right = reduction.f[i];
      for (const auto& directed : system_.directed) {
        for (std::size_t k = 0; k < directed.Gamma.size(); ++k) {
          for (std::size_t r = 0; r < system_.u.size(); ++r) {
            right += reduction.V[r][i] * directed.Gamma[k][r] * system_.effort[at(directed.first_effort) + k];
          }
        }
      }
      linear_equation(reduction.M[i], independent_rates, right);
    }
    for (const int row : derivation_.directed_rows) constraint_equation(system_.rows[at(row)]);
    if (derivation_.dependent.empty()) return;
    heading("Multipliers");
    note("From the equations of the dependent speeds.");
    for (const int s : derivation_.dependent) dynamical_equation(at(s));
  }

  // All at once: what lines share stays shared.
  void make_readable() {
    std::vector<Expr> all;
    for (const Line& line : lines_) {
      if (line.left_value.is_valid()) all.push_back(line.left_value);
      all.insert(all.end(), line.left_factors.begin(), line.left_factors.end());
      all.insert(all.end(), line.right.begin(), line.right.end());
    }
    all = expr::readable(all);
    std::size_t next = 0;
    for (Line& line : lines_) {
      if (line.left_value.is_valid()) line.left_value = all[next++];
      for (Expr& e : line.left_factors) e = all[next++];
      for (Expr& e : line.right) e = all[next++];
    }
  }

  const Derivation& derivation_;
  dynamics::System& system_;
  const Model& model_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<Line> listing(const Derivation& derivation) { return Listing(derivation).lines(); }

}  // namespace vinculum::out
