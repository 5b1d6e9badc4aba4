// Trees of masses with few constraint rows: the solver with articulated bodies is compared with the pivoted solver.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "support/models.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/solve/generated/tree_solution.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum {
namespace tree_rows_test {

using expr::Expr;

/// A plane chain of n rods with hinges; it begins at O and ends at the point `end`.
std::string plane_chain(int n, const std::string& more) {
  return "model chain\nframe N newtonian\nparam n = " + std::to_string(n) +
         ", l = 0.7, m = 1.3, k = 0.4\ncoord q[1..n]\ngravity -9.81*N.y\npoint O fixed in N\npoint J[1] fixed in N\n"
         "frame B[1] = N rotated q[1] about z\n"
         "for i in 2..n {\n frame B[i] = B[i - 1] rotated q[i] about z\n point J[i] = J[i - 1] - l*B[i - 1].y\n}\n"
         "for i in 1..n {\n body rod[i] frame B[i] mass m*(1 + k*sin(i)) inertia (m*l^2/12, 0, m*l^2/12) "
         "at J[i] - l/2*B[i].y\n start q[i] ~ 0.4*sin(2*i)\n}\npoint end = J[n] - l*B[n].y\n" +
         more;
}

/// A spatial tree: a floating base with two arms. Each arm has n hinges about alternating axes; the arms end at the
/// points `left` and `right`.
std::string space_tree(int n, const std::string& more) {
  std::string text =
      "model tree\nframe N newtonian\nparam n = " + std::to_string(n) +
      ", l = 0.5\ncoord x, y, z, e0, e1, e2, e3, a[1..n], b[1..n]\ngravity -9.81*N.z\npoint O fixed in N\n"
      "frame S = N quaternion(e0, e1, e2, e3)\n"
      "body base frame S mass 4 inertia (0.6, 0.7, 0.8) at O + x*N.x + y*N.y + z*N.z\nstart e0 = 1\n";
  for (const auto& [arm, angle, side] : {std::tuple{"L", "a", "0.3"}, std::tuple{"R", "b", "-0.3"}}) {
    const std::string A = arm;
    for (int i = 1; i <= n; ++i) {
      const std::string k = "[" + std::to_string(i) + "]", before = "[" + std::to_string(i - 1) + "]";
      const std::string from = i == 1 ? "S" : A + before, axis(1, "xyz"[i % 3]);
      text += "frame " + A + k + " = " + from + " rotated " + angle + k + " about " + axis + "\n";
      text += "point J" + A + k + " = " +
              (i == 1 ? std::string("center(base) + ") + side + "*S.x" : "J" + A + before + " - l*" + from + ".z") +
              "\n";
      text += "body body" + A + k + " frame " + A + k + " mass 0.9 inertia (0.02, 0.03, 0.01) at J" + A + k +
              " - 0.2*" + A + k + ".z + 0.05*" + A + k + ".x\n";
    }
    text += std::string("point ") + (A == "L" ? "left" : "right") + " = J" + A + "[n] - l*" + A + "[n].z\n";
  }
  return text + more;
}

/// The linear problem for accelerations at random states, solved by both methods.
class TreeRows {
 public:
  explicit TreeRows(const std::string& text) {
    auto system = sim::derive_all(test_support::model_of_text(text));
    if (!system) throw std::runtime_error(system.error().message);
    system_ = *system;
    tree_ = equations::articulated_motion(*system_);
    if (!tree_) throw std::runtime_error("no tree");
    for (const equations::Row& row : system_->rows) {
      A_.push_back(row.A);
      b_.push_back(row.b);
    }
    write(solve::tree_solution(*tree_, A_, b_, tree_->u_dot, 3), motion_);
    write(solve::tree_solution(*tree_, A_, b_, std::vector<Expr>(system_->u.size(), system_->graph->constant(0.0)), 3),
          change_);
    numbers_ = system_->M.get();
    for (const expr::SparseRow& row : A_) {
      const std::vector<Expr> all = row.dense();
      numbers_.insert(numbers_.end(), all.begin(), all.end());
    }
    numbers_.insert(numbers_.end(), system_->f.begin(), system_->f.end());
    numbers_.insert(numbers_.end(), b_.begin(), b_.end());
    symbols_ = sim::state_symbols(*system_);
    symbols_.insert(symbols_.end(), system_->parameters.begin(), system_->parameters.end());
  }

