// Comparison of laws of restitution (`compare --restitution`).
#include "vinculum/compare/restitution_variants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/compare/law_variants.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace restitution_variants_test {

using compare::RestitutionVariant;
using Law = model::RestitutionLaw;

std::vector<RestitutionVariant> read(const std::vector<std::string>& words) {
  const auto variants = compare::restitution_variants(words);
  EXPECT_TRUE(variants) << variants.error();
  return variants ? *variants : std::vector<RestitutionVariant>();
}

TEST(RestitutionVariants, AreReadFromTheirWords) {
  const auto variants = read({"stated", "newton", "poisson sequential", "sequential"});
  ASSERT_EQ(variants.size(), 4u);
  EXPECT_FALSE(variants[0].law);
  EXPECT_EQ(variants[1].law, Law::kNewton);
  EXPECT_FALSE(variants[1].is_sequential);
  EXPECT_EQ(variants[2].law, Law::kPoisson);
  EXPECT_TRUE(variants[2].is_sequential);
  EXPECT_EQ(variants[3].law, Law::kEnergetic);
  EXPECT_TRUE(variants[3].is_sequential);
  EXPECT_EQ(variants[3].name, "sequential");
}

TEST(RestitutionVariants, RefuseOtherWords) {
  const auto error = [](const std::vector<std::string>& words) {
    const auto variants = compare::restitution_variants(words);
    return variants ? std::string() : variants.error();
  };
  for (const std::string word : {"", "Newton", "newton 0.5", "sequential newton", "newtonsequential"})
    EXPECT_NE(error({"moreau", word}).find("is not a law of restitution"), std::string::npos) << word;
  EXPECT_NE(error({"moreau", "moreau"}).find("compared twice"), std::string::npos);
  EXPECT_NE(error({"moreau"}).find("two laws"), std::string::npos);
}

/// Four plates fall on two feet each, and each plate has another law. Its closed forms are tested by the model itself.
/// Under one law for all, every plate moves like the plate that has this law as stated.
TEST(RestitutionVariants, MoveEveryPlateLikeThePlateWithTheirLaw) {
  const std::string text = test_support::read_text(VINCULUM_SOURCE "/tests/contacts/restitution_laws_on_two_feet.vin");
  diag::SourceText source("plates.vin", text);
  diag::Diagnostics said;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), said);
  const auto run = [&](const RestitutionVariant& law) {
    std::vector<std::string> contacts;
    for (int k = 1; k <= 4; ++k)
      for (const char* side : {"l", "r"}) contacts.push_back(side + std::to_string(k));
    const auto variant = compare::elaborate_variant(
        file, source, {}, nullptr, {}, [&](model::ModelBuilder& b) { compare::set_restitution(b, law, contacts); });
    EXPECT_TRUE(variant.model);
    sim::Dynamics dynamics(test_support::compiled(variant.model));
    return sim::simulate(dynamics, sim::options_of(*variant.model)).samples.back().u;
  };
  const auto variants = read({"stated", "energetic", "newton", "poisson", "moreau"});
  const Vector stated = run(variants[0]);
  ASSERT_EQ(stated.size(), 8);  // y[k]' and a[k]' of the four plates

  for (std::size_t law = 1; law < variants.size(); ++law) {
    const Vector all = run(variants[law]);
    for (Eigen::Index plate = 0; plate < 4; ++plate) {
      EXPECT_NEAR(all[plate], stated[static_cast<Eigen::Index>(law) - 1], 1e-11) << variants[law].name << plate;
      EXPECT_NEAR(all[4 + plate], stated[4 + static_cast<Eigen::Index>(law) - 1], 1e-11) << variants[law].name;
    }
  }
  EXPECT_GT(std::abs(stated[4] - stated[5]), 0.1);
}

Model model_of(const std::string& text) { return Model::from_text(text).value(); }

const std::string kBall =
    "model m\nframe N newtonian\npoint O fixed in N\ncoord x, z\nparticle P mass 2 at O + x*N.x + z*N.z\n"
    "gravity -10*N.z\nconstraint floor: dot(pos(P, O), N.z) >= 0\n    restitution 0.5\n";
const std::string kFalls = "start z = 0.2, x' = 3\nrun 0.35\n";

/// One impact of one contact without friction is the same under all laws: p = m (1 + e) v, and (e² − 1) m v²/2.
TEST(RestitutionVariants, ListImpulsesAndEnergiesSideBySide) {
  CompareOptions options;
  options.restitution = {"energetic", "newton", "sequential"};
  const auto compared = model_of(kBall + kFalls).compare(options);
  ASSERT_TRUE(compared) << compared.error().message;
  const std::string text = compared->text();
  EXPECT_NE(text.find("m: 3 laws of restitution of floor"), std::string::npos);
  EXPECT_TRUE(std::regex_search(text, std::regex("floor, impacts +1 +1 +1\n"))) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("floor, sum of impulses +6 +6 +6\n"))) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("floor, change of energy +-3 +-3 +-3\n"))) << text;
  EXPECT_NE(compared->json().find("\"law\": \"energetic sequential\""), std::string::npos);
}

std::string refusal(const std::string& text, CompareOptions options) {
  const auto compared = model_of(text).compare(options);
  return compared ? std::string() : compared.error().message;
}

TEST(LawsOfContacts, AreFrictionlessUnderTheIdealLaw) {
  CompareOptions options;
  options.laws = "ideal,stated";
  EXPECT_NE(refusal(kBall + kFalls, options).find("there is nothing to compare: `floor` is a contact"),
            std::string::npos);
  const auto compared = model_of(kBall + "    friction on P mu = 0.25\n" + kFalls).compare(options);
  ASSERT_TRUE(compared) << compared.error().message;
  // The impact at 2 m/s takes mu (1 + e) v = 0.75 m/s of the velocity along the floor, and keeps the bounce.
  EXPECT_TRUE(std::regex_search(compared->text(), std::regex("  x' +0.75 "))) << compared->text();
  EXPECT_TRUE(std::regex_search(compared->text(), std::regex("floor, sum of impulses +6 +6\n"))) << compared->text();
}

TEST(LawsOfContacts, NeedImpactsToCompareRestitution) {
  CompareOptions options;
  options.restitution = {"newton", "poisson"};
  EXPECT_NE(refusal("model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 2 at O + x*N.x\nrun 1\n",
                    options)
                .find("has no impacts to compare"),
            std::string::npos);
  options.laws = "ideal,stated";
  EXPECT_NE(refusal(kBall + kFalls, options).find("state what to compare"), std::string::npos);
}

}  // namespace restitution_variants_test
}  // namespace vinculum
