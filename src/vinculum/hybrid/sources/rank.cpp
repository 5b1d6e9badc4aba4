#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/sources/rank_failures.hpp"
#include "vinculum/integrate/lowest.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/row_space.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;
using integrate::Step;

constexpr double kTolerancesOfZero = 10.0;  // what the integration cannot resolve is zero too
constexpr double kTurn = 0.5;               // cosine of the turn within a step that is looked into: 60 degrees
constexpr double kShortened = 0.1;          // change of length that is looked into
constexpr double kStepsAhead = 10.0;        // steps shrink towards a zero
constexpr double kShortStep = 0.01;         // of the recent steps: so short a step is looked into always
constexpr double kAroundStart = 0.05;       // of typical sizes: states near the start
constexpr int kStatesAround = 4;
constexpr std::size_t kReadingsKept = 8;  // of rows, where searches for jumps begin and halve first
constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kReaches = 10;  // powers of ten of the run's length that a stall is looked into ahead

/// Watches the constraint gradients along a run, inside steps too: where one vanishes or jumps the motion stops being
/// unique and the run must end there; where several become dependent for an instant the motion goes on, and it is
/// noted.
///
/// Accelerations may be smooth through such a point (Appell's rising particle moves with constant ones), so that
/// neither step control nor residuals notice. What does change is a gradient's direction: it turns about. So every
/// accepted step compares directions and lengths at its ends, and looks into the step with the dense output where they
/// differ much. Residuals of the rows at the ends of steps come with the gradients.
class RankSource final : public EventSource {
 public:
  explicit RankSource(const Watched& run);
  std::optional<Failure> begin(Transition& start, RunRecord& run) override;
  Outcome<void> check(const Step& step, std::vector<Found>& found) override;
  void keep(const Step& step, Mode& mode, RunRecord& run) override;
  Outcome<void> pass(const Found& found, Transition& to) override;
  std::optional<Failure> explain(double t, const Vector& y) override;

 private:
  using Path = std::function<bool(double t, Vector& y)>;
  /// Rows along a path where searches for jumps of all rows look first.
  struct Readings {
    struct At {
      double t;
      Vector y;
      numeric::SparseRows A;
    };
    std::vector<At> first;
  };

  [[nodiscard]] int find_space(double t, const Vector& y);
  void weigh_row(const numeric::SparseRows& A, int i, Vector& row) const;
  [[nodiscard]] bool read(const Path& path, double t);
  [[nodiscard]] bool look(const Path& path, double t);
  [[nodiscard]] integrate::LowestOfEach shortest(const Path& path, double begin, double end);
  [[nodiscard]] const numeric::SparseRows* recall(const Path& path, double t, Readings& readings);
  [[nodiscard]] std::optional<Failure> jump(const Path& path, double begin, double end, int k, Readings& readings);
  [[nodiscard]] double still_to_go(const Path& path, const integrate::Lowest& lowest, double begin, double end, int k);
  [[nodiscard]] std::optional<Failure> judge_zero(const Path& path, double t, int k, double beyond);
  [[nodiscard]] bool has_constraint_vanished(int k) const;
  [[nodiscard]] std::optional<Failure> judge_vanished(double t, int k);
  [[nodiscard]] Path straight_path(double t, const Vector& y);
  [[nodiscard]] bool is_plain(int k) const;
  [[nodiscard]] std::optional<Failure> check_rows(const Step& step, bool is_finite);
  [[nodiscard]] Near comes_near(const Vector& was, const RowSpace::Freed& now) const;
  [[nodiscard]] bool rests_where_rank_drops(const RowSpace::Freed& freed, const Vector& y) const;
  [[nodiscard]] int row_of(int k) const { return space_->rows()[static_cast<std::size_t>(k)]; }
  [[nodiscard]] double zero(int k) const { return threshold_ * reference_[k]; }
  /// Whether freed row k is that short, and whether the row itself is.
  [[nodiscard]] bool is_zero(double length, int k) const { return length < zero(k); }
  [[nodiscard]] bool is_zero_itself(double length, int k) const { return length < threshold_ * own_reference_[k]; }
  void remember(const RowSpace::Freed& freed) {
    reference_ = reference_.cwiseMax(freed.length);
    own_reference_ = own_reference_.cwiseMax(freed.own_length);
  }

