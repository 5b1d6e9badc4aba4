#include "vinculum/sensitivity/jump.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/switch_places.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/sensitivity/friction_equations.hpp"

namespace vinculum::sensitivity {
namespace {

using expr::Expr;
using Index = Eigen::Index;

constexpr int kMostOfImpulse = 20;  // Newton steps; one is enough for rows that are linear in the speeds

Failure not_smooth(double t, std::string message) {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.t = t;
  failure.message = std::move(message);
  return failure;
}

/// Derivatives of functions of (t, y, p) along the columns of S, and along the motion before the instant as the last
/// column.
struct Along {
  Matrix y;  ///< [ny × quantities + 1]
  Matrix p;  ///< [parameters × quantities + 1]

  [[nodiscard]] Index count() const { return y.cols() - 1; }
  [[nodiscard]] Matrix of(const ValuesAt& f) const {
    Matrix all = f.by_y() * y + f.by_p() * p;
    all.rightCols(1) += f.by_t();
    return all;
  }
};

/// One instant at which the mode or the state changes.
class Instant {
 public:
  Instant(sim::Dynamics& dynamics, ModeFamily& family, double t, const Side& before, const Side& after)
      : dynamics_(dynamics),
        family_(family),
        system_(family.system()),
        model_(*system_.model),
        t_(t),
        before_(before),
        after_(after),
        y_(before.y) {}

  [[nodiscard]] Outcome<void> pass(const Matrix& by_p, Matrix& S);

 private:
  [[nodiscard]] Outcome<Vector> rate(const Side& side) const;
  [[nodiscard]] double truth(const sim::Mode& mode, Expr condition);
  [[nodiscard]] bool has_happened(std::size_t event);
  [[nodiscard]] Outcome<void> set_values();
  [[nodiscard]] Outcome<void> find_contacts();
  [[nodiscard]] Outcome<void> give_impulse();
  [[nodiscard]] Outcome<void> find_instant();
  void add_surfaces();
  void add_times();
  [[nodiscard]] Outcome<void> add_friction();
  [[nodiscard]] bool add_end_of_stick(std::size_t slide);
  void add_instant(const Eigen::RowVectorXd& along, double size);
  void add_surface(const ValuesAt& value);
  [[nodiscard]] ValuesAt at_before(std::vector<Expr> values) {
    ValuesAt found = family_.values(family_.in_regions(before_.mode, values));
    found.compute(t_, before_.y.data());
    return found;
  }
  [[nodiscard]] bool acts(std::size_t row, const Side& side);
  /// A row that has an impulse: ψ(u⁺) + e ψ(u⁻) = 0.
  struct Struck {
    std::size_t row;
    Expr psi;
    expr::SparseRow A;
    Expr restitution;  ///< not valid: 0
  };

