#include "support/mechanisms/oracle.hpp"

#include <cmath>

namespace vinculum::mechanisms {
namespace {

Mode mode_of(Mode::Kind kind, int index, int axis = 0) {
  Mode mode{kind, index, {}};
  mode.direction[at(axis)] = 1.0;
  return mode;
}
Eigen::Vector3d changes(const V3& a) { return {a[0].change(), a[1].change(), a[2].change()}; }

}  // namespace

Layout::Layout(const Mechanism& m, const Structure& s) {
  const auto three = [&](Mode::Kind kind, int index) {
    for (int k = 0; k < 3; ++k) modes.push_back(mode_of(kind, index, k));
  };
  three(Mode::Kind::kGroundShift, 0);
  three(Mode::Kind::kGroundTurn, 0);
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    body.push_back(m.bodies[b].removed ? -1 : static_cast<int>(modes.size()));
    if (m.bodies[b].removed) continue;
    three(Mode::Kind::kBodyShift, static_cast<int>(b));
    three(Mode::Kind::kBodyTurn, static_cast<int>(b));
  }
  for (std::size_t p = 0; p < m.particles.size(); ++p) {
    particle.push_back(m.particles[p].removed ? -1 : static_cast<int>(modes.size()));
    if (!m.particles[p].removed) three(Mode::Kind::kParticleShift, static_cast<int>(p));
  }
  bare = static_cast<int>(modes.size());
  for (std::size_t k = 0; k < s.speeds.size(); ++k) modes.push_back(mode_of(Mode::Kind::kBare, static_cast<int>(k)));
  size = static_cast<int>(modes.size());
}