  Watched run_;
  const Binding& bound_;
  double threshold_;
  bool is_active_;
  Vector weight_;  ///< [nu] typical speeds
  RankFailures says_;
  std::optional<RowSpace> space_;
  Vector reference_;      ///< [rank] largest length of each freed row so far
  Vector own_reference_;  ///< [rank] largest length of each row itself
  RowSpace::Freed before_, after_, inside_;
  numeric::SparseRows A_, A_inside_;
  Vector residual_, residual_inside_, y_inside_;
  std::vector<RankDrop> drops_;  ///< found in the step at hand
  bool has_looked_ = false;      ///< into it
  double looked_at_ = kNever;    ///< along the path at hand: where `inside_` is
  double judged_at_ = kNever;    ///< and rows that became dependent were found to let the motion go on
  double last_drop_ = kNever;
  Pace pace_;
};

RankSource::RankSource(const Watched& run)
    : run_(run),
      bound_(run.dynamics.binding()),
      threshold_(std::max(tolerance::kVanished, kTolerancesOfZero * run.tolerance)),
      is_active_(std::ranges::any_of(bound_->gradient_varies, [](char varies) { return varies != 0; })),
      weight_(run.dynamics.scale().segment(bound_->nq(), bound_->nu())),
      says_(bound_, weight_) {}

/// The rank that the constraints have around the start, and how long their gradients are there. \returns that at the
/// start.   \pre A_ there
int RankSource::find_space(double t, const Vector& y) {
  numeric::SparseRows A, typical = A_;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  space_.emplace(A_, weight_);
  const int rank_at_start = space_->rank();
  for (int neighbour = 0; neighbour < kStatesAround && space_->rank() < bound_->nc(); ++neighbour) {
    Vector near = y;
    for (Eigen::Index i = 0; i < near.size(); ++i) near[i] += kAroundStart * run_.dynamics.scale()[i] * uniform(random);
    if (!run_.dynamics.project(run_.mode, t, near.data())) continue;
    EquationsOf(run_.dynamics).gradients(run_.mode, t, near.data(), A, residual_inside_);
    if (!A.values.allFinite()) continue;
    RowSpace there(A, weight_);
    if (there.rank() <= space_->rank()) continue;
    space_ = std::move(there);
    typical = A;
  }
  space_->free_rows(typical, before_);
  reference_ = before_.length;
  own_reference_ = before_.own_length;
  return rank_at_start;
}

/// Entries of row i of A in typical speeds.
void RankSource::weigh_row(const numeric::SparseRows& A, int i, Vector& row) const {
  row = A.row(i);
  int at = A.pattern->begin(i);
  for (double& entry : row) entry *= weight_[A.pattern->column_of(at++)];
}

std::optional<Failure> RankSource::begin(Transition& start, RunRecord& run) {
  const double t = start.t;
  const Vector& y = start.y;
  EquationsOf(run_.dynamics).gradients(start.mode, t, y.data(), A_, residual_);
  run.note_residuals(t, residual_, bound_);
  if (!is_active_) return std::nullopt;
  const int rank_at_start = find_space(t, y);
  for (int row = 0; row < bound_->nc(); ++row) {
    if (!A_.row(row).allFinite() && std::isfinite(residual_[row])) return says_.not_unique(t, y, row, "does not exist");
  }
  space_->free_rows(A_, before_);
  std::vector<int> dependent;
  for (int k = 0; k < space_->rank(); ++k) {
    if (before_.own_length[k] < tolerance::kVanished * own_reference_[k])
      return says_.not_unique(t, y, row_of(k), RankFailures::kVanishes);
    if (before_.length[k] < tolerance::kVanished * reference_[k]) dependent.push_back(row_of(k));
  }
  if (rank_at_start < space_->rank()) {
    start.events.push_back(RankDrop{t, rank_at_start, space_->rank()});
    last_drop_ = t;
    if (rests_where_rank_drops(before_, y)) {
      const std::string of_dependent =
          dependent.empty() ? ""
                            : fmt::format(" (`{}` restricts what {} do)", bound_->row_name(dependent.front()),
                                          says_.others_of(A_.dense(), dependent.front()));
      return says_.lost_rank(
          t, dependent,
          fmt::format("the constraints have rank {} here and {} nearby{}, and the motion rests: it can go "
                      "on along several branches",
                      rank_at_start, space_->rank(), of_dependent));
    }
  }
  remember(before_);
  return std::nullopt;
}

