#include "vinculum/hybrid/look.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/hybrid/surface_rounding.hpp"
#include "vinculum/integrate/event.hpp"

namespace vinculum::sim {
namespace {

using expr::Interval;
using expr::Jet;
using What = Seen::What;

constexpr double kSlack = 0.1;      // widening of a range that the stages saw, on either side, as a part of its width
constexpr double kMattering = 0.1;  // an effect on the state counts above this part of the tolerance
constexpr int kMostParts = 400;     // largest number of parts of a step that are examined
// Size of the next step before a sharp change, as a multiple of the length of the part in which the change was found.
constexpr double kPartsOfNextStep = 4.0;
constexpr double kShortenedBy = 0.25;  // length of the next trial step after an unproven step, relative to that step
// A step that is longer than the previous one by more than this factor is checked along its polynomial, because its
// error estimate may be small by chance.
constexpr double kGrown = 2.0;
constexpr int kMostLandings = 6;           // separate steps that search for a crossing
constexpr double kLevelPart = 1.0 / 64.0;  // part of a step: a margin that is rounding error at both ends of so short a
                                           // part counts as a plateau
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr Interval kNothing = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

Interval joined(Interval seen, double value) {
  return std::isnan(value) ? seen : Interval{std::min(seen.lo, value), std::max(seen.hi, value)};
}

/// Largest distance by which the range `wide` extends beyond the range `narrow`.
double beyond(Interval wide, Interval narrow) { return std::max(narrow.lo - wide.lo, wide.hi - narrow.hi); }

/// True if the ranges of x and y alone prove that x − y keeps its sign. This is the usual case if a model has many
/// surfaces.
bool is_clear(const Jet& x, const Jet& y, double side) {
  const double least = side > 0.0 ? x.range.lo - y.range.hi : y.range.lo - x.range.hi;
  return least > 0.0 && !std::isnan(x.a - y.a) && !std::isnan(x.b - y.b);
}

/// Text of the first surface or value in the lists, for messages.
std::string text_of(const Watches& watches, const std::vector<int>& surfaces, const std::vector<int>& values) {
  if (!surfaces.empty()) return watches.switches.surfaces()[static_cast<std::size_t>(surfaces.front())].text;
  return values.empty() ? "" : watches.texts[static_cast<std::size_t>(values.front())];
}

}  // namespace

Look::Look(const Watched& run, Regions& regions)
    : run_(run),
      regions_(regions),
      watches_(*run.dynamics.binding()->watches),
      program_(watches_),
      surfaces_(watches_.surface_count()),
      values_(watches_.kinds.size()),
      ny_(static_cast<int>(watches_.known.size()) - 1),
      jets_(watches_.known.size() + watches_.unknown.size(),
            Jet{kUnknown, kUnknown, Interval::whole(), Interval::whole()}),
      seen_(values_),
      polynomial_(ny_),
      reached_(Vector::Zero(ny_)),
      begun_(2 * surfaces_, 0),
      influence_(run.dynamics, run.mode),
      accelerations_(Vector::Zero(run.dynamics.binding()->nu())),
      whole_(watches_.equations.size()) {
  const std::span<const expr::Expr> state = std::span(watches_.known).subspan(1);
  const CompiledModel& compiled = run.dynamics.binding();
  const auto of_motion = state.first(static_cast<std::size_t>(compiled.nq() + compiled.nu()));
  for (const Switches::Surface& surface : watches_.switches.surfaces()) {
    const bool moves =
        expr::depends_on(surface.x, state) || (surface.y.is_valid() && expr::depends_on(surface.y, state));
    is_of_time_.push_back(moves ? 0 : 1);
    const bool moves_with_motion =
        expr::depends_on(surface.x, of_motion) || (surface.y.is_valid() && expr::depends_on(surface.y, of_motion));
    is_of_motion_.push_back(moves_with_motion ? 1 : 0);
  }
  take({});
}

void Look::fill(const Matrix& coefficients, double t, double h) {
  jets_[0] = {t, t + h, {t, t + h}, {1.0, 1.0}};
  const Eigen::Index last = coefficients.cols() - 1;
  const double per_time = static_cast<double>(last) / h;
  for (int i = 0; i < ny_; ++i) {
    const auto row = coefficients.row(i);
    Jet& jet = jets_[static_cast<std::size_t>(i) + 1];
    jet = {row[0], row[last], {row[0], row[0]}, kNothing};
    for (Eigen::Index k = 1; k <= last; ++k) {
      jet.range = joined(jet.range, row[k]);
      jet.rate = joined(jet.rate, (row[k] - row[k - 1]) * per_time);
    }
  }
}

/// The number whose range is examined: the value itself. For an exponential function it is the argument, and for an
/// even function the absolute value of the argument.
double Look::judged(int value, double own, double argument) const {
  switch (watches_.kinds[static_cast<std::size_t>(value)]) {
    case Watches::Value::kExponential: return argument;
    case Watches::Value::kEven: return std::abs(argument);
    default: return own;
  }
}

/// True if a value occurs in a friction bound and a contact sticks. The rates of the motion do not depend on the bound
/// of a sticking contact, so such a value is examined only at the end of a step; the stick-slip source checks the bound
/// within the step.
bool Look::bounds_what_sticks(int value) const {
  const std::vector<char>& sticks = run_.mode.friction.sticks;
  return watches_.is_of_friction[static_cast<std::size_t>(value)] != 0 &&
         std::ranges::find(sticks, char{1}) != sticks.end();
}

void Look::see(double t, const Vector& y, bool is_end) {
  program_.evaluate_at(t, y);
  for (int v = 0; v < static_cast<int>(values_); ++v) {
    const std::size_t at = value_look(v);
    if (!is_end && bounds_what_sticks(v)) continue;
    Interval& seen = seen_[static_cast<std::size_t>(v)];
    if (program_.is_used(at)) seen = joined(seen, judged(v, program_.value(at), program_.value(at + 1)));
  }
}

void Look::see_ends() {
  for (int v = 0; v < static_cast<int>(values_); ++v) {
    const Jet& own = program_.jet(value_look(v));
    const Jet& argument = program_.jet(value_look(v) + 1);
    seen_[static_cast<std::size_t>(v)] =
        joined(joined(kNothing, judged(v, own.a, argument.a)), judged(v, own.b, argument.b));
  }
}

/// Range that a value may have without further examination.
Interval Look::allowed(int value) const {
  const Interval seen = seen_[static_cast<std::size_t>(value)];
  if (!(seen.lo <= seen.hi)) return kNothing;
  const bool is_sum = watches_.kinds[static_cast<std::size_t>(value)] == Watches::Value::kSum;
  const double terms = is_sum ? program_.jet(value_look(value) + 1).range.largest() : seen.largest();
  const double rounding = tolerance::kRounded * (std::isfinite(terms) ? terms : seen.largest());
  switch (watches_.kinds[static_cast<std::size_t>(value)]) {
    case Watches::Value::kExponential: return {-std::numeric_limits<double>::infinity(), seen.hi + std::numbers::ln2};
    case Watches::Value::kEven: return {seen.lo - std::numbers::ln2, seen.hi + std::numbers::ln2};
    default: {
      const double slack = kSlack * seen.width() + rounding;
      return {seen.lo - slack, seen.hi + slack};
    }
  }
}

bool Look::is_quiet(int value) const {
  const Interval own = program_.jet(value_look(value)).range;
  const Watches::Value kind = watches_.kinds[static_cast<std::size_t>(value)];
  if (kind == Watches::Value::kExponential && own.hi == 0.0) return true;
  Interval range = kind == Watches::Value::kExponential ? program_.jet(value_look(value) + 1).range : own;
  if (kind == Watches::Value::kEven)
    range = expr::enclose_operation(expr::Op::kAbsolute, program_.jet(value_look(value) + 1).range);
  const Interval allowed_range = allowed(value);
  return range.lo >= allowed_range.lo && range.hi <= allowed_range.hi;
}

bool Look::goes_beyond(int value) const {
  const Jet &own = program_.jet(value_look(value)), &argument = program_.jet(value_look(value) + 1);
  const Interval inside = allowed(value);
  return !inside.holds(judged(value, own.a, argument.a)) || !inside.holds(judged(value, own.b, argument.b));
}

/// Margins of a surface, positive in the present region. For a floor: the distances of x from the whole number below
/// and from the one above.
std::pair<Jet, Jet> Look::margins(std::size_t surface) const {
  const Jet& x = program_.jet(x_of(surface));
  const double side = sides_[surface];
  const auto shifted = [&](const Jet& from, const Jet& by, double sign) {
    Jet m;
    m.a = sign * (from.a - by.a);
    m.b = sign * (from.b - by.b);
    m.range = sign > 0.0 ? from.range - by.range : by.range - from.range;
    m.rate = sign > 0.0 ? from.rate - by.rate : by.rate - from.rate;
    m.range = expr::common(m.range, expr::cone(m.a, m.b, m.rate, length_));
    return m;
  };
  if (!watches_.switches.surfaces()[surface].is_floor()) {
    const Jet m = shifted(x, program_.jet(x_of(surface) + 1), side);
    return {m, m};
  }
  return {shifted(x, Jet::constant(side), 1.0), shifted(x, Jet::constant(side + 1.0), -1.0)};
}

double Look::margin_at(std::size_t surface, bool upward, double t, const Vector& y) {
  program_.evaluate_at(t, y, surface);
  const double x = program_.value(x_of(surface)), side = sides_[surface];
  if (!watches_.switches.surfaces()[surface].is_floor()) return side * (x - program_.value(x_of(surface) + 1));
  return upward ? side + 1.0 - x : x - side;
}

/// Whether a margin stays positive over a part. A motion that begins on the surface belongs to its side once it has
/// moved there. Within a part, a margin up to the rounding error of its largest terms counts as positive. At the end of
/// the step only one up to the rounding error of its terms there does: a flat margin (y³) is small for a while after it
/// has passed 0.
Look::Side Look::judge(const integrate::Step& step, std::size_t surface, const Part& part, bool& upward) {
  const auto [below, above] = margins(surface);
  const bool is_floor = watches_.switches.surfaces()[surface].is_floor();
  const double size =
      program_.jet(x_of(surface)).range.largest() + (is_floor ? 1.0 : program_.jet(x_of(surface) + 1).range.largest());
  const double rounding =
      (is_of_time_[surface] != 0 ? tolerance::kEqual : tolerance::kRounded) * (std::isfinite(size) ? size : 0.0);
  const bool is_tiny = part.to - part.from <= tolerance::kSameEvent;
  Side worst = Side::kKept;
  for (int k = 0; k < (is_floor ? 2 : 1); ++k) {
    const Jet& m = k == 0 ? below : above;
    if (std::isnan(m.a) || std::isnan(m.b)) {
      if (is_tiny) return std::isnan(m.a) && std::isnan(m.b) ? Side::kUndefined : Side::kKept;
      worst = Side::kOpen;
      continue;
    }
    char& has_begun = begun_[2 * surface + static_cast<std::size_t>(k)];
    upward = is_floor ? k == 1 : sides_[surface] < 0.0;
    if (m.range.lo >= -rounding) {
      if (m.b > 0.0) has_begun = 1;
      // A flat margin (y³) stays this small after it has passed 0 for a significant part of the step.
      const bool is_flat = m.b < 0.0 && part.to == 1.0 && -m.b > -m.rate.lo * tolerance::kSameEvent * length_;
      if (is_flat && -m.b > surface_rounding(run_.dynamics.binding(), surface, step.t_end(), step.y_end()))
        return Side::kLeft;
      continue;
    }
    if (has_begun == 0 && m.a > 0.0) has_begun = 1;
    Side side = Side::kOpen;
    if (has_begun == 0) {
      if (m.rate.lo > 0.0)
        side = Side::kKept;
      else if (m.rate.hi < 0.0 || is_tiny)
        side = m.b < m.a ? Side::kLeft : Side::kKept;
      if (side == Side::kKept && m.b > 0.0) has_begun = 1;
    } else if (m.b <= 0.0 && (m.rate.hi < 0.0 || is_tiny)) {
      side = Side::kLeft;
    } else if (is_tiny) {
      side = Side::kKept;
    }
    if (side == Side::kLeft) return side;
    // A plateau up to rounding that algebra did not recognize: sqrt(x^2) − x for x > 0.
    const bool is_level = part.to - part.from <= kLevelPart && std::abs(m.a) <= rounding && std::abs(m.b) <= rounding;
    if (side == Side::kOpen && !is_level) worst = side;
  }
  return worst;
}

/// Whether the open values of a part, if they leave the ranges seen so far, may change the state by more than a tenth
/// of the tolerance.
/// \pre `enclose` over the part, of length h
bool Look::matters(const std::vector<int>& open, double h) {
  if (std::ranges::any_of(open, [&](int v) { return bounds_what_sticks(v); })) return true;
  for (std::size_t i = 0; i < whole_.size(); ++i) whole_[i] = program_.equation(i).range;
  for (const int v : open) {
    const Interval seen = seen_[static_cast<std::size_t>(v)];
    if (!(seen.lo <= seen.hi)) return true;
    switch (watches_.kinds[static_cast<std::size_t>(v)]) {
      case Watches::Value::kExponential: program_.clamp(value_look(v), {0.0, 2.0 * std::exp(seen.hi)}); break;
      case Watches::Value::kEven:
        program_.clamp(value_look(v), {0.5 * std::cosh(seen.lo), 2.0 * std::cosh(seen.hi)});
        break;
      default: program_.clamp(value_look(v), allowed(v));
    }
  }
  program_.enclose(jets_.data(), h);
  program_.release();
  const int nq = run_.dynamics.binding()->nq();
  for (int j = 0; j < accelerations_.size(); ++j)
    accelerations_[j] = jets_[static_cast<std::size_t>(1 + nq + j)].rate.largest();
  influence_.begin();
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    if (whole_[i] == program_.equation(i).range) continue;
    const double by = beyond(whole_[i], program_.equation(i).range);
    if (std::isnan(by)) return true;
    if (by > 0.0) influence_.add(watches_.places[i], by, accelerations_);
  }
  const Vector& change = influence_.rates();
  for (int i = 0; i < ny_; ++i)
    if (!(change[i] * h <= kMattering * run_.tolerance * size_of(i))) return true;
  return false;
}