Oracle::Oracle(const Mechanism& m, const Structure& s, const State& state)
    : layout(m, s),
      m_(m),
      s_(s),
      motion_(motion_of(m, s, state.t, state.q, state.u, state.du)),
      nominal_(m, s, motion_) {
  first_row.push_back(0);
  first_column.push_back(0);
  for (std::size_t c = 0; c < m.constraints.size(); ++c) {
    const Constraint& constraint = m.constraints[c];
    const int rows = m.row_count(constraint);
    first_row.push_back(first_row.back() + rows);
    const int unknowns = constraint.law == LawKind::kIdeal ? rows : static_cast<int>(constraint.actuators.size());
    for (int k = 0; k < unknowns; ++k) columns.push_back({static_cast<int>(c), k});
    first_column.push_back(static_cast<int>(columns.size()));
  }
  check_rows();

  const auto nu = static_cast<Eigen::Index>(s.speeds.size());
  const Eigen::Index n = layout.size, nc = static_cast<Eigen::Index>(m.constraints.size()),
                     ncol = static_cast<Eigen::Index>(columns.size());
  wrench.setZero(n, ncol);
  generalized.setZero(nu, ncol);
  rows_generalized.setZero(nu, first_row.back());
  stated.setZero(n, nc);
  stated_generalized.setZero(nu, nc);
  inertia.setZero(n);
  loads.setZero(n);
  J.setZero(n, nu);
  const auto read_columns = [&](const Power& power, auto&& column) {
    int actuator = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto& [c, row] = columns[k];
      const bool is_ideal = m.constraints[at(c)].law == LawKind::kIdeal;
      column(static_cast<Eigen::Index>(k)) =
          is_ideal ? power.rows[first_row[at(c)] + row] : power.actuators[actuator++];
    }
  };
  row_size.setZero(first_row.back());
  for (int i = 0; i < layout.size; ++i) {
    const Power power = power_in(layout.modes[at(i)]);
    row_size += power.rows.cwiseAbs2();
    read_columns(power, [&](Eigen::Index k) -> double& { return wrench(i, k); });
    stated.row(i) = power.stated.transpose();
    inertia[i] = power.inertia;
    loads[i] = power.loads;
  }
  row_size = row_size.cwiseSqrt();
  Vector inertia_u(nu), loads_u(nu);
  for (Eigen::Index r = 0; r < nu; ++r) {
    const Mode mode = mode_of(Mode::Kind::kSpeed, static_cast<int>(r));
    const Power power = power_in(mode);
    read_columns(power, [&](Eigen::Index k) -> double& { return generalized(r, k); });
    rows_generalized.row(r) = power.rows.transpose();
    stated_generalized.row(r) = power.stated.transpose();
    inertia_u[r] = power.inertia;
    loads_u[r] = power.loads;
    const Kinematics moved(m, s, motion_, &nominal_, mode, 1);
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].removed) continue;
      const Pose pose = moved.pose({SideKind::kBody, static_cast<int>(b)});
      J.block<3, 1>(layout.body[b], r) = changes(rate(pose.r));
      J.block<3, 1>(layout.body[b] + 3, r) = changes(pose.omega);
    }
    for (std::size_t p = 0; p < m.particles.size(); ++p) {
      if (!m.particles[p].removed) J.block<3, 1>(layout.particle[p], r) = changes(moved.velocity(m.particles[p].point));
    }
    J(layout.bare + r, r) = 1.0;
  }
  const auto compare = [&](const Matrix& own, const Matrix& by_wrench) {
    if (own.size() == 0) return;
    const double size = std::max(1.0, by_wrench.cwiseAbs().maxCoeff());
    self_check = std::max(self_check, (own - by_wrench).cwiseAbs().maxCoeff() / size);
  };
  compare(generalized, J.transpose() * wrench);
  compare(stated_generalized, J.transpose() * stated);
  compare(inertia_u, J.transpose() * inertia);
  compare(loads_u, J.transpose() * loads);
  needed = inertia_u - loads_u - stated_generalized.rowwise().sum();
  force_size = 1e-3 + inertia.cwiseAbs().maxCoeff() + loads.cwiseAbs().maxCoeff() +
               (nc > 0 ? stated.cwiseAbs().maxCoeff() : 0.0);

  M.setZero(nu, nu);
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    if (m.bodies[b].removed) continue;
    const Matrix v = J.middleRows(layout.body[b], 3), w = J.middleRows(layout.body[b] + 3, 3);
    Matrix R(3, 3), I(3, 3);
    for (int k = 0; k < 3; ++k) R.col(k) = values(nominal_.R_of_body(static_cast<int>(b))[k]);
    const auto& given = m.bodies[b].inertia;
    const auto entry = [&](std::size_t k) { return k < given.size() ? given[k] : 0.0; };
    if (given.size() == 1) {
      I = given[0] * Matrix::Identity(3, 3);
    } else {
      I << entry(0), entry(3), entry(5), entry(3), entry(1), entry(4), entry(5), entry(4), entry(2);
    }
    M += m.bodies[b].mass * v.transpose() * v + w.transpose() * R * I * R.transpose() * w;
  }
  for (std::size_t p = 0; p < m.particles.size(); ++p) {
    if (m.particles[p].removed) continue;
    const Matrix v = J.middleRows(layout.particle[p], 3);
    M += m.particles[p].mass * v.transpose() * v;
  }
  solve();
  solve_motion(state);

  for (const Reveal& reveal : m.reveals) {
    std::vector<Revealed> entries;
    for (const LinearVector& along : reveal.along) {
      Mode mode{reveal.is_torque ? Mode::Kind::kRevealTurn : Mode::Kind::kRevealShift, reveal.index, {}};
      const Eigen::Vector3d direction = values(nominal_.vector(along)).normalized();
      for (int k = 0; k < 3; ++k) mode.direction[at(k)] = direction[k];
      const Power power = power_in(mode);
      Revealed entry;
      entry.gradient.resize(ncol);
      read_columns(power, [&](Eigen::Index k) -> double& { return entry.gradient[k]; });
      entry.gradient = -entry.gradient;
      const double stated_power = power.stated.sum();
      entry.value = power.inertia - power.loads - stated_power + entry.gradient.dot(lambda);
      entry.size = std::abs(power.inertia) + std::abs(power.loads) + std::abs(stated_power) +
                   entry.gradient.cwiseAbs().dot(lambda.cwiseAbs());
      entries.push_back(std::move(entry));
    }
    reveals.push_back(std::move(entries));
  }
}

void Oracle::check_rows() {
  row_acceleration.resize(first_row.back());
  Eigen::Index place = 0;
  for (const Constraint& c : m_.constraints) {
    int k = 0;
    for (const Row& row : rows_of(c, nominal_)) {
      ++k;
      row_levels_.push_back(row.level);
      row_acceleration[place++] = row.value.c[at(2 - row.level)].v;
      for (int order = 0; order + row.level <= 2; ++order) {
        const double residual = std::abs(row.value.c[at(order)].v);
        if (residual <= row_residual) continue;
        row_residual = residual;
        worst_row = c.name + "[" + std::to_string(k) + "], derivative " + std::to_string(order);
      }
    }
  }
}