/// Whether the speeds that the dependent rows act on are all zero, in typical speeds.
bool RankSource::rests_where_rank_drops(const RowSpace::Freed& freed, const Vector& y) const {
  double fastest = 0.0;
  for (int k = 0; k < space_->rank(); ++k) {
    if (!is_zero(freed.length[k], k)) continue;
    const numeric::SparsePattern& pattern = bound_->gradient_pattern;
    for (int at = pattern.begin(row_of(k)); at < pattern.end(row_of(k)); ++at) {
      const int j = pattern.column_of(at);
      fastest = std::max(fastest, std::abs(y[bound_->nq() + j]) / weight_[j]);
    }
  }
  return fastest < threshold_;
}

bool RankSource::read(const Path& path, double t) {
  has_looked_ = true;
  looked_at_ = judged_at_ = kNever;
  if (!path(t, y_inside_)) return false;
  EquationsOf(run_.dynamics).gradients(run_.mode, t, y_inside_.data(), A_inside_, residual_inside_);
  return true;
}

/// Rows at t into `inside_`. \returns false where they do not exist.
bool RankSource::look(const Path& path, double t) {
  if (t == looked_at_) return true;
  if (!read(path, t) || !A_inside_.values.allFinite()) return false;
  space_->free_rows(A_inside_, inside_);
  looked_at_ = t;
  return true;
}

/// The shortest that each freed row becomes in [begin, end].
integrate::LowestOfEach RankSource::shortest(const Path& path, double begin, double end) {
  const auto lengths = [this, &path](double t, Vector& at) {
    if (!look(path, t)) return false;
    at = inside_.length;
    return true;
  };
  return {lengths, begin, end};
}

/// Rows at t, also where they were read before, and `y_inside_`. \returns none where the path cannot be read.
const numeric::SparseRows* RankSource::recall(const Path& path, double t, Readings& readings) {
  const auto known = std::ranges::find(readings.first, t, &Readings::At::t);
  if (known != readings.first.end()) {
    y_inside_ = known->y;
    looked_at_ = kNever;
    return &known->A;
  }
  if (!read(path, t)) return nullptr;
  if (readings.first.size() < kReadingsKept) readings.first.push_back({t, y_inside_, A_inside_});
  return &A_inside_;
}

/// Where the gradient of row k jumps from one direction to another. Freed rows do not serve here: they turn about
/// wherever rows become dependent.
std::optional<Failure> RankSource::jump(const Path& path, double begin, double end, int k, Readings& readings) {
  const auto read_row = [&](double t, Vector& row) {
    const numeric::SparseRows* const A = recall(path, t, readings);
    if (A == nullptr) return false;
    weigh_row(*A, row_of(k), row);
    return row.allFinite();
  };
  const auto found = integrate::find_jump(read_row, begin, end);
  if (!found) return std::nullopt;
  if (found->exists && is_zero_itself(found->shorter, k)) return judge_zero(path, found->t, k, 0.0);
  return says_.not_unique(found->t, y_inside_, row_of(k), found->exists ? "jumps" : "does not exist");
}

/// A row that is almost zero at the end of a step becomes so this much later, by its rate: over a little of the step
/// for its curvature, over the whole of one so short that the little shows nothing but rounding.
double RankSource::still_to_go(const Path& path, const integrate::Lowest& lowest, double begin, double end, int k) {
  const double h = end - begin;
  if (lowest.t < end - tolerance::kBeside * h) return 0.0;
  for (const double back : {0.1 * h, h}) {
    if (!look(path, end - back)) return 0.0;
    if (inside_.length[k] < (back < h ? 2.0 : 1.0) * lowest.length) continue;
    const double ahead = lowest.length * back / (inside_.length[k] - lowest.length);
    return ahead < kStepsAhead * h ? ahead : 0.0;
  }
  return 0.0;
}

/// Whether all rows of the constraint of row k are zero. A joint's row that is zero beside others that are not is one
/// that depends on them: a linkage in angles loses rank at a flat pose by its first row, in coordinates by its
/// last.   \pre `look` there, and row k is zero
bool RankSource::has_constraint_vanished(int k) const {
  const auto constraint_of = [this](int other) {
    return bound_->system->rows[static_cast<std::size_t>(row_of(other))].constraint;
  };
  const auto is_of_it = [&](int other) { return constraint_of(other) == constraint_of(k); };
  int first = k;  // rows of a constraint stand together
  while (first > 0 && is_of_it(first - 1)) --first;
  for (int other = first; other < space_->rank() && is_of_it(other); ++other) {
    if (!is_zero_itself(inside_.own_length[other], other)) return false;
  }
  return true;
}

