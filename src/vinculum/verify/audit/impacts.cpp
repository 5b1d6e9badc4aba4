// Checks the recorded impulses of unilateral constraints against the states before and after them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/scalar_rules.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using sim::ContactImpact;
using sim::Impulse;
using sim::StateJump;

/// A recorded impulse of contacts, and the states before and after it.
struct Impact {
  const Impulse* impulse;
  Vector rows;                      ///< [nc] impulses of all rows, also of impulses without contacts that follow it
  const StateJump* jump = nullptr;  ///< null if the run did not record the states
};

/// The impulses of contacts in the run. Impulses and jumps of one instant belong together in their order. If their
/// numbers differ, other events have changed the speeds too, and the jumps are left out.
std::vector<Impact> impacts_of(const Trajectory& run) {
  std::vector<Impact> impacts;
  for (const sim::RunEvent& event : run.events) {
    const auto* one = std::get_if<Impulse>(&event);
    if (one == nullptr) continue;
    if (!one->contacts.empty())
      impacts.push_back({one, one->rows});
    else if (!impacts.empty() && impacts.back().impulse->t == one->t)
      impacts.back().rows += one->rows;
  }
  for (std::size_t first = 0; first < impacts.size();) {
    const double t = impacts[first].impulse->t;
    std::size_t last = first;
    while (last < impacts.size() && impacts[last].impulse->t == t) ++last;
    const auto jumps = std::ranges::equal_range(run.jumps, t, {}, &StateJump::t);
    for (std::size_t k = first; k < last && jumps.size() == last - first; ++k) impacts[k].jump = &jumps[k - first];
    first = last;
  }
  return impacts;
}

/// Whether the normal of a contact in the impact may jump, as at a corner: its gap has branches.
bool has_corners(const Case& of, const Impact& impact) {
  const auto is_branch = [](model::Term term) {
    return model::branch_of(term) || (term.kind() == model::TermKind::kFunction && term.op() == expr::Op::kAbsolute);
  };
  return std::ranges::any_of(impact.impulse->contacts, [&](const ContactImpact& one) {
    return std::ranges::any_of(model::in_order(of.bound->model->constraint(one.constraint).rows.front()), is_branch);
  });
}

/// Moves the coordinates of an impact by rounding errors along the velocity after it, to the side of a corner on which
/// the motion continues. The normals of that side are those of the impact.
void move_off_corners(const Case& of, Sample& sample) {
  const RoundedVector rates = Evidence(of.bound, sample).at.q_dot;
  double fastest = 0.0;
  for (Eigen::Index i = 0; i < rates.size(); ++i)
    fastest = std::max(fastest, std::abs(rates[i].value) / of.scales.q[i]);
  if (!(fastest > 0.0)) return;
  for (Eigen::Index i = 0; i < rates.size(); ++i) sample.q[i] += tolerance::kZero / fastest * rates[i].value;
}

/// The sample of one of the states of an impact, in which its contacts are closed. The multipliers are the impulses.
Sample sample_at(const Case& of, const Impact& impact, const Vector& speeds_of) {
  Sample sample = of.trajectory.samples.front();
  const Eigen::Index nq = sample.q.size(), nu = sample.u.size();
  const Vector& state = impact.jump->after;  // an impact may move coordinates by the rounding errors of their gaps
  sample.t = impact.impulse->t;
  sample.q = state.head(nq);
  sample.u = speeds_of.segment(nq, nu);
  sample.z = state.tail(sample.z.size());
  for (const ContactImpact& one : impact.impulse->contacts)
    sample.z[static_cast<Eigen::Index>(of.bound->model->constraint(one.constraint).unilateral->closed.index())] = 1.0;
  for (std::size_t row = 0; row < sample.acts.size(); ++row)
    if (nth(impact.impulse->rows, row) != 0.0) sample.acts[row] = 1;
  sample.reaction.total.lambda = sample.reaction.ideal.lambda = impact.impulse->rows;
  if (!has_corners(of, impact)) return sample;
  const Vector speeds = sample.u;
  sample.u = state.segment(nq, nu);
  move_off_corners(of, sample);
  sample.u = speeds;
  return sample;
}

Vector3 slip_of(model::TermValues& at, model::Term v) {
  const model::SeriesVector all = v.is_scalar() ? model::SeriesVector{at.series(v), 0.0, 0.0} : at.series_vector(v);
  return {all[0].value(), all[1].value(), all[2].value()};
}