double Oracle::power(const Action& action, const Kinematics& moved, double factor) const {
  switch (action.on) {
    case Action::On::kPoint: {
      const Eigen::Vector3d F = factor * values(vector_value(*action.value, nominal_));
      double sum = F.dot(changes(moved.velocity(action.index)));
      if (action.has_from) sum -= F.dot(changes(moved.velocity(action.from)));
      return sum;
    }
    case Action::On::kBody: {
      const Eigen::Vector3d T = factor * values(vector_value(*action.value, nominal_));
      double sum = T.dot(changes(moved.pose({SideKind::kBody, action.index}).omega));
      if (action.has_from) {
        const Side side = action.from_ground ? Side{} : Side{SideKind::kBody, action.from};
        sum -= T.dot(changes(moved.pose(side).omega));
      }
      return sum;
    }
    case Action::On::kCoordinate:
      return factor * scalar_value(*action.value, nominal_).value() * moved.coordinate(action.index).c[1].e;
  }
  return 0.0;
}

Power Oracle::power_in(const Mode& mode) const {
  Power power;
  power.rows.setZero(first_row.back());
  power.stated.setZero(static_cast<Eigen::Index>(m_.constraints.size()));
  std::vector<double> actuators;
  bool has_level[3] = {false, true, false};
  for (const int level : row_levels_) has_level[level] = true;
  for (int level = 0; level < 3; ++level) {
    if (!has_level[level]) continue;
    const Kinematics moved(m_, s_, motion_, &nominal_, mode, level);
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
      const std::vector<Row> rows = rows_of(m_.constraints[c], moved);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].level == level) power.rows[first_row[c] + static_cast<int>(k)] = rows[k].value.change();
      }
    }
    if (level != 1) continue;
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
      for (const Action& a : m_.constraints[c].nonideal)
        power.stated[static_cast<Eigen::Index>(c)] += this->power(a, moved);
      for (const Action& a : m_.constraints[c].actuators) actuators.push_back(this->power(a, moved));
    }
    for (std::size_t b = 0; b < m_.bodies.size(); ++b) {
      const Body& body = m_.bodies[b];
      if (body.removed) continue;
      const Side side{SideKind::kBody, static_cast<int>(b)};
      const Pose pose = nominal_.pose(side), with_change = moved.pose(side);
      // derivative of I ω in the newtonian frame: I α + ω × I ω
      const V3 w = in_frame(pose.R, pose.omega);
      const auto& I = body.inertia;
      const auto of = [&](std::size_t k) { return Jet(k < I.size() ? I[k] : 0.0); };
      const V3 L = I.size() == 1
                       ? Jet(I[0]) * w
                       : V3{{of(0) * w[0] + of(3) * w[1] + of(5) * w[2], of(3) * w[0] + of(1) * w[1] + of(4) * w[2],
                             of(5) * w[0] + of(4) * w[1] + of(2) * w[2]}};
      const Eigen::Vector3d moment = values(rate(pose.R * L)), force = body.mass * values(rate(rate(pose.r)));
      power.inertia += force.dot(changes(rate(with_change.r))) + moment.dot(changes(with_change.omega));
    }
    for (const Particle& particle : m_.particles) {
      if (particle.removed) continue;
      power.inertia +=
          particle.mass * values(nominal_.acceleration(particle.point)).dot(changes(moved.velocity(particle.point)));
    }
    for (const Load& load : m_.loads) {
      switch (load.kind) {
        case Load::Kind::kGravity: {
          const Eigen::Vector3d g = values(nominal_.vector(load.gravity));
          for (const Body& body : m_.bodies) {
            if (!body.removed) power.loads += body.mass * g.dot(changes(moved.velocity(body.center)));
          }
          for (const Particle& particle : m_.particles) {
            if (!particle.removed) power.loads += particle.mass * g.dot(changes(moved.velocity(particle.point)));
          }
          break;
        }
        case Load::Kind::kSpring: {
          const V3 d = nominal_.place(load.P) - nominal_.place(load.Q);
          const Jet l = norm(d);
          const double tension = load.stiffness * (l.value() - load.length) + load.damping * l.c[1].v;
          const Eigen::Vector3d F = -tension * values(d).normalized();
          power.loads += F.dot(changes(moved.velocity(load.P)) - changes(moved.velocity(load.Q)));
          break;
        }
        default: power.loads += this->power(load.action, moved);
      }
    }
  }
  power.actuators = Eigen::Map<const Vector>(actuators.data(), static_cast<Eigen::Index>(actuators.size()));
  return power;
}

