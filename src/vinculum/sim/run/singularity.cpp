#include "vinculum/sim/run/singularity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace vinculum::sim {
namespace {

constexpr double kZero = 1e-7;              // of the reference length
constexpr double kTolerancesOfZero = 10.0;  // what the integration cannot resolve is zero too
constexpr double kTurn = 0.5;               // cosine of the turn within a step that is looked into: 60 degrees
constexpr double kShrink = 0.1;             // change of length that is looked into
constexpr double kCollapse = 0.01;          // of the recent steps: so short a step is looked into always
constexpr double kLeastJump = 0.02;         // radian
constexpr double kPaceMemory = 0.9;
constexpr double kTolRankAtDrop = 1e-5;  // its time is found to rounding over the rate
constexpr double kSameDrop = 1e-4;       // of the pace: rows that become dependent together
constexpr int kSamples = 12;             // points inside a step that is looked into
constexpr int kGolden = 90;
constexpr int kBisections = 45;
constexpr double kStaysTurned = 0.7;    // of its turn that a jump keeps when its interval is halved; smooth turns halve
constexpr double kPerturbation = 0.05;  // of typical sizes: states near the start
constexpr int kNeighbours = 4;

double cosine(const RowSpace::Freed& a, const RowSpace::Freed& b, Eigen::Index k) {
  const double lengths = a.length[k] * b.length[k];
  return lengths > 0.0 ? a.rows.col(k).dot(b.rows.col(k)) / lengths : -1.0;
}

double angle_between(const Vector& a, const Vector& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0.0 ? std::acos(std::clamp(a.dot(b) / lengths, -1.0, 1.0)) : std::acos(-1.0);
}

}  // namespace

SingularityMonitor::SingularityMonitor(Dynamics& dynamics, double tolerance)
    : dynamics_(dynamics), threshold_(std::max(kZero, kTolerancesOfZero * tolerance)) {
  const std::vector<char>& varies = dynamics.compiled().gradient_varies;
  is_active_ = std::any_of(varies.begin(), varies.end(), [](char v) { return v != 0; });
}

Failure SingularityMonitor::not_unique(double t, int row, const char* how) const {
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  failure.t = t;
  failure.rows = {row};
  const std::string_view text = dynamics_.compiled().model->source_text.text();
  const bool has_inverse = text.find("solve(") != text.npos || text.find("pinv(") != text.npos;
  failure.message =
      fmt::format("the gradient of constraint `{}` {} here: the motion from here on is not unique{}",
                  dynamics_.compiled().row_name(row), how,
                  has_inverse ? "; a matrix of `solve` or `pinv` that becomes singular does this too" : "");
  return failure;
}

std::optional<Failure> SingularityMonitor::begin(double t, const Vector& y, std::vector<RankDrop>& drops) {
  const CompiledModel& compiled = dynamics_.compiled();
  dynamics_.gradients(t, y.data(), A_, residual_);
  if (!is_active_) return std::nullopt;
  const Vector weight = dynamics_.scale().segment(compiled.nq(), compiled.nu());

  // The rank that the constraints have around the start, and how long their gradients are there.
  Matrix A;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  space_.emplace(A_, weight);
  Matrix typical = A_;
  for (int neighbour = 0; neighbour < kNeighbours; ++neighbour) {
    Vector near = y;
    for (Eigen::Index i = 0; i < near.size(); ++i) near[i] += kPerturbation * dynamics_.scale()[i] * uniform(random);
    if (!dynamics_.project(t, near.data())) continue;
    dynamics_.gradients(t, near.data(), A, residual_inside_);
    if (!A.allFinite()) continue;
    RowSpace there(A, weight);
    if (there.rank() <= space_->rank()) continue;
    space_ = std::move(there);
    typical = A;
  }

  space_->free_rows(typical, before_);
  reference_ = before_.length;
  own_reference_ = before_.own_length;
  for (int row = 0; row < compiled.nc(); ++row) {
    if (!A_.row(row).allFinite() && std::isfinite(residual_[row])) return not_unique(t, row, "does not exist");
  }
  space_->free_rows(A_, before_);
  for (Eigen::Index k = 0; k < reference_.size(); ++k) {
    if (before_.own_length[k] < kZero * own_reference_[k]) {
      return not_unique(t, space_->rows()[static_cast<std::size_t>(k)], "vanishes");
    }
  }
  const RowSpace at_start(A_, weight);
  if (at_start.rank() < space_->rank()) {
    drops.push_back({t, at_start.rank(), space_->rank()});
    if (rests_where_rank_drops(before_, y)) {
      Failure failure;
      failure.kind = FailureKind::kRankDrop;
      failure.t = t;
      for (Eigen::Index k = 0; k < reference_.size(); ++k) {
        if (before_.length[k] < kZero * reference_[k])
          failure.rows.push_back(space_->rows()[static_cast<std::size_t>(k)]);
      }
      failure.message = fmt::format(
          "the constraints have rank {} here and {} nearby, and the motion rests: it can go on along "
          "several branches",
          at_start.rank(), space_->rank());
      return failure;
    }
  }
  reference_ = reference_.cwiseMax(before_.length);
  own_reference_ = own_reference_.cwiseMax(before_.own_length);
  return std::nullopt;
}