/// The gradient itself of row k is zero at t: do other rows take its place?   \pre `look` there
std::optional<Failure> RankSource::judge_vanished(double t, int k) {
  // Rows whose gradient has vanished must not count by their rounding.
  numeric::SparseRows A = A_inside_;
  Vector row;
  for (int i = 0; i < A.pattern->rows(); ++i) {
    weigh_row(A, i, row);
    if (row.norm() < threshold_ * own_reference_.maxCoeff()) A.row(i).setZero();
  }
  RowSpace there(A, weight_);
  if (there.rank() < space_->rank()) return says_.not_unique(t, y_inside_, row_of(k), RankFailures::kVanishes);
  space_ = std::move(there);
  space_->free_rows(A_inside_, after_);
  reference_ = after_.length;
  own_reference_ = after_.own_length;
  return std::nullopt;
}

/// Freed row k is zero at t: is it the gradient itself, or do rows become dependent?
/// \param beyond  how far behind t the zero lies, where it has not quite been reached at t.
std::optional<Failure> RankSource::judge_zero(const Path& path, double t, int k, double beyond) {
  if (!look(path, t)) return std::nullopt;
  if (is_zero_itself(inside_.own_length[k], k) && has_constraint_vanished(k)) return judge_vanished(t + beyond, k);
  if (t == judged_at_) return std::nullopt;
  if (t - (drops_.empty() ? last_drop_ : drops_.back().t) > tolerance::kNearSingular * pace_.longest) {
    numeric::SparseRows A = A_inside_;
    for (int i = 0; i < space_->rank(); ++i)
      if (inside_.own_length[i] < tolerance::kNearSingular * own_reference_[i]) A.row(row_of(i)).setZero();
    const int rank = rank_in_order(A, weight_, tolerance::kNearSingular);
    drops_.push_back({t, std::min(rank, space_->rank() - 1), space_->rank()});
  }
  if (!rests_where_rank_drops(inside_, y_inside_)) {
    judged_at_ = t;
    return std::nullopt;
  }
  return says_.lost_rank(
      t, {row_of(k)},
      fmt::format("constraint `{}` depends on {} here and the motion comes to rest: it can go on along "
                  "several branches",
                  bound_->row_name(row_of(k)), says_.others_of(A_inside_.dense(), row_of(k))));
}

RankSource::Path RankSource::straight_path(double t0, const Vector& y0) {
  Vector y_dot(y0.size());
  if (!run_.dynamics.derivative(run_.mode, t0, y0.data(), y_dot.data())) {
    y_dot.setZero();  // what has no accelerations any more still moves on
    Matrices at;
    EquationsOf(run_.dynamics).matrices_as_they_are(run_.mode, t0, y0.data(), at);
    if (at.q_dot.allFinite()) y_dot.head(bound_->nq()) = at.q_dot;
  }
  return [t0, y0, y_dot](double t, Vector& y) {
    y = y0 + (t - t0) * y_dot;
    return true;
  };
}

/// Freed row k has neither turned nor shortened much in the step, nor is it zero, as behind many short steps to a zero.
bool RankSource::is_plain(int k) const {
  const auto [shorter, longer] = std::minmax({before_.length[k], after_.length[k]});
  return RowSpace::cosine(before_, after_, k) >= kTurn && shorter >= kShortened * longer && !is_zero(shorter, k);
}

/// The rows one by one, from before_ to after_.
std::optional<Failure> RankSource::check_rows(const Step& step, bool is_finite) {
  const double begin = step.t_begin(), end = step.t_end();
  const Path dense = [&step](double t, Vector& y) { return static_cast<bool>(step.interpolate(t, y)); };
  int k = 0;  // mostly there is nothing to look for
  while (k < space_->rank() && is_finite && is_plain(k)) ++k;
  if (k == space_->rank()) return std::nullopt;
  looked_at_ = kNever;
  integrate::LowestOfEach shortest_of = shortest(dense, begin, end);
  Readings of_dense;
  for (; k < space_->rank(); ++k) {
    if (is_finite && is_plain(k)) continue;
    if (const auto lowest = shortest_of.find(k, zero(k)); lowest && is_zero(lowest->length, k)) {
      const std::vector<int> rows = space_->rows();
      if (auto end_here = judge_zero(dense, lowest->t, k, still_to_go(dense, *lowest, begin, end, k))) return end_here;
      if (space_->rows() != rows) break;
      continue;
    }
    if (!jump(dense, begin, end, k, of_dense)) continue;
    Readings of_straight;
    if (auto end_here = jump(straight_path(begin, step.y_begin()), begin, end, k, of_straight)) return end_here;
  }
  return std::nullopt;
}

