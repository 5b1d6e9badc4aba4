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
#include "vinculum/motion/jumps.hpp"
#include "vinculum/motion/row_space.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;
using integrate::Step;

// A row that is shorter than this many tolerances counts as zero, since the integration cannot resolve it.
constexpr double kTolerancesOfZero = 10.0;
constexpr double kTurn = 0.5;  // cosine of the turn of a row in a step, below which the step is examined: 60 degrees
constexpr double kShortened = 0.1;    // a row that shrinks to less than this part of its length makes the step examined
constexpr double kStepsAhead = 10.0;  // how many steps ahead a zero may lie, since steps shrink towards it
constexpr double kShortStep = 0.01;   // part of recent steps: a step as short as this is always examined
constexpr double kAroundStart = 0.05;     // distance of the states around the start, relative to typical sizes
constexpr int kStatesAround = 4;          // number of these states
constexpr std::size_t kReadingsKept = 8;  // gradients at the first instants of a search for jumps, which all rows share
constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kReaches = 10;  // decades of time, from kSameTime of the run on, in which the cause of a stall is sought

/// Monitors the constraint gradients along a run, also within steps. If a gradient vanishes or jumps, the motion is no
/// longer unique and the run ends. If several become dependent for an instant, the motion goes on, and this is
/// recorded.
///
/// Accelerations may be smooth through such a point (Appell's rising particle has constant ones), so that neither step
/// control nor residuals notice it. But the direction of a gradient reverses there. So every accepted step compares
/// directions and lengths of the gradients at its ends, and if they differ much examines the step on the dense output.
/// The residuals of the rows at the ends of steps are by-products.
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
  /// Gradients along a path at the instants where searches for jumps begin, shared by all rows.
  struct Readings {
    struct At {
      double t;
      Vector y;
      numeric::SparseRows A;
    };
    std::vector<At> first;
  };

  [[nodiscard]] int find_space(double t, const Vector& y);
  void restart(const Step& step);
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
  /// Whether the orthogonalized row k is zero, and whether the row itself is.
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
  std::vector<char> acts_;  ///< [nc] rows that act, as of the last step
  Vector weight_;           ///< [nu] typical speeds
  RankFailures says_;
  std::optional<RowSpace> space_;
  Vector reference_;      ///< [rank] largest length of each orthogonalized row so far
  Vector own_reference_;  ///< [rank] largest length of each row itself so far
  RowSpace::Freed before_, after_, inside_;
  numeric::SparseRows A_, A_inside_;
  Vector residual_, residual_inside_, y_inside_;
  std::vector<RankDrop> drops_;  ///< found in the present step
  bool has_looked_ = false;      ///< whether the present step has been examined
  struct Times {
    double looked_at = kNever;  ///< when `inside_` was evaluated along the present path
    double judged_at = kNever;  ///< when dependent rows were found not to end the motion
    double last_drop = kNever;
  } times_;
  Pace pace_;
};

RankSource::RankSource(const Watched& run)
    : run_(run),
      bound_(run.dynamics.binding()),
      threshold_(std::max(tolerance::kVanished, kTolerancesOfZero * run.tolerance)),
      is_active_(std::ranges::any_of(bound_->gradient_varies, [](char varies) { return varies != 0; })),
      weight_(run.dynamics.scale().segment(bound_->nq(), bound_->nu())),
      says_(bound_, weight_) {}

/// Finds the rank of the constraints around the start, and typical lengths of their gradients.
/// \returns the rank at the start.
/// \pre A_ at the start
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

/// Entries of row i of A, weighted by typical speeds.
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
  acts_ = acting_rows(run_.dynamics, start.mode);
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
    times_.last_drop = t;
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

/// Whether the speeds in the dependent rows are all zero, relative to typical speeds.
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
  times_.looked_at = times_.judged_at = kNever;
  if (!path(t, y_inside_)) return false;
  EquationsOf(run_.dynamics).gradients(run_.mode, t, y_inside_.data(), A_inside_, residual_inside_);
  return true;
}

