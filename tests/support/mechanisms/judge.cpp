#include "support/mechanisms/judge.hpp"

#include <algorithm>
#include <cmath>

#include "support/mechanisms/expected.hpp"
#include "support/mechanisms/refusals.hpp"

namespace vinculum::mechanisms {
namespace {

using Vector3 = Eigen::Vector3d;

std::string text(const Eigen::Ref<const Vector>& v) {
  std::string result = "[";
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", v[i]);
    result += (i == 0 ? "" : ", ") + std::string(buffer);
  }
  return result + "]";
}

/// Length of an entry's gradient, in equilibrated units, above which it is more than rounding.
constexpr double kRoundedFactor = 1e-11;

class Judge {
 public:
  Judge(const Oracle& oracle, const Reading& reading) : o_(oracle), m_(oracle.mechanism()), reading_(reading) {}

  Verdict judge() {
    if (o_.has_direction_of_nothing()) {
      verdict_.is_clear = false;
      return std::move(verdict_);
    }
    check_motion();
    if (!verdict_.findings.empty() || !verdict_.refused.empty()) return std::move(verdict_);
    verdict_.is_clear = o_.is_clear();
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) reported_.push_back(report_of(static_cast<int>(c)));
    bool all_have_form = true;
    for (std::size_t c = 0; c < m_.constraints.size(); ++c)
      all_have_form = check_form(static_cast<int>(c)) && all_have_form;
    if (all_have_form) check_balance();
    if (verdict_.is_clear) {
      for (const Answer& answer : reading_.answers) check_answer(answer);
      check_flags_of_lists();
    }
    for (const Refusal& refusal : reading_.refused) check_refusal(refusal);
    return std::move(verdict_);
  }

 private:
  void add(std::string check, std::string about, double size, std::string detail) {
    verdict_.findings.push_back({std::move(check), std::move(about), size, std::move(detail)});
  }

