#include "vinculum/compare/law_residual.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compare/higher_law.hpp"
#include "vinculum/compiled/motion_jets.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/integrate/radau.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/start/start_conditions.hpp"

namespace vinculum::compare {
namespace {

using model::Level;

/// For each state of the law's model: the source of its value along the motion.
struct StateSource {
  std::vector<int> followed;               ///< multipliers: integrated along the motion
  std::vector<std::pair<int, int>> taken;  ///< states of the original model: (index here, index in the motion)
};

class Residual {
 public:
  Residual(const std::shared_ptr<const Binding>& law, const Binding& of, const std::vector<TrackPoint>& track)
      : law_(*law), of_(of), track_(track), dynamics_(law) {}

  LawResidual run() {
    if (!is_comparable()) return std::move(result_);
    dynamics_.set_scale(dynamics_.scale(), tolerance::kConverged);
    find_sizes();
    const Vector z = evaluate_state_starts(law_, track_.front().t, track_.front().q);
    mu_.resize(static_cast<Eigen::Index>(source_.followed.size()));
    for (Eigen::Index i = 0; i < mu_.size(); ++i) mu_[i] = z[source_.followed[static_cast<std::size_t>(i)]];
    for (std::size_t k = 0; k < track_.size(); ++k) {
      if (k > 0 && mu_.size() > 0 && !follow(track_[k - 1], track_[k])) {
        result_.reason = fmt::format("its multipliers cannot follow this motion beyond t = {:.6g} s", track_[k - 1].t);
        break;
      }
      look(track_[k]);
      result_.t_end = track_[k].t;
    }
    result_.equations = size_ > 0.0 ? worst_ / size_ : 0.0;
    for (Eigen::Index r = 0; r < row_worst_.size(); ++r) {
      const double relative = row_size_[r] > 0.0 ? row_worst_[r] / row_size_[r] : row_worst_[r] > 0.0 ? 1.0 : 0.0;
      if (relative < result_.rows || (relative == 0.0 && r > 0)) continue;
      result_.rows = relative;
      result_.t_rows = row_t_[r];
    }
    result_.is_computed = true;
    return std::move(result_);
  }

 private:
  bool is_comparable() {
    if (track_.empty())
      result_.reason = "there is no motion";
    else if (law_->nq() != of_->nq() || law_->nu() != of_->nu())
      result_.reason = "coordinates or speeds differ";
    else if (law_->system->has_nonlinear_rows)
      result_.reason = "its rows are not linear in the accelerations";
    std::vector<char> is_multiplier(static_cast<std::size_t>(law_->nz()), 0);
    for (const model::Constraint& constraint : law_->model->constraints) {
      for (const auto& of_rows : constraint.law->mu()) {
        for (const model::StateId id : of_rows) is_multiplier[id.index()] = 1;
      }
    }
    for (int i = 0; i < static_cast<int>(law_->model->states.size()); ++i) {  // states after these are derivatives
      if (is_multiplier[static_cast<std::size_t>(i)]) {
        source_.followed.push_back(i);
        continue;
      }
      const std::string& name = law_->model->states[static_cast<std::size_t>(i)].name;
      const auto found = std::ranges::find(of_->model->states, name, &model::State::name);
      if (found == of_->model->states.end())
        source_.followed.push_back(i);  // state that the law adds, such as a multiplier of a row with states
      else
        source_.taken.emplace_back(i, static_cast<int>(found - of_->model->states.begin()));
    }
    if (result_.reason.empty() && law_->system->higher) prepare_higher();
    return result_.reason.empty();
  }

  void prepare_higher() {
    const auto equations = sim::motion_equations(of_->model, of_.embedding());
    if (!equations) {
      result_.reason = "the motion has no derivatives of any order: " + equations.error().message;
      return;
    }
    higher_.emplace(law_->model, law_.parameters, source_.followed);
    jets_ = std::make_unique<sim::MotionJets>(*equations, of_.parameters, higher_->highest());
  }

