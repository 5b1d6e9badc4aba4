#include "vinculum/model/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <unordered_map>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/load_power.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

constexpr int kNotLinear = 2;

bool is_op(Term term, Op op) { return term.kind() == TermKind::kFunction && term.op() == op; }

/// The force of a `nonideal` clause or a load; null for a load that is not a force, torque or generalized force.
template <class What>
Term* force_in(What& what) {
  if (auto* force = std::get_if<ForceOn>(&what)) return &force->force;
  if (auto* torque = std::get_if<TorqueOn>(&what)) return &torque->torque;
  auto* generalized = std::get_if<GeneralizedForceOn>(&what);
  return generalized != nullptr ? &generalized->force : nullptr;
}

/// The unknown direction s of a friction contact as a term: a scalar if its velocity is a scalar, otherwise a vector
/// with unknown measure numbers along x, y, z of the newtonian frame.
Term direction_of(TermPool& pool, SlideId id, Term velocity) {
  if (velocity.is_scalar()) return pool.slide_direction(id, 0);
  Term sum = pool.zero_vector();
  for (int axis = 0; axis < 3; ++axis)
    sum = sum + pool.slide_direction(id, axis) * pool.basis_vector(Model::newtonian(), axis);
  return sum;
}

/// Replaces unit(v) and equivalent terms by unknown friction directions (kSlideDirection).
class Holder {
 public:
  /// \param own  properties that new slides get, except for their velocity
  Holder(Model& model, Slide own) : model_(model), pool_(*model.terms), own_(own), slides_(model.slides) {}

  Term hold(Term root) {
    for (const Term node : in_order(root)) held_[node.id()] = held(node);
    return held_.at(root.id());
  }
  [[nodiscard]] std::vector<Slide>& slides() { return slides_; }

 private:
  Term held(Term node) {
    if (node.kind() == TermKind::kUnit && is_sliding_velocity(model_, node.operand(0)))
      return direction(node.operand(0));
    if (is_op(node, Op::kSign) && is_sliding_velocity(model_, node.operand(0))) return direction(node.operand(0));
    if (is_op(node, Op::kDivide) || is_op(node, Op::kMultiply)) {
      if (const Term scaled = over_its_size(node); scaled.is_valid()) return scaled;
    }
    if (node.kind() == TermKind::kScale) {
      if (const Term scaled = over_its_norm(node); scaled.is_valid()) return scaled;
    }
    if (node.operand_count() == 0 || node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate) return node;
    std::vector<Term> operands;
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(held_.at(node.operand(i).id()));
    return with_operands(node, operands);
  }

  /// Turns a v / (b |v|) of a scalar velocity v, with its factors in any order, into a/b times the direction of v.
  Term over_its_size(Term node) {
    std::vector<Term> above, below;
    collect(node, above, below);
    for (const Term size : below) {
      if (!is_op(size, Op::kAbsolute)) continue;
      const Term velocity = size.operand(0);
      const auto found = std::ranges::find(above, velocity);
      if (found == above.end() || !is_sliding_velocity(model_, velocity)) continue;
      above.erase(found);
      below.erase(std::ranges::find(below, size));
      return product_of(above, below) * direction(velocity);
    }
    return {};
  }

  /// Turns a v / (b norm(v)) of a vector v, with its factors in any order, into a/b times the direction of v.
  Term over_its_norm(Term node) {
    std::vector<Term> above, below;
    Term vector = node;
    while (vector.kind() == TermKind::kScale || vector.kind() == TermKind::kVectorNegate) {
      if (vector.kind() == TermKind::kScale)
        collect(vector.operand(0), above, below);
      else
        collect(pool_.number(-1.0), above, below);
      vector = vector.operand(vector.operand_count() - 1);
    }
    const auto norm = std::ranges::find(below, pool_.norm(vector));
    if (norm == below.end() || !is_sliding_velocity(model_, vector)) return {};
    below.erase(norm);
    return product_of(above, below) * direction(vector);
  }