  void check_motion() {
    if (o_.self_check > 1e-9) add("oracle", "wrenches against motions", o_.self_check, "the oracle contradicts itself");
    if (!o_.is_motion_unique) {
      if (!o_.is_motion_doubtful && !o_.has_singular_actuators)
        add("undetermined", "accepted though nothing determines a speed", 1.0, o_.free_speed);
      else
        verdict_.is_clear = false;
      return;
    }
    if (o_.unsolvable > 1e-8 && !o_.is_motion_doubtful)
      add("unsolvable", "accepted though rows or actuators contradict each other", o_.unsolvable, "");
    if (!(o_.row_residual < 1e-8)) add("rows", "residual", o_.row_residual, o_.worst_row);
    if (!(o_.mismatch < kAgreement)) add("motion", "M u' = f + C + reactions", o_.mismatch, "");
    double size = 1.0;
    for (const double x : reading_.state.du) size = std::max(size, std::abs(x));
    double off = 0.0;
    for (std::size_t k = 0; k < reading_.state.du.size(); ++k)
      off = std::max(off, std::abs(reading_.state.du[k] - o_.predicted[static_cast<Eigen::Index>(k)]));
    if (o_.is_clear() && !(off < 1e-8 * size)) add("motion", "accelerations by the tests' own solve", off / size, "");
    if (reading_.stopped.size() == 3 && reading_.stopped.begin()->second.starts_with("not-unique")) {
      // A row gradient that vanishes only at this state: the motion is not unique from here on.
      for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
        for (int row = o_.first_row[c]; row < o_.first_row[c + 1]; ++row) {
          if (o_.rows_generalized.col(row).norm() > 1e-7) continue;
          verdict_.refused = "not-unique";
          verdict_.refusal_class = "a row without a gradient";
          verdict_.is_clear = false;
          return;
        }
      }
    }
    for (const auto& [name, why] : reading_.stopped)
      add("formulation", name + " stops: " + why.substr(0, why.find(':')), 1.0, why);
    for (const auto& [name, u_dot] : reading_.u_dot) {
      double worst = 0.0;
      for (std::size_t k = 0; k < u_dot.size(); ++k) worst = std::max(worst, std::abs(u_dot[k] - reading_.state.du[k]));
      if (!(worst < kAgreement * size) && o_.is_clear()) add("formulation", name, worst / size, "accelerations differ");
    }
  }

  struct Report {
    Vector entries;  ///< [layout]
    bool is_ground_known = true;
    bool is_finite = true;
  };

  Report report_of(int constraint) const {
    const Constraint& c = m_.constraints[at(constraint)];
    Report report;
    report.entries.setZero(o_.layout.size);
    std::vector<std::string> ground;
    const auto add_force = [&](const std::string& name, const Vector3& F) {
      const Spot spot = spot_of(o_, c, name);
      if (spot.particle >= 0) {
        report.entries.segment<3>(o_.layout.particle[at(spot.particle)]) += F;
      } else if (spot.carrier >= 0) {
        const int first = o_.layout.body[at(spot.carrier)];
        const Vector3 lever = spot.r - values(o_.kinematics().place(m_.bodies[at(spot.carrier)].center));
        report.entries.segment<3>(first) += F;
        report.entries.segment<3>(first + 3) += lever.cross(F);
      } else if (spot.carrier == Mechanism::kGroundCarrier && std::ranges::find(ground, name) == ground.end()) {
        ground.push_back(name);
        report.entries.segment<3>(Layout::kGroundForce) += F;
        report.entries.segment<3>(Layout::kGroundMoment) += spot.r.cross(F);
      } else if (spot.massless >= 0) {
        report.entries += o_.force_at(spot.massless, F);
      }
    };
    for (const Exerted& one : reading_.forces.on_points) {
      if (one.constraint == c.name) add_force(one.on, {one.value[0], one.value[1], one.value[2]});
    }
    for (const Exerted& one : reading_.forces.on_bodies) {
      if (one.constraint != c.name) continue;
      for (std::size_t b = 0; b < m_.bodies.size(); ++b) {
        if (m_.bodies[b].name == one.on && !m_.bodies[b].removed)
          report.entries.segment<3>(o_.layout.body[b] + 3) += Vector3(one.value[0], one.value[1], one.value[2]);
      }
    }
    for (const Answer& answer : reading_.answers) {
      const Asked& a = answer.asked;
      if (a.constraint != constraint) continue;
      if (a.what == Asked::What::kGroundTorque)
        report.entries.segment<3>(Layout::kGroundMoment) +=
            Vector3(answer.values[0], answer.values[1], answer.values[2]);
      if (a.what != Asked::What::kGroundForce) continue;
      const std::string name = a.contact.empty() ? m_.points[at(a.point)].name : c.name + a.contact;
      add_force(name, {answer.values[0], answer.values[1], answer.values[2]});
    }
    for (const Refusal& refusal : reading_.refused) {
      // The rejection is right if there is no torque on the ground.
      if (refusal.asked.what == Asked::What::kGroundTorque &&
          sizes_of(o_, constraint).segment<3>(Layout::kGroundMoment).norm() < 1e-11)
        continue;
      const bool is_of_ground =
          refusal.asked.what == Asked::What::kGroundForce || refusal.asked.what == Asked::What::kGroundTorque;
      if (refusal.asked.constraint == constraint && is_of_ground) report.is_ground_known = false;
    }
    // Efforts act at the points named in the text. The force on the ground at a massless point is not requested.
    if (c.law == LawKind::kDirected && has_massless_place(c)) report.is_ground_known = false;
    report.is_finite = report.entries.allFinite();
    return report;
  }

  /// Entries of the layout that are reported: all except generalized forces.
  struct Visible {
    Matrix rows;                     ///< names of groups of three entries
    std::vector<std::string> names;  ///< of each three
  };
  Visible visible(bool with_ground) const {
    const Layout& l = o_.layout;
    std::vector<std::vector<int>> sums;
    Visible result;
    const auto three = [&](const std::vector<int>& firsts, const std::string& name) {
      for (int k = 0; k < 3; ++k) {
        std::vector<int> sum;
        for (const int first : firsts) sum.push_back(first + k);
        sums.push_back(sum);
      }
      result.names.push_back(name);
    };
    if (with_ground) three({Layout::kGroundForce}, "force on the ground");
    if (with_ground) three({Layout::kGroundMoment}, "moment on the ground");
    for (std::size_t b = 0; b < m_.bodies.size(); ++b) {
      if (l.body[b] < 0) continue;
      three({l.body[b]}, "force on a body");
      three({l.body[b] + 3}, "moment on a body");
    }
    for (const int first : l.particle) {
      if (first >= 0) three({first}, "force on a particle");
    }
    result.rows.setZero(static_cast<Eigen::Index>(sums.size()), l.size);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (const int entry : sums[i]) result.rows(static_cast<Eigen::Index>(i), entry) = 1.0;
    }
    return result;
  }

  /// Whether some multipliers of this constraint give all forces and torques reported for it.
  bool check_form(int constraint) {
    Report& report = reported_[at(constraint)];
    const Constraint& c = m_.constraints[at(constraint)];
    if (!report.is_finite) {
      add("wrench", kind_of(c) + ": not finite", 1.0, c.name);
      return false;
    }
    const int first = o_.first_column[at(constraint)], count = o_.first_column[at(constraint) + 1] - first;
    const auto residual_of = [&](bool with_ground, Vector& fit) {
      const Visible v = visible(with_ground);
      const Matrix W = v.rows * o_.wrench.middleCols(first, count);
      const Vector right = v.rows * (report.entries - o_.stated.col(constraint));
      Matrix scaled = W;
      Vector size(count);
      for (int k = 0; k < count; ++k) {
        size[k] = std::max(o_.column_size[first + k], 1e-30);
        scaled.col(k) /= size[k];
      }
      const Eigen::JacobiSVD<Matrix> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
      fit.setZero(count);
      Eigen::Index rank = 0;
      for (Eigen::Index k = 0; k < svd.singularValues().size(); ++k) {
        if (svd.singularValues()[k] < 1e-9) continue;
        fit += svd.matrixV().col(k) * (svd.matrixU().col(k).dot(right) / svd.singularValues()[k]);
        ++rank;
      }
      fit = fit.cwiseQuotient(size).eval();
      is_fit_unique_ = rank == count;
      return std::pair<Vector, std::vector<std::string>>(W * fit - right, v.names);
    };
    const double size = o_.force_size + report.entries.cwiseAbs().maxCoeff();
    Vector fit;
    const auto [difference, names] = residual_of(report.is_ground_known, fit);
    fits_.push_back(fit);
    fit_is_unique_.push_back(is_fit_unique_);
    double worst = difference.size() == 0 ? 0.0 : difference.cwiseAbs().maxCoeff() / size;
    if (worst < kAgreement && o_.is_clear()) {
      // the form is right; if the motion determines the wrench, its magnitude must be right too
      bool is_unique = true;
      for (int k = 0; k < count && is_unique; ++k)
        is_unique = o_.is_unique(Vector::Unit(o_.lambda.size(), first + k)).value_or(false);
      const Matrix rows = visible(report.is_ground_known).rows;
      if (is_unique && rows.rows() > 0)
        worst = (rows * (report.entries - o_.exerted(constraint, o_.lambda))).cwiseAbs().maxCoeff() / size;
    }
    if (worst < kAgreement || !o_.is_clear()) return worst < kAgreement;
    // which part is wrong: the one without which the rest has the right form, or all
    std::string which;
    if (report.is_ground_known) {
      Vector other;
      const auto [without, unused] = residual_of(false, other);
      if (without.cwiseAbs().maxCoeff() / size < kAgreement) which = "force on the ground";
    }
    if (which.empty()) {
      const Vector expected = visible(false).rows * o_.exerted(constraint, o_.lambda);
      const Vector has = visible(false).rows * report.entries;
      const auto all = visible(false).names;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const auto place = static_cast<Eigen::Index>(3 * i);
        if ((expected - has).segment<3>(place).cwiseAbs().maxCoeff() > kAgreement * size &&
            which.find(all[i]) == std::string::npos)
          which += (which.empty() ? "" : ", ") + all[i];
      }
    }
    std::string detail = c.name + ": reported " + text(visible(true).rows * report.entries) + ", by the motion " +
                         text(visible(true).rows * o_.exerted(constraint, o_.lambda));
    add("wrench", kind_of(c) + ": " + which, worst, detail);
    return false;
  }

  void check_balance() {
    Vector sum = o_.J.transpose() * Vector::Zero(o_.layout.size);
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
      const int first = o_.first_column[c], count = o_.first_column[c + 1] - first;
      Vector entries = reported_[c].entries;
      const Matrix W = o_.wrench.middleCols(first, count);
      const Eigen::Index bare = o_.layout.bare, rest = o_.layout.size - bare;
      if (W.bottomRows(rest).cwiseAbs().sum() +
              o_.stated.col(static_cast<Eigen::Index>(c)).tail(rest).cwiseAbs().sum() >
          0.0) {
        // Generalized forces on speeds are not reported at points or bodies.
        if (!fit_is_unique_[c]) return;
        entries.tail(rest) = W.bottomRows(rest) * fits_[c] + o_.stated.col(static_cast<Eigen::Index>(c)).tail(rest);
      }
      sum += o_.J.transpose() * entries;
    }
    const Vector total = o_.needed + o_.stated_generalized.rowwise().sum();
    double size = o_.force_size;
    for (const Report& report : reported_) size += report.entries.cwiseAbs().maxCoeff();
    const double worst = total.size() == 0 ? 0.0 : (sum - total).cwiseAbs().maxCoeff() / size;
    if (!(worst < kAgreement)) add("balance", "Newton and Euler with all that is reported", worst, text(sum - total));
  }

  bool has_massless_place(const Constraint& c) const {
    const auto is_in = [&](const auto& self, const NodePtr& n) -> bool {
      if (!n) return false;
      const bool is_place = n->kind == NodeKind::kPosition || n->kind == NodeKind::kVelocity;
      const auto is_massless = [&](int point) {
        return point >= 0 && o_.structure().carrier_of[at(point)] == Mechanism::kNoCarrier && !m_.particle_at(point);
      };
      if (is_place && (is_massless(n->i) || (n->kind == NodeKind::kPosition && is_massless(n->j)))) return true;
      return std::ranges::any_of(n->arguments, [&](const NodePtr& argument) { return self(self, argument); });
    };
    return is_in(is_in, c.left) || is_in(is_in, c.right);
  }

  bool has_clause_on_massless(const Constraint& c) const {
    const auto is_massless = [&](int point) {
      return point >= 0 && o_.structure().carrier_of[at(point)] == Mechanism::kNoCarrier && !m_.particle_at(point);
    };
    const auto names_massless = [&](const Action& action) {
      return action.on == Action::On::kPoint &&
             (is_massless(action.index) || (action.has_from && is_massless(action.from)));
    };
    return std::ranges::any_of(c.actuators, names_massless) || std::ranges::any_of(c.nonideal, names_massless);
  }

  /// An output may be rejected if the constraint exerts nothing there.
  void check_refusal(const Refusal& refusal) {
    const Asked& a = refusal.asked;
    bool is_justified = false;
    if (a.what == Asked::What::kReveal) {
      is_justified = false;
    } else {
      const Vector norms = sizes_of(o_, a.constraint);
      const auto is_zero = [&](int first, int count) { return norms.segment(first, count).maxCoeff() < 1e-11; };
      switch (a.what) {
        case Asked::What::kGroundForce: is_justified = is_zero(Layout::kGroundForce, 3); break;
        case Asked::What::kGroundTorque:
        case Asked::What::kGroundResultant: is_justified = is_zero(Layout::kGroundForce, 6); break;
        case Asked::What::kTorque:
        case Asked::What::kTorqueAlong:
        case Asked::What::kResultant: is_justified = is_zero(o_.layout.body[at(a.body)], 6); break;
        case Asked::What::kForce:
        case Asked::What::kForceAlong:
        case Asked::What::kIdealForce:
        case Asked::What::kNonidealForce:
        case Asked::What::kReaction: {
          const Spot spot = spot_of(o_, m_.constraints[at(a.constraint)], name_of_point(m_, a));
          // A clause that names another point of the body does not count.
          const Constraint& c = m_.constraints[at(a.constraint)];
          const int first = spot.particle >= 0  ? o_.layout.particle[at(spot.particle)]
                            : spot.carrier >= 0 ? o_.layout.body[at(spot.carrier)]
                                                : -1;
          const int begin = o_.first_column[at(a.constraint)], count = o_.first_column[at(a.constraint) + 1] - begin;
          const bool is_stated_here = std::ranges::any_of(c.nonideal, [&](const Action& one) {
            return one.on == Action::On::kPoint && (one.index == a.point || (one.has_from && one.from == a.point));
          });
          is_justified =
              first >= 0 && !is_stated_here && o_.wrench.block(first, begin, 3, count).cwiseAbs().sum() < 1e-11;
          break;
        }
        default: break;
      }
    }
    // The message names the place where the force is reported, or the reason why it is not known.
    if (a.what != Asked::What::kReveal && (refusal.message.find("acts on coordinates") != std::string::npos ||
                                           refusal.message.find("carries no mass: the force of") != std::string::npos))
      is_justified = true;
    // A force that the text itself states at a massless point is reported there.
    const bool is_of_ground = a.what == Asked::What::kGroundForce || a.what == Asked::What::kGroundTorque ||
                              a.what == Asked::What::kGroundResultant;
    if (is_of_ground && has_clause_on_massless(m_.constraints[at(a.constraint)])) is_justified = true;
    if (!is_justified)
      add("output refused",
          name_of(a.what) + (a.what == Asked::What::kReveal ? "" : " of " + kind_of(m_.constraints[at(a.constraint)])),
          1.0, refusal.about + ": " + refusal.message);
  }

  static std::string name_of(Asked::What what) {
    switch (what) {
      case Asked::What::kForce: return "force";
      case Asked::What::kIdealForce: return "ideal force";
      case Asked::What::kNonidealForce: return "nonideal force";
      case Asked::What::kReaction: return "reaction";
      case Asked::What::kForceAlong: return "force along a direction";
      case Asked::What::kResultant: return "resultant";
      case Asked::What::kTorque: return "torque";
      case Asked::What::kTorqueAlong: return "torque along a direction";
      case Asked::What::kMultiplier: return "multiplier";
      case Asked::What::kEffort: return "effort";
      case Asked::What::kGeneralized: return "generalized force";
      case Asked::What::kReveal: return "reveal";
      case Asked::What::kGroundForce: return "force on the ground";
      case Asked::What::kGroundTorque: return "torque on the ground";
      case Asked::What::kGroundResultant: return "resultant on the ground";
    }
    return {};
  }

  void check_answer(const Answer& answer) {
    const std::optional<Expected> expected = expected_answer(o_, reading_, answer.asked);
    if (!expected) return compare_with_lists(answer);
    if (answer.values.size() != static_cast<std::size_t>(expected->values.size())) return;
    const Asked& a = answer.asked;
    const std::string kind = a.what == Asked::What::kReveal
                                 ? std::string(m_.reveals[at(a.constraint)].is_torque ? "of a torque" : "of a force")
                                 : kind_of(m_.constraints[at(a.constraint)]);
    const Eigen::Map<const Vector> has(answer.values.data(), static_cast<Eigen::Index>(answer.values.size()));
    double size = o_.force_size + expected->values.cwiseAbs().maxCoeff();
    double worst = 0.0;
    for (std::size_t k = 0; k < expected->gradients.size(); ++k) {
      const std::optional<bool> unique = o_.is_unique(expected->gradients[k]);
      if (!unique.value_or(false) || !expected->groups.empty()) continue;
      ++verdict_.values;
      const auto i = static_cast<Eigen::Index>(k);
      // a NaN counts as a deviation
      const double off = std::abs(has[i] - expected->values[i]);
      worst = std::max(worst, std::isfinite(off) ? off : 1e300);
    }
    for (const std::vector<int>& group : expected->groups) {
      double own = 0.0, wanted = 0.0;
      bool is_unique = true;
      for (const int k : group) {
        is_unique = is_unique && o_.is_unique(expected->gradients[at(k)]).value_or(false);
        own += has[k] * has[k];
        wanted += expected->values[k] * expected->values[k];
      }
      if (!is_unique) continue;
      ++verdict_.values;
      worst = std::max(worst, std::abs(std::sqrt(own) - std::sqrt(wanted)));
    }
    const std::string about = question_of(m_, a, 0).expression;
    if (!(worst < kAgreement * size))
      add(name_of(a.what), kind, worst / size, about + " = " + text(has) + ", by the motion " + text(expected->values));
    if (a.what == Asked::What::kNonidealForce) return;  // a difference of two least-norm solutions is not compared
    // per entry; for groups, whose directions are arbitrary, all entries or not all
    std::string missing, raised;
    bool has_rounding = false;
    const auto compare = [&](bool unique, bool flagged_unique, const std::string& entry) {
      ++verdict_.flags;
      if (flagged_unique && !unique) missing += entry;
      if (!flagged_unique && unique) raised += entry;
    };
    for (std::size_t k = 0; k < expected->gradients.size() && expected->groups.empty(); ++k) {
      const std::optional<bool> unique = o_.is_unique(expected->gradients[k]);
      if (!unique) continue;
      if (is_flag_open(o_, reading_, expected->gradients[k])) continue;
      const bool is_rounding = expected->gradients[k].cwiseQuotient(o_.column_size).norm() < kRoundedFactor;
      has_rounding = has_rounding || (*unique && answer.is_unique[k] == 0 && is_rounding);
      compare(*unique, answer.is_unique[k] != 0, " [" + std::to_string(k + 1) + "]");
    }
    for (const std::vector<int>& group : expected->groups) {
      bool unique = true, flagged = true, is_known = true;
      for (const int k : group) {
        const std::optional<bool> one = o_.is_unique(expected->gradients[at(k)]);
        is_known = is_known && one.has_value();
        unique = unique && one.value_or(false);
        flagged = flagged && answer.is_unique[at(k)] != 0;
      }
      if (is_known) compare(unique, flagged, " [" + std::to_string(group[0] + 1) + "]");
    }
    if (!missing.empty()) add("flag missing", name_of(a.what) + " of " + kind, 1.0, about + missing);
    if (raised.empty()) return;
    add(has_rounding ? "flag raised by 0" : "flag raised", name_of(a.what) + " of " + kind, 1.0, about + raised);
  }

  /// Even if the motion does not determine the force at a point or body, the output and the list of forces must
  /// agree.
  void compare_with_lists(const Answer& answer) {
    const Asked& a = answer.asked;
    const bool is_couple = a.what == Asked::What::kTorque;
    if (!is_couple && a.what != Asked::What::kForce && a.what != Asked::What::kGroundForce) return;
    const std::string on = is_couple ? m_.bodies[at(a.body)].name : name_of_point(m_, a);
    for (const Exerted& one : is_couple ? reading_.forces.on_bodies : reading_.forces.on_points) {
      if (one.constraint != m_.constraints[at(a.constraint)].name || one.on != on) continue;
      double off = 0.0;
      for (std::size_t k = 0; k < 3; ++k) off = std::max(off, std::abs(one.value[k] - answer.values[k]));
      const std::string about = kind_of(m_.constraints[at(a.constraint)]);
      if (!(off < kAgreement * o_.force_size)) add("output and list", about, off, question_of(m_, a, 0).expression);
      bool is_same = true;
      for (std::size_t k = 0; k < 3; ++k) is_same = is_same && flag_of(one.is_unique, k) == (answer.is_unique[k] != 0);
      if (!is_same) add("flag and list", about, 1.0, question_of(m_, a, 0).expression);
    }
  }

  void check_flags_of_lists() {
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
      if (m_.constraints[c].law != LawKind::kIdeal) return;
    }
    if (reading_.forces.lambda_is_unique.size() != static_cast<std::size_t>(o_.lambda.size())) return;
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
      const int first = o_.first_column[c], count = o_.first_column[c + 1] - first;
      std::vector<std::vector<int>> groups = exchangeable_rows(m_, m_.constraints[c]);
      for (int k = 0; groups.empty() && k < count; ++k) groups.push_back({k});
      for (const std::vector<int>& group : groups) {
        bool is_known = true, unique = true, has = true;
        for (const int k : group) {
          const std::optional<bool> one = o_.is_unique(Vector::Unit(o_.lambda.size(), first + k));
          is_known = is_known && one;
          unique = unique && one.value_or(false);
          has = has && reading_.forces.lambda_is_unique[at(first + k)] != 0;
        }
        if (!is_known) continue;
        ++verdict_.flags;
        if (has != unique)
          add(has ? "flag missing" : "flag raised", "row of " + kind_of(m_.constraints[c]), 1.0,
              m_.constraints[c].name + "[" + std::to_string(group.front() + 1) + "]");
      }
    }
  }

  const Oracle& o_;
  const Mechanism& m_;
  const Reading& reading_;
  Verdict verdict_;
  std::vector<Report> reported_;
  std::vector<Vector> fits_;
  std::vector<char> fit_is_unique_;
  bool is_fit_unique_ = true;
};

}  // namespace