Seen Look::into(const integrate::Step& step) {
  const double h = step.t_end() - step.t_begin();
  length_ = h;
  reached_ = reached_.cwiseMax(step.y_begin().cwiseAbs()).cwiseMax(step.y_end().cwiseAbs());
  if (!step.rates(least_, most_)) return along_defined(step);
  jets_[0] = {step.t_begin(), step.t_end(), {step.t_begin(), step.t_end()}, {1.0, 1.0}};
  for (int i = 0; i < ny_; ++i) {
    const double a = step.y_begin()[i], b = step.y_end()[i], margin = kSlack * (most_[i] - least_[i]);
    const double secant = (b - a) / h;
    const Interval rate = {std::min(least_[i] - margin, secant), std::max(most_[i] + margin, secant)};
    jets_[static_cast<std::size_t>(i) + 1] = {a, b, expr::cone(a, b, rate, h), rate};
  }
  program_.enclose(jets_.data(), h);
  see_ends();
  for (std::size_t k = 0; k < surfaces_ && !sides_.empty(); ++k) {
    if (!is_looked_at(k)) continue;
    const bool is_floor = watches_.switches.surfaces()[k].is_floor();
    if (!is_floor && is_clear(program_.jet(x_of(k)), program_.jet(x_of(k) + 1), sides_[k])) continue;
    const auto [below, above] = margins(k);
    const bool has_values = !std::isnan(below.a) && !std::isnan(below.b);
    if (!(has_values && below.range.lo > 0.0 && above.range.lo > 0.0)) return along_defined(step);
  }
  for (int v = 0; v < static_cast<int>(values_); ++v)
    if (program_.is_used(value_look(v)) && !is_quiet(v)) return along_defined(step);
  const bool has_grown = h > kGrown * std::exchange(last_length_, h);
  if (values_ == 0 || !has_grown) return {};
  if (!polynomial_.read(step) || is_carried(step)) return {};
  return not_carried(step);
}