Outcome<void> RankSource::check(const Step& step, std::vector<Found>& found) {
  EquationsOf(run_.dynamics).gradients(run_.mode, step.t_end(), step.y_end().data(), A_, residual_);
  if (!is_active_) return {};
  const double begin = step.t_begin(), end = step.t_end();
  const bool is_finite = A_.values.allFinite();
  if (is_finite) space_->free_rows(A_, after_);
  drops_.clear();
  has_looked_ = false;
  std::optional<Failure> reason;
  // Across a jump stages average both sides, the end may look as if nothing had happened, and the dense output is
  // worthless; but the step is then so short that a straight line from its begin serves.
  const bool has_collapsed = end - begin < kShortStep * pace_.longest;
  pace_.join(end - begin);
  if (has_collapsed) {
    const Path straight = straight_path(begin, step.y_begin());
    Readings of_straight;
    for (int k = 0; k < space_->rank() && !reason; ++k) reason = jump(straight, begin, end, k, of_straight);
  }
  if (!reason) reason = check_rows(step, is_finite);
  for (const RankDrop& drop : drops_) found.push_back({drop.t, Action::kMark});
  if (reason) found.push_back({reason->t, Action::kStop, reason});
  return {};
}

void RankSource::keep(const Step& step, Mode& mode, RunRecord& run) {
  run.note_residuals(step.t_end(), residual_, bound_);
  if (!is_active_) return;
  std::swap(before_, after_);
  if (has_looked_) {  // branches are those there
    EquationsOf(run_.dynamics).gradients(run_.mode, step.t_end(), step.y_end().data(), A_, residual_);
    space_->free_rows(A_, before_);
  }
  remember(before_);
  set_near_singular(mode, comes_near(after_.length, before_), run_.dynamics.formulation());
}

/// What is about to become zero within a step as long as that from `was` to `now`, or is.
Near RankSource::comes_near(const Vector& was, const RowSpace::Freed& now) const {
  Near what = Near::kNothing;
  for (int k = 0; k < space_->rank(); ++k) {
    if (std::min(now.length[k], 2.0 * now.length[k] - was[k]) >= kNearlyDependent * reference_[k]) continue;
    if (now.length[k] < kShortened * now.own_length[k]) return Near::kDependence;
    what = Near::kShortRows;
  }
  return what;
}

Outcome<void> RankSource::pass(const Found& found, Transition& to) {
  const auto drop = std::ranges::find(drops_, found.t, &RankDrop::t);
  to.events.push_back(*drop);
  last_drop_ = drop->t;
  return {};
}

std::optional<Failure> RankSource::explain(double t, const Vector& y) {
  if (!is_active_) return std::nullopt;
  const Path ahead = straight_path(t, y);
  double reach = tolerance::kSameTime * run_.duration;
  for (int i = 0; i < kReaches; ++i, reach *= 10.0) {
    looked_at_ = kNever;
    integrate::LowestOfEach shortest_of = shortest(ahead, t, t + reach);
    Readings of_ahead;
    for (int k = 0; k < space_->rank(); ++k) {
      const int row = row_of(k);
      if (const auto lowest = shortest_of.find(k, zero(k)); lowest && is_zero(lowest->length, k)) {
        if (auto found = judge_zero(ahead, lowest->t, k, 0.0)) return found;
        return says_.lost_rank(
            t, {row},
            fmt::format("constraint `{}` becomes dependent on {} here and the motion cannot be carried across",
                        bound_->row_name(row), says_.others_of(A_inside_.dense(), row)));
      }
      if (auto found = jump(ahead, t, t + reach, k, of_ahead)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<EventSource> make_rank_source(const Watched& run) { return std::make_unique<RankSource>(run); }

}  // namespace vinculum::sim
