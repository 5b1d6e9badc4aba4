#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "agreement/derived_code.hpp"
#include "agreement/derived_states.hpp"
#include "support/models.hpp"
#include "support/motion/test_models.hpp"
#include "vinculum/exports/derive_outputs.hpp"
#include "vinculum/exports/derive_projection.hpp"
#include "vinculum/exports/derive_report.hpp"

/// The functions `outputs` and `project` of printed programs, for all models, compared with the engine.
namespace vinculum {
namespace derived_outputs_test {

namespace fs = std::filesystem;
using namespace derived_code;
using expr::Expr;

/// The norm of a quaternion has no meaning, and `project` makes it 1.
std::vector<double> normed(const equations::System& system, std::vector<double> q) {
  for (const auto& four : system.quaternions) {
    double square = 0.0;
    for (const int i : four) square += std::pow(q[static_cast<std::size_t>(i)], 2);
    for (const int i : four) q[static_cast<std::size_t>(i)] /= std::sqrt(square);
  }
  return q;
}

/// A state off the constraints: each number changed by about `size` of the largest.
std::vector<double> changed(std::vector<double> values, double size) {
  double largest = 1e-3;
  for (const double x : values) largest = std::max(largest, std::fabs(x));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] += size * largest * std::sin(1.0 + 2.3 * static_cast<double>(i));
  return values;
}

/// How far speeds are moved off the constraints. A row that is not linear in them has no solution far from its own.
double off_speeds(const equations::System& system) { return report::has_curved_rows(system) ? 1e-6 : 1e-2; }

std::string program_of(const report::Derivation& derivation, const std::vector<Expected>& states) {
  const equations::System& system = *derivation.system;
  const std::string& name = system.model->name;
  const bool has_z = !system.z.empty(), has_acts = !derivation.switched.empty(), has_efforts = !system.directed.empty();
  const bool has_outputs = !report::program_outputs(derivation).entries.empty();
  const bool projects = report::why_no_projection(derivation).empty();
  const auto array = [](const std::vector<double>& values) { return values.empty() ? "0.0" : list_of(values); };
  std::string text = fmt::format("#include \"{}.c\"\n#include <stdio.h>\nstatic const char *comma;\n", name);
  text +=
      "static void show(const double *x, int n) { int i; for (i = 0; i < n; ++i, comma = \",\") printf(\"%s%.17g\", "
      "comma, x[i]); }\nint main(void) {\n  double p[SIZE(NP)], udot[SIZE(NU)], lambda[SIZE(NC)], "
      "effort[SIZE(NE)];\n  (void)effort; (void)show; (void)udot; (void)lambda;\n";
  if (has_z) text += "  double zdot[NZ];\n  (void)zdot;\n";
  if (has_acts) text += "  double acts[NACTS];\n";
  if (has_outputs) text += "  double output[NO];\n";
  text += fmt::format("  {}_parameters(p);\n  printf(\"[\");\n", name);
  const std::string more = std::string(has_z ? "z, " : "") + "p", acts = has_acts ? ", acts" : "";
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Expected& state = states[i];
    text += fmt::format("  {{ const double q[] = {{{}}}, u[] = {{{}}};\n", array(state.q), array(state.u));
    if (has_z) text += fmt::format("  const double z[] = {{{}}};\n", array(state.z));
    if (has_acts) text += fmt::format("  {}_acts({:.17g}, q, u, {}, acts);\n", name, state.t, more);
    text += fmt::format("  printf(\"{}[\"); comma = \"\"; (void)q; (void)u;\n", i == 0 ? "" : ",");
    if (has_outputs) {
      text += fmt::format("  if ({}_accelerations({:.17g}, q, u, {}{}, udot, lambda{}{})) return 1;\n", name, state.t,
                          more, acts, has_efforts ? ", effort" : "", has_z ? ", zdot" : "");
      text += fmt::format("  {}_outputs({:.17g}, q, u, {}{}, udot, lambda{}, output);\n  show(output, NO);\n", name,
                          state.t, more, acts, has_efforts ? ", effort" : "");
    }
    // The state itself, speeds off the constraints, and a state off the constraints.
    for (const auto& [of_q, of_u] : {std::pair{0.0, 0.0}, {0.0, off_speeds(system)}, {1e-4, off_speeds(system)}}) {
      if (!projects) break;
      text += fmt::format(
          "  {{ double Q[] = {{{}}}, U[] = {{{}}};\n  if ({}_project({:.17g}, Q, U, {}{})) return 2;\n  show(Q, NQ); "
          "show(U, NU); }}\n",
          array(changed(state.q, of_q)), array(changed(state.u, of_u)), name, state.t, more, acts);
    }
    text += "  printf(\"]\"); }\n";
  }
  return text + "  printf(\"]\\n\");\n  return 0;\n}\n";
}