  // Finds the largest magnitudes along the motion. All components of one dimension get the same magnitude.
  void find_sizes() {
    const int nq = law_->nq(), nu = law_->nu();
    Vector largest = Vector::Zero(nq + nu), largest_rate = Vector::Zero(nu);
    for (const TrackPoint& point : track_) {
      largest.head(nq) = largest.head(nq).cwiseMax(point.q.cwiseAbs());
      largest.tail(nu) = largest.tail(nu).cwiseMax(point.u.cwiseAbs());
      largest_rate = largest_rate.cwiseMax(point.u_dot.cwiseAbs());
    }
    const auto over_dimension = [](const auto& named, const Vector& of) {
      Vector result = of;
      for (int i = 0; i < of.size(); ++i) {
        for (int j = 0; j < of.size(); ++j) {
          if (nth(named, i).dimension == nth(named, j).dimension) result[i] = std::max(result[i], of[j]);
        }
      }
      return result;
    };
    q_size_ = over_dimension(law_->model->coordinates, largest.head(nq));
    u_size_ = over_dimension(law_->model->speeds, largest.tail(nu));
    u_dot_size_ = over_dimension(law_->model->speeds, largest_rate);
    const Eigen::Index relations =
        law_->system->higher ? static_cast<Eigen::Index>(law_->system->higher->F.size()) : Eigen::Index{0};
    row_worst_ = row_size_ = row_t_ = Vector::Zero(law_->nc() + relations);
  }

  /// Computes the state of the motion between a and b, at the fraction s of the interval.
  void between(const TrackPoint& a, const TrackPoint& b, double s) {
    const double h = b.t - a.t;
    const double h00 = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), h10 = s * (1.0 - s) * (1.0 - s) * h;
    const double h01 = s * s * (3.0 - 2.0 * s), h11 = s * s * (s - 1.0) * h;
    of_y_.resize(a.q.size() + a.u.size() + a.z.size());
    of_y_.head(a.q.size()) = h00 * a.q + h10 * a.q_dot + h01 * b.q + h11 * b.q_dot;
    of_y_.segment(a.q.size(), a.u.size()) = h00 * a.u + h10 * a.u_dot + h01 * b.u + h11 * b.u_dot;
    of_y_.tail(a.z.size()) = h00 * a.z + h10 * a.z_dot + h01 * b.z + h11 * b.z_dot;
  }

  /// Computes the state of the law's model between a and b, with the multipliers `mu`.
  void state(const TrackPoint& a, const TrackPoint& b, double s, const Vector& mu) {
    between(a, b, s);
    const int nq = law_->nq(), nu = law_->nu();
    y_ = Vector::Zero(nq + nu + law_->nz());
    y_.head(nq + nu) = of_y_.head(nq + nu);
    for (const auto& [own, other] : source_.taken) y_[nq + nu + own] = of_y_[nq + nu + other];
    for (Eigen::Index i = 0; i < mu.size(); ++i) y_[nq + nu + source_.followed[static_cast<std::size_t>(i)]] = mu[i];
  }

  bool rate(const TrackPoint& a, const TrackPoint& b, double s, const Vector& mu, Vector& mu_dot) {
    state(a, b, s, mu);
    if (higher_) return rate_of_higher(a.t + s * (b.t - a.t), (1.0 - s) * a.u_dot + s * b.u_dot, mu_dot);
    y_dot_.resize(y_.size());
    if (!dynamics_.derivative(a.t + s * (b.t - a.t), y_.data(), y_dot_.data())) return false;
    mu_dot.resize(mu.size());
    for (Eigen::Index i = 0; i < mu.size(); ++i)
      mu_dot[i] = y_dot_[law_->nq() + law_->nu() + source_.followed[static_cast<std::size_t>(i)]];
    return mu_dot.allFinite();
  }

