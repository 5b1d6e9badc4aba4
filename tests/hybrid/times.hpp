#pragma once

#include "hybrid/meeting.hpp"

/// Cases with features that are short in time: pulses of forces, springs and prescribed motions; forces that act in
/// intervals.
namespace vinculum::hybrid {

/// A free mass gets the impulse J at the time a and continues with the speed J/m.
inline Case pushed(const std::string& of, double w, double end, double m) {
  return {fmt::format("pushed_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, J = draw.sign() * draw.between(0.5, 2.0);
            Meeting meeting;
            meeting.text = particle_on_a_line(m) +
                           fmt::format("force on P = {:.17g}*{}*N.x\n", J, pulse(shape(of), "t", a, w)) +
                           "start x = 0, x' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, J / m * (end - a)), speed(0, J / m)};
            return meeting;
          }};
}

/// An impulse J at the time a on an oscillator: x(T) = J/(mω) sin ω(T − a) E[cos ωwu], where E averages over the shape
/// of the pulse.
inline Case tapped_on_a_spring(const std::string& of, double w, double end, double omega) {
  return {fmt::format("tapped_on_a_spring_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, J = draw.between(0.5, 2.0), m = 2.5;
            const double swing = J / (m * omega) * mean_cosine(shape(of), omega * w), phase = omega * (end - a);
            Meeting meeting;
            meeting.text = particle_on_a_line(m) +
                           fmt::format("force on P = ({:.17g}*{} - {:.17g}*x)*N.x\n", J, pulse(shape(of), "t", a, w),
                                       m * omega * omega) +
                           "start x = 0, x' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, swing * std::sin(phase), swing),
                              speed(0, omega * swing * std::cos(phase), omega * swing)};
            return meeting;
          }};
}

/// A brake with a short pulse of area C reduces the speed v by the factor exp(−C/m), whatever the shape of the pulse.
inline Case braked(const std::string& of, double w, double end) {
  return {fmt::format("braked_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, C = draw.between(1.0, 3.0), m = 1.5, v = 20.0;
            Meeting meeting;
            meeting.text = particle_on_a_line(m) +
                           fmt::format("force on P = -{:.17g}*{}*x'*N.x\n", C, pulse(shape(of), "t", a, w)) +
                           fmt::format("start x = 0, x' = {}\n", v);
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {speed(0, v * std::exp(-C / m), v)};
            return meeting;
          }};
}

/// The speed of P is prescribed. It contains a pulse that moves P by the distance J.
inline Case driven_speed(const std::string& of, double w, double end) {
  return {fmt::format("driven_speed_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, v = draw.between(-1.0, 1.0), J = v * end;
            Meeting meeting;
            meeting.text = particle_on_a_line(1.0) +
                           fmt::format("constraint c: x' = {:.17g} + {:.17g}*{}\n", v, J, pulse(shape(of), "t", a, w)) +
                           "start x = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, v * end + J), speed(0, v)};
            return meeting;
          }};
}

/// The position of P is prescribed and contains a pulse; Q is attached to P by a spring.
inline Case driven_place(const std::string& of, double w, double end, double omega) {
  return {fmt::format("driven_place_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, way = draw.between(0.2, 0.5);
            const double swing = omega * way * mean_cosine(shape(of), omega * w), phase = omega * (end - a);
            Meeting meeting;
            meeting.text = head("x, y") + "particle P mass 1 at O + x*N.x\nparticle Q mass 3 at O + y*N.x\n" +
                           fmt::format("constraint c: x = {:.17g}*{}\n", way, pulse(shape(of), "t", a, w)) +
                           fmt::format("force on Q = -{:.17g}*(y - x)*N.x from P\n", 3.0 * omega * omega) +
                           "start y = 0, y' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(1, swing * std::sin(phase), swing),
                              speed(1, omega * swing * std::cos(phase), omega * swing)};
            return meeting;
          }};
}