/// Examines a step along its dense polynomial. Conditions without a value are left out if the equations do not depend
/// on them, as the second one in `q < 1 and sqrt(1 - q) > 0.5`.
Seen Look::along_defined(const integrate::Step& step) {
  while (true) {
    Seen seen = along(step);
    if (seen.what != What::kUndefined) return seen;
    const double part = (seen.t - step.t_begin()) / (step.t_end() - step.t_begin());
    integrate::DensePolynomial::evaluate(polynomial_.coefficients(), part, y_);
    if (decides(seen.surface, seen.t, Vector(y_))) return seen;
    is_left_out_[seen.surface] = kWithoutValue;
  }
}

bool Look::decides(std::size_t surface, double t, const Vector& y) {
  const std::vector<double> sides = sides_;
  const auto values_on = [&](double side) {
    std::vector<double> on_side = sides, values;
    on_side[surface] = side;
    take(std::move(on_side));
    program_.evaluate_at(t, y);
    for (std::size_t i = 0; i < program_.equation_count(); ++i) values.push_back(program_.equation_value(i));
    return values;
  };
  const std::vector<double> here = values_on(1.0), there = values_on(-1.0);
  take(sides);
  for (std::size_t i = 0; i < here.size(); ++i)
    if (here[i] != there[i] && !(std::isnan(here[i]) && std::isnan(there[i]))) return true;
  return false;
}