/// ∂v/∂u of a slip velocity. [3 × nu]
RoundedMatrix slip_gradient(Evidence& e, model::Term v) {
  const Vector3 stated = slip_of(e.held(), v);
  RoundedMatrix J(3, e.sample.u.size());
  for (Eigen::Index r = 0; r < J.cols(); ++r) J.col(r) = slip_of(e.unit(static_cast<std::size_t>(r)), v) - stated;
  return J;
}

/// The tangential impulse of a slide; zeros if it has none.
Vector3 tangential(const Impulse& impulse, std::size_t slide) {
  Vector3 p = Vector3::Constant(Rounded());
  if (slide >= impulse.friction.size()) return p;
  const Vector& recorded = impulse.friction[slide];
  for (Eigen::Index c = 0; c < recorded.size(); ++c) p[c] = recorded[c];
  return p;
}

/// A sum and the sum of the absolute values of its terms.
struct Sum {
  Rounded value = 0.0;
  double size = 0.0;
  void add(Rounded term) {
    value += term;
    size += std::abs(term.value);
  }
};

constexpr double kImpulse = tolerance::kConsistency;  // limit of a residual, relative to the size of its terms
// Limit of an impulse that pulls or exceeds the bound of friction, relative to the typical impulse. Such an impulse
// ends a flight whose height is below kConsistency of the size of the gap (theory.md §10.3), and velocities are as the
// roots of heights.
const double kEndsFlight = tolerance::kDoubt * std::sqrt(tolerance::kConsistency);

/// The row of a unilateral constraint in System::rows.
Eigen::Index row_of(const Case& of, model::ConstraintId constraint) {
  const auto& rows = of.bound->system->rows;
  return std::ranges::find(rows, constraint, &equations::Row::constraint) - rows.begin();
}

double size_of_works(const Impulse& impulse) {
  double size = 0.0;
  for (const ContactImpact& one : impulse.contacts)
    size += std::abs(one.work.compression) + one.work.restitution + std::abs(one.work.tangential);
  return size;
}

/// Judges an impact whose states are known.
class ImpactCheck {
 public:
  ImpactCheck(const Case& of, const Impact& impact)
      : of_(of),
        impulse_(*impact.impulse),
        rows_(impact.rows),
        before_(sample_at(of, impact, impact.jump->before)),
        after_(sample_at(of, impact, impact.jump->after)),
        from_(of.bound, before_),
        to_(of.bound, after_),
        limit_(kImpulse + tolerance::kDoubt * defect() + moved_by_projection()) {}

  /// M Δu = Aᵀp + Σ Jᵀp_t
  void see_momentum(Judge& judge) {
    const Eigen::Index nu = after_.u.size();
    RoundedVector change(nu), residual(nu);
    for (Eigen::Index r = 0; r < nu; ++r) change[r] = Rounded(after_.u[r]) - Rounded(before_.u[r]);
    residual = to_.at.M * change;
    Vector size = values_of(to_.at.M).cwiseAbs() * (after_.u.cwiseAbs() + before_.u.cwiseAbs());
    const auto add = [&](const RoundedVector& Q) {
      residual -= Q;
      size += values_of(Q).cwiseAbs();
    };
    for (Eigen::Index row = 0; row < rows_.size(); ++row) {
      if (rows_[row] == 0.0) continue;
      const equations::Row& of = nth(of_.bound->system->rows, row);
      add(to_.row_gradient(of.constraint, of.index) * Rounded(rows_[row]));
    }
    for (std::size_t i = 0; i < impulse_.friction.size(); ++i)
      if (impulse_.friction[i].size() > 0)
        add(slip_gradient(to_, to_.model.slides[i].velocity).transpose() * tangential(impulse_, i));
    const Vector unit = to_.at.units();
    const double whole = nu > 0 ? size.cwiseProduct(unit).maxCoeff() : 0.0;
    for (Eigen::Index r = 0; r < nu; ++r)
      judge.see(residual[r], whole / unit[r], impulse_.t, of_.bound->speed_name(static_cast<int>(r)),
                limit_ * whole / unit[r]);
  }