  Term product_of(const std::vector<Term>& above, const std::vector<Term>& below) {
    Term factor = pool_.number(1.0);
    for (const Term part : above) factor = factor * held_.at(part.id());
    for (const Term part : below) factor = factor / held_.at(part.id());
    return factor;
  }

  void collect(Term product, std::vector<Term>& above, std::vector<Term>& below) {
    if (is_op(product, Op::kMultiply)) {
      collect(product.operand(0), above, below);
      collect(product.operand(1), above, below);
    } else if (is_op(product, Op::kDivide)) {
      collect(product.operand(0), above, below);
      collect(product.operand(1), below, above);
    } else if (is_op(product, Op::kNegate)) {
      collect(pool_.number(-1.0), above, below);
      collect(product.operand(0), above, below);
    } else {
      // the factor −1 is added here, because `hold` has visited every other factor before
      held_.try_emplace(product.id(), product);
      above.push_back(product);
    }
  }

  Term direction(Term velocity) {
    auto slide = std::ranges::find_if(slides_, [&](const Slide& one) {
      const bool has_one_ratio = one.static_ratio.is_valid() == own_.static_ratio.is_valid() &&
                                 (!own_.static_ratio.is_valid() || one.static_ratio == own_.static_ratio);
      return one.velocity == velocity && has_one_ratio && one.constraint == own_.constraint && one.load == own_.load;
    });
    if (slide == slides_.end()) {
      slide = slides_.insert(slides_.end(), own_);
      slide->velocity = velocity;
    }
    return direction_of(pool_, SlideId(static_cast<std::size_t>(slide - slides_.begin())), velocity);
  }

  Model& model_;
  TermPool& pool_;
  Slide own_;
  std::vector<Slide> slides_;
  std::unordered_map<TermId, Term> held_;
};

/// Degree of a term in the friction directions: 0, 1 or kNotLinear.
int degree_of(Term root) {
  std::unordered_map<TermId, int> degrees;
  for (const Term node : in_order(root)) {
    const auto at = [&](int i) { return degrees.at(node.operand(i).id()); };
    int largest = 0, sum = 0;
    for (int i = 0; i < node.operand_count(); ++i) {
      largest = std::max(largest, at(i));
      sum += at(i);
    }
    const auto is_sum = [&] {
      switch (node.kind()) {
        case TermKind::kVectorAdd:
        case TermKind::kVectorSubtract:
        case TermKind::kVectorNegate: return true;
        default: return is_op(node, Op::kAdd) || is_op(node, Op::kSubtract) || is_op(node, Op::kNegate);
      }
    };
    const auto is_product = [&] {
      return node.kind() == TermKind::kScale || node.kind() == TermKind::kDot || node.kind() == TermKind::kCross ||
             is_op(node, Op::kMultiply) || (is_op(node, Op::kDivide) && at(1) == 0);
    };
    int degree = node.kind() == TermKind::kSlideDirection ? 1 : largest == 0 ? 0 : kNotLinear;
    if (largest > 0 && is_sum()) degree = largest;
    if (largest > 0 && is_product()) degree = std::min(sum, kNotLinear);
    degrees[node.id()] = degree;
  }
  return degrees.at(root.id());
}

}  // namespace

Term direction_taken(Term node) {
  if (node.kind() == TermKind::kUnit) return node.operand(0);
  if (node.kind() != TermKind::kFunction) return {};
  if (node.op() == Op::kSign) return node.operand(0);
  if (node.op() != Op::kDivide) return {};
  const Term divisor = node.operand(1);
  const bool is_size = divisor.kind() == TermKind::kNorm || is_op(divisor, Op::kAbsolute);
  return is_size ? divisor.operand(0) : Term();
}

std::string name_of(const Model& model, const Slide& slide) {
  if (slide.load.is_valid()) return names_of_loads(model)[slide.load.index()];
  return model.constraint(slide.constraint).name;
}