bool Oracle::has_direction_of_nothing() const {
  const std::function<bool(const NodePtr&)> is_of_nothing = [&](const NodePtr& n) {
    if (!n) return false;
    const bool is_directed = n->kind == NodeKind::kNorm || n->kind == NodeKind::kUnit;
    if (is_directed && values(vector_value(*n->arguments.front(), nominal_)).norm() < 1e-6) return true;
    return std::ranges::any_of(n->arguments, is_of_nothing);
  };
  return std::ranges::any_of(m_.constraints, [&](const Constraint& c) {
    if (c.joint != "gear") return is_of_nothing(c.left) || is_of_nothing(c.right);
    const Eigen::Vector3d arm = values(nominal_.place(c.Q) - nominal_.place(c.P));
    return values(nominal_.vector(c.axis)).normalized().cross(arm).norm() < 1e-6;
  });
}

void Oracle::solve() {
  const Eigen::Index n = static_cast<Eigen::Index>(columns.size()), nu = generalized.rows();
  lambda.setZero(n);
  lambda_ideal.setZero(n);
  column_size.setOnes(n);
  // Coefficients are compared with their terms, which are of order 1. A row of rounding size does not count as a row.
  for (Eigen::Index k = 0; k < n; ++k) {
    column_size[k] = wrench.col(k).norm();
    has_doubtful_row = has_doubtful_row || (column_size[k] > 1e-13 && column_size[k] < 1e-4);
    if (column_size[k] > 1e-11) continue;
    column_size[k] = 1.0;
    wrench.col(k).setZero();
    generalized.col(k).setZero();
  }
  null_space.resize(n, 0);
  if (nu == 0 || n == 0) {
    mismatch = nu == 0 ? 0.0 : needed.cwiseAbs().maxCoeff() / force_size;
    null_space = Matrix::Identity(n, n);
    return;
  }
  const Matrix scaled = generalized * column_size.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<Matrix> svd(scaled, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vector& sigma = svd.singularValues();
  const double threshold = 1e-8;
  Eigen::Index rank = 0;
  for (Eigen::Index k = 0; k < sigma.size(); ++k) {
    if (sigma[k] > threshold) {
      ++rank;
      smallest_kept = std::min(smallest_kept, sigma[k]);
    } else {
      largest_dropped = std::max(largest_dropped, sigma[k]);
    }
  }
  const auto solved = [&](const Vector& right) -> Vector {
    const Vector projected = svd.matrixU().leftCols(rank).transpose() * right;
    const Vector x = svd.matrixV().leftCols(rank) * projected.cwiseQuotient(sigma.head(rank));
    return column_size.cwiseInverse().cwiseProduct(x);
  };
  lambda = solved(needed);
  mismatch = (generalized * lambda - needed).cwiseAbs().maxCoeff() / force_size;
  null_space = svd.matrixV().rightCols(n - rank);

  // Solution without C: M δu' = Γ δλ + C, A δu' = 0, and λ_ideal = λ − δλ
  if (stated.cwiseAbs().sum() > 0.0) {
    const Eigen::Index m = rows_generalized.cols();
    Vector lengths(m);
    for (Eigen::Index k = 0; k < m; ++k) {
      const double norm = rows_generalized.col(k).norm();
      lengths[k] = norm < 1e-11 ? 1e30 : norm;  // a row of rounding size does not count
    }
    Matrix K = Matrix::Zero(nu + m, nu + n);
    K.topLeftCorner(nu, nu) = M;
    K.topRightCorner(nu, n) = -scaled;
    K.bottomLeftCorner(m, nu) = (rows_generalized * lengths.cwiseInverse().asDiagonal()).transpose();
    Vector right = Vector::Zero(nu + m);
    right.head(nu) = stated_generalized.rowwise().sum();
    const Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition(K);
    lambda_ideal = lambda - column_size.cwiseInverse().cwiseProduct(decomposition.solve(right).tail(n));
  } else {
    lambda_ideal = lambda;
  }
  choose_least_efforts();
}

void Oracle::solve_motion(const State& state) {
  const Eigen::Index nu = M.rows(), n = generalized.cols(), m = rows_generalized.cols();
  predicted.setZero(nu);
  if (nu == 0) return;
  Matrix K = Matrix::Zero(nu + m, nu + n);
  K.topLeftCorner(nu, nu) = M;
  K.topRightCorner(nu, n) = -generalized * column_size.cwiseInverse().asDiagonal();
  Vector right(nu + m);
  const Vector du = Eigen::Map<const Vector>(state.du.data(), nu);
  right.head(nu) = M * du - needed;
  for (Eigen::Index k = 0; k < m; ++k) {
    const bool is_rounding = row_size[k] < 1e-11;
    const Vector A = is_rounding ? Vector(Vector::Zero(nu)) : Vector(rows_generalized.col(k) / row_size[k]);
    K.bottomLeftCorner(m, nu).row(k) = A.transpose();
    right[nu + k] = is_rounding ? 0.0 : A.dot(du) - row_acceleration[k] / row_size[k];
  }
  const Eigen::JacobiSVD<Matrix> svd(K, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vector& sigma = svd.singularValues();
  Vector solution = Vector::Zero(nu + n);
  for (Eigen::Index k = 0; k < nu + n; ++k) {
    const double s = k < sigma.size() ? sigma[k] : 0.0;
    const Vector v = svd.matrixV().col(k);
    if (s > 1e-9) {
      solution += v * (svd.matrixU().col(k).dot(right) / s);
      if (s < 1e-5) is_motion_doubtful = true;
      continue;
    }
    if (s > 1e-12) is_motion_doubtful = true;
    Eigen::Index place = 0;
    // undetermined efforts are the least possible ones, which this solve does not compute
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool is_effort = m_.constraints[at(columns[c].constraint)].law != LawKind::kIdeal;
      if (is_effort && std::abs(v[nu + static_cast<Eigen::Index>(c)]) > 1e-7 && v.head(nu).cwiseAbs().maxCoeff() > 1e-7)
        is_motion_doubtful = true;
    }
    if (v.head(nu).cwiseAbs().maxCoeff(&place) > 1e-7) {
      is_motion_unique = false;
      const Speed& speed = s_.speeds[static_cast<std::size_t>(place)];
      free_speed = speed.coordinate >= 0 ? m_.coordinates[at(speed.coordinate)].name : m_.frames[at(speed.frame)].name;
    }
  }
  predicted = solution.head(nu);
  // redundant rows enforced by actuators: A M⁻¹Γᵀ is singular
  for (Eigen::Index k = 0; k < nu + m; ++k) {
    if (k < sigma.size() && sigma[k] > 1e-7) continue;
    for (std::size_t c = 0; c < m_.constraints.size(); ++c) {
      if (m_.constraints[c].law == LawKind::kIdeal) continue;
      for (int row = first_row[c]; row < first_row[c + 1]; ++row) {
        const bool is_embedded = rows_generalized.col(row).norm() < 1e-11;
        if (!is_embedded && std::abs(svd.matrixU()(nu + row, k)) > 1e-6) has_singular_actuators = true;
      }
    }
  }
  unsolvable = (K * solution - right).cwiseAbs().maxCoeff() / (1.0 + right.cwiseAbs().maxCoeff());
}

void Oracle::choose_least_efforts() {
  // Of all solutions, the one with the least Σ(effort/scale)², as the law of actuators requires.
  std::vector<Eigen::Index> efforts;
  std::vector<double> scales;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Constraint& c = m_.constraints[at(columns[k].constraint)];
    if (c.law == LawKind::kIdeal) continue;
    efforts.push_back(static_cast<Eigen::Index>(k));
    scales.push_back(c.actuators[at(columns[k].k)].scale);
  }
  if (efforts.empty() || null_space.cols() == 0) return;
  const auto count = static_cast<Eigen::Index>(efforts.size());
  Matrix E(count, null_space.cols());
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    E.row(i) = null_space.row(efforts[k]) / (column_size[efforts[k]] * scales[k]);
  }
  const Eigen::JacobiSVD<Matrix> svd(E, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Index rank = 0;
  for (Eigen::Index k = 0; k < svd.singularValues().size(); ++k) rank += svd.singularValues()[k] > 1e-9 ? 1 : 0;
  for (Vector* unknowns : {&lambda, &lambda_ideal}) {
    Vector e(count), x = Vector::Zero(null_space.cols());
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      e[i] = (*unknowns)[efforts[k]] / scales[k];
    }
    for (Eigen::Index k = 0; k < rank; ++k)
      x += svd.matrixV().col(k) * (svd.matrixU().col(k).dot(e) / svd.singularValues()[k]);
    *unknowns -= column_size.cwiseInverse().cwiseProduct(null_space * x);
  }
  null_space = (null_space * svd.matrixV().rightCols(null_space.cols() - rank)).eval();
}