/// Reads the gradients at t into `inside_`.
/// \returns false if they do not exist.
bool RankSource::look(const Path& path, double t) {
  if (t == times_.looked_at) return true;
  if (!read(path, t) || !A_inside_.values.allFinite()) return false;
  space_->free_rows(A_inside_, inside_);
  times_.looked_at = t;
  return true;
}

/// Searches for the smallest length of each orthogonalized row in [begin, end].
integrate::LowestOfEach RankSource::shortest(const Path& path, double begin, double end) {
  const auto lengths = [this, &path](double t, Vector& at) {
    if (!look(path, t)) return false;
    at = inside_.length;
    return true;
  };
  return {lengths, begin, end};
}

/// Gradients at t, from memory if they were read before, with the state in `y_inside_`.
/// \returns null if the path cannot be evaluated.
const numeric::SparseRows* RankSource::recall(const Path& path, double t, Readings& readings) {
  const auto known = std::ranges::find(readings.first, t, &Readings::At::t);
  if (known != readings.first.end()) {
    y_inside_ = known->y;
    times_.looked_at = kNever;
    return &known->A;
  }
  if (!read(path, t)) return nullptr;
  if (readings.first.size() < kReadingsKept) readings.first.push_back({t, y_inside_, A_inside_});
  return &A_inside_;
}

/// Finds an instant where the gradient of row k jumps from one direction to another. Orthogonalized rows do not serve
/// here: they reverse wherever rows become dependent.
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

/// A row that is almost zero at the end of a step becomes zero this much later, extrapolated by its rate. The rate is
/// taken over a short part of the step because of curvature; in a very short step, whose part would show only rounding
/// errors, over the whole step.
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

/// Whether all rows of the constraint of row k are zero. If a row of a joint is zero but others of the joint are not,
/// the row depends on them: a linkage in angles loses rank at a flat configuration by its first row, one in coordinates
/// by its last.
/// \pre `look` there, and row k is zero
bool RankSource::has_constraint_vanished(int k) const {
  const auto constraint_of = [this](int other) {
    return bound_->system->rows[static_cast<std::size_t>(row_of(other))].constraint;
  };
  const auto is_of_it = [&](int other) { return constraint_of(other) == constraint_of(k); };
  int first = k;  // rows of a constraint are consecutive
  while (first > 0 && is_of_it(first - 1)) --first;
  for (int other = first; other < space_->rank() && is_of_it(other); ++other) {
    if (!is_zero_itself(inside_.own_length[other], other)) return false;
  }
  return true;
}

