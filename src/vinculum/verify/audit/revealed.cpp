// Compares the revealed forces of joints that the coordinates satisfy identically with the balance of all forces on the
// bodies beyond the joint.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/shared_frame.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/verify/audit/forces.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

using model::FrameId;
using model::Model;
using model::PointId;
using model::Reveal;
using model::Term;
using model::TermKind;

/// Computes the velocities of the points and frames that depend on a given point or body, if that point has unit
/// velocity or that body has unit angular velocity. They follow from the tree of points and frames.
class Carried {
 public:
  Carried(Evidence& e, const Reveal& reveal, const Vector3& direction)
      : e_(e), model_(e.model), tree_(e.model), reveal_(reveal), along_(direction) {}

  [[nodiscard]] Vector3 angular_velocity(FrameId frame) {
    return turns(frame) ? along_ : Vector3(Vector3::Constant(Rounded()));
  }
  /// Returns the velocity of the material point. A point of a body turns with the body, even if its offset is written
  /// in vectors of other frames.
  [[nodiscard]] Vector3 velocity(PointId point) {
    const FrameId on = model_.point(point).on;
    std::optional<FrameId> solid;
    if (reveal_.body.is_valid()) solid = tree_.solid_of(point);
    if (!on.is_valid() && !solid) return place_velocity(point);
    const FrameId frame = solid.value_or(on);
    return turned_about(tree_.anchor_of(frame).value_or(tree_.origin_of(point)), frame, point);
  }
  /// False if the rate of some offset vector used so far is unknown: the offset contains a position, or a sum of
  /// vectors of which only some turn.
  [[nodiscard]] bool is_known() const { return is_known_; }

 private:
  /// If a body is turned, all frames that depend on its frame turn too: other bodies with the same frame, and frames
  /// whose vectors belong to one of these bodies.
  [[nodiscard]] bool turns(FrameId frame) {
    if (!reveal_.body.is_valid()) return false;
    const FrameId turned = model::shared_frame(model_, reveal_.body);
    for (; frame.is_valid(); frame = model_.frame(frame).parent) {
      const std::optional<FrameId> solid = tree_.solid_of(frame);
      if (frame == turned || (solid && model::shared_frame(model_, *solid) == turned)) return true;
    }
    return false;
  }
  Vector3 turned_about(PointId anchor, FrameId frame, PointId point) {
    return place_velocity(anchor) + angular_velocity(frame).cross(e_.value(model_.terms->position(point, anchor)));
  }
  Vector3 place_velocity(PointId point) {
    Vector3 v = Vector3::Constant(Rounded());
    for (;; point = model_.point(point).base) {
      if (reveal_.point.is_valid() && point == reveal_.point) v += along_;
      if (!model_.point(point).base.is_valid()) break;
      if (!reveal_.body.is_valid()) continue;
      const std::optional<FrameId> solid = tree_.solid_of(point);
      const std::optional<PointId> center = solid ? tree_.anchor_of(*solid) : std::nullopt;
      if (center && center->index() < point.index()) return v + turned_about(*center, *solid, point);
      v += rate(model_.point(point).offset);
    }
    return v;
  }
  Vector3 rate(Term offset) {
    bool some_turn = false, some_stand = false;
    for (const Term part : model::in_order(offset)) {
      if (part.kind() == TermKind::kBasisVector) {
        (turns(FrameId(std::size_t{part.index()})) ? some_turn : some_stand) = true;
      } else if (part.kind() == TermKind::kPosition) {
        is_known_ = false;
      }
    }
    is_known_ = is_known_ && !(some_turn && some_stand);
    return some_turn ? Vector3(along_.cross(e_.value(offset))) : Vector3(Vector3::Constant(Rounded()));
  }

  Evidence& e_;
  const Model& model_;
  model::KinematicTree tree_;
  const Reveal& reveal_;
  Vector3 along_;
  bool is_known_ = true;
};

