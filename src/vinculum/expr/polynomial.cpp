#include "vinculum/expr/polynomial.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::expr {

Monomial product(const Monomial& a, const Monomial& b, int sign) {
  Monomial result;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) {
      result.push_back(*i++);
    } else if (i == a.end() || j->first < i->first) {
      result.emplace_back(j->first, sign * j->second);
      ++j;
    } else {
      if (const int exponent = i->second + sign * j->second; exponent != 0) result.emplace_back(i->first, exponent);
      ++i;
      ++j;
    }
  }
  return result;
}

Monomial common(const Monomial& a, const Monomial& b) {
  Monomial result;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (i->first < j->first) {
      ++i;
    } else if (j->first < i->first) {
      ++j;
    } else {
      if ((i->second > 0) == (j->second > 0)) {
        result.emplace_back(i->first, i->second > 0 ? std::min(i->second, j->second) : std::max(i->second, j->second));
      }
      ++i;
      ++j;
    }
  }
  return result;
}

int exponent_in(const Monomial& m, NodeId atom) {
  for (const auto& [id, exponent] : m) {
    if (id == atom) return exponent;
  }
  return 0;
}

bool is_divisible(const Monomial& m, const Monomial& by) {
  return std::ranges::all_of(by, [&](const auto& factor) {
    const int e = exponent_in(m, factor.first);
    return factor.second > 0 ? e >= factor.second : e <= factor.second;
  });
}

void add_to(Polynomial& p, const Monomial& m, double c) {
  const auto [at, is_new] = p.try_emplace(m, c);
  if (is_new) return;
  const double larger = std::max(std::fabs(at->second), std::fabs(c));
  at->second += c;
  if (std::fabs(at->second) <= tolerance::kEqual * larger) p.erase(at);
}

}  // namespace vinculum::expr