/// The gradient of row k is zero at t: decides whether other rows take its place.
/// \pre `look` there
std::optional<Failure> RankSource::judge_vanished(double t, int k) {
  // Rows whose gradient has vanished must not count by their rounding errors.
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

/// The orthogonalized row k is zero at t: decides whether its gradient vanishes or rows become dependent.
/// \param beyond  [s] how much later than t the zero lies, if it is not quite reached at t
std::optional<Failure> RankSource::judge_zero(const Path& path, double t, int k, double beyond) {
  if (!look(path, t)) return std::nullopt;
  if (is_zero_itself(inside_.own_length[k], k) && has_constraint_vanished(k)) return judge_vanished(t + beyond, k);
  if (t == times_.judged_at) return std::nullopt;
  if (t - (drops_.empty() ? times_.last_drop : drops_.back().t) > tolerance::kNearSingular * pace_.longest) {
    numeric::SparseRows A = A_inside_;
    for (int i = 0; i < space_->rank(); ++i)
      if (inside_.own_length[i] < tolerance::kNearSingular * own_reference_[i]) A.row(row_of(i)).setZero();
    const int rank = rank_in_order(A, weight_, tolerance::kNearSingular);
    drops_.push_back({t, std::min(rank, space_->rank() - 1), space_->rank()});
  }
  if (!rests_where_rank_drops(inside_, y_inside_)) {
    times_.judged_at = t;
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
    y_dot.setZero();  // without accelerations, the configuration still moves
    Matrices at;
    EquationsOf(run_.dynamics).matrices_as_they_are(run_.mode, t0, y0.data(), at);
    if (at.q_dot.allFinite()) y_dot.head(bound_->nq()) = at.q_dot;
  }
  return [t0, y0, y_dot](double t, Vector& y) {
    y = y0 + (t - t0) * y_dot;
    return true;
  };
}

/// Whether the orthogonalized row k has neither turned nor shrunk much in the step and is not zero, as it is after many
/// short steps towards a zero.
bool RankSource::is_plain(int k) const {
  const auto [shorter, longer] = std::minmax({before_.length[k], after_.length[k]});
  return RowSpace::cosine(before_, after_, k) >= kTurn && shorter >= kShortened * longer && !is_zero(shorter, k);
}

/// Examines each row between before_ and after_.
std::optional<Failure> RankSource::check_rows(const Step& step, bool is_finite) {
  const double begin = step.t_begin(), end = step.t_end();
  const Path dense = [&step](double t, Vector& y) { return static_cast<bool>(step.interpolate(t, y)); };
  int k = 0;  // as a rule nothing needs to be examined
  while (k < space_->rank() && is_finite && is_plain(k)) ++k;
  if (k == space_->rank()) return std::nullopt;
  times_.looked_at = kNever;
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

/// Other rows act in this step than before: gradients are compared with those at its begin.
void RankSource::restart(const Step& step) {
  const numeric::SparseRows at_end = A_;
  EquationsOf(run_.dynamics).gradients(run_.mode, step.t_begin(), step.y_begin().data(), A_, residual_inside_);
  (void)find_space(step.t_begin(), step.y_begin());
  space_->free_rows(A_, before_);
  remember(before_);
  A_ = at_end;
}

Outcome<void> RankSource::check(const Step& step, std::vector<Found>& found) {
  EquationsOf(run_.dynamics).gradients(run_.mode, step.t_end(), step.y_end().data(), A_, residual_);
  if (!is_active_) return {};
  if (const std::vector<char> acts = acting_rows(run_.dynamics, run_.mode); acts != acts_) {
    acts_ = acts;
    restart(step);
  }
  const double begin = step.t_begin(), end = step.t_end();
  const bool is_finite = A_.values.allFinite();
  if (is_finite) space_->free_rows(A_, after_);
  drops_.clear();
  has_looked_ = false;
  std::optional<Failure> reason;
  // Across a jump, stages average both sides, the end may look normal, and the dense output is useless. But then the
  // step is so short that a straight line from its begin serves.
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
  if (has_looked_) {  // the search may have taken another branch; branches are those at the end of the step
    EquationsOf(run_.dynamics).gradients(run_.mode, step.t_end(), step.y_end().data(), A_, residual_);
    space_->free_rows(A_, before_);
  }
  remember(before_);
  set_near_singular(mode, comes_near(after_.length, before_), run_.dynamics.formulation());
}

/// What is zero, or becomes zero within a step as long as the one from `was` to `now`.
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
  times_.last_drop = drop->t;
  return {};
}

std::optional<Failure> RankSource::explain(double t, const Vector& y) {
  if (!is_active_) return std::nullopt;
  const Path ahead = straight_path(t, y);
  double reach = tolerance::kSameTime * run_.duration;
  for (int i = 0; i < kReaches; ++i, reach *= 10.0) {
    times_.looked_at = kNever;
    integrate::LowestOfEach shortest_of = shortest(ahead, t, t + reach);
    Readings of_ahead;
    for (int k = 0; k < space_->rank(); ++k) {
      const int row = row_of(k);
      if (const auto lowest = shortest_of.find(k, zero(k)); lowest && is_zero(lowest->length, k)) {
        if (auto found = judge_zero(ahead, lowest->t, k, 0.0)) return found;
        return says_.lost_rank(
            t, {row},
            fmt::format("constraint `{}` becomes dependent on {} here and the motion cannot continue",
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
