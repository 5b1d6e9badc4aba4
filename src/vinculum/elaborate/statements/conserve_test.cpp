// `conserve` and the momentum of a coordinate: allowed quantities, and errors.
#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::in_plane;
using testing::value_of;
using What = model::Conserved::What;

TEST(Conserve, TakesEnergiesMomentaAndScalars) {
  const auto result = in_plane("conserve energy, momentum(x)\nconserve x*y' - y*x', dot(momentum(P), N.y)\n");
  ASSERT_TRUE(result.model) << result.messages;
  const auto& conserved = result.model->conserved;
  ASSERT_EQ(conserved.size(), 4u);
  EXPECT_EQ(conserved[0].what, What::kEnergy);
  EXPECT_EQ(conserved[1].what, What::kMomentum);
  EXPECT_EQ(conserved[1].coordinate.index(), 0u);
  EXPECT_EQ(conserved[1].text, "momentum(x)");
  EXPECT_EQ(conserved.back().what, What::kExpression);
  EXPECT_EQ(conserved.back().dimension, make_dimension(1, 1, -1));
}

TEST(Conserve, TellsTheEnergiesApart) {
  EXPECT_EQ(in_plane("conserve hamiltonian\n").model->conserved[0].what, What::kHamiltonian);
  EXPECT_EQ(in_plane("conserve effective_energy\n").model->conserved[0].what, What::kEffectiveEnergy);
  EXPECT_EQ(in_plane("conserve 2*energy\n").model->conserved[0].what, What::kExpression);
  // If no point moves with time alone, the energy and the Hamiltonian are equal.
  EXPECT_NE(in_plane("conserve energy, hamiltonian\n").messages.find("`hamiltonian` is conserved twice"),
            std::string::npos);
}

TEST(Conserve, RefusesWhatIsNoScalarOfTheState) {
  EXPECT_NE(in_plane("conserve momentum(P)\n").messages.find("a scalar is kept"), std::string::npos);
  EXPECT_NE(in_plane("conserve dot(acc(P), N.x)\n").messages.find("[not-allowed-here]"), std::string::npos);
  EXPECT_NE(in_plane("constraint c: y = 0\nconserve multiplier(c)\n").messages.find("[not-allowed-here]"),
            std::string::npos);
  EXPECT_NE(in_plane("conserve energi\n").messages.find("[unknown-name]"), std::string::npos);
  EXPECT_NE(in_plane("conserve energy\nconserve energy\n").messages.find("`energy` is conserved twice"),
            std::string::npos);
}

TEST(Momentum, OfACoordinateIsTheDerivativeOfTheLagrangian) {
  // Momenta of 1 kg: x' in the plane; 4 phi' in a rotated frame at a distance of 2 m from the axis.
  const auto result = in_plane(
      "frame B = N rotated phi about z\nparticle Q mass 1 [kg] at O + 2 [m]*B.x\n"
      "output px = momentum(x)\noutput pphi = momentum(phi)\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_NEAR(value_of(result, "px"), 1.1, 1e-9);
  EXPECT_NEAR(value_of(result, "pphi"), 4.0 * 0.6, 1e-8);
  EXPECT_EQ(result.model->outputs[0].dimension, make_dimension(1, 1, -1));
  EXPECT_EQ(result.model->outputs[1].dimension, make_dimension(1, 2, -1));
}

TEST(Momentum, OfACoordinateHoldsMassesStatedFurtherDown) {
  const auto result = in_plane("let p = momentum(x)\nparticle Q mass 3 [kg] at O + x*N.x\noutput both = p\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_NEAR(value_of(result, "both"), 4.0 * 1.1, 1e-9);
}

TEST(Momentum, OfACoordinateIsNotKnownToWhatMakesTheMasses) {
  const auto result = in_plane("particle Q mass momentum(x)*1 [s/m] at O\n");
  EXPECT_NE(result.messages.find("the momentum of a coordinate cannot be used"), std::string::npos) << result.messages;
  EXPECT_NE(in_plane("output p = momentum(x')\n").messages.find("needs a particle, a body or a coordinate"),
            std::string::npos);
}

}  // namespace
}  // namespace vinculum::elaborate
