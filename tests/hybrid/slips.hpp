#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "hybrid/meeting.hpp"
#include "vinculum/base/tolerance.hpp"

/// A block that slips for a small fraction of every period of a slow load. Coulomb's law is stated in two ways.
namespace vinculum::hybrid {

/// Distance of one slip, in units of swing/omega². The load exceeds the bound of friction by swing (cos s − cos α) at
/// the phase s from its maximum. The double integral uses the cosine series, so that no digits are lost for small α.
inline double way_of_slip(double alpha) {
  constexpr int kTerms = 5;
  std::array<double, kTerms> c{};  // coefficients of 1 − x^(2k + 2), with s = α x
  double term = -1.0;
  for (int k = 0; k < kTerms; ++k) {
    term *= -1.0 / ((2.0 * k + 1.0) * (2.0 * k + 2.0)) * (k == 0 ? 1.0 : alpha * alpha);
    c[static_cast<std::size_t>(k)] = term;
  }
  const auto speed = [&](double x) {
    double sum = 0.0;
    for (int k = 0; k < kTerms; ++k) {
      const double n = 2.0 * k + 3.0;
      sum += c[static_cast<std::size_t>(k)] * (x - std::pow(x, n) / n + 1.0 - 1.0 / n);
    }
    return sum;
  };
  double low = 1.0, high = 3.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (speed(middle) > 0.0 ? low : high) = middle;
  }
  const auto way = [&](double x) {
    double sum = 0.0;
    for (int k = 0; k < kTerms; ++k) {
      const double n = 2.0 * k + 3.0;
      sum +=
          c[static_cast<std::size_t>(k)] * (0.5 * x * x - std::pow(x, n + 1.0) / (n * (n + 1.0)) + (1.0 - 1.0 / n) * x);
    }
    return sum;
  };
  return std::pow(alpha, 4) * (way(low) - way(-1.0));
}

/// A block that slips once per period.   \param width  fraction of a period in which the load exceeds the bound.
inline Case slipping(const std::string& statement, double width, int periods) {
  return {
      fmt::format("slipping_by_{}_{:g}_{}", statement, width, periods), [=](Draw& draw) {
        const double mean = 0.5, hold = 4.0, alpha = std::numbers::pi * width;
        const double swing = (hold - mean) / std::cos(alpha);
        const double shift = draw.between(0.0, 0.4);  // fraction of a period: each slip ends within its period
        Meeting meeting;
        meeting.duration = periods;
        // The excess of the load over the bound has the rounding error of a sum of loads. The distance of a slip is
        // proportional to the square of the excess.
        meeting.rounding = 2.0 * tolerance::kRounded * hold / (swing * 0.5 * alpha * alpha);
        const std::string law = statement == "load" ? "force on P = -4*sign(x')*N.x\n"
                                                    : "gravity -10*N.y\nconstraint ground: dot(pos(P, O), N.y) = 0\n"
                                                      "    friction on P mu = 0.4\n";
        meeting.text = head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\n" + law +
                       fmt::format("force on P = ({} + {:.17g}*sin(2*pi*(t - {:.17g})))*N.x\n", mean, swing, shift) +
                       "start x = 0, y = 0, x' = 0, y' = 0\n";
        const double omega = 2.0 * std::numbers::pi;
        meeting.wanted = {place(0, periods * swing / (omega * omega) * way_of_slip(alpha))};
        return meeting;
      }};
}

/// A block that sticks under a load below the bound, until the coefficient of friction drops for a short time.
inline Case weakened(double width, double end) {
  return {fmt::format("weakened_{:g}_{:g}", width, end), [=](Draw& draw) {
            const double mu = 0.4, dip = 0.3, g = 10.0, load = 3.0, root = 0.5 * std::sqrt(std::numbers::pi);
            const double at = draw.between(0.2, 0.7) * end, from = -std::sqrt(std::log(g * dip / (g * mu - load)));
            const auto speed_at = [&](double s) {  // in units of `width`, with s = (t − at)/width
              return (load - g * mu) * (s - from) + g * dip * root * (std::erf(s) - std::erf(from));
            };
            double low = -from, high = 20.0;
            for (int i = 0; i < 200; ++i) {
              const double middle = 0.5 * (low + high);
              (speed_at(middle) > 0.0 ? low : high) = middle;
            }
            const auto sum = [](double s) { return s * std::erf(s) + std::exp(-s * s) / std::sqrt(std::numbers::pi); };
            const double d = low - from;
            const double way =
                0.5 * (load - g * mu) * d * d + g * dip * root * (sum(low) - sum(from) - std::erf(from) * d);
            Meeting meeting;
            meeting.duration = end;
            meeting.shortest = width;
            meeting.text =
                head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\n" +
                fmt::format("gravity -{}*N.y\nforce on P = {}*N.x\n", g, load) +
                "constraint ground: dot(pos(P, O), N.y) = 0\n" +
                fmt::format("    friction on P mu = {} - {}*exp(-((t - {:.17g})/{:.17g})^2)\n", mu, dip, at, width) +
                "start x = 0, y = 0, x' = 0, y' = 0\n";
            meeting.wanted = {place(0, width * width * way)};
            return meeting;
          }};
}

inline Cases cases_of_slips() {
  Cases all{weakened(0.1, 10.0), weakened(1e-3, 10.0), weakened(1e-5, 10.0), weakened(1e-2, 1e3)};
  for (const char* statement : {"load", "clause"}) {
    for (const double width : {0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) all.push_back(slipping(statement, width, 3));
  }
  return all;
}

}  // namespace vinculum::hybrid
