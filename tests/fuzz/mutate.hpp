#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/models.hpp"

/// Mutations of model texts for the fuzz programs: typical results of careless editing and of damaged files.
namespace vinculum::test_support {

/// The models of the project, and texts with constructs that these lack.
inline std::vector<std::filesystem::path> text_files() {
  std::vector<std::filesystem::path> files = model_files();
  for (const char* seed : {"bodies.vin", "blocks.vin"}) {
    files.push_back(std::filesystem::path(VINCULUM_MODELS).parent_path() / "tests" / "fuzz" / "seeds" / seed);
  }
  return files;
}

/// One to eight random changes: bytes changed; pieces deleted, doubled, exchanged with each other or with another
/// text; tokens of the language inserted; brackets accumulated.
inline std::string mutate(std::string text, const std::vector<std::string>& others, std::mt19937_64& random) {
  static const std::vector<std::string> kTokens = {"(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   "|",
                                                   "'",
                                                   "''",
                                                   "\"",
                                                   "#",
                                                   "±",
                                                   "+-",
                                                   "^",
                                                   "=",
                                                   "==",
                                                   "~",
                                                   ":",
                                                   ",",
                                                   ".",
                                                   ";",
                                                   "\n",
                                                   "\n    ",
                                                   "\t",
                                                   " ",
                                                   "-",
                                                   "+",
                                                   "*",
                                                   "/",
                                                   "0",
                                                   "1e308",
                                                   "1e-308",
                                                   "1e999",
                                                   "1.2.3",
                                                   "[m]",
                                                   "[kg*m/s^2]",
                                                   "[m^(1/2)]",
                                                   "dot",
                                                   "cross",
                                                   "vel",
                                                   "acc",
                                                   "pos",
                                                   "dt",
                                                   "omega",
                                                   "norm",
                                                   "unit",
                                                   "force",
                                                   "multiplier",
                                                   "residual",
                                                   "energy",
                                                   "hamiltonian",
                                                   "along",
                                                   "on",
                                                   "from",
                                                   "nonideal",
                                                   "friction",
                                                   "law",
                                                   "ideal",
                                                   "vakonomic",
                                                   "constraint",
                                                   "coord",
                                                   "speed",
                                                   "let",
                                                   "param",
                                                   "frame",
                                                   "newtonian",
                                                   "rotated",
                                                   "about",
                                                   "body313",
                                                   "space123",
                                                   "point",
                                                   "particle",
                                                   "mass",
                                                   "at",
                                                   "gravity",
                                                   "spring",
                                                   "stiffness",
                                                   "length",
                                                   "damping",
                                                   "potential",
                                                   "generalized",
                                                   "output",
                                                   "in",
                                                   "start",
                                                   "run",
                                                   "tolerance",
                                                   "expect",
                                                   "always",
                                                   "end",
                                                   "stop",
                                                   "if",
                                                   "else",
                                                   "for",
                                                   "and",
                                                   "or",
                                                   "not",
                                                   "table",
                                                   "sqrt",
                                                   "body",
                                                   "inertia",
                                                   "torque",
                                                   "joint",
                                                   "between",
                                                   "of",
                                                   "axis",
                                                   "ratio",
                                                   "surface",
                                                   "reveal",
                                                   "via",
                                                   "directed",
                                                   "scale",
                                                   "quaternion",
                                                   "include",
                                                   "component",
                                                   "use",
                                                   "as",
                                                   "..",
                                                   "1..3",
                                                   "[i]",
                                                   "[i - 1]",
                                                   "[1, 2; 3, 4]",
                                                   "for i in 1..2 {\n",
                                                   "if n > 1 {\n",
                                                   "} else {\n",
                                                   "\n}\n",
                                                   "center",
                                                   "transpose",
                                                   "x.P",
                                                   "e0",
                                                   "sin",
                                                   "t",
                                                   "pi",
                                                   "N.x",
                                                   "N.w",
                                                   "O",
                                                   "P",
                                                   "x",
                                                   "x'",
                                                   "x''",
                                                   "q1",
                                                   "\xff",
                                                   "\xc3",
                                                   "é",
                                                   std::string(1, '\0')};
  const auto below = [&random](std::size_t n) {
    return n == 0 ? std::size_t{0} : static_cast<std::size_t>(random() % n);
  };
  const std::size_t changes = 1 + below(8);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(40), text.size() - at);
    switch (below(9)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(at, length)); break;
      case 3:
      case 4: text.insert(at, kTokens[below(kTokens.size())]); break;
      case 5: text.replace(at, std::min<std::size_t>(length, 6), kTokens[below(kTokens.size())]); break;
      case 6: {
        const std::string& other = others[below(others.size())];
        const std::size_t from = below(other.size());
        text.insert(at, other.substr(from, below(200)));
        break;
      }
      case 7: {
        const std::size_t to = below(text.size() + 1);
        const std::string piece = text.substr(at, length);
        text.erase(at, length);
        text.insert(std::min(to, text.size()), piece);
        break;
      }
      default: text.insert(at, std::string(below(300), "([|-'^"[below(6)]));
    }
  }
  return text;
}

}  // namespace vinculum::test_support