/// Returns the index of the output column that contains exactly this term; −1 if there is none.
int output_column(const Binding& bound, Term term) {
  for (std::size_t i = 0; i < bound->model->outputs.size(); ++i) {
    const model::Output& output = bound->model->outputs[i];
    if (output.value.is_valid() && output.value == term) return bound->output_columns[i].first;
    const auto found = std::ranges::find(output.components, term);
    if (found != output.components.end())
      return bound->output_columns[i].first + static_cast<int>(found - output.components.begin());
  }
  return -1;
}

/// Returns the values of `report_symbols` and of the parameters. Solved quantities have their error bounds.
std::vector<expr::Series> reported_numbers(const Evidence& e) {
  std::vector<double> numbers;
  sim::read_report_numbers(e.sample, numbers);
  numbers.insert(numbers.end(), e.bound.parameters.begin(), e.bound.parameters.end());
  std::vector<expr::Series> all(numbers.begin(), numbers.end());
  std::size_t next = 1 + static_cast<std::size_t>(e.sample.q.size() + e.sample.u.size() + e.sample.z.size());
  for (const RoundedVector* some : {&e.at.u_dot, &e.at.lambda, &e.at.lambda_ideal, &e.at.effort}) {
    for (Eigen::Index i = 0; i < some->size(); ++i) all[next++] = expr::Series((*some)[i]);
  }
  return all;
}

}  // namespace

AuditLine audit_revealed(const Case& of) {
  Judge judge("revealed forces and torques balance all that hangs from them", "8.11", kOfTheSolve);
  const Model& model = *of.bound->model;
  if (model.reveals.empty()) {
    judge.does_not_apply("the model states no `reveal`");
    return judge.verdict();
  }
  const auto system = sim::derive_all(of.bound->model);
  if (!system) {
    judge.does_not_apply("the equations cannot be derived");
    return judge.verdict();
  }
  std::vector<expr::Expr> symbols = sim::report_symbols(**system), values;
  std::vector<int> columns;  // output column of each value; −1: none
  symbols.insert(symbols.end(), (*system)->parameters.begin(), (*system)->parameters.end());
  for (std::size_t i = 0; i < model.reveals.size(); ++i) {
    for (std::size_t k = 0; k < model.reveals[i].along.size(); ++k) {
      const Term term = model::revealed(model, model::RevealId(i), static_cast<int>(k));
      values.push_back(equations::lower(**system, term)[0]);
      columns.push_back(output_column(of.bound, term));
    }
  }
  int unknown = 0;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const Forces forces(e);
    if (forces.has_coordinates) {
      judge.does_not_apply("something acts on coordinates, and at no place by itself");
      break;
    }
    std::vector<Action> actions = inertia(e);
    actions.insert(actions.end(), forces.actions.begin(), forces.actions.end());
    const std::vector<expr::Series> reported = expr::interpret_series(values, symbols, reported_numbers(e));
    std::size_t next = 0;
    unknown = 0;
    for (const Reveal& reveal : model.reveals) {
      for (std::size_t k = 0; k < reveal.along.size(); ++k, ++next) {
        const Vector3 along = e.value(reveal.along[k]);
        Carried carried(e, reveal, along / sqrt(along.dot(along)));
        // The value as reported, with the error bound of its computation from u' and the reactions.
        Rounded sum = reported[next].value();
        if (columns[next] >= 0) sum.value = e.sample.outputs[columns[next]];
        double size = std::abs(sum.value);
        for (const Action& action : actions) {
          const Vector3 v = action.point ? carried.velocity(*action.point) : carried.angular_velocity(action.frame);
          sum += action.value.dot(v);
          size += action.magnitude() * size_of(v);
        }
        if (!carried.is_known()) {
          ++unknown;
          continue;
        }
        judge.see(sum, size, e.sample.t, fmt::format("{}[{}]", reveal.name, k + 1));
      }
    }
  }
  if (unknown > 0)
    judge.note(fmt::format("{} of {} turn parts of offsets only, and are left out", unknown, values.size()));
  return judge.verdict();
}

}  // namespace vinculum::audit
