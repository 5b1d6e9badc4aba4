#pragma once

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Random models that consist only of words of the language, in positions where they may or may not be allowed: texts
/// by a user who remembers the words but not the rules.
namespace vinculum::test_support {

class StatementTexts {
 public:
  explicit StatementTexts(std::mt19937_64& random) : random_(random) {}

  /// Fixed points, frames, bodies and coordinates, followed by one to four random statements about them.
  std::string text() {
    std::string text{kWorld};
    is_careful_ = chance(2);
    const std::size_t count = 1 + below(is_careful_ ? 2 : 4);
    for (std::size_t i = 0; i < count; ++i) text += one(i) + "\n";
    return text + (chance(4) ? "" : "run 0.001 [s]\n");
  }

 private:
  static constexpr std::string_view kWorld = R"(model fuzz
frame N newtonian
param R = 0.5 [m], k = 2 [N/m], w = 3 [rad/s], n = 2, mu = 0.3, A0 = 10 [deg]
point O fixed in N
point G = O + 0.3 [m]*N.x + R*N.y
coord x, y, z, s [m], a, b, c [deg], d [mm], e0, e1, e2, e3
frame A = N rotated a about z
frame F = A rotated b about A.x
frame C = F rotated c about F.y + F.z
frame Q = A quaternion(e0, e1, e2, e3)
body one frame A mass 2 [kg] inertia plane 0.2 [kg*m^2] at O + x*N.x + y*N.y
body two frame Q mass 1 [kg] inertia (0.1, 0.2, 0.2) [kg*m^2] at O + x*N.x + z*N.z + R*N.y
body three frame N mass 3 [kg] inertia (1, 2, 3) [kg*m^2] at O + s*N.x
body four frame A mass 1 [kg] inertia plane 0.1 [kg*m^2] at one + 0.2 [m]*A.y
body five frame C mass 1 [kg] inertia (0.1, 0.1, 0.1) [kg*m^2] at O + d*N.z
particle P mass 0.5 [kg] at O + z*N.x + R*C.z
point K = one + 0.1 [m]*A.x
point L on two = O + x*N.x + z*N.z
point H = two - R*N.y
gravity -9.81 [m/s^2]*N.y
start x = 0.2, y ~ 0.7, z ~ 0.4, s ~ -0.3, a = 5, b = 10, c = 20, e0 = 0.8, e1 = 0.6, d ~ 100
start x' = 0.1, a' ~ 20, e3' ~ 0.2
)";

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  /// Whether to make a mistake; careful texts have none.
  bool slips(std::size_t one_in) { return !is_careful_ && chance(one_in); }
  template <std::size_t n>
  std::string of(const std::array<const char*, n>& words) {
    return words[below(n)];
  }