/// Whether the speeds that the dependent rows act on are all zero, in typical speeds.
bool SingularityMonitor::rests_where_rank_drops(const RowSpace::Freed& freed, const Vector& y) const {
  const auto u = y.segment(dynamics_.compiled().nq(), dynamics_.compiled().nu());
  const auto scale = dynamics_.scale().segment(dynamics_.compiled().nq(), u.size());
  Vector touched = Vector::Zero(u.size());
  for (Eigen::Index k = 0; k < freed.length.size(); ++k) {
    if (freed.length[k] >= threshold_ * reference_[k]) continue;
    for (Eigen::Index j = 0; j < u.size(); ++j) {
      const int row = space_->rows()[static_cast<std::size_t>(k)];
      if (!dynamics_.compiled().system->rows[static_cast<std::size_t>(row)].A[static_cast<std::size_t>(j)].is_zero()) {
        touched[j] = 1.0;
      }
    }
  }
  return (u.cwiseAbs().cwiseProduct(touched).cwiseQuotient(scale)).maxCoeff() < threshold_;
}

bool SingularityMonitor::look(const Path& path, double t, RowSpace::Freed& freed) {
  if (!path(t, y_inside_)) return false;
  dynamics_.gradients(t, y_inside_.data(), A_, residual_inside_);
  if (!A_.allFinite()) return false;
  space_->free_rows(A_, freed);
  return true;
}

/// The shortest that freed row k becomes in [begin, end], by samples and golden sections around their minima.
std::optional<SingularityMonitor::Minimum> SingularityMonitor::shortest(const Path& path, double begin, double end,
                                                                        int k) {
  std::vector<double> times, lengths;
  for (int i = 0; i <= kSamples + 1; ++i) {
    const double t = begin + (end - begin) * i / (kSamples + 1);
    if (!look(path, t, inside_)) continue;
    times.push_back(t);
    lengths.push_back(inside_.length[k]);
  }
  if (times.size() < 3) return std::nullopt;
  std::optional<Minimum> best;
  const std::size_t last = times.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const bool is_minimum = (i == 0 || lengths[i] <= lengths[i - 1]) && (i == last || lengths[i] <= lengths[i + 1]);
    if (!is_minimum) continue;
    double a = times[i == 0 ? 0 : i - 1];
    double b = times[i == last ? last : i + 1];
    Minimum found{times[i], lengths[i]};
    constexpr double kRatio = 0.6180339887498949;
    const auto length_at = [&](double t) {
      const double length = look(path, t, inside_) ? inside_.length[k] : std::numeric_limits<double>::infinity();
      if (length < found.length) found = {t, length};
      return length;
    };
    double c = b - kRatio * (b - a), d = a + kRatio * (b - a);
    double at_c = length_at(c), at_d = length_at(d);
    for (int step = 0; step < kGolden && b - a > 0.0 && c > a && d < b; ++step) {
      if (at_c < at_d) {
        b = d, d = c, at_d = at_c;
        c = b - kRatio * (b - a);
        at_c = length_at(c);
      } else {
        a = c, c = d, at_c = at_d;
        d = a + kRatio * (b - a);
        at_d = length_at(d);
      }
    }
    if (!best || found.length < best->length) best = found;
  }
  return best;
}