bool is_sliding_velocity(const Model& model, Term term) {
  for (const Term leaf : leaves_as_read(term)) {
    switch (leaf.kind()) {
      case TermKind::kMultiplier:
      case TermKind::kIdealMultiplier:
      case TermKind::kGeneralizedForce:
      case TermKind::kGeneralizedIdealForce:
      case TermKind::kDeparture:
      case TermKind::kSystemVector:
      case TermKind::kEffort:
      case TermKind::kState:
      case TermKind::kSlideDirection: return false;
      default: break;
    }
  }
  return level_of(model, term) == Level::kVelocity;
}

void hold_directions(Model& model, ConstraintId constraint, Nonideal& nonideal) {
  Holder holder(model, {constraint, {}, nonideal.static_ratio, {}, nonideal.coefficient});
  Term& force = *force_in(nonideal.what);
  const Term held = holder.hold(force);
  if (held == force || degree_of(held) > 1) return;
  force = held;
  model.slides = std::move(holder.slides());
}

namespace {

constexpr int kStatesOfProbe = 6;   // number of random states at which a load is tested for friction
constexpr double kHalfWidth = 0.5;  // half-width of the interval of the random numbers in these states

/// Tests at random states whether a load is dry friction along its friction directions.
class FrictionProbe {
 public:
  FrictionProbe(const Model& model, const Load& load, Term held, const std::vector<Slide>& slides)
      : model_(model), load_(load), held_(held), slides_(slides), random_(1) {
    for (const Parameter& parameter : model.parameters) {
      const double factor = 1.0 + 0.2 * number();
      parameters_.push_back(parameter.declared != 0.0 ? factor * parameter.declared : factor);
    }
  }

  /// Whether the load is dry friction along each direction from number `first_slide` on.
  bool is_friction(std::size_t first_slide) {
    for (std::size_t slide = first_slide; slide < slides_.size(); ++slide) {
      bool is_seen = false, is_passive = false;
      for (int state = 0; state < kStatesOfProbe; ++state) {
        const Instant at = instant();
        if (!drifts_with_time_alone(slide, at)) return false;
        const auto bound = bound_at(slide, at);
        if (!bound) return false;
        if (std::isnan(*bound)) continue;
        is_seen = true;
        is_passive = is_passive || *bound >= 0.0;
      }
      if (!is_seen || !is_passive) return false;
    }
    return true;
  }