  struct Errors {
    bool is_accepted = false;
    double motion = 0.0, forces = 0.0, rows = 0.0;  ///< relative errors
  };
  /// Relative errors of the tree solver at a state.   \param state  t, q, u, z
  [[nodiscard]] Errors of_motion(const std::vector<double>& state) const { return errors(motion_, state, true); }
  [[nodiscard]] Errors of_change(const std::vector<double>& state) const { return errors(change_, state, false); }

  template <class Random>
  [[nodiscard]] std::vector<double> random_state(Random& random) const {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> state(symbols_.size() - system_->parameters.size());
    for (double& one : state) one = 1.5 * uniform(random);
    for (const auto& e : system_->quaternions) {
      double norm2 = 0.0;
      for (const int i : e) norm2 += state[static_cast<std::size_t>(i) + 1] * state[static_cast<std::size_t>(i) + 1];
      for (const int i : e) state[static_cast<std::size_t>(i) + 1] /= std::sqrt(norm2);
    }
    return state;
  }
  [[nodiscard]] std::size_t size() const { return symbols_.size() - system_->parameters.size(); }

 private:
  static void write(const solve::StaticSolution& solution, std::vector<Expr>& to) {
    to = solution.u;
    to.insert(to.end(), solution.lambda.begin(), solution.lambda.end());
    to.push_back(solution.residual);
    to.push_back(solution.contraction);
  }
  [[nodiscard]] Errors errors(const std::vector<Expr>& answer, std::vector<double> state, bool is_motion) const {
    for (const model::Parameter& parameter : system_->model->parameters) state.push_back(parameter.value);
    const std::vector<double> found = expr::interpret(answer, symbols_, state);
    const std::vector<double> numbers = expr::interpret(numbers_, symbols_, state);
    const Eigen::Index nu = system_->nu(), nc = system_->nc();
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const double* at = numbers.data();
    const Matrix M = Eigen::Map<const RowMajor>(at, nu, nu), A = Eigen::Map<const RowMajor>(at += nu * nu, nc, nu);
    const Vector f = Eigen::Map<const Vector>(at += nc * nu, nu) * (is_motion ? 1.0 : 0.0),
                 b = Eigen::Map<const Vector>(at + nu, nc);
    const Vector u = Eigen::Map<const Vector>(found.data(), nu),
                 lambda = Eigen::Map<const Vector>(found.data() + nu, nc);
    solve::ConstrainedSolve solver(static_cast<int>(nu), static_cast<int>(nc));
    solve::Solution truth;
    Errors result;
    result.is_accepted = found[found.size() - 2] <= solve::StaticLdlt::kTolResidual &&
                         found.back() <= solve::StaticLdlt::kTolContraction;
    if (!solver.factor(M, A) || !solver.solve(f, b, truth)) {
      EXPECT_FALSE(result.is_accepted);
      return result;
    }
    result.motion = (u - truth.u).norm() / truth.u.norm();
    result.forces = (A.transpose() * lambda - truth.Q).norm() / (truth.Q.norm() + f.norm());
    for (Eigen::Index k = 0; k < nc; ++k) {
      const double size = std::abs(b[k]) + A.row(k).norm() * u.norm();
      result.rows = std::max(result.rows, std::abs(A.row(k).dot(u) - b[k]) / size);
    }
    return result;
  }

