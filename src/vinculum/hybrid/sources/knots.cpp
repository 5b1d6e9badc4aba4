#include "vinculum/compiled/knots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/influence.hpp"
#include "vinculum/integrate/dense_polynomial.hpp"
#include "vinculum/integrate/stepper.hpp"

namespace vinculum::sim {
namespace {

constexpr double kShareOfTolerance = 0.1;  // part of the tolerance that the knots within a step may change the state by
// Next step, as a part of this one, if no single knot but all knots together exceed the limit.
constexpr double kShorterStep = 0.5;
// An argument may go further than its gradient and the rates predict, by this factor.
constexpr double kReachOfRates = 1.5;
constexpr int kPartsOfKernel = 1000;  // number of points at which the largest value of a Peano kernel is sought
constexpr int kSamples = 9;           // values of an argument along a step
constexpr int kPassesOfRoots = 2;     // Newton steps for a root, from linear interpolation on
constexpr std::size_t kOrders = Knots::kOrders;

/// A function over a step by its values at Chebyshev–Lobatto points; its argument is the part of the step, 0 to 1.
class Interpolant {
 public:
  static const std::array<double, kSamples>& parts() {
    static const std::array<double, kSamples> all = [] {
      std::array<double, kSamples> at{};
      for (int i = 0; i < kSamples; ++i)
        at[static_cast<std::size_t>(i)] = 0.5 * (1.0 - std::cos(std::numbers::pi * i / (kSamples - 1)));
      return at;
    }();
    return all;
  }
  std::array<double, kSamples> values{};

  /// Value and slope, by the barycentric formula. Source: Berrut & Trefethen, SIAM Review 46 (2004) §§5, 9.
  [[nodiscard]] std::pair<double, double> at(double part) const {
    double sum = 0.0, weights = 0.0, slope = 0.0;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double away = part - parts()[i];
      if (std::abs(away) < tolerance::kEqual) return at(part + (part < 0.5 ? 1.0 : -1.0) * tolerance::kHalfDigits);
      const double weight = (i % 2 == 0 ? 1.0 : -1.0) * (i == 0 || i + 1 == kSamples ? 0.5 : 1.0) / away;
      sum += weight * values[i];
      weights += weight;
    }
    const double value = sum / weights;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double away = part - parts()[i];
      const double weight = (i % 2 == 0 ? 1.0 : -1.0) * (i == 0 || i + 1 == kSamples ? 0.5 : 1.0) / away;
      slope += weight * (value - values[i]) / away;
    }
    return {value, slope / weights};
  }
};

/// [tables][order of a derivative of the table] ∫ of the error of this derivative, over the step.
using Effects = std::vector<std::array<double, kOrders>>;

/// A knot within a step.
struct Met {
  double part = 0.0;     ///< relative time in the step
  double slope = 0.0;    ///< of the argument, per step
  Knots::Jumps jumps{};  ///< jumps J of the derivatives at the knot
};

/// Peano kernel of the quadrature of a method: its error for (s − part)₊^degree/degree! over a step of length 1.
/// Source: Davis & Rabinowitz, Methods of Numerical Integration (1984), §4.3.
double kernel_of(std::span<const integrate::QuadratureNode> rule, double part, int degree) {
  const auto power = [degree](double x) {
    double result = 1.0;
    for (int k = 1; k <= degree; ++k) result *= x / k;
    return x > 0.0 ? result : 0.0;
  };
  double sum = power(1.0 - part) * (1.0 - part) / (degree + 1);
  for (const integrate::QuadratureNode& node : rule) sum -= node.weight * power(node.at - part);
  return sum;
}

/// Ends steps on knots of tables if the jump of a derivative there changes the step by more than a tenth of the
/// tolerance. Between knots the rates are smooth. The error of the method's quadrature at a jump J of their derivative
/// of order d is known: J (dx/dt)^d h^(d+1) K_d(part), with the Peano kernel K_d. Jumps of a smooth record cancel, so
/// such a record costs no steps, however dense it is.
/// Test: tests/hybrid/table_knots_test.cpp.
class KnotSource final : public EventSource {
 public:
  explicit KnotSource(const Watched& run)
      : run_(run),
        watches_(*run.dynamics.binding()->watches),
        knots_(watches_.knots),
        influence_(run.dynamics, run.mode),
        input_(knots_.kernel->input_count()),
        output_(knots_.kernel->output_count()),
        workspace_(knots_.kernel->workspace_size()),
        slopes_(knots_.slopes.size()),
        arguments_(knots_.tables.size()),
        inside_(knots_.tables.size()),
        polynomial_(static_cast<int>(watches_.known.size()) - 1) {}

  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override;