  /// The gaps of contacts with an impulse are 0, and they do not approach afterwards. No other gap is negative.
  void see_gaps(Judge& judge) {
    for (const model::Constraint& constraint : to_.model.constraints) {
      if (!constraint.unilateral) continue;
      const model::Series gap = to_.now().series(constraint.rows.front());
      const GapSize size = size_of_gap(of_, to_, constraint.rows.front());
      const bool has_impulse = std::ranges::any_of(impulse_.contacts, [&](const ContactImpact& one) {
        return &to_.model.constraint(one.constraint) == &constraint;
      });
      const Rounded value = gap.value(), rate = gap.derivative(1);
      judge.see({has_impulse ? value.value : std::min(value.value, 0.0), value.error}, size.gap, impulse_.t,
                constraint.name + ", gap at an impact", limit_ * size.gap);
      if (has_impulse)
        judge.see({std::min(rate.value, 0.0), rate.error}, size.rate, impulse_.t,
                  constraint.name + ", approaches afterwards", limit_ * size.rate);
    }
  }

  /// [nc] The impulses that change the rates of the gaps by their typical sizes; 0 for rows without impulse.
  Vector typical_impulses() {
    Vector typical = Vector::Zero(impulse_.rows.size());
    const Vector unit = to_.at.units();
    for (const ContactImpact& one : impulse_.contacts) {
      const Vector W = values_of(to_.row_gradient(one.constraint, 0));
      const double response = W.cwiseProduct(unit).squaredNorm();
      if (response > 0.0)
        typical[row_of(of_, one.constraint)] =
            size_of_gap(of_, to_, to_.model.constraint(one.constraint).rows.front()).rate / response;
    }
    return typical;
  }

  /// |p_t| ≤ μ p with the bound of the clause at the recorded impulse. An impulse that ends a flight leaves a contact
  /// at rest and may exceed the bound, as it may pull.
  void see_cones(Judge& judge) {
    Sample none = after_;
    none.reaction.total.lambda.setZero();
    none.reaction.ideal.lambda.setZero();
    const Vector typical = typical_impulses();
    const Matrix bounds = ForceSlopes(of_.bound, after_).by_direction - ForceSlopes(of_.bound, none).by_direction;
    for (std::size_t i = 0; i < impulse_.friction.size(); ++i) {
      if (impulse_.friction[i].size() == 0) continue;
      const equations::Slide& slide = of_.bound->system->slides[i];
      const double length = Matrix(values_of(slip_gradient(to_, to_.model.slides[i].velocity))).norm();
      if (!(length > 0.0)) continue;
      const double bound = bounds.middleCols(slide.first, slide.count).norm() / length,
                   size = impulse_.friction[i].norm() + bound;
      judge.see(std::max(impulse_.friction[i].norm() - bound, 0.0), size, impulse_.t,
                model::name_of(to_.model, to_.model.slides[i]) + ", impulse of friction over its bound",
                limit_ * size +
                    (comes_to_rest(slide.constraint) ? kEndsFlight : 0.0) * typical[row_of(of_, slide.constraint)]);
    }
  }

  /// The recorded works are ½ pᵀ(γ⁻ + γ⁺), and the change of the kinetic energy if no contact and no constraint with an
  /// impulse, and no mass, has a prescribed velocity. The energies that reaction laws store are included.
  void see_energy(Judge& judge) {
    Sum of_contacts, of_others;
    double rounding = 0.0;
    for (Eigen::Index row = 0; row < rows_.size(); ++row) {
      if (rows_[row] == 0.0) continue;
      const bool is_contact = to_.model.constraint(nth(of_.bound->system->rows, row).constraint).unilateral.has_value();
      Sum& sum = is_contact ? of_contacts : of_others;
      for (Evidence* state : {&from_, &to_}) sum.add(Rounded(0.5 * rows_[row]) * rate_of_row(state->now(), row));
    }
    for (std::size_t i = 0; i < impulse_.friction.size(); ++i) {
      if (impulse_.friction[i].size() == 0) continue;
      const model::Term v = to_.model.slides[i].velocity;
      for (Evidence* state : {&from_, &to_})
        of_contacts.add(Rounded(0.5) * tangential(impulse_, i).dot(slip_of(state->now(), v)));
    }
    double recorded = 0.0;
    for (const ContactImpact& one : impulse_.contacts) {
      const model::Term gap = to_.model.constraint(one.constraint).rows.front();
      recorded += one.work.total();
      rounding +=
          tolerance::kStagnation * std::abs(rows_[row_of(of_, one.constraint)]) * size_of_gap(of_, to_, gap).rate;
    }
    const double size = of_contacts.size + size_of_works(impulse_);
    judge.see(of_contacts.value - recorded, size, impulse_.t, "work of the impulses", limit_ * size + rounding);
    if (has_prescribed_velocities()) return;
    Sum change;
    std::vector<model::Term> energies = {model::kinetic_energy(to_.model), model::lagrangian_energy(to_.model)};
    for (std::size_t c = 0; c < to_.model.constraints.size(); ++c)
      energies.push_back(model::stored_energy(to_.model, model::ConstraintId(c)));
    for (const model::Term energy : energies) {
      change.add(to_.scalar(energy));
      change.add(-from_.scalar(energy));
    }
    const double whole = change.size + size + of_others.size;
    judge.see(change.value - of_others.value - recorded, whole, impulse_.t, "change of the kinetic energy",
              limit_ * whole + rounding);
  }