  std::shared_ptr<equations::System> system_;
  std::optional<equations::ArticulatedMotion> tree_;
  std::vector<expr::SparseRow> A_;
  std::vector<Expr> b_, motion_, change_, numbers_, symbols_;
};

struct Case {
  const char* name;
  std::string text;
};

std::vector<Case> cases() {
  return {
      {"on_line", plane_chain(8, "constraint level: dot(pos(end, O), N.y) = -3\n")},
      {"pinned", plane_chain(7, "constraint pin: pos(end, O) = 2*N.x - N.y along N.x, N.y\n")},
      {"motor", plane_chain(6, "constraint motor: q[3] = 0.3*sin(2*t)\n")},
      {"motor_on_line", plane_chain(9,
                                    "constraint motor: q[2]' = cos(t)\nconstraint level: dot(pos(end, O), N.y) = "
                                    "-3 + 0.1*sin(t)\n")},
      {"blade", plane_chain(8, "constraint blade: dot(vel(end), B[n].y) = 0\n")},
      {"six_rows", plane_chain(12,
                               "constraint pin: pos(end, O) = 3*N.x along N.x, N.y\nconstraint blade: "
                               "dot(vel(center(rod[5])), B[5].y) = 0.2*cos(t)\nconstraint motor: q[7]' = sin(3*t)\n"
                               "constraint gear: q[2] = 2*q[3]\nconstraint bar: norm(pos(J[9], O)) = 3\n")},
      {"space_one", space_tree(3, "constraint plane: dot(pos(left, O), N.z) = 0.3\n")},
      {"space_loop", space_tree(4, "constraint ball: pos(left, right) = 0 along N.x, N.y, N.z\n")},
      {"space_six", space_tree(4,
                               "constraint held: pos(left, O) = sin(t)*N.x along N.x, N.y, N.z\n"
                               "constraint roll: vel(right) = 0 along N.x, N.y\nconstraint motor: b[2]' = 1\n")},
  };
}

TEST(TreeRows, AgreeWithThePivotedSolver) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const TreeRows rows(one.text);
    std::mt19937_64 random(11);
    int accepted = 0;
    double worst = 0.0;
    for (int k = 0; k < 30; ++k) {
      const std::vector<double> state = rows.random_state(random);
      for (const TreeRows::Errors& errors : {rows.of_motion(state), rows.of_change(state)}) {
        if (!errors.is_accepted) continue;
        ++accepted;
        worst = std::max({worst, errors.motion, errors.forces});
        EXPECT_LT(errors.motion, 1e-11);
        EXPECT_LT(errors.forces, 1e-11);
        EXPECT_LT(errors.rows, 1e-13);
      }
    }
    RecordProperty(one.name, std::to_string(worst));
    EXPECT_GE(accepted, 57);
  }
}

TEST(TreeRows, AreHandedOverWhereTheyComeToDependOnEachOther) {
  // A chain of four rods whose end is connected to a pin at the distance of the stretched chain. If the chain is
  // straight, both rows depend on each other.
  const TreeRows rows(plane_chain(4,
                                  "constraint one: dot(pos(end, O), N.x + N.y) = 0\nconstraint other: "
                                  "dot(pos(end, O), N.x - N.y) = 0\n"));
  for (const double angle : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 0.0}) {
    SCOPED_TRACE(angle);
    std::vector<double> state(rows.size(), 0.0);
    state[1] = M_PI_2 + angle, state[2] = -2.0 * angle, state[3] = 1.5 * angle, state[4] = 0.7 * angle;
    for (std::size_t i = 5; i < state.size(); ++i) state[i] = 0.3 * std::sin(static_cast<double>(i));
    const TreeRows::Errors errors = rows.of_motion(state);
    if (angle >= 1e-3) {
      EXPECT_TRUE(errors.is_accepted);
    }
    if (angle <= 1e-5) {
      EXPECT_FALSE(errors.is_accepted);
    }
    if (errors.is_accepted) {
      EXPECT_LT(errors.motion, 1e-11);
    }
  }
}