 private:
  void bind();
  void evaluate(double t, const Vector& y);
  [[nodiscard]] double argument(std::size_t table) const { return output_[table]; }
  void note_slopes();
  void know_rule(const integrate::Step& step);
  [[nodiscard]] bool may_meet(const integrate::Step& step);
  [[nodiscard]] bool matters_at_most(double h);
  [[nodiscard]] bool sample_arguments(const integrate::Step& step);
  void find_knots(std::size_t table);
  [[nodiscard]] bool is_even(std::size_t table) const;
  [[nodiscard]] bool is_used(std::size_t table, std::size_t order) const {
    return std::ranges::any_of(knots_.slopes, [&](const auto& one) {
      return one.table == table && static_cast<std::size_t>(one.order) == order;
    });
  }
  [[nodiscard]] double missed_of_record(std::size_t table, int order) const;
  /// Error that one knot causes in the integral of a derivative of a table over a step of length h. `order` is the
  /// order of the derivative.
  [[nodiscard]] double effect(double h, const Met& met, std::size_t order) const {
    double sum = 0.0;
    for (std::size_t d = order; d < kOrders; ++d) {
      const int degree = static_cast<int>(d - order);
      if (met.jumps[d] != 0.0)
        sum += h * met.jumps[d] * std::pow(met.slope, degree) * kernel_of(rule_, met.part, degree);
    }
    return sum;
  }
  [[nodiscard]] Effects no_effects() const { return Effects(knots_.tables.size(), {0.0, 0.0, 0.0, 0.0}); }
  [[nodiscard]] double excess_of(const Effects& effects);

  Watched run_;
  const Watches& watches_;
  const Knots& knots_;
  Influence influence_;
  bool is_bound_ = false;
  std::vector<double> bound_, constants_, input_, output_, workspace_;  ///< of the kernel of the knots
  std::vector<double> slopes_;                                          ///< largest sizes along the step
  std::vector<double> reaches_;                                         ///< [tables] how far arguments may go
  std::vector<Knots::Jumps> totals_;                                    ///< [tables] Σ |J| within reach
  std::vector<Interpolant> arguments_;                                  ///< [tables] along the step
  std::vector<std::vector<Met>> inside_;                                ///< [tables] knots found in this step
  std::vector<integrate::QuadratureNode> rule_;  ///< quadrature of the method; empty if it has none
  std::array<double, kOrders> largest_kernels_{};
  integrate::DensePolynomial polynomial_;
  Vector reached_, least_, most_, accelerations_, y_;
};

/// Uses the parameters and regions in force.
void KnotSource::bind() {
  std::vector<double> now = run_.dynamics.binding_of(run_.mode)->bound_values();
  if (is_bound_ && now == bound_) return;
  is_bound_ = true;
  bound_ = std::move(now);
  constants_ = knots_.kernel->prepare(bound_);
}

/// Reads the quadrature of the method and the largest values of its kernels.
void KnotSource::know_rule(const integrate::Step& step) {
  if (largest_kernels_.front() > 0.0) return;
  rule_ = step.quadrature();
  for (std::size_t degree = 0; degree < kOrders; ++degree)
    for (int i = 0; i <= kPartsOfKernel; ++i)
      largest_kernels_[degree] =
          std::max(largest_kernels_[degree],
                   std::abs(kernel_of(rule_, static_cast<double>(i) / kPartsOfKernel, static_cast<int>(degree))));
}

void KnotSource::evaluate(double t, const Vector& y) {
  input_[0] = t;
  std::copy_n(y.data(), y.size(), input_.data() + 1);
  knots_.kernel->evaluate(input_.data(), constants_.data(), output_.data(), workspace_.data());
}

void KnotSource::note_slopes() {
  for (std::size_t j = 0; j < slopes_.size(); ++j) {
    const double slope = std::abs(output_[knots_.tables.size() + j]);
    if (std::isfinite(slope)) slopes_[j] = std::max(slopes_[j], slope);
  }
}