  /// Evaluates the law's equations at the motion's state `of_y_` and its derivatives. `y_` is the state of the law's
  /// model.
  bool take_higher(double t, const Vector& u_dot) {
    const int nq = law_->nq(), nu = law_->nu();
    if (!jets_->compute(t, of_y_.data(), u_dot)) return false;
    Derivatives motion;
    for (int k = 0; k <= higher_->highest(); ++k) {
      Vector& u = motion.u.emplace_back(nu);
      for (int r = 0; r < nu; ++r) u[r] = jets_->derivative(nq + r, k);
      Vector& z = motion.z.emplace_back(Vector::Zero(static_cast<Eigen::Index>(law_->model->states.size())));
      for (const auto& [own, other] : source_.taken) z[own] = jets_->derivative(nq + nu + other, k);
    }
    sim::EquationsOf(dynamics_).matrices_as_they_are(dynamics_.mode(), t, y_.data(), m_);
    higher_->take(t, y_, motion);
    u_dot_ = motion.u[1];
    return true;
  }

  /// Splits the residual. Its component in the range of (W, Aᵀ) determines λ and the highest derivatives of the
  /// multipliers.
  bool rate_of_higher(double t, const Vector& u_dot, Vector& mu_dot) {
    if (!take_higher(t, u_dot)) return false;
    const Vector unit = units();
    const Vector e = (m_.M * u_dot_ - m_.f - m_.C - higher_->R_0()).cwiseProduct(unit);
    Matrix directions(law_->nu(), higher_->W().cols() + law_->nc());
    directions << higher_->W(), m_.A.transpose();
    directions = unit.asDiagonal() * directions;
    Vector scale = directions.colwise().norm().transpose();
    for (double& one : scale) one = one > 0.0 ? 1.0 / one : 1.0;
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(tolerance::kAtStates);
    solver.compute(directions * scale.asDiagonal());
    const Vector found = scale.cwiseProduct(solver.solve(e));
    mu_dot = higher_->rates(found.head(higher_->W().cols()), found.tail(law_->nc()));
    return mu_dot.allFinite();
  }

  /// Returns the units of the speeds, 1/√M_rr for speed r. Speeds without mass get the smallest of these units.
  Vector units() const {
    Vector unit = m_.metric.diagonal();
    double least = 0.0;
    for (const double mass : unit) least = mass > 0.0 && (least == 0.0 || mass > least) ? mass : least;
    for (double& one : unit) one = 1.0 / std::sqrt(one > 0.0 ? one : least > 0.0 ? least : 1.0);
    return unit;
  }

  /// Integrates the multipliers of the law between two points a and b of the track.
  bool follow(const TrackPoint& a, const TrackPoint& b) {
    if (!(b.t > a.t)) return true;
    return integrate::radau_step(b.t - a.t, mu_,
                                 [&](double s, const Vector& mu, Vector& mu_dot) { return rate(a, b, s, mu, mu_dot); });
  }

  void look(const TrackPoint& at) {
    state(at, at, 0.0, mu_);
    if (!higher_)
      sim::EquationsOf(dynamics_).matrices_as_they_are(dynamics_.mode(), at.t, y_.data(), m_);
    else if (!take_higher(at.t, at.u_dot))
      return;
    Vector e = m_.M * at.u_dot - m_.f - m_.C;
    if (higher_) e -= higher_->R_0();
    if (law_->system->has_implicit_nonideal) {
      // C depends on reactions and is not available separately. The accelerations of a motion under the law satisfy M
      // u' = f + C in the components along ker A, so they replace M⁻¹(f + C).
      y_dot_.resize(y_.size());
      if (!dynamics_.derivative(at.t, y_.data(), y_dot_.data())) return;
      e = m_.M * (at.u_dot - y_dot_.segment(law_->nq(), law_->nu()));
    }
    if (!e.allFinite()) return;
    const Vector unit = units();
    Vector size = m_.M.cwiseAbs() * at.u_dot.cwiseAbs() + m_.f.cwiseAbs() + m_.C.cwiseAbs();
    if (higher_) size += higher_->R_0().cwiseAbs();
    size_ = std::max(size_, size.cwiseProduct(unit).norm());
    const Matrix reactions = directions() * unit.asDiagonal();
    const double left =
        (numeric::null_space(reactions, tolerance::kAtStates).transpose() * e.cwiseProduct(unit)).norm();
    if (left > worst_) {
      worst_ = left;
      result_.t_equations = at.t;
    }
    look_at_rows(at);
  }