std::optional<bool> Oracle::is_unique(const Vector& gradient) const {
  if (null_space.cols() == 0) return true;
  const Vector scaled = gradient.cwiseQuotient(column_size);
  const double size = std::max(scaled.norm(), 1e-12), along = (scaled.transpose() * null_space).norm();
  if (along < 1e-9 * size || along < 1e-11) return true;
  if (along > 1e-5 * size) return false;
  return std::nullopt;
}

bool Oracle::depends_on_free(const Vector& gradient) const {
  for (Eigen::Index i = 0; i < gradient.size() && null_space.cols() > 0; ++i) {
    if (gradient[i] != 0.0 && null_space.row(i).norm() > 1e-9) return true;
  }
  return false;
}

Matrix Oracle::share_of_point(int constraint, int point) const {
  const Constraint& c = m_.constraints[at(constraint)];
  const int first = first_column[at(constraint)], count = first_column[at(constraint) + 1] - first;
  Matrix share = Matrix::Zero(3, count);
  if (c.law != LawKind::kIdeal) {
    for (int k = 0; k < count; ++k) {
      const Action& a = c.actuators[at(k)];
      if (a.on != Action::On::kPoint) continue;
      const Eigen::Vector3d F = values(vector_value(*a.value, nominal_));
      if (a.index == point) share.col(k) += F;
      if (a.has_from && a.from == point) share.col(k) -= F;
    }
    return share;
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (int level = 0; level < 3; ++level) {
      const Kinematics moved(m_, s_, motion_, &nominal_, mode_of(Mode::Kind::kPointShift, point, axis), level);
      const std::vector<Row> rows = rows_of(c, moved);
      for (int k = 0; k < count; ++k) {
        if (rows[at(k)].level == level) share(axis, k) = rows[at(k)].value.change();
      }
    }
  }
  return share;
}

