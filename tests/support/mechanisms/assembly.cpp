#include "support/mechanisms/assembly.hpp"

#include <Eigen/Dense>

namespace vinculum::mechanisms {
namespace {

struct Linear {
  Eigen::VectorXd residual;
  Eigen::MatrixXd jacobian;
};

/// Rows up to the level, differentiated to that level, and their derivatives with respect to the speeds at that
/// level.
Linear rows_at(const Mechanism& m, const Structure& s, int level) {
  const std::vector<double> none(s.speeds.size(), 0.0);
  const Motion motion = motion_of(m, s, m.t0, guessed_q(m), level == 0 ? none : guessed_u(m, s), none);
  const Kinematics nominal(m, s, motion);
  std::vector<std::pair<std::size_t, std::size_t>> kept;  // pairs: constraint, row
  Linear result;
  std::vector<double> residual;
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    const std::vector<Row> rows = rows_of(m.constraints[c], nominal);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].level > level) continue;
      kept.emplace_back(c, k);
      residual.push_back(rows[k].value.c[at(level - rows[k].level)].v);
    }
  }
  result.residual = Eigen::Map<Eigen::VectorXd>(residual.data(), static_cast<Eigen::Index>(residual.size()));
  result.jacobian.resize(result.residual.size(), static_cast<Eigen::Index>(s.speeds.size()));
  for (std::size_t r = 0; r < s.speeds.size(); ++r) {
    const Kinematics moved(m, s, motion, &nominal, {Mode::Kind::kSpeed, static_cast<int>(r), {}}, level);
    std::vector<std::vector<Row>> rows;
    for (const Constraint& c : m.constraints) rows.push_back(rows_of(c, moved));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const Row& row = rows[kept[i].first][kept[i].second];
      result.jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(r)) =
          row.value.c[at(level - row.level)].e;
    }
  }
  return result;
}

bool is_finite(const Linear& rows) { return rows.residual.allFinite() && rows.jacobian.allFinite(); }

Eigen::VectorXd least_change(const Linear& rows) {
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows.jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-7);
  return svd.solve(-rows.residual);
}

}  // namespace

std::vector<double> guessed_q(const Mechanism& m) {
  std::vector<double> q;
  for (const Coordinate& c : m.coordinates) q.push_back(c.q);
  return q;
}
std::vector<double> guessed_u(const Mechanism& m, const Structure& s) {
  std::vector<double> u;
  for (const Speed& speed : s.speeds)
    u.push_back(speed.coordinate >= 0 ? m.coordinates[at(speed.coordinate)].rate
                                      : m.spin[3 * at(speed.frame) + at(speed.axis)]);
  return u;
}

bool assemble_positions(Mechanism& m) {
  const Structure s(m);
  for (int iteration = 0; iteration < 25; ++iteration) {
    const Linear rows = rows_at(m, s, 0);
    if (!is_finite(rows)) return false;
    if (rows.residual.size() == 0 || rows.residual.cwiseAbs().maxCoeff() < 1e-13) return true;
    if (s.speeds.empty()) return false;
    Eigen::VectorXd step = least_change(rows);
    if (step.norm() > 0.7) step *= 0.7 / step.norm();
    for (std::size_t k = 0; k < s.speeds.size(); ++k) {
      const double d = step[static_cast<Eigen::Index>(k)];
      if (s.speeds[k].coordinate >= 0) {
        m.coordinates[at(s.speeds[k].coordinate)].q += d;
        if (std::abs(m.coordinates[at(s.speeds[k].coordinate)].q) > 6.0) return false;
      }
    }
    for (std::size_t f = 0; f < m.frames.size(); ++f) {
      if (m.frames[f].kind != FrameKind::kQuaternion || s.used.frames[f] == 0) continue;
      std::array<double, 3> d{};
      for (std::size_t k = 0; k < s.speeds.size(); ++k) {
        if (s.speeds[k].frame == static_cast<int>(f)) d[at(s.speeds[k].axis)] = step[static_cast<Eigen::Index>(k)];
      }
      std::array<double*, 4> e{};
      for (std::size_t k = 0; k < 4; ++k) e[k] = &m.coordinates[at(m.frames[f].quaternion[k])].q;
      const Eigen::Quaterniond now(*e[0], *e[1], *e[2], *e[3]), change(1.0, 0.5 * d[0], 0.5 * d[1], 0.5 * d[2]);
      const Eigen::Quaterniond next = (now * change).normalized();
      *e[0] = next.w(), *e[1] = next.x(), *e[2] = next.y(), *e[3] = next.z();
    }
  }
  const Linear rows = rows_at(m, s, 0);
  return is_finite(rows) && rows.residual.cwiseAbs().maxCoeff() < 1e-12;
}

