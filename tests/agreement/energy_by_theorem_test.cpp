// Theorem: the energy is constant if all loads are conservative, and all reactions are ideal reactions of rows that are
// homogeneous in the velocities and independent of time. The result must not depend on the magnitudes in the model.
// Momenta along directions that constraints keep at 0 are not reported.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/models.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum::sim {
namespace energy_by_theorem_test {

std::vector<std::string> found(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  std::vector<std::string> names;
  for (const Invariant& one : find_invariants(*bound).found) names.push_back(one.name);
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// A spatial slider crank with quaternions: inertias of 1e-4 kg m² combined with masses of kilograms.
std::string linkage(const std::string& inertia) {
  return "model m\nframe N newtonian\npoint O fixed in N\ncoord xc, yc, zc [m], c0, c1, c2, c3\ncoord xr, yr, zr [m], "
         "r0, r1, "
         "r2, r3\nframe C = N quaternion(c0, c1, c2, c3)\nframe R = N quaternion(r0, r1, r2, r3)\nbody crank frame C "
         "mass 0.12 "
         "[kg] inertia (" +
         inertia + ", " + inertia + ", " + inertia +
         ") [kg*m^2] at O + xc*N.x + yc*N.y + zc*N.z\nbody rod frame R mass 0.5 [kg] inertia (" + inertia +
         ", 4e-3, 4e-3) [kg*m^2] at O + xr*N.x + yr*N.y + zr*N.z\ngravity -9.81 [m/s^2]*N.z\npoint A = O + 0.1 "
         "[m]*N.y\npoint "
         "pivot = center(crank) - 0.04 [m]*C.z\npoint tip = center(crank) + 0.04 [m]*C.z\npoint end = center(rod) - "
         "0.15 "
         "[m]*R.x\njoint bearing: revolute between A of N and pivot of crank axis N.x\njoint ball: spherical between "
         "tip of crank "
         "and end of rod\nstart yc = 0.1, zc = 0.04, c0 = 1, C.wx = 6, r0 ~ 1\nrun 1 [s]\n";
}

TEST(EnergyByTheorem, IsConstantWhateverTheSizes) {
  const std::string plane =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, th\nframe B = N rotated th about z\n";
  const std::string sledge = "body sledge frame B mass 1e6 inertia plane 1e-6 at O + x*N.x + y*N.y\n";
  const std::string texts[] = {
      linkage("1e-4"),
      linkage("1e-9"),
      plane + sledge + "constraint blade: dot(vel(sledge), B.y) = 0\nstart x' = 1, th' = 3\nrun 1\n",
      plane + sledge +
          "gravity -1e-7*N.y\nconstraint blade: 1e9*dot(vel(sledge), B.y) = 0\nstart x' = 1, th' = 3\nrun 1\n",
      plane +
          "particle P mass 1e-8 at O + x*N.x + y*N.y\nlagrangian 1e8*th'^2 - 1e-6*th^2\npotential 1e-9*(x^2 + "
          "y^2)^2\nconstraint "
          "tie: x*y' - y*x' = 1e-3*th'\nstart x = 1, y' = 1\nrun 1\n",
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 2 at O + x*N.x + y*N.y + "
      "z*N.z\ngravity "
      "-9.81*N.z\nconstraint cone: x'^2 + y'^2 = z'^2\nstart x' = 1, z' ~ 1\nrun 0.1\n",
      "model m\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 - 1e-12*x^4\nconstraint c: x'^2 + y'^2 = z'^2\n    "
      "law adiabatic mu "
      "= sin(t)\nstart x' = 1, z' ~ 1\nrun 0.1\n",
  };
  for (const std::string& text : texts) EXPECT_TRUE(has(found(text), "energy")) << text;
}

TEST(EnergyByTheorem, IsNotClaimedWhereSomethingWorks) {
  const std::string particle =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n";
  const std::string texts[] = {
      particle + "force on P = -1e-6*vel(P)\nrun 1\n",
      particle +
          "constraint c: x' = t*y'\nforce on P = -0.3*vel(P)\nrun "
          "1\n",
      particle + "constraint c: x' = y' + 1\ngravity -9.81*N.y\nrun 1\n",
      particle + "constraint c: x - 0.2*y = sin(t)\nrun 1\n",
      particle + "constraint c: dot(vel(P), vel(P)) = 4\ngravity -9.81*N.y\nstart x' = 2\nrun 1\n",
      particle + "gravity -(9.81 + 0.1*sin(t))*N.y\nrun 1\n",
  };
  for (const std::string& text : texts) EXPECT_FALSE(has(found(text), "energy")) << text;
  // The constraint depends on time, but its reaction does no work.
  EXPECT_TRUE(has(found(particle + "constraint c: x' = t*y'\nrun 1\n"), "energy"));
}

// A pivot that starts to move suddenly. The Lagrangian does not depend on time before and after, but an impulse occurs
// at the jump.
TEST(EnergyByTheorem, IsNotClaimedWhereTheTimeJumps) {
  const std::string start = "model m\nframe N newtonian\npoint O fixed in N\ncoord th\n",
                    end = "start th = 0.4\nrun 3\n";
  const std::string bob = "particle P mass 1 at A + sin(th)*N.x - cos(th)*N.y\ngravity -9.81*N.y\n";
  for (const std::string pivot :
       {"max(t - 1, 0)*N.x", "min(t, 1)*N.y", "(abs(t - 1) + t)*N.x", "(0 if t < 1 else 0.5*(t - 1))*N.x"})
    EXPECT_FALSE(has(found(start + "point A = O + " + pivot + "\n" + bob + end), "hamiltonian")) << pivot;
  EXPECT_FALSE(has(found(start + "lagrangian th'^2/2 + (0.3 if t < 1 else 0.7)*cos(th)\n" + end), "energy"));
  EXPECT_TRUE(has(found(start + "point A = O + 0.7*t*N.x\n" + bob + end), "hamiltonian"));
}

TEST(EnergyByTheorem, MomentaOfDirectionsHeldAtZeroAreLeftOut) {
  const std::string held =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 1 at O + x*N.x + y*N.y + z*N.z\n";
  EXPECT_FALSE(has(found(held + "constraint floor: z = 0\nrun 1\n"), "momentum(z)"));
  EXPECT_FALSE(has(found(held + "constraint floor: z' = 0\nrun 1\n"), "momentum(z)"));
  EXPECT_FALSE(has(found(held + "constraint floor: z = 2\nrun 1\n"), "momentum(z)"));
  EXPECT_TRUE(has(found(held + "constraint floor: z = 0\nrun 1\n"), "momentum(x)"));
  EXPECT_TRUE(has(found(held + "constraint floor: z = 3*t\nrun 1\n"), "momentum(x)"));
}

}  // namespace energy_by_theorem_test
}  // namespace vinculum::sim