/// From the time a on, P moves with the speed V, and Q follows by a spring: y = V(τ − sin(ωτ)/ω), with τ the time since
/// a.
inline Case set_off(double end, double omega) {
  return {fmt::format("set_off_in_{:g}", end), [=](Draw& draw) {
            const double a = draw.between(0.3, 0.99) * end, V = draw.between(0.5, 2.0), rest = end - a;
            Meeting meeting;
            meeting.text = head("x, y") + "particle P mass 1 at O + x*N.x\nparticle Q mass 3 at O + y*N.x\n" +
                           fmt::format("constraint c: x = {:.17g}*max(t - {:.17g}, 0)\n", V, a) +
                           fmt::format("force on Q = -{:.17g}*(y - x)*N.x from P\n", 3.0 * omega * omega) +
                           "start y = 0, y' = 0\n";
            meeting.duration = end;
            meeting.wanted = {place(0, V * rest), place(1, V * (rest - std::sin(omega * rest) / omega)),
                              speed(1, V * (1.0 - std::cos(omega * rest)), 2.0 * V)};
            return meeting;
          }};
}

/// A spring is stiffer for the time w: harmonic motion, with another frequency during this time.
inline Case stiffened(double w, double end, double omega) {
  return {fmt::format("stiffened_{:g}_in_{:g}", w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, K = draw.between(0.5, 2.0), k = omega * omega;
            double x = 1.0, v = 0.0;
            const auto turn = [&](double rate, double time) {
              const double c = std::cos(rate * time), s = std::sin(rate * time), x_before = x;
              x = c * x + s / rate * v;
              v = c * v - rate * s * x_before;
            };
            turn(omega, a - 0.5 * w);
            turn(std::sqrt(k + K / w), w);
            turn(omega, end - a - 0.5 * w);
            Meeting meeting;
            meeting.text =
                particle_on_a_line(1.0) +
                fmt::format("force on P = -({:.17g} + {:.17g}*{})*x*N.x\n", k, K, pulse(shape("window"), "t", a, w)) +
                "start x = 1, x' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            const double reach = std::hypot(x, v / omega);
            meeting.wanted = {place(0, x, std::max(1.0, reach)), speed(0, v, omega * std::max(1.0, reach))};
            return meeting;
          }};
}

/// Two opposite force pulses at the distance Δ in time, which leave a displacement of JΔ/m.
inline Case pushed_and_pulled(const std::string& of, double w, double end) {
  return {fmt::format("pushed_and_pulled_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, apart = draw.between(2.5, 6.0) * w, J = 1.0 / apart;
            Meeting meeting;
            meeting.text = particle_on_a_line(1.0) +
                           fmt::format("force on P = {:.17g}*({} - {})*N.x\n", J, pulse(shape(of), "t", a, w),
                                       pulse(shape(of), "t", a + apart, w)) +
                           "start x = 0, x' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, 1.0, J * (end - a)), speed(0, 0.0, J)};  // the error of the speed is integrated
            return meeting;
          }};
}

/// A pulse of the torque about the pivot of a rod with inertia I, and a pulse in the rate of an extra state.
inline Case turned(const std::string& of, double w, double end) {
  return {fmt::format("turned_{}_{:g}_in_{:g}", of, w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end, J = draw.between(0.5, 2.0), I = 0.4;
            const std::string p = pulse(shape(of), "t", a, w);
            Meeting meeting;
            meeting.text =
                head("phi") + "frame R = N rotated phi about z\n" +
                fmt::format("body B frame R mass 1 inertia (1, 1, {}) at O\n", I) +
                fmt::format("torque on B = {:.17g}*{}*N.z\nstate z' = {:.17g}*{} start z = 1\n", J, p, J, p) +
                "start phi = 0, phi' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, J / I * (end - a)), speed(0, J / I), {Wanted::Of::kState, 0, 1.0 + J, 1.0 + J}};
            return meeting;
          }};
}