bool has_accelerations(const Mechanism& m) {
  const Structure s(m);
  const Linear rows = rows_at(m, s, 2);
  if (!is_finite(rows)) return false;
  if (rows.residual.size() == 0) return true;
  if (s.speeds.empty()) return rows.residual.cwiseAbs().maxCoeff() < 1e-9;
  const Eigen::VectorXd step = least_change(rows);
  return (rows.residual + rows.jacobian * step).cwiseAbs().maxCoeff() < 1e-9 && step.cwiseAbs().maxCoeff() < 1e4;
}

bool has_degenerate_row(const Mechanism& m, std::size_t constraint) {
  Mechanism alone = m;
  alone.constraints = {m.constraints[constraint]};
  const Structure s(alone);
  if (s.speeds.empty()) return false;
  const auto sizes = [&] {
    const Linear rows = rows_at(alone, s, 2);
    return Eigen::VectorXd(rows.jacobian.rowwise().norm());
  };
  const Eigen::VectorXd here = sizes();
  double shift = 0.05;
  for (Coordinate& c : alone.coordinates) c.q += shift *= -1.1;
  const Eigen::VectorXd beside = sizes();
  for (Eigen::Index k = 0; k < here.size(); ++k) {
    if (here[k] < 2e-3 && beside[k] > 1e-7) return true;
  }
  return false;
}

bool has_attitude(const Mechanism& m, const Constraint& c) {
  if (c.joint != "fixed" && c.joint != "prismatic" && c.joint != "prescribed_orientation") return true;
  const Structure s(m);
  const std::vector<double> none(s.speeds.size(), 0.0);
  const Kinematics k(m, s, motion_of(m, s, m.t0, guessed_q(m), none, none));
  const M3 A = k.pose(c.A).R, B = k.pose(c.B).R;
  M3 turned = A;
  if (c.prescribed && norm(vector_value(*c.prescribed, k)).value() > 0.0) {
    const V3 v = vector_value(*c.prescribed, k);
    for (int i = 0; i < 3; ++i) turned[i] = turn_about(unit(v), norm(v)) * A[i];
  }
  for (int i = 0; i < 3; ++i) {
    if (dot(turned[i], B[i]).value() < 0.99) return false;
  }
  return true;
}

bool assemble_velocities(Mechanism& m) {
  const Structure s(m);
  for (int iteration = 0; iteration < 15; ++iteration) {
    const Linear rows = rows_at(m, s, 1);
    if (!is_finite(rows)) return false;
    if (rows.residual.size() == 0 || rows.residual.cwiseAbs().maxCoeff() < 1e-12) return true;
    if (s.speeds.empty()) return false;
    const Eigen::VectorXd step = least_change(rows);
    for (std::size_t k = 0; k < s.speeds.size(); ++k) {
      const Speed& speed = s.speeds[k];
      double& u = speed.coordinate >= 0 ? m.coordinates[at(speed.coordinate)].rate
                                        : m.spin[3 * at(speed.frame) + at(speed.axis)];
      u += step[static_cast<Eigen::Index>(k)];
      if (std::abs(u) > 20.0) return false;
    }
  }
  return false;
}

}  // namespace vinculum::mechanisms