bool SingularityMonitor::look_at_row(const Path& path, double t, int k, Vector& row) {
  if (!path(t, y_inside_)) return false;
  dynamics_.gradients(t, y_inside_.data(), A_, residual_inside_);
  const int index = space_->rows()[static_cast<std::size_t>(k)];
  row = A_.row(index).transpose().cwiseProduct(dynamics_.scale().segment(dynamics_.compiled().nq(), A_.cols()));
  return row.allFinite();
}

/// Where the gradient of row k jumps from one direction to another: a turn that stays when its interval is halved again
/// and again. Freed rows do not serve here: they turn about wherever rows become dependent.
std::optional<Failure> SingularityMonitor::find_jump(const Path& path, double begin, double end, int k) {
  const int index = space_->rows()[static_cast<std::size_t>(k)];
  Vector a, b, middle;
  if (!look_at_row(path, begin, k, a) || !look_at_row(path, end, k, b)) return std::nullopt;
  double kept = angle_between(a, b);
  if (!(kept > kLeastJump)) return std::nullopt;
  for (int i = 0; i < kBisections; ++i) {
    const double t = 0.5 * (begin + end);
    if (t <= begin || t >= end) break;
    if (!look_at_row(path, t, k, middle)) return not_unique(t, index, "does not exist");
    const double left = angle_between(a, middle), right = angle_between(middle, b);
    kept *= kStaysTurned;
    if (std::max(left, right) < kept) return std::nullopt;
    kept = std::max(left, right);
    if (left >= right) {
      b = middle;
      end = t;
    } else {
      a = middle;
      begin = t;
    }
  }
  const bool is_zero = std::min(a.norm(), b.norm()) < threshold_ * own_reference_[k];
  return not_unique(0.5 * (begin + end), index, is_zero ? "vanishes" : "jumps");
}

/// A row that is almost zero at the end of a step becomes so this much later, by its rate there.
double SingularityMonitor::still_to_go(const Path& path, const Minimum& minimum, double begin, double end, int k) {
  const double h = end - begin;
  if (minimum.t < end - 1e-6 * h || !look(path, end - 0.1 * h, inside_)) return 0.0;
  const double rate = (inside_.length[k] - minimum.length) / (0.1 * h);
  const double ahead = rate > 0.0 ? minimum.length / rate : 0.0;
  return ahead < h ? ahead : 0.0;
}

/// Freed row k is zero at t: is it the gradient itself, do other rows take its place, or do rows become dependent?
/// \param beyond  how far behind t the zero lies, where it has not quite been reached at t.
std::optional<Failure> SingularityMonitor::judge_zero(const Path& path, double t, int k, double beyond,
                                                      std::vector<RankDrop>& drops) {
  if (!look(path, t, inside_)) return std::nullopt;
  if (inside_.own_length[k] < threshold_ * own_reference_[k]) {
    t += beyond;
    const int row = space_->rows()[static_cast<std::size_t>(k)];
    // Rows whose gradient has vanished must not count by their rounding.
    Matrix A = A_;
    const Vector weight = dynamics_.scale().segment(dynamics_.compiled().nq(), A.cols());
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (A.row(i).cwiseAbs().dot(weight) < threshold_ * own_reference_.maxCoeff()) A.row(i).setZero();
    }
    RowSpace there(A, weight);
    if (there.rank() < space_->rank()) return not_unique(t, row, "vanishes");
    space_ = std::move(there);
    space_->free_rows(A_, after_);
    reference_ = after_.length;
    own_reference_ = after_.own_length;
    return std::nullopt;
  }
  const RowSpace there(A_, dynamics_.scale().segment(dynamics_.compiled().nq(), A_.cols()), kTolRankAtDrop);
  const bool is_known = !drops.empty() && t - drops.back().t <= kSameDrop * pace_;
  if (!is_known) drops.push_back({t, std::min(there.rank(), space_->rank() - 1), space_->rank()});
  if (!rests_where_rank_drops(inside_, y_inside_)) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kRankDrop;
  failure.t = t;
  failure.rows = {space_->rows()[static_cast<std::size_t>(k)]};
  failure.message = fmt::format(
      "constraint `{}` depends on the others here and the motion comes to rest: it can go on along "
      "several branches",
      dynamics_.compiled().row_name(failure.rows.front()));
  return failure;
}