/// Residuals and rows of the constraints at a state, and the metric of the projection.
class Relations {
 public:
  Relations(const std::shared_ptr<const sim::Binding>& bound, const report::Derivation& derivation)
      : bound_(bound), derivation_(derivation) {
    const equations::System& system = *derivation.system;
    symbols_ = {system.t};
    for (const auto* list : {&system.q, &system.u, &system.z, &system.parameters})
      symbols_.insert(symbols_.end(), list->begin(), list->end());
  }
  void at(const Expected& state, const std::vector<double>& q, const std::vector<double>& u) {
    const equations::System& system = *derivation_.system;
    std::vector<double> values{state.t};
    for (const auto& part : {q, u, state.z, parameters_of(*bound_->compiled->model)})
      values.insert(values.end(), part.begin(), part.end());
    const auto number = [&](Expr e) { return expr::interpret(std::vector{e}, symbols_, values)[0]; };
    A = Matrix::Zero(system.nc(), system.nu());
    phi = psi = Vector::Zero(system.nc());
    for (Eigen::Index k = 0; k < system.nc(); ++k) {
      const equations::Row& row = system.rows[static_cast<std::size_t>(k)];
      if (!row.psi.is_valid() || !sim::restricts_speeds(bound_->embedding()[static_cast<std::size_t>(k)])) continue;
      for (const auto& [r, entry] : row.A) A(k, static_cast<Eigen::Index>(r)) = number(entry);
      psi[k] = number(row.psi);
      if (row.phi.is_valid()) phi[k] = number(row.phi);
    }
    M = Matrix(system.nu(), system.nu());
    for (Eigen::Index i = 0; i < M.size(); ++i)
      M(i / system.nu(), i % system.nu()) = number(system.metric[static_cast<std::size_t>(i)]);
  }
  Matrix A, M;
  Vector phi, psi;

 private:
  std::shared_ptr<const sim::Binding> bound_;
  const report::Derivation& derivation_;
  std::vector<Expr> symbols_;
};

double largest(const std::vector<double>& values) {
  double result = 1e-3;
  for (const double x : values) result = std::max(result, std::fabs(x));
  return result;
}

void expect_outputs(const report::ProgramOutputs& outputs, const std::shared_ptr<const sim::Binding>& bound,
                    const Expected& state, const json& found) {
  const model::Model& model = *bound->compiled->model;
  double size = 0.0, force = 0.0;
  for (const Vector* part : {&state.u_dot, &state.lambda})
    for (const double x : *part) force = std::max(force, std::isfinite(x) ? std::fabs(x) : 0.0);
  for (const double x : state.f) force = std::max(force, std::fabs(x));
  std::size_t next = 0;
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    if (std::ranges::find(outputs.omitted, model.outputs[i].name) != outputs.omitted.end()) continue;
    const auto [first, count] = bound->compiled->output_columns[i];
    for (int k = 0; k < count; ++k) {
      const double wanted = state.outputs[first + k];
      size = std::isfinite(wanted) ? std::max({std::fabs(wanted), force, 1e-3}) : 0.0;
      const double value = found[next++].is_number() ? found[next - 1].get<double>() : std::nan("");
      if (state.output_unique[static_cast<std::size_t>(first + k)] == 0 || !std::isfinite(wanted)) continue;
      EXPECT_NEAR(value, wanted, 1e-10 * size) << outputs.entries[next - 1].name;
    }
  }
  EXPECT_EQ(next, outputs.entries.size());
}

void expect_projections(const std::shared_ptr<const sim::Binding>& bound, const report::Derivation& derivation,
                        const Expected& state, const std::vector<double>& found) {
  const equations::System& system = *bound->compiled->system;
  const auto nq = static_cast<std::size_t>(system.nq()), nu = static_cast<std::size_t>(system.nu());
  ASSERT_EQ(found.size(), 3 * (nq + nu));
  const std::vector<double> own = normed(system, state.q);
  Relations relations(bound, derivation);
  for (std::size_t turn = 0; turn < 3; ++turn) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(turn * (nq + nu));
    const std::vector<double> q(begin, begin + static_cast<std::ptrdiff_t>(nq)),
        u(begin + static_cast<std::ptrdiff_t>(nq), begin + static_cast<std::ptrdiff_t>(nq + nu));
    if (turn < 2) {
      for (std::size_t i = 0; i < nq; ++i) EXPECT_NEAR(q[i], own[i], 1e-8 * largest(own)) << turn << " q" << i;
    }
    if (turn < 1) {
      for (std::size_t i = 0; i < nu; ++i) EXPECT_NEAR(u[i], state.u[i], 1e-8 * largest(state.u)) << turn << " u" << i;
    }
    relations.at(state, q, u);
    for (Eigen::Index k = 0; k < system.nc(); ++k) {
      const double length = relations.A.row(k).norm();
      EXPECT_NEAR(relations.phi[k], 0.0, 1e-9 * length * largest(q)) << turn << " row " << k;
      EXPECT_NEAR(relations.psi[k], 0.0, 1e-9 * length * largest(u)) << turn << " row " << k;
    }
    if (turn != 1 || system.nc() == 0) continue;
    // The change of the speeds is the least one: M du is a combination of the rows.
    const std::vector<double> before = changed(state.u, off_speeds(system));
    Vector du(system.nu());
    for (std::size_t i = 0; i < nu; ++i) du[static_cast<Eigen::Index>(i)] = u[i] - before[i];
    const Vector impulse = relations.M * du;
    const Eigen::BDCSVD<Matrix> rows(relations.A.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
    if (report::has_curved_rows(system)) continue;
    EXPECT_LT((relations.A.transpose() * rows.solve(impulse) - impulse).norm(), 1e-8 * (impulse.norm() + 1e-12));
  }
}