  std::string point() {
    static constexpr std::array kPoints = {"O", "G", "K", "L", "H", "P", "one", "two", "three", "center(one)"};
    static constexpr std::array kOthers = {"four",      "five", "center(four)", "center(N)",
                                           "center(A)", "x",    "nothing",      "A"};
    return slips(4) ? of(kOthers) : of(kPoints);
  }
  std::string frame() {
    static constexpr std::array kFrames = {"N", "A", "F", "C", "Q", "one", "two", "three"};
    static constexpr std::array kOthers = {"four", "five", "P", "O", "x", "nothing", "G"};
    return slips(4) ? of(kOthers) : of(kFrames);
  }
  /// A body, mostly with one of its points.
  std::string side() {
    static constexpr std::array kSides = {
        "O of N",    "G of N",       "one of one",  "K of one",       "center(one) of one", "two of two",
        "P of P",    "O of N",       "two of Q",    "three of three", "center(two) of two", "one of A",
        "five of C", "four of four", "five of five"};
    return slips(3) ? point() + " of " + frame() : of(kSides);
  }
  std::string number() {
    static constexpr std::array kNumbers = {"1",  "0",    "-2",  "n",      "mu",  "0.5",
                                            "pi", "1e-9", "2*n", "sin(a)", "n/0", "1,5"};
    return of(kNumbers);
  }
  std::string length() {
    static constexpr std::array kLengths = {"R", "0.5 [m]", "2*R", "0.1 [m]", "-0.5 [m]", "0.3", "0 [m]",
                                            "x", "R + 0*t", "R*n", "1",       "20 [cm]",  "-R",  "1 [kg]"};
    return slips(2) ? of(kLengths) : chance(2) ? "R" : "0.2 [m]";
  }
  std::string vector() {
    static constexpr std::array kVectors = {"N.x", "N.y", "N.z",   "A.x",       "A.z",       "F.y",       "Q.x",
                                            "Q.y", "C.z", "one.x", "N.x + N.y", "A.x - A.z", "F.y + F.z", "2*N.z"};
    static constexpr std::array kOthers = {
        "z",       "0*N.x",        "N.x - N.x", "vel(P)",          "pos(P, O)", "3", "unit(vel(one))",
        "x*N.x",   "omega(two)",   "a*N.z",     "cross(N.x, A.x)", "R*N.x",     "N", "N.w",
        "k*x*N.x", "-k*pos(P, O)", "w*N.z",     "t*N.x*1 [m/s]"};
    return slips(3) ? of(kOthers) : of(kVectors);
  }
  std::string scalar() {
    static constexpr std::array kScalars = {"x",
                                            "x'",
                                            "a",
                                            "a'",
                                            "y''",
                                            "k*x",
                                            "t",
                                            "energy",
                                            "R",
                                            "0",
                                            "z - R",
                                            "norm(vel(P))",
                                            "e0",
                                            "multiplier(j0)",
                                            "residual(j0)",
                                            "power(j0)",
                                            "a*2",
                                            "A0",
                                            "-k*(x - R)",
                                            "x < 1 [m]",
                                            "pos(P, O)",
                                            "momentum(a)",
                                            "dot(omega(two), N.z)",
                                            "effort(j0, 1)",
                                            "B.wx",
                                            "Q.wx",
                                            "[x, y]",
                                            "norm(pos(P, G))"};
    return of(kScalars);
  }
  std::string unit() {
    static constexpr std::array kUnits = {"[m]", "[N*m]",     "[deg]", "[N]", "[J]",    "[mm]",
                                          "[]",  "[furlong]", "[1]",   "m",   "[rad/s]"};
    return of(kUnits);
  }
  std::string name() {
    static constexpr std::array kNames = {"x", "a", "e0", "one", "P", "N", "j0", "Q", "R", "v1", "q9", "d"};
    return of(kNames);
  }

  std::string surface() {
    static constexpr std::array kSurfaces = {"plane", "sphere", "disk", "torus", "ellipsoid"};
    static constexpr std::array kOthers = {"cone", "cylinder", "ball", "wheel", "Sphere"};
    const std::string kind = slips(6) ? of(kOthers) : of(kSurfaces);
    std::size_t count = kind == "plane" ? 0 : kind == "torus" ? 2 : kind == "ellipsoid" ? 3 : 1;
    if (slips(6)) count = below(4);
    std::string text = " surface " + kind;
    if (count == 0) return text + (chance(8) ? "()" : "");
    text += "(" + length();
    for (std::size_t i = 1; i < count; ++i) text += ", " + length();
    return text + ")";
  }

  std::string option(std::string_view word) {
    if (word == "surface") return surface();
    std::string text = " " + std::string(word) + " ";
    if (word == "axis" || word == "axis2" || word == "prescribed") return text + vector();
    return text + (word == "length" || word == "radius" || word == "pitch" ? length() : number());
  }

  std::string joint(std::size_t i) {
    struct Kind {
      const char* name;
      std::vector<const char*> needs;
      std::vector<const char*> takes;
    };
    static const std::vector<Kind> kKinds = {{"revolute", {"axis"}, {"axis2"}},
                                             {"prismatic", {"axis"}, {}},
                                             {"cylindrical", {"axis"}, {"axis2"}},
                                             {"universal", {"axis", "axis2"}, {}},
                                             {"spherical", {}, {}},
                                             {"planar", {"axis"}, {"axis2"}},
                                             {"fixed", {}, {}},
                                             {"screw", {"axis", "pitch"}, {"axis2"}},
                                             {"gear", {"axis", "ratio"}, {}},
                                             {"distance", {"length"}, {}},
                                             {"point_on_surface", {"surface"}, {"axis2"}},
                                             {"blade", {"axis"}, {}},
                                             {"rolling", {"surface", "axis"}, {"axis2", "radius"}},
                                             {"rolling", {"surface", "radius"}, {"axis2", "axis"}},
                                             {"prescribed_position", {"prescribed"}, {}},
                                             {"prescribed_orientation", {"prescribed"}, {}},
                                             {"prescribed_velocity", {"prescribed"}, {}},
                                             {"hinge", {"axis"}, {}},
                                             {"weld", {}, {}}};
    static constexpr std::array kOptions = {"axis",   "axis2",  "ratio",   "pitch",
                                            "length", "radius", "surface", "prescribed"};
    const Kind& kind = kKinds[below(kKinds.size())];
    std::string text = "joint j" + std::to_string(i) + ": " + kind.name + " between " + side() + " and " + side();
    for (const char* word : kind.needs) {
      if (!slips(8)) text += option(word);
      if (slips(15)) text += option(word);
    }
    for (const char* word : kind.takes) {
      if (chance(2)) text += option(word);
    }
    if (slips(8)) text += option(of(kOptions));
    return text + clauses(i);
  }