 private:
  /// Whether the gap of a contact has no rate after the impact.
  bool comes_to_rest(model::ConstraintId contact) {
    const model::Term gap = to_.model.constraint(contact).rows.front();
    return to_.now().series(gap).derivative(1).value <= limit_ * size_of_gap(of_, to_, gap).rate;
  }

  /// The rate of a row of position level, the value of another row.
  Rounded rate_of_row(model::TermValues& at, Eigen::Index row) const {
    const equations::Row& of = nth(of_.bound->system->rows, row);
    const model::Series series = at.series(to_.kept(of.constraint, of.index));
    return of.level == model::Level::kPosition ? series.derivative(1) : series.value();
  }

  /// Largest violation of the constraints that are no contacts by the speeds before the impact. An impact moves the
  /// coordinates if the instant of a landing is known only to the accuracy of the steps; the speeds then violate other
  /// rows, and the impact corrects this too.
  double defect() {
    double largest = 0.0;
    for (std::size_t row = 0; row < of_.bound->system->rows.size(); ++row) {
      const equations::Row& of = of_.bound->system->rows[row];
      if (!from_.acts(row) || of.level > model::Level::kVelocity || to_.model.constraint(of.constraint).unilateral)
        continue;
      const auto at = static_cast<Eigen::Index>(row);
      const double size = values_of(to_.at.A.row(at)).cwiseAbs().dot(of_.scales.u);
      if (size > 0.0) largest = std::max(largest, std::abs(rate_of_row(from_.now(), at).value) / size);
    }
    return largest;
  }

  /// Whether some mass, or some row or slip with an impulse, has a velocity if all speeds are 0.
  bool has_prescribed_velocities() {
    model::TermValues& rest = to_.rest();
    if (rest.series(model::kinetic_energy(to_.model)).value().value != 0.0) return true;
    for (Eigen::Index row = 0; row < rows_.size(); ++row) {
      if (rows_[row] == 0.0) continue;
      const Rounded rate = rate_of_row(rest, row);
      if (std::abs(rate.value) > doubt_of_zero(rate)) return true;
    }
    for (std::size_t i = 0; i < impulse_.friction.size(); ++i)
      if (impulse_.friction[i].size() > 0 && size_of(slip_of(rest, to_.model.slides[i].velocity)) > 0.0) return true;
    return false;
  }

  /// Relative change of the speeds by the projection of `conserve`, which restores the gap and the conserved quantities
  /// in turn: at most the error of a step.
  [[nodiscard]] double moved_by_projection() const {
    return of_.bound->model->conserved.empty() ? 0.0 : of_.trajectory.tolerance;
  }

  const Case& of_;
  const Impulse& impulse_;
  const Vector& rows_;
  const Sample before_, after_;  // `from_` and `to_` refer to them
  Evidence from_, to_;
  const double limit_;  ///< of residuals, relative to the size of their terms
};

/// Impulses of contacts push: p ≥ 0.
/// \param typical  [nc] typical impulses of the rows; for a row without one, its largest impulse in the run
void see_signs(Judge& judge, const Case& of, const std::vector<Impact>& impacts, Vector typical) {
  for (const Impact& one : impacts) typical = typical.cwiseMax(one.impulse->rows.cwiseAbs());
  for (const Impact& one : impacts) {
    for (Eigen::Index row = 0; row < typical.size(); ++row) {
      const model::Constraint& constraint = of.bound->model->constraint(nth(of.bound->system->rows, row).constraint);
      if (!constraint.unilateral || one.impulse->rows[row] == 0.0) continue;
      judge.see(std::min(one.impulse->rows[row], 0.0), typical[row], one.impulse->t, constraint.name + ", pulls",
                kEndsFlight * typical[row]);
    }
  }
}