/// Examines a step along its dense polynomial, in parts, beginning at the start of the step.
Seen Look::along(const integrate::Step& step) {
  ++closer_;
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  const auto unproven = [&](std::string of) -> Seen {
    return {What::kUnproven, t0, kShortenedBy * h, 0, false, std::move(of)};
  };
  if (!polynomial_.read(step)) return unproven("the dense output");
  if (weighed_.empty()) weighed_ = step.weighed();
  std::ranges::fill(seen_, kNothing);
  for (const double part : std::span(weighed_).first(values_ > 0 ? weighed_.size() : 0)) {
    integrate::DensePolynomial::evaluate(polynomial_.coefficients(), part, y_);
    see(t0 + part * h, part == 1.0 ? step.y_end() : y_, part == 1.0);
  }
  bool has_bounds = false;
  for (int v = 0; v < static_cast<int>(values_); ++v) has_bounds = has_bounds || bounds_what_sticks(v);
  if (has_bounds) see(t0, step.y_begin(), true);
  knows_influence_ = false;
  std::ranges::fill(begun_, char{0});
  open_parts_ = 0;
  Part& whole = next_part();
  whole.from = 0.0, whole.to = 1.0;
  whole.surfaces.clear(), whole.values.clear();
  whole.coefficients = polynomial_.coefficients();
  for (std::size_t k = 0; k < surfaces_ && !sides_.empty(); ++k)
    if (is_looked_at(k)) whole.surfaces.push_back(static_cast<int>(k));
  for (int v = 0; v < static_cast<int>(values_); ++v)
    if (program_.is_used(value_look(v))) whole.values.push_back(v);
  last_length_ = h;
  if (!whole.values.empty() && !is_carried(step)) return not_carried(step);
  for (int count = 0; open_parts_ > 0; ++count) {
    std::swap(at_hand_, parts_[--open_parts_]);
    if (count == kMostParts) return unproven(text_of(watches_, at_hand_.surfaces, at_hand_.values));
    Seen seen = look_at(step, at_hand_);
    if (seen.what != What::kQuiet) return seen;
    if (at_hand_.surfaces.empty() && at_hand_.values.empty()) continue;
    const double middle = 0.5 * (at_hand_.from + at_hand_.to);
    (next_part() = at_hand_).from = middle;
    (next_part() = at_hand_).to = middle;
    integrate::DensePolynomial::halve(at_hand_.coefficients, parts_[open_parts_ - 1].coefficients,
                                      parts_[open_parts_ - 2].coefficients);
  }
  return {};
}