  std::string clauses(std::size_t i) {
    static constexpr std::array kLaws = {"ideal",
                                         "stiff kappa = 10",
                                         "viscous kappa = 3",
                                         "inertial kappa = 2",
                                         "kozlov c = 1",
                                         "vakonomic start mu = 0",
                                         "adiabatic mu = 1",
                                         "directed along N.x",
                                         "gyroscopic H = [1]",
                                         "vakonomic",
                                         "stiff",
                                         "soft"};
    std::string text;
    for (std::size_t k = chance(2) ? 0 : below(3); k > 0; --k) {
      const std::string j = "j" + std::to_string(i);
      switch (below(7)) {
        case 0: text += "\n    law " + of(kLaws); break;
        case 1:
          text += "\n    friction on " + point() + " mu = " + number() + (chance(4) ? " from " + point() : "");
          break;
        case 2: text += "\n    nonideal on " + point() + " = " + vector(); break;
        case 3: text += "\n    nonideal on " + frame() + " = -1 [N*m]*" + vector(); break;
        case 4:
          text += "\n    via force on " + point() + " along " + vector() +
                  (chance(3) ? ", torque on " + frame() + " along " + vector() : "");
          break;
        case 5: text += "\n    friction on " + j + ".Q mu = mu"; break;
        default: text += "\n    branch " + scalar() + " > 0"; break;
      }
    }
    return text;
  }

  std::string one(std::size_t i) {
    const std::string number_of = std::to_string(i);
    switch (below(26)) {
      case 0: return "output o" + number_of + " = " + scalar() + (chance(3) ? " as " + unit() : "");
      case 1: return "output o" + number_of + " = " + vector() + " in " + frame() + (chance(3) ? " as " + unit() : "");
      case 2: return "output o" + number_of + " = force(j0, " + point() + ")";
      case 3: return "output o" + number_of + " = torque(j0, " + frame() + ")";
      case 4:
        return "start " + frame() + (chance(5) ? " ~" : " =") + " rotated " + (chance(2) ? number() : "30 [deg]") +
               " about " + vector();
      case 5: return "start " + name() + " = " + scalar();
      case 6: return "constraint j" + number_of + ": " + scalar() + " = " + scalar() + clauses(i);
      case 7: return "constraint j" + number_of + ": dot(vel(" + point() + "), " + vector() + ") = 0" + clauses(i);
      case 8:
        return "constraint j" + number_of + ": pos(" + point() + ", " + point() + ") = " + vector() + " along " +
               vector() + clauses(i);
      case 9: return "force on " + point() + " = " + vector() + (chance(3) ? " from " + point() : "");
      case 10: return "torque on " + frame() + " = 2 [N*m]*" + vector() + (chance(3) ? " from " + frame() : "");
      case 11:
        return "reveal r" + number_of + ": " + (chance(2) ? "force on " + point() : "torque on " + frame()) +
               " along " + vector();
      case 12: return "frame B" + number_of + " = " + frame() + " rotated " + scalar() + " about " + vector();
      case 13:
        return "body b" + number_of + " frame " + frame() + " mass " + number() + " [kg] inertia plane " + number() +
               " at " + point() + " + R*" + vector();
      case 14: return "point p" + number_of + " on " + frame() + " = " + point() + " + R*" + vector();
      case 15: return "spring " + point() + " " + point() + " stiffness k length " + length();
      case 16: return "generalized force on " + name() + " = " + scalar();
      case 17: return "conserve " + scalar();
      case 18: return "coord q" + number_of + " [m]";
      default: return joint(i);
    }
  }

  std::mt19937_64& random_;
  bool is_careful_ = false;
};

}  // namespace vinculum::test_support