/// Whether an argument may pass a knot with a jump, from its values at both ends, its gradient and the rates of the
/// step. Stores how far each argument may go, and the jumps within reach.
bool KnotSource::may_meet(const integrate::Step& step) {
  const std::size_t count = knots_.tables.size();
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  const auto arguments_at = [&](double t, const Vector& y) {
    evaluate(t, y);
    return std::vector<double>(output_.begin(), output_.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::ranges::fill(slopes_, 0.0);
  const std::vector<double> ends = arguments_at(step.t_end(), step.y_end());
  note_slopes();
  const std::vector<double> begins = arguments_at(t0, step.y_begin());
  note_slopes();
  const bool has_rates = step.rates(least_, most_);
  const int nq = run_.dynamics.binding()->nq(), nu = run_.dynamics.binding()->nu();
  accelerations_ = Vector::Zero(nu);
  reaches_.assign(count, 0.0);
  if (has_rates) {
    const Vector fastest = least_.cwiseAbs().cwiseMax(most_.cwiseAbs());
    accelerations_ = fastest.segment(nq, nu);
    y_ = step.y_begin();
    for (Eigen::Index i = 0; i < y_.size(); ++i) {
      if (fastest[i] == 0.0) continue;
      const double own = y_[i];
      y_[i] = own + h * fastest[i];
      const std::vector<double> moved = arguments_at(t0, y_);
      for (std::size_t k = 0; k < count; ++k) reaches_[k] += std::abs(moved[k] - begins[k]);
      y_[i] = own;
    }
  }
  const std::vector<double> later = arguments_at(t0 + h, step.y_begin());
  totals_.assign(count, {});
  bool is_any = false;
  for (std::size_t k = 0; k < count; ++k) {
    reaches_[k] = std::max(reaches_[k] + std::abs(later[k] - begins[k]), std::abs(ends[k] - begins[k]));
    const double margin = has_rates ? kReachOfRates * reaches_[k] : std::numeric_limits<double>::infinity();
    const bool is_simple = knots_.tables[k].is_of_time && has_rates;
    totals_[k] = knots_.tables[k].total(std::min(begins[k], ends[k]) - (is_simple ? 0.0 : margin),
                                        std::max(begins[k], ends[k]) + (is_simple ? 0.0 : margin));
    is_any = is_any || std::ranges::any_of(totals_[k], [](double sum) { return sum > 0.0; });
  }
  return is_any;
}

/// Samples the arguments along the dense polynomial of a step.
/// \returns false if there is no such polynomial.
bool KnotSource::sample_arguments(const integrate::Step& step) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  const bool is_of_time = std::ranges::all_of(knots_.tables, [](const Knots::Table& one) { return one.is_of_time; });
  if (!is_of_time && !polynomial_.read(step)) return false;
  y_ = step.y_begin();
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double part = Interpolant::parts()[i];
    if (!is_of_time) integrate::DensePolynomial::evaluate(polynomial_.coefficients(), part, y_);
    evaluate(t0 + part * h, y_);
    note_slopes();
    for (std::size_t k = 0; k < arguments_.size(); ++k) arguments_[k].values[i] = argument(k);
  }
  for (std::vector<Met>& met : inside_) met.clear();
  return true;
}

/// Finds the knots of a table within the step.
/// \pre `sample_arguments`
void KnotSource::find_knots(std::size_t k) {
  const Knots::Table& table = knots_.tables[k];
  if (!inside_[k].empty()) return;
  for (std::size_t i = 0; i + 1 < kSamples; ++i) {
    const double a = arguments_[k].values[i], b = arguments_[k].values[i + 1];
    const double from = Interpolant::parts()[i], to = Interpolant::parts()[i + 1];
    if (!(std::min(a, b) < std::max(a, b))) continue;  // the argument is constant, or outside of the table
    if (table.knots.empty()) continue;
    const std::ptrdiff_t last = table.first_knot(std::max(a, b), true);
    for (std::ptrdiff_t k_at = table.first_knot(std::min(a, b), true); k_at < last; ++k_at) {
      const Knots::Jumps& jumps = table.jump(k_at);
      if (std::ranges::all_of(jumps, [](double jump) { return jump == 0.0; })) continue;
      const double knot = table.knot(k_at);
      double part = from + (knot - a) / (b - a) * (to - from);
      auto [value, slope] = arguments_[k].at(part);
      for (int pass = 0; pass < kPassesOfRoots && slope != 0.0; ++pass) {
        part = std::clamp(part + (knot - value) / slope, from, to);
        std::tie(value, slope) = arguments_[k].at(part);
      }
      inside_[k].push_back({part, slope, jumps});
    }
  }
}