  /// Returns the directions of the reactions [number of reactions × nu]: gradients of rows, directions of actuators for
  /// rows that efforts enforce, and directions of the highest derivatives of multipliers.
  Matrix directions() const {
    std::vector<char> is_directed(static_cast<std::size_t>(law_->nc()), 0);
    for (const equations::DirectedReaction& directed : law_->system->directed) {
      for (int r = 0; r < directed.row_count; ++r) is_directed[static_cast<std::size_t>(directed.first_row + r)] = 1;
    }
    const Eigen::Index highest = higher_ ? higher_->W().cols() : 0;
    Matrix result(m_.A.rows() + m_.Gamma.rows() + highest, law_->nu());
    Eigen::Index count = 0;
    for (int r = 0; r < law_->nc(); ++r) {
      if (!is_directed[static_cast<std::size_t>(r)]) result.row(count++) = m_.A.row(r);
    }
    for (Eigen::Index k = 0; k < m_.Gamma.rows(); ++k) result.row(count++) = m_.Gamma.row(k);
    for (Eigen::Index k = 0; k < highest; ++k) result.row(count++) = higher_->W().col(k).transpose();
    return result.topRows(count);
  }

  void look_at_rows(const TrackPoint& at) {
    for (int r = 0; r < law_->nc(); ++r) {
      const Level level = law_->system->rows[static_cast<std::size_t>(r)].level;
      double value = 0.0, size = 0.0;
      if (level == Level::kPosition) {
        value = m_.phi[r];
        size = m_.phi_q.row(r).cwiseAbs().dot(q_size_);
      } else if (level == Level::kVelocity) {
        value = m_.psi[r];
        size = m_.A.row(r).cwiseAbs().dot(u_size_);
      } else {
        value = m_.A.row(r).dot(at.u_dot) - m_.b[r];
        size = m_.A.row(r).cwiseAbs().dot(u_dot_size_) + std::fabs(m_.b[r]);
      }
      note_row(r, value, size, at.t);
    }
    for (Eigen::Index k = 0; higher_ && k < higher_->F().size(); ++k)
      note_row(law_->nc() + k, higher_->F()[k], higher_->F_size()[k], at.t);
  }

  void note_row(Eigen::Index r, double value, double size, double t) {
    row_size_[r] = std::max(row_size_[r], size);
    if (std::fabs(value) <= row_worst_[r]) return;
    row_worst_[r] = std::fabs(value);
    row_t_[r] = t;
  }

  const Binding& law_;
  const Binding& of_;
  const std::vector<TrackPoint>& track_;
  sim::Dynamics dynamics_;
  StateSource source_;
  std::optional<HigherLaw> higher_;        ///< null unless the law has constraints of higher order
  std::unique_ptr<sim::MotionJets> jets_;  ///< derivatives of the motion, for `higher_`
  LawResidual result_;
  sim::Matrices m_;
  Vector mu_, of_y_, y_, y_dot_, u_dot_, q_size_, u_size_, u_dot_size_, row_worst_, row_size_, row_t_;
  double worst_ = 0.0, size_ = 0.0;
};

}  // namespace

LawResidual law_residual(const std::shared_ptr<const Binding>& law, const Binding& of,
                         const std::vector<TrackPoint>& track) {
  return Residual(law, of, track).run();
}

}  // namespace vinculum::compare