/// Returns storage for a new part; reuses that of an earlier part.
Look::Part& Look::next_part() {
  if (open_parts_ == parts_.size()) parts_.emplace_back();
  return parts_[open_parts_++];
}

/// Leaves out surfaces of whose x − y a pole lies in the part. There x − y changes its sign with the denominator, so
/// that only the pole is crossed: in this part, or in the next step if rounding error decides the sign of the
/// denominator.
void Look::leave_at_poles(Part& part) {
  std::erase_if(left_, [&](const auto& left) {
    if (std::isfinite(margins(left.first).first.rate.lo)) return false;  // x − y does not jump in the part
    const std::vector<std::size_t>& inner = watches_.switches.surfaces()[left.first].inner;
    const bool is_at_pole = std::ranges::any_of(inner, [&](std::size_t k) {
      return watches_.switches.surfaces()[k].is_pole() && is_looked_at(k) && !(margins(k).first.range.lo > 0.0);
    });
    if (is_at_pole) std::erase(part.surfaces, static_cast<int>(left.first));
    return is_at_pole;
  });
}

/// Examines one part and removes from it the surfaces and values that are proved to stay within their limits.
Seen Look::look_at(const integrate::Step& step, Part& part) {
  const double t0 = step.t_begin(), whole = step.t_end() - t0;
  const double h = (part.to - part.from) * whole;
  length_ = h;
  fill(part.coefficients, t0 + part.from * whole, h);
  if (part.values.empty())
    program_.enclose_some(part.surfaces, jets_.data(), h);
  else
    program_.enclose(jets_.data(), h);
  left_.clear();
  std::optional<std::size_t> undefined;
  std::erase_if(part.surfaces, [&](int k) {
    bool upward = false;
    const auto surface = static_cast<std::size_t>(k);
    const bool is_floor = watches_.switches.surfaces()[surface].is_floor();
    if (!is_floor && is_clear(program_.jet(x_of(surface)), program_.jet(x_of(surface) + 1), sides_[surface])) {
      begun_[2 * surface] = 1;
      return true;
    }
    const Side side = judge(step, surface, part, upward);
    if (side == Side::kLeft) left_.emplace_back(surface, upward);
    if (side == Side::kUndefined) undefined = surface;
    return side == Side::kKept || side == Side::kUndefined;
  });
  leave_at_poles(part);
  if (undefined && left_.empty())
    return {
        What::kUndefined, t0 + part.from * whole, h, *undefined, false, watches_.switches.surfaces()[*undefined].text};
  std::erase_if(part.values, [&](int v) { return is_quiet(v); });
  if (!part.values.empty()) {
    if (!knows_influence_) influence_.read(t0, step.y_begin());
    knows_influence_ = true;
    // Beyond a surface that is crossed, values belong to a region that ends there; a table may have no value there.
    const auto is_beyond = [&](int v) { return !left_.empty() && !std::isfinite(program_.jet(value_look(v)).b); };
    const bool is_real = kPartsOfNextStep * (part.to - part.from) < 1.0 &&
                         std::ranges::any_of(part.values, [&](int v) { return goes_beyond(v) && !is_beyond(v); });
    if (!matters(part.values, h)) {
      part.values.clear();
    } else if (is_real) {
      return {What::kSharp,
              t0 + part.from * whole,
              kPartsOfNextStep * h,
              0,
              false,
              text_of(watches_, part.surfaces, part.values)};
    } else if (part.to - part.from <= tolerance::kSameEvent) {
      part.values.clear();
    }
  }
  const bool is_decided = part.surfaces.size() == left_.size() && part.values.empty();
  if (left_.empty() || (!is_decided && part.to - part.from > tolerance::kSameEvent)) return {};
  Seen first;
  for (const auto& [surface, upward] : left_)
    if (Seen one = cross(step, part, surface, upward); first.what == What::kQuiet || one.t < first.t) first = one;
  return innermost(step, std::move(first));
}