SingularityMonitor::Path SingularityMonitor::straight_path(double t0, const Vector& y0) {
  Vector y_dot(y0.size());
  if (!dynamics_.derivative(t0, y0.data(), y_dot.data())) y_dot.setZero();
  return [t0, y0, y_dot](double t, Vector& y) {
    y = y0 + (t - t0) * y_dot;
    return true;
  };
}

std::optional<Failure> SingularityMonitor::check(const integrate::Step& step, std::vector<RankDrop>& drops) {
  dynamics_.gradients(step.t_end(), step.y_end().data(), A_, residual_);
  if (!is_active_) return std::nullopt;
  const double begin = step.t_begin(), end = step.t_end();
  const bool is_collapsed = end - begin < kCollapse * pace_;
  pace_ = std::max(end - begin, kPaceMemory * pace_);
  const bool is_finite = A_.allFinite();
  if (is_finite) space_->free_rows(A_, after_);
  std::optional<Failure> found;
  // Across a jump stages average both sides, the end may look as if nothing had happened, and the dense output is
  // worthless; but the step is then so short that a straight line from its begin serves.
  if (is_collapsed) {
    const Path straight = straight_path(begin, step.y_begin());
    for (int k = 0; k < space_->rank() && !found; ++k) found = find_jump(straight, begin, end, k);
    if (found) return found;
    dynamics_.gradients(end, step.y_end().data(), A_, residual_);
  }
  const Path dense = [&step](double t, Vector& y) { return static_cast<bool>(step.interpolate(t, y)); };
  for (int k = 0; k < space_->rank() && !found; ++k) {
    if (is_finite) {
      const double c = cosine(before_, after_, k);
      const double shorter = std::min(before_.length[k], after_.length[k]);
      const double longer = std::max(before_.length[k], after_.length[k]);
      const bool is_suspect = c < kTurn || shorter < kShrink * longer;
      if (!is_suspect) continue;
    }
    if (const auto minimum = shortest(dense, begin, end, k); minimum && minimum->length < threshold_ * reference_[k]) {
      const std::vector<int> rows = space_->rows();
      found = judge_zero(dense, minimum->t, k, still_to_go(dense, *minimum, begin, end, k), drops);
      if (space_->rows() != rows) break;
      continue;
    }
    if (find_jump(dense, begin, end, k)) found = find_jump(straight_path(begin, step.y_begin()), begin, end, k);
  }
  if (found) return found;
  dynamics_.gradients(end, step.y_end().data(), A_, residual_);
  space_->free_rows(A_, before_);
  reference_ = reference_.cwiseMax(before_.length);
  own_reference_ = own_reference_.cwiseMax(before_.own_length);
  return std::nullopt;
}

std::optional<Failure> SingularityMonitor::explain_stall(double t, const Vector& y, double longest) {
  if (!is_active_) return std::nullopt;
  const Path ahead = straight_path(t, y);
  std::vector<RankDrop> drops;
  for (double reach = 1e-12 * longest; reach <= 1.01e-3 * longest; reach *= 10.0) {
    for (int k = 0; k < space_->rank(); ++k) {
      const int row = space_->rows()[static_cast<std::size_t>(k)];
      if (const auto minimum = shortest(ahead, t, t + reach, k);
          minimum && minimum->length < threshold_ * reference_[k]) {
        auto found = judge_zero(ahead, minimum->t, k, 0.0, drops);
        if (found) return found;
        Failure failure;
        failure.kind = FailureKind::kRankDrop;
        failure.t = t;
        failure.rows = {row};
        failure.message = fmt::format(
            "constraint `{}` becomes dependent on the others here and the motion cannot be "
            "carried across",
            dynamics_.compiled().row_name(row));
        return failure;
      }
      if (auto found = find_jump(ahead, t, t + reach, k)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace vinculum::sim
