#include "vinculum/lang/foreign_words.hpp"

#include <algorithm>
#include <cctype>
#include <span>

namespace vinculum::lang {
namespace {

struct ForeignWords {
  std::string_view words;  // in lower case, between blanks
  std::string_view hint;
};

constexpr ForeignWords kForeignStatements[] = {
    {" var val const constant constants parameter parameters float double real int integer number static final auto "
     "global ",
     "a constant is `param NAME = VALUE [unit]`, a variable that the motion changes `coord NAME [unit]`"},
    {" def define function func fun fn lambda macro ", "a name for an expression is `let NAME = EXPR`"},
    {" variable variables coordinate coordinates dof dofs unknown unknowns ",
     "a variable that the motion changes is `coord NAME [unit]`"},
    {" import using require from #include package module library ", "nothing is imported: all functions are there"},
    {" print plot show display disp echo write log record return save export ", "a result is `output NAME = EXPR`"},
    {" initial initially init ic initialize ics ", "a start value is `start NAME = VALUE`"},
    {" simulate simulation integrate solve time duration tspan until ", "the length of the motion is `run 10 [s]`"},
    {" equation eq equations eqn relation condition ", "an equation that the motion obeys is `constraint NAME: … = …`"},
    {" assert check test verify ", "what is expected is `expect at end: EXPR = VALUE ± TOL`"},
    {" while loop repeat foreach do ", "repetition is `for i in 1..3 { … }`"},
    {" class struct system begin program ", "the file begins with `model NAME`; a reusable part is a `component`"},
    {" end end; endfor endif ", "blocks end with `}`; a model ends with its file"},
    {" mass pointmass ball bob puck ", "a point with mass is `particle P mass m at O + …`"},
    {" rigidbody rod link bar block ", "a rigid body is `body B frame F mass m inertia (…) at O + …`"},
    {" actuator motor load ", "what acts is `force on P = VEC` or `torque on B = VEC`"},
    {" damper dashpot ", "a damper goes with a spring: `spring P Q stiffness k length l damping c`"},
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
    {" heaviside step ifelse ", "a choice is written `a if CONDITION else b`"},
    {" ceil ceiling ", "write `-floor(-x)`"},
};

constexpr ForeignWords kForeignNames[] = {
    {" pi \xCF\x80 ", "the circle's number is `pi`"},
    {" time ", "the time is `t`"},
    {" lambda lam ", "the multiplier of a constraint c is `multiplier(c)`"},
    {" e euler ", "the base of the natural logarithm is `exp(1)`"},
    {" g grav ", "it is declared as any other constant: `param g = 9.81 [m/s^2]`"},
    {" true false ", "a condition compares: `x > 0`"},
    {" mm cm km kg deg rad meter meters newton newtons ",
     "a unit stands in brackets behind a number, `2 [mm]`; a coordinate is shown in the one it declares, results in "
     "SI"},
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