  sim::Dynamics& dynamics_;
  ModeFamily& family_;
  const equations::System& system_;
  const model::Model& model_;
  double t_;
  Side before_, after_;
  Vector y_;  ///< state between the values that events set and the impulse
  Along along_;
  std::vector<Struck> struck_;
  std::vector<Expr> landed_;                  ///< gaps of contacts that close here
  std::vector<Eigen::RowVectorXd> instants_;  ///< [candidates] τ_p [quantities]
  bool has_grazed_ = false;
};

Outcome<Vector> Instant::rate(const Side& side) const {
  Vector F(side.y.size());
  if (auto done = dynamics_.derivative(side.mode, t_, side.y.data(), F.data()); !done) return fail(done.error());
  return F;
}

/// Value of a condition, which in a given mode does not depend on the state.
double Instant::truth(const sim::Mode& mode, Expr condition) {
  ValuesAt value = family_.values(family_.in_regions(mode, {&condition, 1}));
  value.compute(t_, before_.y.data());
  return value.value()[0];
}

bool Instant::has_happened(std::size_t i) {
  using Trigger = model::Event::Trigger;
  const model::Event& event = model_.events[i];
  if (event.is_timed()) {
    const double time = at_before({system_.events[i].time}).value()[0];
    const double times = event.trigger == Trigger::kAt ? 1.0 : std::round(t_ / time);
    return std::abs(times * time - t_) <= tolerance::kZero * std::abs(t_);
  }
  const Expr condition = system_.events[i].condition;
  const bool was = truth(before_.mode, condition) != 0.0, is = truth(after_.mode, condition) != 0.0;
  return was != is && (event.trigger == Trigger::kChanges || (event.trigger == Trigger::kBecomesTrue) == is);
}

/// Applies the values that events set to the state and to its derivatives.
Outcome<void> Instant::set_values() {
  using Kind = model::EventAction::Kind;
  const Index nq = system_.nq(), nu = system_.nu();
  Along set = along_;
  for (std::size_t i = 0; i < model_.events.size(); ++i) {
    const auto& actions = model_.events[i].actions;
    const auto sets = [](const model::EventAction& action) {
      return action.kind == Kind::kSetSpeed || action.kind == Kind::kSetState;
    };
    if (std::ranges::none_of(actions, sets) || !has_happened(i)) continue;
    for (std::size_t k = 0; k < actions.size(); ++k) {
      if (!sets(actions[k])) continue;
      const Index place = nq + (actions[k].kind == Kind::kSetState ? nu : 0) + static_cast<Index>(actions[k].index);
      const ValuesAt value = at_before({system_.events[i].values[k]});
      y_[place] = value.value()[0];
      set.y.row(place) = along_.of(value);
    }
  }
  along_ = std::move(set);
  for (const model::Constraint& constraint : model_.constraints) {
    if (!constraint.unilateral) continue;
    const Index place = nq + nu + static_cast<Index>(constraint.unilateral->closed.index());
    y_[place] = after_.y[place];
    along_.y.row(place).setZero();
  }
  const Index nz = y_.size() - nq - nu;
  const double miss = (y_ - after_.y).tail(nz).cwiseQuotient(dynamics_.scale().tail(nz)).lpNorm<Eigen::Infinity>();
  if (nz == 0 || miss <= tolerance::kRoot) return {};
  return fail(not_smooth(t_, "a state jumps here in a way that no event of the model states"));
}

bool Instant::acts(std::size_t row, const Side& side) {
  const Expr acts = system_.rows[row].acts;
  if (!acts.is_valid()) return true;
  ValuesAt value = family_.values(family_.in_regions(side.mode, {&acts, 1}));
  value.compute(t_, side.y.data());
  return value.value()[0] != 0.0;
}

/// Finds the rows that have an impulse if the speeds jump: all that act afterwards, and contacts that collide.
Outcome<void> Instant::find_contacts() {
  const auto& embedding = dynamics_.binding().embedding();
  for (std::size_t i = 0; i < system_.rows.size(); ++i) {
    const equations::Row& row = system_.rows[i];
    const model::Constraint& constraint = model_.constraint(row.constraint);
    const bool is_switched = row.acts.is_valid();
    if (!is_switched && !sim::restricts_speeds(embedding[i])) continue;
    const Expr psi = is_switched ? row.while_acting.psi : row.psi;
    if (!psi.is_valid()) continue;
    const expr::SparseRow& A = is_switched ? row.while_acting.A : row.A;
    if (!constraint.unilateral) {
      if (!is_switched || acts(i, after_)) struck_.push_back({i, psi, A, Expr()});
      continue;
    }
    ValuesAt gap = at_before({row.while_acting.phi, psi});
    const double size = gap.by_y().row(0).cwiseAbs().dot(dynamics_.scale());
    if (!(std::abs(gap.value()[0]) <= tolerance::kRoot * size)) continue;
    const double speed_size = gap.by_y().row(1).cwiseAbs().dot(dynamics_.scale());
    const double before = gap.value()[1];
    gap.compute(t_, after_.y.data());
    const double after = gap.value()[1];
    const bool was_closed = acts(i, before_), is_closed = acts(i, after_);
    const bool approaches = before < -tolerance::kRoot * speed_size;
    if (!approaches) {
      if (is_closed) struck_.push_back({i, psi, A, Expr()});
      continue;
    }
    if (!was_closed) landed_.push_back(row.while_acting.phi);
    Expr restitution;
    for (std::size_t k = 0; k < model_.events.size(); ++k) {
      if (model_.events[k].is_closing() && model_.events[k].actions.front().index == row.constraint.index())
        restitution = system_.events[k].values.front();
    }
    const double e = restitution.is_valid() ? at_before({restitution}).value()[0] : 0.0;
    if (e > 0.0 && after <= tolerance::kRoot * -before)
      return fail(not_smooth(t_, fmt::format("the impacts of constraint `{}` accumulate here", constraint.name)));
    struck_.push_back({i, psi, A, restitution});
  }
  return {};
}

/// Derivatives of the speeds after an impulse: M (u⁺ − u) = Aᵀπ, ψ(u⁺) + e ψ(u) = 0.
Outcome<void> Instant::give_impulse() {
  const Index nq = system_.nq(), nu = system_.nu();
  const Vector u_after = after_.y.segment(nq, nu), scale = dynamics_.scale().segment(nq, nu);
  const auto miss = [&](const Vector& u) { return (u - u_after).cwiseQuotient(scale).lpNorm<Eigen::Infinity>(); };
  const bool jumps =
      (before_.y.segment(nq, nu) - u_after).cwiseQuotient(scale).lpNorm<Eigen::Infinity>() > tolerance::kRoot ||
      miss(y_.segment(nq, nu)) > tolerance::kRoot;
  if (!jumps) return {};
  sim::MotionEquations extended = family_.motion();
  expr::Graph& graph = *system_.graph;
  std::vector<Expr> later, impulse, G;
  for (Index r = 0; r < nu; ++r) later.push_back(graph.symbol(fmt::format("u{} after", r)));
  for (std::size_t k = 0; k < struck_.size(); ++k) impulse.push_back(graph.symbol(fmt::format("impulse {}", k)));
  for (Index r = 0; r < nu; ++r) {
    Expr sum = graph.constant(0.0);
    const auto row = static_cast<std::size_t>(r);
    for (std::size_t s = 0; s < later.size(); ++s) sum += system_.M[row * later.size() + s] * (later[s] - system_.u[s]);
    for (std::size_t k = 0; k < struck_.size(); ++k) {
      for (const auto& [column, entry] : struck_[k].A)
        if (column == row) sum -= entry * impulse[k];
    }
    G.push_back(sum);
  }
  for (const Struck& one : struck_) {
    Expr relation = expr::substitute({&one.psi, 1}, system_.u, later).front();
    if (one.restitution.is_valid()) relation += one.restitution * one.psi;
    G.push_back(relation);
  }
  sim::append(extended.state, later);
  sim::append(extended.state, impulse);
  ValuesAt equations(family_.in_regions(before_.mode, G), extended, dynamics_.binding().parameters, family_.rates());
  const Index ny = y_.size(), count = static_cast<Index>(later.size() + impulse.size());
  Vector all = Vector::Zero(ny + count);
  all.head(ny) = y_;
  all.segment(ny, nu) = u_after;
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(tolerance::kAtStates);
  for (int step = 0; step < kMostOfImpulse; ++step) {
    equations.compute(t_, all.data());
    if (!equations.is_finite()) return fail(not_smooth(t_, "the impulse has no finite derivative here"));
    solver.compute(equations.by_y().rightCols(count));
    const Vector change = solver.solve(equations.value());
    all.tail(count) -= change;
    if (change.head(nu).cwiseQuotient(scale).lpNorm<Eigen::Infinity>() <= tolerance::kStagnation) break;
  }
  if (!(miss(all.segment(ny, nu)) <= tolerance::kRoot))
    return fail(not_smooth(t_, "this impact has several contacts or friction, so its map has no derivative"));
  Along extended_along{Matrix::Zero(ny + count, along_.y.cols()), along_.p};
  extended_along.y.topRows(ny) = along_.y;
  along_.y.middleRows(nq, nu) = -Matrix(solver.solve(extended_along.of(equations))).topRows(nu);
  return {};
}

/// Adds the derivatives of the instant at which s passes 0.
void Instant::add_surface(const ValuesAt& value) {
  const double size =
      value.by_y().row(0).cwiseAbs().dot(along_.y.rightCols(1).col(0).cwiseAbs()) + std::abs(value.by_t()[0]);
  add_instant(along_.of(value).row(0), size);
}

/// \param along  derivatives of s along the columns   \param size  of the terms of the last one
void Instant::add_instant(const Eigen::RowVectorXd& along, double size) {
  const double rate = along[along_.count()];
  if (!(std::abs(rate) > tolerance::kRoot * size)) {
    has_grazed_ = true;
    return;
  }
  instants_.push_back(-along.head(along_.count()) / rate);
}

/// Contacts that come to rest, turn round, or start to slip.
Outcome<void> Instant::add_friction() {
  const std::vector<double> was = family_.key_of(before_.mode.friction), is = family_.key_of(after_.mode.friction);
  for (std::size_t k = 0; k < was.size(); ++k) {
    if (was[k] == is[k]) continue;
    const Vector& line = family_.lines()[k];
    if (was[k] == 0.0) {
      if (!add_end_of_stick(k))
        return fail(not_smooth(t_, "the end of the stick of a friction contact has no finite derivative here"));
      continue;
    }
    if (line.size() == 0)
      return fail(not_smooth(t_,
                             "a friction contact that slides in a plane comes to rest here, which is a corner of "
                             "the law of friction"));
    add_surface(at_before({velocity_along(system_.slides[k], line)}));
  }
  return {};
}

bool Instant::add_end_of_stick(std::size_t slide) {
  ModeEquations& equations = family_.in(before_.mode);
  const std::vector<std::size_t> sticking = equations.sticking();
  const auto row = std::ranges::find(sticking, slide) - sticking.begin();
  const auto u_dot = along_.y.rightCols(1).col(0).segment(system_.nq(), system_.nu());
  Matrix along;
  if (!equations.margins_along(t_, before_.y.data(), u_dot, along_.y, along_.p, along)) return false;
  add_instant(along.row(row), 0.0);
  return true;
}

/// Surfaces whose side changes here, and on which the state lies before the instant.
void Instant::add_surfaces() {
  const std::vector<double>&was = before_.mode.sides, &is = after_.mode.sides;
  for (std::size_t k = 0; k < std::min(was.size(), is.size()); ++k) {
    if (was[k] == is[k] || was[k] == sim::Switches::kEqual || is[k] == sim::Switches::kEqual) continue;
    const sim::Switches::Surface& surface = family_.surface(k);
    if (surface.is_between(was[k])) continue;  // the end of a sliding mode, where rates are continuous
    const double level = surface.is_between(is[k]) ? surface.upper(is[k]) : std::max(was[k], is[k]);
    ValuesAt value = family_.surfaces(before_.mode, {&k, 1}, {&level, 1});
    value.compute(t_, before_.y.data());
    const double size = value.by_y().row(0).cwiseAbs().dot(dynamics_.scale()) + std::abs(value.by_t()[0] * t_);
    if (std::abs(value.value()[0]) <= tolerance::kRoot * size && size > 0.0) add_surface(value);
  }
}

/// Stated times of events. τ_p follows from the parameters in the time, and is 0 if there are none.
void Instant::add_times() {
  for (std::size_t i = 0; i < model_.events.size(); ++i) {
    if (!model_.events[i].is_timed() || !has_happened(i)) continue;
    const Expr time = system_.events[i].time;
    const double stated = at_before({time}).value()[0];
    const double times = model_.events[i].trigger == model::Event::Trigger::kAt ? 1.0 : std::round(t_ / stated);
    add_surface(at_before({system_.t - times * time}));
  }
}

/// Derivatives of the instant. All surfaces that the motion reaches here must agree.
Outcome<void> Instant::find_instant() {
  for (const Expr gap : landed_) add_surface(at_before({gap}));
  add_surfaces();
  add_times();
  if (auto done = add_friction(); !done) return done;
  if (has_grazed_)
    return fail(
        not_smooth(t_, "the motion grazes a switching surface here: it reaches the surface without crossing it"));
  for (const Eigen::RowVectorXd& other : instants_) {
    const double size = std::max(instants_.front().cwiseAbs().maxCoeff(), other.cwiseAbs().maxCoeff());
    if ((other - instants_.front()).cwiseAbs().maxCoeff() > tolerance::kRoot * size)
      return fail(not_smooth(t_, "the motion reaches several switching surfaces at the same instant here"));
  }
  return {};
}

Outcome<void> Instant::pass(const Matrix& by_p, Matrix& S) {
  const auto F_before = rate(before_), F_after = rate(after_);
  if (!F_before) return fail(F_before.error());
  if (!F_after) return fail(F_after.error());
  const Index columns = S.cols();
  along_.y.resize(S.rows(), columns + 1);
  along_.y << S, *F_before;
  along_.p = Matrix::Zero(by_p.rows(), columns + 1);
  along_.p.leftCols(columns) = by_p;
  if (auto done = find_contacts(); !done) return done;
  if (auto done = find_instant(); !done) return done;
  if (auto done = set_values(); !done) return done;
  if (auto done = give_impulse(); !done) return done;
  S = along_.y.leftCols(columns);
  const Vector jump = *F_after - along_.y.col(columns);
  if (!instants_.empty()) {
    S -= jump * instants_.front();
    return {};
  }
  const double size = F_after->cwiseQuotient(dynamics_.scale()).lpNorm<Eigen::Infinity>();
  if (jump.cwiseQuotient(dynamics_.scale()).lpNorm<Eigen::Infinity>() <= tolerance::kRoot * size) return {};
  return fail(not_smooth(t_, "forces jump here at an instant that no switching surface of the model determines"));
}

}  // namespace

Outcome<void> jump(sim::Dynamics& dynamics, ModeFamily& family, double t, const Side& before, const Side& after,
                   const Matrix& by_p, Matrix& S) {
  if (before.y == after.y && before.mode.sides == after.mode.sides && before.mode.along == after.mode.along &&
      family.key_of(before.mode.friction) == family.key_of(after.mode.friction))
    return {};
  return Instant(dynamics, family, t, before, after).pass(by_p, S);
}

}  // namespace vinculum::sensitivity