Eigen::Vector3d Oracle::stated_at(int constraint, int point) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Action& a : m_.constraints[at(constraint)].nonideal) {
    if (a.on != Action::On::kPoint) continue;
    const Eigen::Vector3d F = values(vector_value(*a.value, nominal_));
    if (a.index == point) sum += F;
    if (a.has_from && a.from == point) sum -= F;
  }
  return sum;
}

Vector Oracle::force_at(int point, const Eigen::Vector3d& force) const {
  Vector entries(layout.size);
  for (int i = 0; i < layout.size; ++i) {
    const Kinematics moved(m_, s_, motion_, &nominal_, layout.modes[at(i)], 1);
    entries[i] = force.dot(changes(moved.velocity(point)));
  }
  return entries;
}

Vector Oracle::exerted(int constraint, const Vector& unknowns) const {
  const int first = first_column[at(constraint)], count = first_column[at(constraint) + 1] - first;
  return wrench.middleCols(first, count) * unknowns.segment(first, count) + stated.col(constraint);
}

Vector Oracle::gradient_of(int constraint, const Vector& entries) const {
  Vector gradient = Vector::Zero(static_cast<Eigen::Index>(columns.size()));
  const int first = first_column[at(constraint)], count = first_column[at(constraint) + 1] - first;
  gradient.segment(first, count) = wrench.middleCols(first, count).transpose() * entries;
  return gradient;
}

}  // namespace vinculum::mechanisms