/// Whether an event of the model sets speeds. Its jumps of the speeds have no impulse.
bool has_set_speeds(const model::Model& model) {
  return std::ranges::any_of(model.events, [](const model::Event& event) {
    return std::ranges::any_of(event.actions, [](const model::EventAction& action) {
      return action.kind == model::EventAction::Kind::kSetSpeed;
    });
  });
}

/// Without an impulse, and without an event of the model that sets a speed, speeds do not jump.
void see_jumps_without_impulse(Judge& judge, const Case& of) {
  const Trajectory& run = of.trajectory;
  if (has_set_speeds(*of.bound->model)) return;
  std::vector<double> times;  // ascending, as are the jumps
  for (const sim::RunEvent& event : run.events)
    if (const auto* one = std::get_if<Impulse>(&event)) times.push_back(one->t);
  for (const StateJump& jump : run.jumps) {
    if (std::ranges::binary_search(times, jump.t)) continue;
    for (Eigen::Index r = 0; r < of.bound->nu(); ++r)
      judge.see(jump.after[of.bound->nq() + r] - jump.before[of.bound->nq() + r], of.scales.u[r], jump.t,
                of.bound->speed_name(static_cast<int>(r)) + ", jumps without an impulse", kImpulse * of.scales.u[r]);
  }
}

/// Under the energetic law no contact gains energy. The small impulses p < 0 that end flights are left out: with
/// friction they give back the work of an earlier impulse. Under the other laws it can, and the run then has a note.
void see_gains(Judge& judge, const Case& of, const std::vector<Impact>& impacts) {
  const Trajectory& run = of.trajectory;
  const bool is_complete = !run.stopped && !run.is_interrupted && !run.is_out_of_steps;
  const bool is_noted = std::ranges::any_of(run.notes, [](const sim::Note& note) { return note.kind == "impact"; });
  for (const Impact& impact : impacts) {
    const double size = size_of_works(*impact.impulse);
    for (const ContactImpact& one : impact.impulse->contacts) {
      const Eigen::Index row = row_of(of, one.constraint);
      if (one.law != model::RestitutionLaw::kEnergetic || impact.impulse->rows[row] < 0.0) continue;
      judge.see(std::max(one.work.total(), 0.0), size, impact.impulse->t,
                of.bound->model->constraint(one.constraint).name + ", gains energy under the law `energetic`",
                kImpulse * size);
    }
    if (is_complete && std::ranges::any_of(impact.impulse->contacts, &ContactImpact::creates_energy))
      judge.see(is_noted ? 0.0 : 1.0, 1.0, impact.impulse->t, "energy created without a note");
  }
}

// At most so many impacts are compared with the states before and after them, evenly spread over the run.
constexpr std::size_t kMostImpacts = 100;

}  // namespace

std::vector<AuditLine> audit_impacts(const Case& of) {
  Judge impulses("impulses of contacts push, stay within the bounds of friction, and change the momenta: M Δu = Aᵀp",
                 "10.3", "conditioning of the impact");
  Judge energy("the works of impulses are the change of the kinetic energy, and none is gained without a note", "10.3",
               "conditioning of the impact");
  const std::vector<Impact> impacts = impacts_of(of.trajectory);
  see_jumps_without_impulse(impulses, of);
  see_gains(energy, of, impacts);
  std::vector<Impact> known;
  const auto is_known = [&](const Impact& one) { return one.jump != nullptr && !has_set_speeds(*of.bound->model); };
  std::ranges::copy_if(impacts, std::back_inserter(known), is_known);
  const std::size_t count = std::min(known.size(), kMostImpacts);
  Vector typical = Vector::Zero(of.bound->nc());
  for (std::size_t k = 0; k < count; ++k) {
    ImpactCheck check(of, known[count == 1 ? 0 : k * (known.size() - 1) / (count - 1)]);
    check.see_momentum(impulses);
    check.see_gaps(impulses);
    check.see_cones(impulses);
    check.see_energy(energy);
    typical = typical.cwiseMax(check.typical_impulses());
  }
  see_signs(impulses, of, impacts, typical);
  if (count < impacts.size()) {
    const std::string some =
        fmt::format("of {} impacts, {} are compared with the states before and after", impacts.size(), count);
    impulses.note(some);
    energy.note(some);
  }
  impulses.where_nothing("the run has no impacts");
  energy.where_nothing("the run has no impacts");
  return {impulses.verdict(), energy.verdict()};
}

}  // namespace vinculum::audit
