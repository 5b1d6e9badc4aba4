#include "vinculum/lang/ast.hpp"

#include <gtest/gtest.h>

#include "support/lang/equality.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace vinculum::lang {
namespace {

constexpr const char* kEverything =
    "model m \"all of it\"\nsource \"here\"\n# before\nparam p = 1 [kg], k[1..3] = 2\ncoord x, y [m], q[1..2]  # "
    "behind\nspeed u = x' + y [m/s]\n"
    "let a = (1 if p > 2 else -|x|) + f(x, [1, 2; 3, 4])[2]*q[1]''\nframe N newtonian\nframe A = N rotated x about "
    "z\nframe B = A body123(x, y, 1)\n"
    "frame Q = N quaternion(e0, e1, e2, e3)\npoint O fixed in N\npoint P on B = O + x*N.x\nparticle C mass p at P\n"
    "body D frame B mass p inertia (1, 2, 3) [kg*m^2] at O about P\nforce on P = x*N.x from O\ntorque on D = y*N.y "
    "from A\ngravity -9.81*N.z\n"
    "spring O P stiffness p length 1 damping 2\npotential x^2\ngeneralized force on x = 3\n"
    "constraint c: x = y along N.x, N.y\n    law directed along N.x  # why\n    nonideal on P = 2*N.x from O\n    "
    "friction on P mu = a + 1 static 2*a from O sliding vel(P)\n    via force on P along N.x from O scale 2, torque on "
    "D from A along N.y\n"
    "constraint v: x = y\n    law vakonomic start mu = a, 2\n"
    "constraint k: x = y\n    law kozlov c = 2 start mu = b\n"
    "constraint l: x = y\n    law adiabatic mu = a, b\n"
    "constraint m: x = y\n    law gyroscopic H = [0, a; -a, 0]\n"
    "constraint n: x = y\n    law stiff kappa = 2*k\n"
    "lagrangian a*x'^2/2\n"
    "state z' = -z start z = 2*x\n"
    "joint j: revolute between P of A and O of D axis N.x ratio 2\nreveal r: force on P along N.x, N.y\noutput o = x "
    "in A\nstart x = 1 [mm], y ~ 2\n"
    "constraint q: norm(acc(P)) = 2*a\n    branch dot(acc(P), N.x) > b\n"
    "run 2 [s] step 0.1 max step 0.2 tolerance 1e-9 method dp5 formulation minimal independent x', y'\nconserve "
    "energy, x\nexpect "
    "at 2: x = 1 ± "
    "0.1\nexpect stop: rank-drop at 2 ± 1\n"
    "for i in 1..3 {\n  if p > i {\n    let b[i] = i\n  } else {\n    include \"f.vin\"\n  }\n}\ncomponent part(a, b) "
    "{\n  param c = a\n  # end\n}\nuse part(1, x) as first\n"
    "view {\n  # drawn\n  shape D = cylinder(1, p, axis A.z) at P color red  # so\n  surface N = plane(2, 2) at O\n  "
    "rod O P "
    "radius 0.1 color grey\n  coil O P\n  axes A at O length 2\n  trace P, C color blue\n  arrow vel(P) at P color "
    "green\n  color D = black, c = \"#12AbCd\"\n  capsule O P\n  mesh \"a.stl\" on D\n  label P \"here\"\n  camera "
    "follow D\n  hide O, c\n  no ground\n  for i in 1..2 {\n    hide B[i]\n  }\n}\n# "
    "last\n";

TEST(CopyOfAStatement, IsEqualToItsOriginalAndApartFromIt) {
  const diag::SourceText source("m.vin", kEverything);
  diag::Diagnostics diagnostics;
  const ModelFile file = parse(source, reaction_laws::laws().forms(), diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << diagnostics.all()[0].message << " at "
                                         << source.position(diagnostics.all()[0].range.begin).line;
  ASSERT_GT(file.statements.size(), 30u);
  ModelFile copy = file;
  EXPECT_TRUE(is_equal(file, copy));
  EXPECT_EQ(format(copy), format(file));
  for (std::size_t i = 0; i < file.statements.size(); ++i)
    EXPECT_EQ(copy.statements[i].range, file.statements[i].range);
  auto& let = std::get<LetStatement>(copy.statements[5].node);
  let.value->node = NumberLiteral{7.0, "7", std::nullopt};
  EXPECT_FALSE(is_equal(file, copy));
}

}  // namespace
}  // namespace vinculum::lang
