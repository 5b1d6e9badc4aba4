#include "vinculum/lang/foreign_words.hpp"

#include <algorithm>
#include <cctype>
#include <span>

namespace vinculum::lang {
namespace {

struct ForeignWords {
  std::string_view words;  // in lower case, separated and enclosed by blanks
  std::string_view hint;
};

constexpr ForeignWords kForeignStatements[] = {
    {" var val const constant constants parameter parameters float double real int integer number static final auto "
     "global ",
     "a constant is `param NAME = VALUE [unit]`, a variable that the motion changes `coord NAME [unit]`"},
    {" def define function func fun fn lambda macro ",
     "a name for an expression is `let NAME = EXPR`, a function `let f(x) = EXPR`"},
    {" variable variables coordinate coordinates dof dofs unknown unknowns ",
     "a variable that the motion changes is `coord NAME [unit]`"},
    {" import using require from #include package module library ",
     "nothing is imported: all functions are always available"},
    {" print plot show display disp echo write log record return save export energy result ",
     "a result is `output NAME = EXPR`"},
    {" initial initially init ic initialize ics ", "a start value is `start NAME = VALUE`"},
    {" simulate simulation integrate solve time duration tspan until ", "the length of the motion is `run 10 [s]`"},
    {" options option settings solver method integrator tolerance step dt ",
     "how to integrate is part of `run`: `run 10 [s] step 0.01 [s] tolerance 1e-8 method dop853`"},
    {" units unit ", "every number and every declaration states its unit in brackets: `9.81 [m/s^2]`"},
    {" connect attach connection ",
     "bodies are connected by joints: `joint j: revolute between P of A and Q of B axis A.z`"},
    {" equation eq equations eqn relation condition ", "an equation that the motion obeys is `constraint NAME: … = …`"},
    {" assert check test verify ", "an expectation is `expect at end: EXPR = VALUE ± TOL`"},
    {" while loop repeat foreach do ", "repetition is `for i in 1..3 { … }`"},
    {" class struct system begin program subsystem block ",
     "the file begins with `model NAME`; a reusable part is a `component`"},
    {" end end; endfor endif ", "blocks end with `}`; a model ends with its file"},
    {" mass pointmass ball bob puck ", "a point with mass is `particle P mass m at O + …`"},
    {" rigidbody rigid link bar segment ",
     "a rigid body is `body B frame F mass m inertia (…) at O + …`, of a simple shape `inertia box(a, b, c)`"},
    {" ground world inertial newtonian earth ",
     "the inertial frame is `frame N newtonian`, a point of it `point O fixed in N`"},
    {" origin ", "a point of the ground is `point O fixed in N`"},
    {" angle position displacement ", "a variable that the motion changes is `coord NAME [rad]`"},
    {" velocity omega rate ", "a motion variable is `speed u = EXPR`; a start value is `start x' = VALUE`"},
    {" moment couple ", "a torque on a body is `torque on B = VEC`"},
    {" actuator motor load drive servo ",
     "a load is `force on P = VEC` or `torque on B = VEC`; a prescribed motion is `constraint c: q = …`"},
    {" dashpot damping viscous ",
     "a damper between two points is `damper P Q damping c`; on one coordinate it is `generalized force on q = "
     "-c*q'`"},
    {" revolute prismatic spherical universal cylindrical planar hinge pin slider weld rolling gear screw ",
     "a joint is `joint NAME: revolute between P of A and Q of B axis A.z`"},
    {" reaction multiplier ", "results of a constraint c are `output R = force(c, P)` and `output l = multiplier(c)`"},
    {" contact contacts collision collide collisions impact impacts bounce floor wall unilateral ",
     "a contact of two surfaces is `joint c: contact between P of A and Q of B surface plane surface2 sphere(r)`; any "
     "other contact, a stop or a rope is a relation: `constraint c: GAP >= 0`"},
    {" limit range endstop endstops bumper ",
     "limits of a coordinate are `limits of q = a .. b restitution e`; those of a joint are indented below it, "
     "`limits a .. b`"},
    {" inputs signal control ", "a quantity given by a program or a file is `input u [N]`"},
    {" sample sampled samples hold zoh discrete controller every ",
     "a sampled value is `state u [unit] every 0.01 [s] = EXPR`; actions with a period are `event e: every 0.01 [s] "
     "ACTION`"},
    {" stop halt quit abort exit finish ",
     "a run ends early by `terminate when x > 1 [m]` or by `event e: x = 1 [m] stop`; its length is `run 10 [s]`"},
    {" events on upon trigger reinit reset guard jump impulse zero_crossing rising falling at ",
     "an event is `event NAME: EXPR = 0 [rising|falling] ACTION` or `event NAME: at T ACTION`"},
    {" set assign ", "an event sets a variable: `event e: x = 1 [m] set x' = 0`; a constant is `param NAME = VALUE`"},
    {" equilibrium trim statics static steady rest ",
     "a search for equilibria is not supported by this version; a damped motion comes to rest in one: "
     "`generalized force on q = -c*q'`"},
    {" linearize linearise linearization eigenvalues eigenmodes modes frequency ",
     "linearization is not supported by this version; `vinculum derive MODEL` writes the equations, as Python too, to "
     "be differentiated at a state"},
    {" draw design study montecarlo sensitivity parameters_sweep ",
     "studies of parameters are not supported by this version; a run for one value is `vinculum run MODEL --set "
     "p=VALUE`"},
    {" colors colours ", "colors are set in a `view { … }`, as `color B = red`"},
    {" zoom look ",
     "the page that `show` writes has its camera on the mouse; in a `view { … }`, `camera follow B` moves it with B"},
    {" text annotate ", "a text at a point is stated in a `view { … }`: `label P \"text\"`"},
    {" stl obj geometry visual ",
     "the shape of a body is stated in a `view { … }`: `shape B = box(a, b, c)`, `mesh \"part.stl\" on B`"},
};

constexpr ForeignWords kForeignJoints[] = {
    {" hinge pin pivot rotational rotary rotation continuous axle bearing knee turn ", "revolute"},
    {" prismatic slider slide sliding translational translation translate linear prism rail ", "prismatic"},
    {" spherical ball ball_and_socket ballandsocket ballsocket socket point coincident atpoint ", "spherical"},
    {" universal cardan hooke hookes u gimbal ", "universal"},
    {" cylindrical cylinder cylindric ", "cylindrical"},
    {" planar plane flat ", "planar"},
    {" weld rigid lock locked glue bolt welded attach ground clamp ", "fixed"},
    {" screw helical helix thread leadscrew ", "screw"},
    {" gears belt rack pulley ", "gear"},
    {" rod link strut rope cable string bar massless_link ", "distance"},
    {" wheel roll roller rolling_without_slipping disk disc ", "rolling"},
    {" skate knife knife_edge sled keel ", "blade"},
    {" surface on_surface inplane in_plane pointonplane ", "point_on_surface"},
    {" collision collide touch touching bump ", "contact"},
    {" position motion driver drive ", "prescribed_position"},
    {" orientation ", "prescribed_orientation"},
    {" velocity ", "prescribed_velocity"},
};

/// Words of other programs for which this language needs no joint, or another statement.
constexpr ForeignWords kNoJoints[] = {
    {" free freejoint floating float sixdof 6dof six_dof freemotion ",
     "a body that moves freely needs no joint: its coordinates place it, `body B frame F mass m inertia (…) at O + "
     "x*N.x "
     "+ …`"},
    {" inline in_line ", "a point on a line is `constraint c: pos(P, O) = 0 along N.y, N.z`, for a line along N.x"},
    {" parallel perpendicular ", "an angle of two directions is `constraint c: dot(A.x, B.z) = 0`"},
    {" bushing spring springdamper damper ",
     "a connection that yields is a load: `spring P Q stiffness k length l damping c`, or `torque on B = -k*a*N.z from "
     "A`"},
    {" motor actuator servo ",
     "a prescribed motion is `constraint c: q = …`; a given torque is the load `torque on B = VEC from A`"},
};

constexpr ForeignWords kForeignOptions[] = {
    {" dt timestep time_step h ", "step"},
    {" tol rtol reltol abstol accuracy eps precision ", "tolerance"},
    {" solver integrator algorithm scheme ", "method"},
    {" k rate constant spring_constant ", "stiffness"},
    {" l l0 rest natural rest_length natural_length free ", "length"},
    {" c d damper dashpot ", "damping"},
    {" r rad ", "radius"},
    {" dir direction normal around ", "axis"},
    {" lead ", "pitch"},
    {" against relative to ", "from"},
    {" frame wrt measured ", "in"},
    {" i inertias moment moi ", "inertia"},
    {" applied acting location place position ", "at"},
    {" rho ", "density"},
};

constexpr ForeignWords kForeignFunctions[] = {
    {" diff der derivative deriv ddt d dot_ df difft d_dt ",
     "the time derivative of a coordinate is `x'`, of an expression `dt(EXPR)`; partial ones are `jacobian`"},
    {" lambda lam lagrange multipliers constraintforce ", "the multiplier of a constraint c is `multiplier(c)`"},
    {" ln lg ", "the natural logarithm is `log(x)`"},
    {" log10 log2 ", "other logarithms are quotients: `log(x)/log(10)`"},
    {" pow power_of ", "powers are written with `^`: `x^2`"},
    {" sqr square ", "a square is `x^2`"},
    {" arcsin ", "write `asin(x)`"},
    {" arccos ", "write `acos(x)`"},
    {" arctan ", "write `atan(x)`"},
    {" arctan2 ", "write `atan2(y, x)`"},
    {" fabs ", "write `abs(x)`"},
    {" sgn signum ", "write `sign(x)`"},
    {" length len mag magnitude ", "the size of a vector is `norm(v)`"},
    {" normalize normalise direction versor ", "the direction of a vector is `unit(v)`"},
    {" velocity v ", "the velocity of a point is `vel(P)`"},
    {" acceleration a ", "the acceleration of a point is `acc(P)`"},
    {" position r ", "the vector from O to P is `pos(P, O)`"},
    {" angular_velocity angvel angularvelocity ", "the angular velocity of a body is `omega(B)`"},
    {" grad gradient partial ", "partial derivatives are `jacobian([f], [x, y])`"},
    {" integral integrate int ", "an integral over the time is a state: `state z' = EXPR`"},
    {" rad radians deg degrees deg2rad rad2deg ", "an angle has a unit: `90 [deg]`"},
    {" vector vec vec3 ", "a vector is a sum: `a*N.x + b*N.y + c*N.z`"},
    {" inv inverse ", "linear equations are solved by `solve(A, b)`"},
    {" heaviside step ifelse iff where piecewise switch case select ", "a choice is written `a if CONDITION else b`"},
    {" clamp clip sat saturate saturation limit ", "write `min(max(x, low), high)`"},
    {" mod rem fmod modulo remainder ", "write `x - n*floor(x/n)`"},
    {" round rint nint ", "write `floor(x + 0.5)`"},
    {" hypot ", "write `sqrt(a^2 + b^2)`"},
    {" cbrt nthroot ", "write `sign(x)*abs(x)^(1/3)`"},
    {" cot ", "write `1/tan(x)`"},
    {" sec ", "write `1/cos(x)`"},
    {" csc cosec ", "write `1/sin(x)`"},
    {" dist distance separation ", "the distance of two points is `norm(pos(P, O))`"},
    {" speed ", "the speed of a point is `norm(vel(P))`"},
    {" jerk ", "the rate of an acceleration is `dt(acc(P))`"},
    {" com cg center_of_mass centre_of_mass centroid ", "the mass centre of a body is `center(B)`"},
    {" interp interp1 interpolate lookup spline ", "a function by its values is `table(\"file.csv\", x)`"},
    {" delay pre previous last sample hold ",
     "a sampled state keeps a value of the past: `state z [unit] every T = EXPR`"},
    {" tension elongation stretch spring_force ",
     "the force of a spring is its formula, `k*(norm(pos(P, Q)) - l)`; that of a constraint c is `force(c, P)`"},
    {" gap clearance penetration ", "the gap of a constraint with `>=` or of a joint `contact` is `residual(c)`"},
    {" normal_force contact_force normalforce pressure ",
     "the normal force of a contact is `multiplier(c)`, and its force on a point as a vector `force(c, P)`"},
    {" is_closed isclosed touching ", "whether the contact c is closed is `closed(c)`: 1 or 0"},
    {" rand random randn noise normal uniform ",
     "random numbers are not supported by this version; a record is `table(\"file.csv\", t)`"},
    {" contact impact collision ",
     "a contact, a stop or a rope is a relation with `>=` or `<=`: `constraint c: GAP >= 0`, with `restitution e` "
     "below it for its impacts"},
    {" ceil ceiling ", "write `-floor(-x)`"},
};

constexpr ForeignWords kForeignNames[] = {
    {" pi \xCF\x80 ", "the circle's number is `pi`"},
    {" time ", "the time is `t`"},
    {" lambda lam ", "the multiplier of a constraint c is `multiplier(c)`"},
    {" e euler ", "the base of the natural logarithm is `exp(1)`"},
    {" g grav ", "it is declared as any other constant: `param g = 9.81 [m/s^2]`"},
    {" true false ", "a condition compares: `x > 0`"},
    {" ekin e_kin kinetic kinetic_energy ", "the kinetic energy is `kinetic_energy`"},
    {" epot e_pot potential potential_energy ", "the potential energy is `potential_energy`"},
    {" etot e_tot total_energy mechanical_energy ", "the kinetic and potential energy together are `energy`"},
    {" angular_momentum ", "the angular momentum of a body about a point is `angular_momentum(B, O)`"},
    {" mm cm km kg deg rad meter meters newton newtons ",
     "a unit follows a number in brackets, `2 [mm]`; a coordinate is shown in its declared unit, results in SI"},
    {" i j ", "indices belong to `for i in 1..3 { … }`"},
};

std::string find_hint(std::span<const ForeignWords> table, std::string_view word) {
  std::string wanted = " ";
  for (const char c : word) wanted += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  wanted += ' ';
  const auto row =
      std::ranges::find_if(table, [&](const ForeignWords& one) { return one.words.find(wanted) != one.words.npos; });
  return row == table.end() ? std::string() : std::string(row->hint);
}

}  // namespace

std::string hint_for_foreign_statement(std::string_view word) { return find_hint(kForeignStatements, word); }
std::string hint_for_foreign_function(std::string_view word) { return find_hint(kForeignFunctions, word); }
std::string joint_meant(std::string_view word) {
  // `PinJoint`, `WeldJoint`, `revolute_joint`
  constexpr std::string_view kEnding = "joint";
  std::string stem;
  for (const char c : word) stem += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (stem.ends_with(kEnding)) stem.resize(stem.size() - kEnding.size());
  while (stem.ends_with('_')) stem.pop_back();
  return find_hint(kForeignJoints, stem);
}
std::string hint_for_foreign_joint(std::string_view word) { return find_hint(kNoJoints, word); }
std::string option_meant(std::string_view word) { return find_hint(kForeignOptions, word); }

std::string hint_for_foreign_name(std::string_view word) {
  if (word == "N") return "declare it first: `frame N newtonian`";
  if (word == "O") return "declare it first: `point O fixed in N`";
  if (word == "X" || word == "Y" || word == "Z") return "the axes of a frame are `x`, `y` and `z`, its vectors `N.x` …";
  if (word == "x" || word == "y" || word == "z")
    return "the vectors of a frame N are `N.x`, `N.y` and `N.z`; a coordinate is declared by `coord " +
           std::string(word) + " [m]`";
  return find_hint(kForeignNames, word);
}

std::string derivative_meant(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {"_ddot", "''"}, {"ddot", "''"}, {"_dot", "'"}, {"dot", "'"}, {"dt", "'"}, {"_t", "'"}, {"_p", "'"}};
  for (const auto& [ending, primes] : kEndings) {
    if (!word.ends_with(ending) || word.size() == ending.size()) continue;
    std::string_view stem = word.substr(0, word.size() - ending.size());
    if (ending == "dt" && stem.starts_with('d') && stem.size() > 1) stem.remove_prefix(1);
    return std::string(stem) + std::string(primes);
  }
  if (word.size() > 1 && word.starts_with('d')) return std::string(word.substr(1)) + "'";
  return {};
}

}  // namespace vinculum::lang