 private:
  double number() { return std::uniform_real_distribution(-kHalfWidth, kHalfWidth)(random_); }
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> all(count);
    for (double& one : all) one = number();
    return all;
  }
  Instant instant() {
    Instant at;
    at.t = 0.5 + kHalfWidth + number();
    at.q = numbers(model_.coordinates.size());
    at.q_dot = numbers(at.q.size());
    at.q_ddot.assign(at.q.size(), 0.0);
    at.z = numbers(model_.states.size());
    at.parameters = parameters_;
    for (const Slide& slide : slides_) at.slide.emplace_back(static_cast<std::size_t>(slide.components()), 0.0);
    return at;
  }
  [[nodiscard]] Vector value(Term term, const Instant& at) const {
    TermValues values(model_, at);
    if (term.is_scalar()) return Vector::Constant(1, values.scalar(term).value);
    const JetVector vector = values.vector(term);
    return Vector{{vector[0].value, vector[1].value, vector[2].value}};
  }
  /// The part of a velocity that is due to the rates q': its value minus its value at q' = 0.
  [[nodiscard]] Vector moved(Term velocity, const Instant& at) const {
    Instant rest = at;
    rest.q_dot.assign(rest.q.size(), 0.0);
    return value(velocity, at) - value(velocity, rest);
  }
  /// Power of a force of this load due to the rates q' alone.
  [[nodiscard]] double power(const Vector& force, const Instant& at) const {
    TermPool& pool = *model_.terms;
    if (const auto* generalized = std::get_if<GeneralizedForceOn>(&load_.what))
      return force[0] * at.q_dot[generalized->coordinate.index()];
    const auto of = [&](Term velocity) { return force.dot(moved(velocity, at)); };
    if (const auto* torque = std::get_if<TorqueOn>(&load_.what)) {
      const auto spin = [&](FrameId frame) {
        return frame == kNewtonian ? 0.0 : of(pool.angular_velocity(frame, kNewtonian));
      };
      return spin(torque->body) - (torque->from ? spin(*torque->from) : 0.0);
    }
    const auto& on = std::get<ForceOn>(load_.what);
    return of(pool.velocity(on.point, kNewtonian)) - (on.from ? of(pool.velocity(*on.from, kNewtonian)) : 0.0);
  }
  bool drifts_with_time_alone(std::size_t slide, const Instant& at) {
    Instant here = at, there = at;
    here.q_dot.assign(at.q.size(), 0.0);
    there.q_dot = here.q_dot;
    there.q = numbers(at.q.size());
    const Vector a = value(slides_[slide].velocity, here), b = value(slides_[slide].velocity, there);
    return !a.allFinite() || !b.allFinite() || (a - b).norm() <= tolerance::kGeneric * (1.0 + a.norm() + b.norm());
  }
  /// The friction bound g with power = −g s·v for every motion.
  /// \returns NaN if a value is not finite; nothing if there is no such g.
  std::optional<double> bound_at(std::size_t slide, const Instant& at) {
    const int count = slides_[slide].components();
    const Vector without = value(held_, at);
    std::vector<Vector> along;
    for (int k = 0; k < count; ++k) {
      Instant with = at;
      with.slide[slide][static_cast<std::size_t>(k)] = 1.0;
      along.push_back(value(held_, with) - without);
    }
    double of_both = 0.0, of_v = 0.0, of_power = 0.0;
    // pairs (power of the force for s = unit vector k, v_k) for random motions
    std::vector<std::pair<double, double>> all;
    for (std::size_t motion = 0; motion <= model_.coordinates.size(); ++motion) {
      Instant other = at;
      other.q_dot = numbers(at.q.size());
      const Vector v = moved(slides_[slide].velocity, other);
      for (int k = 0; k < count; ++k) {
        const double P = power(along[static_cast<std::size_t>(k)], other), s_v = v[k];
        all.emplace_back(P, s_v);
        of_both += P * s_v;
        of_v += s_v * s_v;
        of_power += P * P;
      }
    }
    if (!std::isfinite(of_both + of_v + of_power)) return std::numeric_limits<double>::quiet_NaN();
    if (!(of_v > 0.0)) return std::nullopt;
    const double g = -of_both / of_v;
    double missed = 0.0;
    for (const auto& [P, s_v] : all) missed += (P + g * s_v) * (P + g * s_v);
    if (missed > tolerance::kGeneric * tolerance::kGeneric * of_power) return std::nullopt;
    return g;
  }

  const Model& model_;
  const Load& load_;
  Term held_;
  const std::vector<Slide>& slides_;
  std::mt19937_64 random_;
  std::vector<double> parameters_;
};

/// Whether the solver for sticking contacts supports the rows of this constraint.
bool goes_with_friction(const Constraint& constraint) {
  if (is_higher_order(constraint) || constraint.level >= Level::kAcceleration) return false;
  return !has_rows(constraint) || constraint.law->is_ideal() || !constraint.law->actuators().empty();
}

/// Replaces sign(v) and equivalent terms of outputs and state rates by the friction directions that loads define.
class ShownDirections {
 public:
  explicit ShownDirections(Model& model) : model_(model) {}
  void replace(Term& term) {
    if (!term.is_valid()) return;
    for (const Term node : in_order(term, [this](Term one) { return known_.contains(one.id()); })) {
      known_[node.id()] = shown(node);
    }
    term = known_.at(term.id());
  }