bool is_flag_open(const Oracle& oracle, const Reading& reading, const Vector& gradient) {
  const auto is_rounding = [](double x) { return x != 0.0 && std::abs(x) < 1e-12; };
  return gradient.cwiseQuotient(oracle.column_size).norm() < kRoundedFactor && oracle.depends_on_free(gradient) &&
         (std::ranges::any_of(reading.state.q, is_rounding) || std::ranges::any_of(reading.state.u, is_rounding));
}

std::string kind_of(const Constraint& c) {
  std::string kind;
  if (!c.joint.empty()) {
    kind = c.joint;
    if (!c.surface.empty()) kind += " " + c.surface + (c.has_radius ? " on a sphere" : "");
    const auto side = [](const Side& s) {
      switch (s.kind) {
        case SideKind::kGround: return "ground";
        case SideKind::kBody: return "body";
        case SideKind::kParticle: return "particle";
        case SideKind::kFrame: return "frame";
      }
      return "";
    };
    kind += std::string(" (") + side(c.A) + ", " + side(c.B) + ")";
  } else {
    static const char* const kLevels[3] = {"positions", "velocities", "accelerations"};
    kind = std::string("relation of ") + kLevels[Mechanism::level_of(c)];
  }
  if (c.law == LawKind::kDirected) kind += " directed";
  if (c.law == LawKind::kVia) kind += " via";
  if (!c.nonideal.empty()) kind += " nonideal";
  return kind;
}

Verdict judge(const Mechanism& m, const Structure& s, const Reading& reading) {
  if (!reading.has_motion()) {
    Verdict verdict;
    judge_refusal(m, s, reading, verdict);
    return verdict;
  }
  const Oracle oracle(m, s, reading.state);
  return Judge(oracle, reading).judge();
}

Verdict judge(const Mechanism& m) {
  const Structure s(m);
  return judge(m, s, read(m, s));
}

}  // namespace vinculum::mechanisms