/// The change of the state that these effects of knots cause, divided by the allowed change (kShareOfTolerance of the
/// tolerance); the largest over the components. `effects` are by table and order of its derivative.
double KnotSource::excess_of(const Effects& effects) {
  influence_.begin();
  for (std::size_t j = 0; j < slopes_.size(); ++j) {
    const Knots::Slope& slope = knots_.slopes[j];
    const double by = slopes_[j] * std::abs(effects[slope.table][static_cast<std::size_t>(slope.order)]);
    influence_.add(watches_.places[slope.equation], by, accelerations_);
  }
  const Vector& change = influence_.rates();
  double excess = 0.0;
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    const double size = reached_[i] > 0.0 ? reached_[i] : tolerance::kFloor * run_.dynamics.scale()[i];
    excess = std::max(excess, change[i] / (kShareOfTolerance * run_.tolerance * size));
  }
  return excess;
}

/// Error of the method's quadrature for a derivative of a spline whose argument is linear in time. Needs no search for
/// knots.
double KnotSource::missed_of_record(std::size_t table, int order) const {
  const Knots::Table& record = knots_.tables[table];
  const double from = arguments_[table].values.front(), way = arguments_[table].values.back() - from;
  double terms = std::abs(record.value(from, order - 1)) + std::abs(record.value(from + way, order - 1));
  double miss = (record.value(from + way, order - 1) - record.value(from, order - 1)) / way;
  terms /= std::abs(way);
  for (const integrate::QuadratureNode& node : rule_) {
    const double term = node.weight * record.value(from + node.at * way, order);
    miss -= term;
    terms += std::abs(term);
  }
  return std::max(std::abs(miss) - tolerance::kRounded * terms, 0.0);
}

/// Whether an argument is linear in time along the step.
bool KnotSource::is_even(std::size_t table) const {
  const auto& values = arguments_[table].values;
  const double way = values.back() - values.front();
  for (std::size_t i = 0; i < kSamples; ++i)
    if (!(std::abs(values[i] - values.front() - Interpolant::parts()[i] * way) <=
          tolerance::kZero * (std::abs(values.front()) + std::abs(values.back()))))
      return false;
  return way != 0.0;
}

/// Whether all knots within reach, whatever the signs of their jumps, may exceed the limit.
bool KnotSource::matters_at_most(double h) {
  Effects bounds = no_effects();
  for (std::size_t k = 0; k < bounds.size(); ++k)
    for (std::size_t order = 0; order < kOrders; ++order)
      for (std::size_t d = order; d < kOrders; ++d)
        if (totals_[k][d] > 0.0)
          bounds[k][order] += h * totals_[k][d] * std::pow(reaches_[k], d - order) * largest_kernels_[d - order];
  return excess_of(bounds) > 1.0;
}

Outcome<void> KnotSource::check(const integrate::Step& step, std::vector<Found>& found) {
  if (reached_.size() == 0) reached_ = step.y_begin().cwiseAbs();
  reached_ = reached_.cwiseMax(step.y_end().cwiseAbs());
  bind();
  if (!may_meet(step)) return {};
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  know_rule(step);
  influence_.read(t0, step.y_begin());
  if (!matters_at_most(h) || !sample_arguments(step)) return {};
  Effects sums = no_effects(), ones = no_effects();
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const bool is_record = is_even(k) && !rule_.empty();
    if (!is_record) find_knots(k);
    for (std::size_t order = 0; order < kOrders; ++order) {
      if (!is_used(k, order)) continue;
      double& sum = sums[k][order];
      if (is_record) sum = h * missed_of_record(k, static_cast<int>(order));
      if (is_record) continue;
      for (const Met& met : inside_[k]) sum += effect(h, met, order);
    }
  }
  if (!(excess_of(sums) > 1.0)) return {};
  // The first knot that exceeds the limit by itself; if there is none, a step half as long.
  double first = 1.0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    find_knots(k);
    for (std::size_t order = 0; order < kOrders; ++order) {
      if (!is_used(k, order)) continue;
      ones[k][order] = 1.0;
      const double of_one = excess_of(ones);
      ones[k][order] = 0.0;
      for (const Met& met : inside_[k])
        if (of_one * std::abs(effect(h, met, order)) > 1.0) first = std::min(first, met.part);
    }
  }
  const double shortest = std::max(tolerance::kSameEvent, kLastPlaces * std::abs(t0) / h);
  if (first >= 1.0 - shortest) first = kShorterStep;
  if (first > shortest) found.push_back({t0, integrate::Action::kRetake, {}, first * h});
  return {};
}

}  // namespace

std::unique_ptr<EventSource> make_knot_source(const Watched& run) {
  const auto& watches = run.dynamics.binding()->watches;
  return watches && !watches->knots.is_empty() ? std::make_unique<KnotSource>(run) : nullptr;
}

}  // namespace vinculum::sim