 private:
  Term shown(Term node) {
    if (const Term velocity = direction_taken(node); velocity.is_valid()) {
      for (std::size_t i = 0; i < model_.slides.size(); ++i) {
        const Slide& slide = model_.slides[i];
        const bool is_whole = node.kind() == TermKind::kUnit || is_op(node, Op::kSign) || node.operand(0) == velocity;
        if (slide.load.is_valid() && is_whole && slide.velocity == velocity)
          return direction_of(*model_.terms, SlideId(i), velocity);
      }
    }
    if (node.operand_count() == 0 || node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate) return node;
    std::vector<Term> operands;
    for (int i = 0; i < node.operand_count(); ++i) operands.push_back(known_.at(node.operand(i).id()));
    return with_operands(node, operands);
  }

  Model& model_;
  std::unordered_map<TermId, Term> known_;
};

/// The velocities whose directions occur in the force of a load.
std::set<TermId> directions_in(Term force) {
  std::set<TermId> velocities;
  for (const Term node : in_order(force)) {
    if (const Term velocity = direction_taken(node); velocity.is_valid()) velocities.insert(velocity.id());
  }
  return velocities;
}

/// Returns for each load its force, in which the symbols of the friction directions replace sign(v), unit(v) and v/|v|.
/// The term is invalid for a load that is no friction.
std::vector<Term> held_forces(Model& model) {
  std::vector<Term> all(model.loads.size());
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    Load& load = model.loads[i];
    const Term* const force = force_in(load.what);
    if (force == nullptr) continue;
    Holder holder(model, {{}, {}, load.static_ratio, LoadId(i), load.coefficient});
    const Term held = holder.hold(*force);
    if (held == *force || degree_of(held) > 1) continue;
    if (FrictionProbe(model, load, held, holder.slides()).is_friction(model.slides.size())) all[i] = held;
  }
  return all;
}

/// In stick, friction determines the direction of v for all terms that contain it. If one of these terms is a load that
/// is not friction, all of them keep sign(v) as a switching condition.
void leave_out_contested(Model& model, std::vector<Term>& held) {
  std::vector<std::set<TermId>> taken;
  for (Load& load : model.loads) {
    const Term* const force = force_in(load.what);
    taken.push_back(force == nullptr ? std::set<TermId>() : directions_in(*force));
  }
  std::set<TermId> contested;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (!held[i].is_valid()) contested.insert(taken[i].begin(), taken[i].end());
  for (bool is_settled = false; !is_settled;) {
    is_settled = true;
    for (std::size_t i = 0; i < held.size(); ++i) {
      const auto is_contested = [&](TermId velocity) { return contested.contains(velocity); };
      if (!held[i].is_valid() || std::ranges::none_of(taken[i], is_contested)) continue;
      held[i] = {};
      contested.insert(taken[i].begin(), taken[i].end());
      is_settled = false;
    }
  }
}

}  // namespace

void hold_friction_of_loads(Model& model) {
  if (!std::ranges::all_of(model.constraints, goes_with_friction)) return;
  const std::size_t before = model.slides.size();
  std::vector<Term> friction = held_forces(model);
  leave_out_contested(model, friction);
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    if (!friction[i].is_valid()) continue;
    Load& load = model.loads[i];
    Term* const force = force_in(load.what);
    Holder holder(model, {{}, {}, load.static_ratio, LoadId(i), load.coefficient});
    const Term held = holder.hold(*force);  // the new slides are numbered after those of earlier loads
    load.stated = load.what;
    *force = held;
    model.slides = std::move(holder.slides());
  }
  if (model.slides.size() == before) return;
  ShownDirections shown(model);
  for (Output& output : model.outputs) {
    shown.replace(output.value);
    for (Term& component : output.components) shown.replace(component);
  }
  for (Expectation& expectation : model.expectations) {
    shown.replace(expectation.left);
    shown.replace(expectation.right);
  }
  for (State& state : model.states) shown.replace(state.rate);
}

}  // namespace vinculum::model
