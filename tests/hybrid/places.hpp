#pragma once

#include "hybrid/meeting.hpp"

/// Cases with thin features in space: walls, plates, strips, barriers, bumps and steps of the ground.
namespace vinculum::hybrid {

/// A particle of speed v hits a wall at a that acts as a spring of stiffness k. The contact lasts half a period. κ =
/// k/(m v²).
inline Case thrown_back(double v, double kappa, double m) {
  return {fmt::format("thrown_back_{:g}_{:g}", v, kappa), [=](Draw& draw) {
            const double a = draw.between(0.5, 2.0), contact = std::numbers::pi / (v * std::sqrt(kappa));
            Meeting meeting;
            meeting.duration = 4.0 / v;
            meeting.shortest = contact;
            meeting.text = particle_on_a_line(m) +
                           fmt::format("force on P = -{:.17g}*max(x - {:.17g}, 0)*N.x\n", kappa * m * v * v, a) +
                           fmt::format("start x = 0, x' = {:.17g}\n", v);
            meeting.wanted = {place(0, a - v * (meeting.duration - a / v - contact), a), speed(0, -v)};
            return meeting;
          }};
}

/// Oscillation between two walls of the kind of `thrown_back`.
inline Case between_walls(double v, double kappa, int bounces) {
  return {fmt::format("between_walls_{:g}_{:g}", v, kappa), [=](Draw& draw) {
            const double L = draw.between(0.8, 1.2), contact = std::numbers::pi / (v * std::sqrt(kappa));
            const double k = kappa * v * v;
            Meeting meeting;
            meeting.duration = bounces * (2.0 * L / v + contact) + 0.4 * L / v;  // on the way back from the last wall,
                                                                                 // past 0
            meeting.shortest = contact / bounces;
            meeting.sensitivity = bounces;  // errors of the contacts add up
            meeting.text =
                particle_on_a_line(1.0) +
                fmt::format("force on P = -{0:.17g}*(max(x - {1:.17g}, 0) + min(x + {1:.17g}, 0))*N.x\n", k, L) +
                fmt::format("start x = 0, x' = {:.17g}\n", v);
            const double way = bounces % 2 == 0 ? 1.0 : -1.0;
            meeting.wanted = {place(0, way * 0.4 * L, L), speed(0, way * v)};
            return meeting;
          }};
}

/// A plate of thickness w with a constant retarding force, which takes the fraction `part` of the kinetic energy.
inline Case through_a_plate(double w, double v, double part) {
  return {fmt::format("plate_{:g}_{:g}_{:g}", w, v, part), [=](Draw& draw) {
            const double a = draw.between(0.5, 2.0), m = 2.0, F = part * 0.5 * m * v * v / w;
            Meeting meeting;
            meeting.duration = 5.0 / v;
            meeting.shortest = w / v;
            meeting.text =
                particle_on_a_line(m) +
                fmt::format("force on P = (-{:.17g} if x > {:.17g} and x < {:.17g} else 0)*N.x\n", F, a, a + w) +
                fmt::format("start x = 0, x' = {:.17g}\n", v);
            const double left = meeting.duration - a / v;
            if (part < 1.0) {
              const double after = v * std::sqrt(1.0 - part), inside = 2.0 * w / (v + after);
              meeting.wanted = {place(0, a + w + after * (left - inside)), speed(0, after, v)};
            } else {
              meeting.wanted = {place(0, a - v * (left - 2.0 * v * m / F), a), speed(0, -v)};
            }
            return meeting;
          }};
}

/// A strip of mud of width w with the drag −c x'. It reduces the speed by cw/m.
inline Case through_mud(double w, double v) {
  return {fmt::format("mud_{:g}_{:g}", w, v), [=](Draw& draw) {
            const double a = draw.between(0.5, 2.0), m = 2.0, c = draw.between(0.3, 0.7) * m * v / w;
            const double after = v - c * w / m, inside = m / c * std::log(v / after);
            Meeting meeting;
            meeting.duration = 5.0 / v;
            meeting.shortest = w / v;
            meeting.text =
                particle_on_a_line(m) +
                fmt::format("force on P = (-{:.17g}*x' if x > {:.17g} and x < {:.17g} else 0)*N.x\n", c, a, a + w) +
                fmt::format("start x = 0, x' = {:.17g}\n", v);
            meeting.wanted = {place(0, a + w + after * (meeting.duration - a / v - inside)), speed(0, after, v)};
            return meeting;
          }};
}

/// A strip of width w in which a field turns the velocity at the rate ω. After the strip v_y = −ωw.
inline Case through_a_magnet(double w, double v) {
  return {fmt::format("magnet_{:g}_{:g}", w, v), [=](Draw& draw) {
            const double a = draw.between(0.5, 2.0), sine = draw.between(0.3, 0.8), omega = sine * v / w;
            const double angle = std::asin(sine), cosine = std::cos(angle);
            Meeting meeting;
            meeting.duration = 5.0 / v;
            meeting.shortest = w / v;
            meeting.text =
                head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\n" +
                fmt::format("force on P = ({:.17g} if x > {:.17g} and x < {:.17g} else 0)*(y'*N.x - x'*N.y)\n", omega,
                            a, a + w) +
                fmt::format("start x = 0, y = 0, x' = {:.17g}, y' = 0\n", v);
            const double left = meeting.duration - a / v - angle / omega;
            meeting.wanted = {place(0, a + w + v * cosine * left), speed(0, v * cosine, v), speed(1, -v * sine, v),
                              place(1, -v / omega * (1.0 - cosine) - v * sine * left)};
            return meeting;
          }};
}

/// A potential barrier V = ηE/cosh²((x − a)/w), with E the kinetic energy of the particle far from the barrier.
/// Solution with ω = v/w: sinh((x − a)/w) is √(1 − η) sinh ωt if the particle passes (η < 1), and −√(η − 1) cosh ωt if
/// it turns back.
inline Case barrier(double w, double v, double eta) {
  return {fmt::format("barrier_{:g}_{:g}_{:g}", w, v, eta), [=](Draw& draw) {
            const double far = std::max(1.0, 50.0 * w), a = far * draw.between(1.0, 2.0), m = 0.5;
            const double shift = w * std::log(std::abs(1.0 - eta));
            const std::string u = fmt::format("((x - {:.17g})/{:.17g})", a, w);
            Meeting meeting;
            meeting.duration = 5.0 * far / v;
            meeting.shortest = w / v;
            meeting.sensitivity = a / w;
            meeting.text = particle_on_a_line(m) +
                           fmt::format("force on P = {:.17g}*tanh{}/cosh{}^2*N.x\n", eta * m * v * v / w, u, u) +
                           fmt::format("start x = 0, x' = {:.17g}\n", v);
            const double way = v * meeting.duration;
            if (eta < 1.0)
              meeting.wanted = {place(0, way + shift), speed(0, v)};
            else
              meeting.wanted = {place(0, 2.0 * a - way - shift, a), speed(0, -v)};
            return meeting;
          }};
}

/// A transverse jet of width w with the force F. After it v_y = F√π w/(mv).
inline Case through_a_jet(double w, double v) {
  return {fmt::format("jet_{:g}_{:g}", w, v), [=](Draw& draw) {
            const double a = draw.between(1.0, 4.0), after = draw.between(0.2, 0.8) * v;
            Meeting meeting;
            meeting.duration = 5.0 / v;
            meeting.shortest = w / v;
            meeting.text = head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\n" +
                           fmt::format("force on P = {:.17g}*{}*N.y\n", after * v, pulse(shape("gauss"), "x", a, w)) +
                           fmt::format("start x = 0, y = 0, x' = {:.17g}, y' = 0\n", v);
            meeting.wanted = {place(1, after * (meeting.duration - a / v)), speed(1, after), place(0, 5.0)};
            return meeting;
          }};
}

/// A mass on a spring above a wheel that rolls over a bump of width w and height H, that is, of area wH.
inline Case over_a_bump(const std::string& of, double w, double v, double omega) {
  return {fmt::format("bump_{}_{:g}_{:g}", of, w, v), [=](Draw& draw) {
            const double end = 12.0 / omega, t = draw.between(0.1, 0.9) * end, area = v / omega;
            const double swing = omega * area / v * mean_cosine(shape(of), omega * w / v), phase = omega * (end - t);
            Meeting meeting;
            meeting.duration = end;
            meeting.shortest = w / v;
            meeting.text = head("x, y") + "particle W mass 1 at O + x*N.x\nparticle P mass 1 at O + x*N.x + y*N.y\n" +
                           fmt::format("force on P = -{:.17g}*(y - {:.17g}*{})*N.y\n", omega * omega, area,
                                       pulse(shape(of), "x", v * t, w)) +
                           fmt::format("start x = 0, y = 0, x' = {:.17g}, y' = 0\n", v);
            meeting.wanted = {place(1, swing * std::sin(phase), swing),
                              speed(1, omega * swing * std::cos(phase), omega * swing)};
            return meeting;
          }};
}

/// A mass on a spring above a wheel that rolls onto a kerb of height H at x = v t.
inline Case over_a_kerb(double v, double omega) {
  return {fmt::format("kerb_{:g}", v), [=](Draw& draw) {
            const double end = 12.0 / omega, t = draw.between(0.1, 0.9) * end, phase = omega * (end - t), H = 0.1;
            Meeting meeting;
            meeting.duration = end;
            meeting.text =
                head("x, y") + "particle W mass 1 at O + x*N.x\nparticle P mass 1 at O + x*N.x + y*N.y\n" +
                fmt::format("force on P = -{:.17g}*(y - ({} if x > {:.17g} else 0))*N.y\n", omega * omega, H, v * t) +
                fmt::format("start x = 0, y = 0, x' = {:.17g}, y' = 0\n", v);
            meeting.wanted = {place(1, H * (1.0 - std::cos(phase)), 2.0 * H),
                              speed(1, omega * H * std::sin(phase), omega * H)};
            return meeting;
          }};
}

/// A bead on a wire that rises by H over the distance w. Conservation of energy gives its speed.
inline Case up_a_step(double w, double end) {
  return {fmt::format("up_a_step_{:g}_in_{:g}", w, end), [=](Draw& draw) {
            const double v = 10.0, g = 9.81, H = draw.between(0.3, 0.6) * 0.5 * v * v / g;
            const double a = draw.between(0.1, 0.8) * v * end;
            const double after = std::sqrt(v * v - 2.0 * g * H);
            const double inside = integral(
                [&](double s) {
                  const double slope = H / w * 30.0 * s * s * (1.0 - s) * (1.0 - s);
                  return w * std::sqrt((1.0 + slope * slope) / (v * v - 2.0 * g * H * smooth_ramp(s)));
                },
                0.0, 1.0);
            Meeting meeting;
            meeting.duration = end;
            meeting.shortest = w / v;
            meeting.sensitivity = a / w;
            meeting.text =
                head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\n" +
                fmt::format("gravity -{}*N.y\nconstraint wire: y = {:.17g}*smoothstep(x, {:.17g}, {:.17g})\n", g, H, a,
                            a + w) +
                fmt::format("start x = 0, x' = {}\n", v);
            meeting.wanted = {place(0, a + w + after * (end - a / v - inside)), speed(0, after, v), place(1, H)};
            return meeting;
          }};
}

/// A block at rest on rough ground is pushed by a force P for the time w. It slips from then on until it comes to rest.
inline Case tapped_block(double w, double end) {
  return {fmt::format("tapped_block_{:g}_in_{:g}", w, end), [=](Draw& draw) {
            const double m = 2.0, mu = 0.4, g = 10.0, t = draw.between(0.1, 0.5) * end, hold = mu * g;
            const double v = draw.between(0.2, 0.4) * hold * end, push = v / w + hold;
            Meeting meeting;
            meeting.duration = end;
            meeting.shortest = w;
            meeting.text =
                head("x, y") + fmt::format("particle P mass {} at O + x*N.x + y*N.y\ngravity -{}*N.y\n", m, g) +
                fmt::format("constraint ground: dot(pos(P, O), N.y) = 0\n    friction on P mu = {}\n", mu) +
                fmt::format("force on P = ({:.17g} if t > {:.17g} and t < {:.17g} else 0)*N.x\n", m * push, t, t + w) +
                "start x = 0, y = 0, x' = 0, y' = 0\n";
            meeting.wanted = {place(0, 0.5 * v * w + 0.5 * v * v / hold), speed(0, 0.0, v)};
            return meeting;
          }};
}

/// A push with the force profile max(0, 1 − u²). The block slips from the time at which the push reaches the bound of
/// friction until friction has stopped it.
inline Case nudged_block(double w, double end) {
  return {fmt::format("nudged_block_{:g}_in_{:g}", w, end), [=](Draw& draw) {
            const double mu = 0.4, g = 10.0, hold = mu * g, t = draw.between(0.1, 0.5) * end;
            const double excess = draw.between(1.5, 3.0),
                         push = excess * 0.075 * hold * end / w;  // v = ⅔·2·push w minus the impulse of friction
            const double from = -std::sqrt(1.0 - hold / push);
            const auto speed_at = [&](double u) {
              return w * ((push - hold) * (u - from) - push / 3.0 * (u * u * u - from * from * from));
            };
            const auto way_to = [&](double u) {
              const double d = u - from;
              return w * w *
                     ((push - hold) * 0.5 * d * d -
                      push / 3.0 * (0.25 * (std::pow(u, 4) - std::pow(from, 4)) - std::pow(from, 3) * d));
            };
            const double v = speed_at(1.0);
            Meeting meeting;
            meeting.duration = end;
            meeting.shortest = w;
            meeting.text = head("x, y") + fmt::format("particle P mass 1 at O + x*N.x + y*N.y\ngravity -{}*N.y\n", g) +
                           fmt::format("constraint ground: dot(pos(P, O), N.y) = 0\n    friction on P mu = {}\n", mu) +
                           fmt::format("force on P = {:.17g}*max(0, 1 - ((t - {:.17g})/{:.17g})^2)*N.x\n", push, t, w) +
                           "start x = 0, y = 0, x' = 0, y' = 0\n";
            meeting.wanted = {place(0, way_to(1.0) + 0.5 * v * v / hold), speed(0, 0.0, v)};
            return meeting;
          }};
}

/// A block slips repeatedly under a slow sinusoidal load whose mean is below the bound of friction. Once per period the
/// load exceeds the bound for a short time. The block then slips until friction has stopped it.
inline Case creeping(int periods, double excess) {
  return {fmt::format("creeping_{}_{:g}", periods, excess), [=](Draw& draw) {
            const double mean = 0.5, swing = 3.5 + excess, hold = 4.0, omega = 2.0 * std::numbers::pi;
            const double shift = draw.between(0.0, 0.4);  // fraction of a period: each slip ends within its period
            const double from = std::asin((hold - mean) / swing);
            // v(s) = ∫ (mean + swing sin s − hold) ds/ω. The slip ends at the zero of v after its maximum.
            const auto speed_at = [&](double s) {
              return ((mean - hold) * (s - from) + swing * (std::cos(from) - std::cos(s))) / omega;
            };
            double low = std::numbers::pi - from, high = low + std::numbers::pi;
            for (int i = 0; i < 200; ++i) {
              const double middle = 0.5 * (low + high);
              (speed_at(middle) > 0.0 ? low : high) = middle;
            }
            const double d = low - from;
            const double way =
                (0.5 * (mean - hold) * d * d + swing * (std::cos(from) * d - std::sin(low) + std::sin(from))) /
                (omega * omega);
            Meeting meeting;
            meeting.duration = periods;
            meeting.text =
                head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\ngravity -10*N.y\n" +
                "constraint ground: dot(pos(P, O), N.y) = 0\n    friction on P mu = 0.4\n" +
                fmt::format("force on P = ({} + {:.17g}*sin(2*pi*(t - {:.17g})))*N.x\n", mean, swing, shift) +
                "start x = 0, y = 0, x' = 0, y' = 0\n";
            meeting.wanted = {place(0, periods * way), speed(0, 0.0, 0.1)};
            return meeting;
          }};
}

/// A wire with a fold, which has no tangent there, so the motion ends at the fold.
inline Case over_a_fold(double end) {
  return {fmt::format("fold_in_{:g}", end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end;
            Meeting meeting;
            meeting.duration = end;
            meeting.text = head("x, y") + "particle P mass 1 at O + x*N.x + y*N.y\n" +
                           fmt::format("constraint wire: y = |x - {:.17g}|\n", a) + "start x = 0, x' = 1\n";
            meeting.stops = "not-unique";
            meeting.stops_at = a;
            return meeting;
          }};
}

inline Cases cases_in_space() {
  return {
      thrown_back(1.0, 1e4, 1.0),
      thrown_back(1e3, 1e8, 0.01),
      thrown_back(1e-3, 1e6, 1e3),
      between_walls(3.0, 1e6, 12),
      through_a_plate(1e-4, 1.0, 0.6),
      through_a_plate(1e-3, 300.0, 1.7),
      through_a_plate(1e-6, 5.0, 0.3),
      through_mud(1e-3, 2.0),
      through_mud(1e-5, 50.0),
      through_a_magnet(1e-3, 1.0),
      through_a_magnet(1e-5, 1e3),
      barrier(1e-4, 1.0, 1.5),
      barrier(1e-2, 100.0, 2.0),
      barrier(0.1, 1.0, 0.6),
      barrier(1.0, 0.1, -3.0),
      through_a_jet(1e-3, 1.0),
      through_a_jet(1e-5, 30.0),
      over_a_bump("gauss", 1e-3, 1.0, 1.0),
      over_a_bump("window", 1e-3, 10.0, 2.0),
      over_a_bump("smoothsteps", 1e-2, 1.0, 0.5),
      over_a_bump("parabola", 1e-4, 1.0, 1.0),
      over_a_kerb(10.0, 0.2),
      up_a_step(1.0, 100.0),
      up_a_step(0.1, 10.0),
      tapped_block(1e-3, 10.0),
      tapped_block(1e-5, 1e3),
      nudged_block(1e-3, 10.0),
      creeping(10, 0.02),
      creeping(10, 5e-3),
      over_a_fold(10.0),
      over_a_fold(1e3),
  };
}

}  // namespace vinculum::hybrid
