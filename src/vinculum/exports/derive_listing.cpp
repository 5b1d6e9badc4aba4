#include "vinculum/exports/derive_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "vinculum/equations/derive.hpp"
#include "vinculum/exports/derive_additional.hpp"
#include "vinculum/exports/derive_contents.hpp"
#include "vinculum/exports/derive_events.hpp"
#include "vinculum/exports/derive_nonlinear.hpp"
#include "vinculum/exports/derive_reduction.hpp"
#include "vinculum/exports/derive_reveal.hpp"
#include "vinculum/exports/derive_statements.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/latex.hpp"
#include "vinculum/expr/readable.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/variation.hpp"
#include "vinculum/model/shared_frame.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum::report {
namespace {

using equations::Formulation;
using expr::Expr;
using model::Model;
using model::Term;
using Kind = Line::Kind;

// Largest number of partial velocities in the text; larger systems have them only in the code.
constexpr std::size_t kMostPartials = 80;

class Listing : Lines {
 public:
  explicit Listing(const Derivation& derivation) : Lines(*derivation.system), derivation_(derivation) {}

  std::vector<Line> lines() {
    statements();
    kinematics();
    state_rates();
    switch (derivation_.form) {
      case Formulation::kExplicit: explicit_form(); break;
      case Formulation::kAugmented: augmented_form(); break;
      case Formulation::kMinimal: minimal_form(); break;
    }
    list_revealed(*this, derivation_);
    make_readable();
    return std::move(lines_);
  }

 private:
  [[nodiscard]] const std::string& speed(int s) const { return model_.speeds[at(s)].name; }

  template <class Quantities>
  void quantities(const char* keyword, const Quantities& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
      text += (text.empty() ? "" : ", ") + list[i].name;
      const UnitText unit = unit_of(model_, list[i]);
      const bool closes = i + 1 == list.size() || !(unit_of(model_, list[i + 1]) == unit);
      if (closes && model_.has_units) text += fmt::format(" [{}]", unit.shown.empty() ? "1" : unit.shown);
      is_all_si_ = is_all_si_ && unit.scale == 1.0;
    }
    if (!text.empty()) given(fmt::format("{} {}", keyword, text));
  }

  void velocity(const std::string& name, model::PointId point) {
    vector(fmt::format("vel({})", name), equations::lower(system_, model_.terms->velocity(point, Model::newtonian())));
  }

  void statements() {
    heading("The model");
    for (const auto& parameter : model_.parameters) {
      given(statement_of(model_, parameter));
      is_all_si_ = is_all_si_ && unit_of(model_, parameter).scale == 1.0;
    }
    quantities("coord", model_.coordinates);
    for (std::size_t i = 0; i < model_.frames.size(); ++i) {
      const model::Frame& frame = model_.frames[i];
      if (model::shared_frame(model_, model::FrameId(i)).index() != i) continue;  // stated with its body
      // Frames with generated names have no statement in the model.
      if (!frame.name.starts_with('(')) given(statement_of(model_, frame));
      if (i == 0) continue;
      const model::FrameId id(i);
      vector(fmt::format("omega({})", frame.name),
             equations::lower(system_, model_.terms->angular_velocity(id, Model::newtonian()), id), id);
    }
    for (const auto& stated : model_.speeds) {
      if (!stated.is_default) given(statement_of(model_, stated));
    }
    for (const model::NonlinearSpeed& one : model_.nonlinear_speeds) given(statement_of(model_, one.speed));
    if (!std::ranges::all_of(model_.speeds, &model::Speed::is_default) || !model_.nonlinear_speeds.empty())
      quantities("speeds", model_.speeds);
    for (const model::Point& point : model_.points) {
      if (!point.particle && !point.center_of && point.has_own_name()) given(statement_of(model_, point));
    }
    for (const model::Particle& particle : model_.particles) {
      given(statement_of(model_, particle));
      velocity(particle.name, particle.point);
    }
    for (const model::Body& body : model_.bodies) {
      given(statement_of(model_, body));
      velocity(body.name, body.center);
    }
    for (const model::Load& load : model_.loads) given(statement_of(model_, load));
    for (const model::State& state : model_.states) {
      if (state.rate.is_valid() && !state.is_of_input) given(statement_of(model_, state));
    }
    for (const model::Input& input : model_.inputs) given(statement_of(model_, input));
    if (!model_.inputs.empty())
      note(
          "An input is a state that holds its value until the next one is given; its rate is not 0 along a linear "
          "record.");
    for (std::size_t i = 0; i < model_.constraints.size(); ++i) {
      given(statement_of(model_, model_.constraints[i]));
      for (std::string& clause : clauses_of(model_, model_.constraints[i])) given(std::move(clause));
      for (const Switched& one : derivation_.switched) {
        if (one.constraint.index() == i)
          result(fmt::format("acts({})", model_.constraints[i].name),
                 expr::select(one.condition, number(1.0), number(0.0)));
      }
      reactions(model::ConstraintId(i));
    }
    for (const model::Reveal& reveal : model_.reveals) given(statement_of(model_, reveal));
    list_events(*this, derivation_);
    if (!is_all_si_) note("In the equations every symbol stands for its value in SI units, whatever unit declares it.");
  }