/// Finds where the state crosses a surface within a part: first on the polynomial, then, unless the surface depends on
/// time only, by separate steps that end there.
Seen Look::cross(const integrate::Step& step, const Part& part, std::size_t surface, bool upward) {
  const double t0 = step.t_begin(), whole = step.t_end() - t0;
  double from = t0 + part.from * whole;
  const double to = part.to == 1.0 ? step.t_end() : t0 + part.to * whole;
  const auto margin_on = [&](double t) {
    integrate::DensePolynomial::evaluate(polynomial_.coefficients(), std::clamp((t - t0) / whole, 0.0, 1.0), y_);
    return margin_at(surface, upward, t, y_);
  };
  Seen seen = {What::kCrossing, from, whole, surface, upward, watches_.switches.surfaces()[surface].text};
  const double at_to = margin_on(to);
  double at_from = margin_on(from);
  const auto go_back = [&](double way) {
    for (; !(at_from > 0.0) && from > t0; way *= 2.0) {
      from = std::max(from - way, t0);
      at_from = margin_on(from);
    }
  };
  // A margin as flat as y³ is negative for a while before this exceeds the rounding error of its terms. A motion that
  // begins on the surface has its positive margin between two zeros, where shorter ways find it.
  go_back(std::max(to - from, tolerance::kEqual * whole));
  if (!(at_from > 0.0) && part.from > 0.0) {
    from = t0 + part.from * whole;
    at_from = margin_on(from);
    go_back(tolerance::kEqual * whole);
  }
  if (!(at_from > 0.0) || at_to > 0.0) {
    const bool is_passed_at_begin =
        from == t0 && -at_from > surface_rounding(run_.dynamics.binding(), surface, t0, step.y_begin());
    if (at_to > 0.0)
      seen.t = to;
    else if (is_passed_at_begin)
      seen.t = t0;
    return seen;
  }
  seen.t =
      integrate::find_crossing([&](double t) -> Outcome<double> { return margin_on(t); }, from, at_from, to, at_to, 0.0)
          .after;
  if (is_of_time_[surface] != 0) return seen;
  const double half = 0.5 * tolerance::kBeside * whole;
  const double slope = (margin_on(std::min(seen.t + half, step.t_end())) - margin_on(std::max(seen.t - half, t0))) /
                       (std::min(seen.t + half, step.t_end()) - std::max(seen.t - half, t0));
  // If the margin is flat, its slope predicts the zero badly. So a time is rejected if |margin| there is not smaller
  // than at the last one.
  double landing = seen.t, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostLandings && slope < 0.0; ++i) {
    if (!step.step_to(landing, y_)) break;
    const double margin = margin_at(surface, upward, landing, y_);
    if (!(std::abs(margin) < least)) break;
    least = std::abs(margin);
    seen.t = landing;
    landing = std::clamp(seen.t - margin / slope, t0, step.t_end());
    if (std::abs(landing - seen.t) <= tolerance::kEqual * std::abs(seen.t)) break;
  }
  return seen;
}

}  // namespace vinculum::sim
