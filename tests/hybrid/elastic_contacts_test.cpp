// `conserve` in models with unilateral constraints: allowed where impacts keep the energy, refused elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/models.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace elastic_contacts_test {

/// A pendulum strikes a wall and carries a second mass that slides between two stops along it.
std::string pendulum(const std::string& clauses, const std::string& rest, const std::string& wall = "-0.3") {
  return "model m\nframe N newtonian\npoint O fixed in N\nparam e = 1\ncoord a, s\nframe B = N rotated a about z\n"
         "particle P mass 1 at O + 1.2*B.x\nparticle S mass 0.4 at O + s*B.x\ngravity 9.81*N.x\n"
         "constraint wall: a >= " +
         wall + "\n" + clauses +
         "constraint inner: s >= 0.4\n    restitution 1\nconstraint outer: s <= 0.9\n    restitution 1\n"
         "output E = energy\nstart a = 1, s = 0.6\nrun 6 step 0.05\n" +
         rest;
}

std::string reason_of_refusal(const std::string& text) {
  CompileSettings settings;
  settings.conserved_judge = judge_conserved;
  settings.codegen.backend = codegen::Backend::kTape;
  const auto bound = compile_model(test_support::model_of_text(text), settings);
  return bound ? "" : bound.error().message;
}

/// Runs a model and audits it; no line may be broken.
Trajectory audited(const std::string& text, double tolerance, bool conserves = true) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = tolerance;
  options.conserve = conserves;
  options.accounts = audit_accounts;
  Trajectory run = simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << run.stopped->message;
  for (const audit::AuditLine& line : audit::audit(*bound, run).lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << " at " << line.where;
  return run;
}

double drift(const Trajectory& run) {
  double worst = 0.0;
  for (const Sample& sample : run.samples)
    worst = std::max(worst, std::abs(sample.outputs[0] - run.samples.front().outputs[0]));
  return worst;
}

TEST(ElasticContacts, KeepTheEnergyUnderEveryLaw) {
  for (const std::string law : {"", " newton", " poisson", " moreau", " sequential"}) {
    const std::string text = pendulum("    restitution e" + law + "\n", "conserve energy\n");
    const Trajectory kept = audited(text, 1e-6), free = audited(text, 1e-6, false), exact = audited(text, 1e-12, false);
    EXPECT_GT(kept.all<Impulse>().size(), 6u) << law;
    EXPECT_LT(drift(kept), 1e-13) << law;
    EXPECT_GT(drift(free), 1e-9) << law;
    ASSERT_EQ(kept.all<Impulse>().size(), exact.all<Impulse>().size()) << law;
    EXPECT_LT((kept.samples.back().q - exact.samples.back().q).norm(), 2e-4) << law;
  }
}

TEST(ElasticContacts, AreInelasticByAnotherValueOfAParameter) {
  const auto bound =
      test_support::compiled(test_support::model_of_text(pendulum("    restitution e\n", "conserve energy\n")));
  const ParameterValue inelastic{"e", 0.9};
  const auto changed = with(*bound, {&inelastic, 1});
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().reason.find("its coefficient of restitution is 0.9, not 1"), std::string::npos)
      << changed.error().reason;
}

TEST(ElasticContacts, RefuseTheEnergyThatImpactsChange) {
  const auto expect = [](const std::string& text, const std::string& reason) {
    EXPECT_NE(reason_of_refusal(text).find(reason), std::string::npos) << reason_of_refusal(text);
  };
  const std::string energy = "conserve energy\n";
  expect(pendulum("", energy), "the impacts of `wall` take energy, since its coefficient of restitution is 0, not 1");
  expect(pendulum("    restitution 1\n", energy, "-0.3 + 0.01*sin(t)"),
         "the gap of `wall` moves with the time, so its impacts change the energy");
  expect(pendulum("    restitution 1\n", energy + "constraint floor: dot(pos(P, O), N.x) >= -1.1\n    restitution 1\n" +
                                             "    friction on P mu = 0.1\n"),
         "the friction of `floor` takes energy");
  expect(pendulum("    restitution 1\n", "conserve momentum(a)\n"), "the impacts of `wall` change it");
  expect(pendulum("    restitution 1\n", "conserve a' + s'\n"), "the impacts of `wall` change it");
  EXPECT_EQ(reason_of_refusal(pendulum("    restitution 1\n", energy)), "");
}

TEST(ElasticContacts, KeepAMomentumThatNoContactChanges) {
  const std::string text =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, z\nparticle P mass 2 at O + x*N.x + z*N.z\n"
      "gravity -10*N.z\nconstraint floor: dot(pos(P, O), N.z) >= 0\n    restitution 0.5\n"
      "start z = 0.2, x' = 3\nrun 1\n";
  EXPECT_EQ(reason_of_refusal(text + "conserve momentum(x)\n"), "");
  EXPECT_NE(reason_of_refusal(text + "conserve momentum(z)\n"), "");
}

}  // namespace elastic_contacts_test
}  // namespace vinculum::sim