  // Lists the forces on points and torques on bodies: λW and λτ of each row, and the terms with the multiplier μ of the
  // law.
  void reactions(model::ConstraintId id) {
    if (model::is_realised(model_.constraint(id))) {
      for (const model::PointId point : model::points_of(model_, id)) {
        vector("force on " + model_.point(point).name,
               equations::lower(system_, model::total_force(model_, id, point)));
      }
      for (const model::FrameId body : model::frames_of_torques(model_, id))
        vector("torque on " + model_.frame(body).name, equations::lower(system_, model::torque_on(model_, id, body)));
    }
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      const bool is_directed =
          std::ranges::find(derivation_.directed_rows, static_cast<int>(i)) != derivation_.directed_rows.end();
      if (system_.rows[i].constraint == id && !is_directed) row_reaction(id, i);
    }
    law_reaction(id);
    if (!model::is_higher_order(model_.constraint(id))) return;
    for (std::size_t r = 0; r < system_.u.size(); ++r) {
      const Expr force = system_.higher->R[id.index()][r];
      if (!force.is_zero())
        result(fmt::format("generalized force of {} on {}", model_.constraint(id).name, speed(static_cast<int>(r))),
               force);
    }
  }

  // Lists the forces and torques that one row exerts, with their common factor (a multiplier).
  void actions(const model::RowInspection& all, Expr factor, const std::string& share) {
    const model::RowInspection row = model::without_ground(model_, all);
    const auto add = [&](const std::string& on, Term term) {
      lines_.push_back({Kind::kReaction,
                        model::to_text(model_, term),
                        on + share,
                        {},
                        equations::lower(system_, term),
                        model_.frames.front().name,
                        factor});
    };
    for (const auto& force : row.forces) add("force on " + model_.point(force.point).name, force.W);
    for (const auto& torque : row.torques) add("torque on " + model_.frame(torque.body).name, torque.tau);
  }

  void row_reaction(model::ConstraintId id, std::size_t i) {
    const equations::Row& row = system_.rows[i];
    const model::RowInspection inspection = model::inspect_row(model_, id, at(row.index));
    const model::RowReaction reaction = model::react(model_, id, at(row.index));
    const bool has_mu = reaction.mu.is_valid() && (!reaction.varied.forces.empty() || !reaction.varied.torques.empty());
    actions(inspection, system_.lambda[i], has_mu ? ", by lambda" : "");
    if (has_mu) actions(reaction.varied, equations::lower(system_, reaction.mu)[0], ", by mu");
    const bool is_alone =
        std::ranges::find(system_.changes, id, &equations::LawChange::constraint) == system_.changes.end();
    if (!is_alone || !inspection.has_bare_part || !inspection.forces.empty() || !inspection.torques.empty()) return;
    for (const auto& [r, A] : row.A)
      result("generalized force on " + speed(static_cast<int>(r)), system_.lambda[i] * A);
  }

  // Lists the generalized forces Aᵀλ + f − M u' of a law, if its forces and torques on points and bodies do not
  // describe all terms that it adds to M or f.
  void law_reaction(model::ConstraintId id) {
    const auto change = std::ranges::find(system_.changes, id, &equations::LawChange::constraint);
    if (change == system_.changes.end() || !model::acts_on_coordinates(model_, id)) return;
    const std::size_t nu = system_.u.size();
    for (std::size_t r = 0; r < nu; ++r) {
      Expr force = change->f[r];
      for (std::size_t s = 0; s < nu && !change->M.empty(); ++s) force -= change->M[r * nu + s] * system_.u_dot[s];
      for (std::size_t i = 0; i < system_.rows.size(); ++i) {
        if (system_.rows[i].constraint == id) force += system_.lambda[i] * system_.rows[i].A[r];
      }
      if (!force.is_zero()) {
        result(fmt::format("generalized force of {} on {}", model_.constraint(id).name, speed(static_cast<int>(r))),
               force);
      }
    }
  }

  void state_rates() {
    if (system_.z.empty() || system_.higher) return;
    heading("States");
    for (std::size_t i = 0; i < system_.z.size(); ++i) {
      result(text_of_state(model_, model::StateId(i)) + "'", system_.z_dot[i]);
      lines_.back().left_latex = expr::latex_name(system_.graph->symbol_name(system_.z[i].node()) + "'");
    }
  }

  // Notes which unknowns occur on both sides of the equations.
  void implicit_notes() {
    if (system_.has_nonlinear_rows) {
      note(
          "A constraint is not linear in the accelerations: its A is the derivative by them, b = A u' - constraint, "
          "and both contain u'. Of the");
      note("solutions the motion takes the one nearest to the unconstrained acceleration (Gauss), and follows it.");
    }
    if (system_.has_implicit_nonideal)
      note("C contains multipliers: u' and lambda follow together from the equations below.");
    if (system_.has_indefinite_mass)
      note("M contains multipliers, as the inertia of the constraints' own law. It need not be positive.");
  }

  void kinematics() {
    heading("Kinematics");
    if (system_.q_dot == system_.u)
      note("The speeds are the derivatives of the coordinates.");
    else
      for (std::size_t i = 0; i < system_.q.size(); ++i) result(model_.coordinates[i].name + "'", system_.q_dot[i]);
    list_nonlinear_speeds(*this, derivation_);
  }

  // Lists the nonzero entries of a row of a matrix, starting with column `first`.
  void row_of(const char* letter, std::size_t row, std::span<const Expr> values, std::size_t first = 0) {
    for (std::size_t j = first; j < values.size(); ++j) {
      if (!values[j].is_zero()) result(fmt::format("{}[{},{}]", letter, row + 1, j + 1), values[j]);
    }
  }
  void entry(const char* letter, std::size_t i, Expr value) { result(fmt::format("{}[{}]", letter, i + 1), value); }

  void explicit_form() {
    if (system_.higher) return higher_form();
    heading(system_.rows.empty()   ? "M u' = f"
            : system_.has_nonideal ? "M u' = f + C + A^T lambda, A u' = b"
                                   : "M u' = f + A^T lambda, A u' = b");
    implicit_notes();
    const std::size_t nu = system_.u.size();
    for (std::size_t r = 0; r < nu; ++r) row_of("M", r, std::span(system_.M).subspan(r * nu, nu), r);
    note("M is symmetric; entries of M and A that are not listed are 0.");
    for (std::size_t r = 0; r < nu; ++r) entry("f", r, system_.f[r]);
    for (std::size_t r = 0; r < nu && system_.has_nonideal; ++r) entry("C", r, system_.C[r]);
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      std::vector<Expr> A = system_.rows[i].A.dense();
      for (Expr& one : A) one = while_acting(i, one);
      row_of("A", i, A);
      entry("b", i, while_acting(i, system_.rows[i].b));
    }
    held_notes();
    if (!derivation_.switched.empty()) note("Where acts(c) is 0, the rows of c are 0 = 0 and its multipliers are 0.");
    std::size_t k = 0;
    for (const auto& directed : system_.directed) {
      for (const auto& column : directed.Gamma) row_of("Gamma", k++, column);
    }
    solved_form();
  }

  // Lists the equations J x = r and the highest derivatives x, for constraints of higher order.
  void higher_form() {
    const equations::HigherOrder& h = *system_.higher;
    const std::size_t n = h.top.size();
    heading("J x = r, x the highest derivatives");
    note("States in addition to coordinates and speeds: " + names_of_states(system_) +
         "; entries of J not listed are 0.");
    for (std::size_t k = 0; k < n; ++k) result(fmt::format("x[{}]", k + 1), h.top[k]);
    for (std::size_t i = 0; i < n; ++i) row_of("J", i, std::span(h.J).subspan(i * n, n));
    for (std::size_t i = 0; i < n; ++i) entry("r", i, h.r[i]);
    for (std::size_t i = 0; i < h.lambda.size(); ++i) {
      const int place = h.lambda[i] - system_.nq() - system_.nu();  // index among the states
      equation(system_.lambda[i], h.lambda[i] < 0 ? h.top[at(-1 - h.lambda[i])] : system_.z[at(place)]);
    }
  }

  // Writes u' and λ as expressions if these are short; otherwise describes how to solve for them.
  void solved_form() {
    const std::size_t nu = system_.u.size();
    const Solved solved = solve_by_hand(derivation_);
    if (system_.has_implicit_nonideal || system_.has_nonlinear_rows) {
      note(system_.has_nonlinear_rows
               ? "u' and lambda: A and b contain u'; solved at each state for the u' nearest to M^-1 (f + C) (Gauss)."
               : "u' and lambda: C contains reactions; solved together with them at each state.");
      return;
    }
    if (solved.u_dot.empty()) {
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

  // Writes equation r of M u' = f + C + Aᵀλ + Γᵀe.
  void dynamical_equation(std::size_t r) {
    const std::size_t nu = system_.u.size();
    Expr right = system_.f[r] + system_.C[r];
    const auto first = system_.M.begin() + static_cast<std::ptrdiff_t>(r * nu);
    const std::vector<Expr> masses(first, first + static_cast<std::ptrdiff_t>(nu));
    for (const auto* rows : {&derivation_.ideal_rows, &derivation_.switched_rows})
      for (const int row : *rows) right += system_.rows[at(row)].A[r] * system_.lambda[at(row)];
    for (const auto& directed : system_.directed) {
      for (std::size_t k = 0; k < directed.Gamma.size(); ++k)
        right += directed.Gamma[k][r] * system_.effort[at(directed.first_effort) + k];
    }
    linear_equation(masses, system_.u_dot, right);
  }
  // Returns `value`, an expression of row i, multiplied by the factor acts(c) if the row's constraint c has a `when`
  // clause.
  [[nodiscard]] Expr while_acting(std::size_t i, Expr value) const {
    const Expr acts = acts_of(derivation_, static_cast<int>(i));
    return acts.is_valid() ? acts * value : value;
  }
  void constraint_equation(std::size_t i) {
    const equations::Row& row = system_.rows[i];
    if (row.chi.is_valid()) return equation(number(0.0), row.chi);
    std::vector<Expr> factors = row.A.dense(), symbols = system_.u_dot;
    for (Expr& one : factors) one = while_acting(i, one);
    if (const Expr acts = acts_of(derivation_, static_cast<int>(i)); acts.is_valid()) {
      factors.push_back(number(1.0) - acts);
      symbols.push_back(system_.lambda[i]);
    }
    linear_equation(factors, symbols, while_acting(i, row.b));
  }

  [[nodiscard]] bool is_held(std::size_t row) const {
    return std::ranges::find(derivation_.held_rows, static_cast<int>(row)) != derivation_.held_rows.end();
  }
  void held_notes() {
    for (const int i : derivation_.held_rows) {
      note(fmt::format("Row {} ({}) is 0 = 0: the coordinates satisfy it, with the parameters as declared.", i + 1,
                       row_name(system_, at(i))));
    }
  }

  void augmented_form() {
    heading("Equations of motion with multipliers");
    implicit_notes();
    for (std::size_t r = 0; r < system_.u.size(); ++r) dynamical_equation(r);
    if (system_.rows.empty()) return;
    heading("Constraints at the level of accelerations");
    for (std::size_t i = 0; i < system_.rows.size(); ++i) {
      if (!is_held(i)) constraint_equation(i);
    }
    held_notes();
  }

  [[nodiscard]] std::string names_of(const std::vector<int>& speeds) const {
    std::string text;
    for (const int s : speeds) text += (text.empty() ? "" : ", ") + speed(s);
    return text.empty() ? "none" : text;
  }

  void minimal_form() {
    const Reduction reduction = reduce(derivation_);
    heading("Independent speeds");
    note(fmt::format("Independent: {}. Dependent: {}; {}.", names_of(derivation_.independent),
                     names_of(derivation_.dependent), derivation_.chosen));
    if (!system_.directed.empty()) note("Rows kept by efforts leave their speeds independent.");
    if (!derivation_.switched.empty())
      note("Rows that act at times leave their speeds independent: their multipliers stay in the equations.");
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
    partials(reduction);
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
      for (const int row : derivation_.switched_rows) {
        for (const auto& [r, A] : system_.rows[at(row)].A) right += reduction.V[r][i] * A * system_.lambda[at(row)];
      }
      linear_equation(reduction.M[i], independent_rates, right);
    }
    for (const auto* rows : {&derivation_.directed_rows, &derivation_.switched_rows})
      for (const int row : *rows) constraint_equation(at(row));
    if (derivation_.dependent.empty()) return;
    if (derivation_.additional != Additional::kSpeeds) return list_additional(*this, derivation_);
    heading("Multipliers");
    note("From the equations of the dependent speeds.");
    for (const int s : derivation_.dependent) dynamical_equation(at(s));
  }

  // Lists the partial velocities of particles, mass centers and bodies for the independent speeds; partial
  // accelerations instead, if rows are not linear in the speeds.
  void partials(const Reduction& reduction) {
    const char* const what = reduction.is_linear ? "velocities" : "accelerations";
    heading(std::string("Partial ") + what);
    const std::size_t count = derivation_.independent.size() * (model_.particles.size() + 2 * model_.bodies.size());
    if (count > kMostPartials) {
      note(fmt::format("{} of them: not listed.", count));
      return;
    }
    const auto of_point = [&](const std::string& name, model::PointId point) {
      partial(reduction, fmt::format("{}({})", reduction.is_linear ? "vel" : "acc", name),
              model_.terms->velocity(point, Model::newtonian()), Model::newtonian());
    };
    for (const model::Particle& particle : model_.particles) of_point(particle.name, particle.point);
    for (const model::Body& body : model_.bodies) {
      of_point(body.name, body.center);
      partial(reduction, fmt::format("{}({})", reduction.is_linear ? "omega" : "alpha", body.name),
              model_.terms->angular_velocity(body.frame, Model::newtonian()), body.frame);
    }
  }
  void partial(const Reduction& reduction, const std::string& name, Term rate, model::FrameId frame) {
    const std::vector<Expr> value = equations::lower(system_, rate, frame);
    std::vector<std::vector<Expr>> all(derivation_.independent.size(), std::vector<Expr>(3, number(0.0)));
    for (const expr::Entry& e : expr::sparse_jacobian(value, system_.u)) {
      for (std::size_t j = 0; j < all.size(); ++j) all[j][at(e.row)] += e.value * reduction.V[at(e.column)][j];
    }
    for (std::size_t j = 0; j < all.size(); ++j) {
      const char* const dot = reduction.is_linear ? "" : "'";
      vector(fmt::format("d {} / d {}{}", name, speed(derivation_.independent[j]), dot), all[j], frame);
    }
  }

  // Simplifies the expressions of all lines in one call, so that subexpressions remain shared between lines.
  void make_readable() {
    std::vector<Expr> all;
    for (const Line& line : lines_) {
      all.insert(all.end(), line.left_factors.begin(), line.left_factors.end());
      all.insert(all.end(), line.right.begin(), line.right.end());
    }
    all = expr::readable(named_as_derivatives(system_, std::move(all)));
    auto next = all.begin();
    for (Line& line : lines_) {
      for (Expr& e : line.left_factors) e = *next++;
      for (Expr& e : line.right) e = *next++;
    }
  }

  const Derivation& derivation_;
  bool is_all_si_ = true;  ///< all declared units are SI units
};

}  // namespace

std::vector<Line> listing(const Derivation& derivation) { return Listing(derivation).lines(); }

}  // namespace vinculum::report