/// A force F that acts for the time w in every period. Each time it changes the speed by Fw/m.
inline Case gated(double w, double period, int openings) {
  return {fmt::format("gated_{:g}_every_{:g}", w, period), [=](Draw& draw) {
            const double shift = draw.between(0.1, 0.9) * (period - w), F = 1.0 / w;
            const double end = period * openings;
            double x = 0.0;
            for (int i = 0; i < openings; ++i) x += end - (shift + i * period) - 0.5 * w;
            const std::string phase = fmt::format("(t - {:.17g})/{:.17g}", shift, period);
            Meeting meeting;
            meeting.text = particle_on_a_line(1.0) +
                           fmt::format("force on P = ({:.17g} if {} - floor({}) < {:.17g} else 0)*N.x\n", F, phase,
                                       phase, w / period) +
                           "start x = 0, x' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, x), speed(0, openings)};
            return meeting;
          }};
}

/// A rotating beam that exerts a force on P while it points at P, within half its opening angle to either side.
inline Case swept(double opening, double rate, int turns) {
  return {fmt::format("swept_{:g}_of_{:g}", opening, rate), [=](Draw& draw) {
            const double shift = draw.between(0.1, 0.9) * 2.0 * std::numbers::pi, w = opening / rate;
            const double end = 2.0 * std::numbers::pi * turns / rate;
            double x = 0.0;
            for (int i = 0; i < turns; ++i) x += end - (2.0 * std::numbers::pi * i + shift) / rate;
            Meeting meeting;
            meeting.text = particle_on_a_line(1.0) +
                           fmt::format("force on P = ({:.17g} if cos({:.17g}*t - {:.17g}) > {:.17g} else 0)*N.x\n",
                                       1.0 / w, rate, shift, std::cos(0.5 * opening)) +
                           "start x = 0, x' = 0\n";
            meeting.duration = end;
            meeting.shortest = w;
            meeting.wanted = {place(0, x), speed(0, turns)};
            return meeting;
          }};
}

/// Prescribed positions that jump at the time a, permanently or for a short time. From then on there is no motion.
inline Case torn_away(double w, double end) {
  return {fmt::format("torn_away_{:g}_in_{:g}", w, end), [=](Draw& draw) {
            const double a = draw.between(0.1, 0.9) * end;
            Meeting meeting;
            const std::string until = w > 0.0 ? fmt::format(" and t < {:.17g}", a + w) : "";
            meeting.text =
                particle_on_a_line(1.0) + fmt::format("constraint c: x = (1 if t > {:.17g}{} else 0)\n", a, until);
            meeting.duration = end;
            meeting.stops = "inconsistent";
            meeting.stops_at = a;
            return meeting;
          }};
}

inline Cases cases_in_time() {
  Cases all;
  for (const Shape& one : shapes()) {
    all.push_back(pushed(one.name, one.name == "triangle" ? 1e-4 : 1e-6, 10.0, 1.0));
    all.push_back(pushed(one.name, 1e-3, 1e3, 50.0));
    if (one.name != "tanh") all.push_back(pushed(one.name, 1.0, 1e4, 1e-3));
    all.push_back(tapped_on_a_spring(one.name, 1e-4, 20.0, 0.8));
    if (one.name != "window" && one.name != "tanh" && one.name != "sech2")
      all.push_back(driven_speed(one.name, 1e-2, 100.0));
  }
  for (const char* of : {"gauss", "smoothsteps", "triangle"}) all.push_back(driven_place(of, 1e-2, 15.0, 1.0));
  for (const char* of : {"window", "parabola", "sech2"}) all.push_back(braked(of, 1e-2, 100.0));
  for (const char* of : {"window", "gauss"}) all.push_back(pushed_and_pulled(of, 1e-3, 10.0));
  for (const char* of : {"window", "smoothsteps"}) all.push_back(turned(of, 1e-3, 100.0));
  all.push_back(driven_speed("window", 1e-3, 1e3));
  all.push_back(set_off(10.0, 1.0));
  all.push_back(set_off(1e4, 1e-3));
  all.push_back(stiffened(1e-5, 10.0, 1.0));
  all.push_back(stiffened(1e-2, 10.0, 1.0));
  all.push_back(gated(1e-3, 1.0, 40));
  all.push_back(swept(1e-2, 0.5, 20));
  all.push_back(torn_away(0.0, 10.0));
  all.push_back(torn_away(0.0, 1e4));
  all.push_back(torn_away(1e-3, 100.0));
  return all;
}

}  // namespace vinculum::hybrid