/// States that satisfy the constraints, as random states need not where none is found; and of relations that are not
/// linear in the speeds not near a turning point, where the next state on them may be far.
std::vector<Expected> good_states(const std::shared_ptr<const sim::Binding>& bound,
                                  const report::Derivation& derivation) {
  std::vector<Expected> states = well_conditioned(expected_of(bound), derivation);
  Relations relations(bound, derivation);
  std::vector<Vector> lengths;
  Vector longest = Vector::Zero(derivation.system->nc());
  for (const Expected& state : states) {
    relations.at(state, state.q, state.u);
    const bool holds = relations.phi.size() == 0 ||
                       std::max(relations.phi.cwiseAbs().maxCoeff(), relations.psi.cwiseAbs().maxCoeff()) < 1e-6;
    lengths.push_back(holds ? Vector(relations.A.rowwise().norm()) : Vector::Constant(longest.size(), -1.0));
    longest = longest.cwiseMax(lengths.back());
  }
  const bool is_curved = report::has_curved_rows(*derivation.system);
  std::vector<Expected> good;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const bool is_far = !is_curved || (lengths[i].array() >= 0.05 * longest.array()).all();
    if ((lengths[i].array() >= 0.0).all() && is_far) good.push_back(std::move(states[i]));
  }
  return good;
}

class DerivedOutputs : public testing::TestWithParam<fs::path> {};

TEST_P(DerivedOutputs, AndProjectionsAreThoseOfTheEngine) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()), codegen::Backend::kInterpreter);
  if (bound->compiled->system->higher) GTEST_SKIP() << "states of higher order: DerivedCodeOfHigherOrder";
  const auto derivation = report::derive(bound->compiled->model, equations::Formulation::kExplicit);
  ASSERT_TRUE(derivation.has_value());
  if (const auto why = report::why_no_code(*derivation)) GTEST_SKIP() << *why;
  if (c_compiler().empty()) GTEST_SKIP() << "no C compiler";
  const report::ProgramOutputs outputs = report::program_outputs(*derivation);
  const bool projects = report::why_no_projection(*derivation).empty();
  if (outputs.entries.empty() && !projects) GTEST_SKIP() << "no outputs and nothing to project";
  const std::vector<Expected> states = good_states(bound, *derivation);
  if (states.empty()) GTEST_SKIP() << "no random state satisfies the constraints and determines the motion";
  const Folder folder;
  folder.write(bound->compiled->model->name + ".c", report::derive_c(*derivation));
  folder.write("main.c", program_of(*derivation, states));
  const std::string program = (folder.path / "program").string(), log = (folder.path / "log.txt").string();
  ASSERT_EQ(std::system(fmt::format("{} -Wall -Wextra -Werror -O0 -ffp-contract=off -o {} {} -lm > {} 2>&1",
                                    c_compiler(), program, (folder.path / "main.c").string(), log)
                            .c_str()),
            0)
      << test_support::read_text(log);
  ASSERT_EQ(std::system((program + " > /dev/null").c_str()) / 256, 0);
  ASSERT_EQ(std::system((program + " | sed 's/-nan/null/g;s/nan/null/g;s/-inf/null/g;s/inf/null/g' > " +
                         (folder.path / "out.json").string())
                            .c_str()),
            0);
  const json found = json::parse(test_support::read_text(folder.path / "out.json"), nullptr, false);
  ASSERT_EQ(found.size(), states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    SCOPED_TRACE(fmt::format("state {}", i));
    expect_outputs(outputs, bound, states[i], found[i]);
    if (!projects) continue;
    std::vector<double> numbers;
    for (std::size_t k = outputs.entries.size(); k < found[i].size(); ++k)
      numbers.push_back(found[i][k].is_number() ? found[i][k].get<double>() : std::nan(""));
    expect_projections(bound, *derivation, states[i], numbers);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, DerivedOutputs, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace derived_outputs_test
}  // namespace vinculum