/// Compares the generated accelerations of a compiled model with those of the tree algorithm, along the motion.
void expect_motion(const std::string& text, int rows_left_out) {
  const auto model = test_support::model_of_text(text);
  const auto bound = test_support::compiled(model);
  ASSERT_TRUE(bound->compiled->tree);
  ASSERT_TRUE(bound->accelerations.kernel);
  const auto kept = solve::kept_count(bound->compiled->structure);
  EXPECT_EQ(bound->compiled->nc() - static_cast<int>(kept), rows_left_out);
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*model);
  options.output_step = options.duration / 10.0;
  const sim::Trajectory run = sim::simulate(dynamics, options);
  EXPECT_FALSE(run.stopped);
  // Reports of samples with redundant rows need the pivoted solver, one fallback per sample.
  EXPECT_LE(run.counts.fallbacks, rows_left_out > 0 ? static_cast<long>(run.samples.size()) : 0);
  EXPECT_GT(run.counts.static_solves, 0);
  for (const sim::Sample& sample : run.samples) {
    Vector y(sample.q.size() + sample.u.size());
    y << sample.q, sample.u;
    Vector rate(y.size());
    ASSERT_TRUE(dynamics.derivative(sample.t, y.data(), rate.data()));
    const Vector u_dot = rate.tail(bound->compiled->nu());
    sim::Matrices m;
    sim::EquationsOf(dynamics).matrices_as_they_are(dynamics.mode(), sample.t, y.data(), m);
    // The residual of the equations is compared, because M of a long chain is so ill-conditioned that a solve with M
    // gives no accurate u'.
    const Vector reaction = m.M * u_dot - m.f;
    const Vector lambda = Matrix(m.A.transpose()).colPivHouseholderQr().solve(reaction);
    const Vector size = m.M.cwiseAbs() * u_dot.cwiseAbs() + m.f.cwiseAbs();
    EXPECT_LT((reaction - m.A.transpose() * lambda).cwiseAbs().maxCoeff(), 1e-12 * size.maxCoeff());
    EXPECT_LT((m.A * u_dot - m.b).cwiseAbs().maxCoeff(),
              1e-13 * (m.A.cwiseAbs() * u_dot.cwiseAbs() + m.b.cwiseAbs()).maxCoeff());
  }
}

TEST(TreeRows, OfALongChainNeedNoOtherSolver) {
  expect_motion(plane_chain(40, "constraint level: dot(pos(end, O), N.y) = -0.5*n*l\nrun 0.1\n"), 0);
}

TEST(TreeRows, OfAChainThatMIsNotWrittenForDoWithoutIt) {
  const std::string text = plane_chain(140, "constraint level: dot(pos(end, O), N.y) = -0.5*n*l\nrun 0.02\n");
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  EXPECT_TRUE(bound->compiled->late_matrices);
  EXPECT_FALSE(bound->compiled->layout.M.has_value());
  EXPECT_FALSE(bound->compiled->structure.is_mass_singular);
  expect_motion(text, 0);
}

// A series of linkages has as many rows as speeds. With articulated bodies the matrix of the rows would be dense,
// although M and A are sparse; deriving 400 linkages then took minutes.
TEST(TreeRows, TakeMWhereTheyAreMany) {
  const auto takes_bodies = [](int linkages) {
    const std::string n = std::to_string(linkages);
    const auto system = *sim::derive_all(test_support::model_of_text(
        "model linkages\nframe N newtonian\nparam n = " + n +
        "\ncoord x[0..n], y[0..n]\ngravity -9.81*N.y\npoint O fixed in N\n"
        "for i in 0..n {\n particle P[i] mass 1 at O + x[i]*N.x + y[i]*N.y\n start x[i] ~ i, y[i] ~ 1\n}\n"
        "for i in 0..n { constraint crank[i]: (x[i] - i)^2 + y[i]^2 = 1 }\n"
        "for i in 1..n { constraint rod[i]: (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = 1 }\n"));
    EXPECT_TRUE(system->M.is_deferred());
    return solve::bodies_for_solution(*system).has_value();
  };
  EXPECT_FALSE(takes_bodies(70));
  const auto chain = *sim::derive_all(
      test_support::model_of_text(plane_chain(140, "constraint level: dot(pos(end, O), N.y) = -0.5*n*l\n")));
  EXPECT_TRUE(solve::bodies_for_solution(*chain).has_value());
}

TEST(TreeRows, StatedTwiceAreMetOnce) {
  expect_motion(plane_chain(40,
                            "constraint level: dot(pos(end, O), N.y) = -0.5*n*l\nconstraint again: "
                            "-2*dot(pos(end, O), N.y) = n*l\nrun 0.1\n"),
                1);
}

}  // namespace tree_rows_test
}  // namespace vinculum
