#include "support/mechanisms/search.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace vinculum::mechanisms {
namespace {

std::string without_digits(const std::string& text) {
  std::string result;
  for (const char x : text) {
    if (x < '0' || x > '9') result += x;
  }
  return result;
}

std::string padded(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

}  // namespace

void Tally::add(std::uint64_t of_seed, std::size_t of_length) {
  if (count == 0 || of_length < length) seed = of_seed, length = of_length;
  ++count;
}

std::vector<std::string> kinds_in(const Mechanism& m) {
  std::set<std::string> kinds;
  const Structure s(m);
  kinds.insert(m.is_plane ? "in the plane" : "in space");
  kinds.insert(std::to_string(m.bodies.size()) + (m.bodies.size() == 1 ? " body" : " bodies"));
  if (!m.particles.empty()) kinds.insert("with a particle");
  for (std::size_t f = 1; f < m.frames.size(); ++f) {
    if (s.used.frames[f] == 0) continue;
    const Frame& frame = m.frames[f];
    const bool is_constant = m.is_turned_by_constants(static_cast<int>(f));
    static const char* const kNames[] = {"newtonian", "rotated", "by a sequence", "quaternion", "axes"};
    const std::string about = frame.kind == FrameKind::kAbout && frame.letter < 0 ? " about a vector" : "";
    kinds.insert(std::string("frame: ") + (is_constant ? "constant, " : "") + kNames[static_cast<int>(frame.kind)] +
                 about);
    if (is_constant && s.class_of[f] == 0) kinds.insert("frame: fixed in the newtonian one");
    if (!is_constant && frame.angle.rate != 0.0) kinds.insert("frame: turned by the time");
    if (!is_constant && s.bodies_in[f].empty()) kinds.insert("frame: without a body");
    if (s.bodies_in[f].size() > 1) kinds.insert("frame: with several bodies");
  }
  for (std::size_t p = 1; p < m.points.size(); ++p) {
    if (s.used.points[p] == 0 || m.points[p].kind != PointKind::kOffset) continue;
    if (m.points[p].on_body >= 0) {
      kinds.insert("point: of a body where another is");
    } else if (s.carrier_of[p] == Mechanism::kNoCarrier) {
      kinds.insert("point: without mass");
    } else if (m.points[static_cast<std::size_t>(m.points[p].base)].kind == PointKind::kOffset) {
      kinds.insert("point: set off in several steps");
    }
    for (const VectorTerm& term : m.points[p].offset) {
      const int carrier = s.carrier_of[p];
      if (carrier >= 0 && term.frame != m.bodies[static_cast<std::size_t>(carrier)].frame)
        kinds.insert("point: in another frame of its rigid frame");
    }
  }
  for (const Body& body : m.bodies) {
    if (body.mass == 0.0) kinds.insert("body: without mass");
    const Point& center = m.points[static_cast<std::size_t>(body.center)];
    if (center.base != 0 && m.points[static_cast<std::size_t>(center.base)].kind != PointKind::kFixed)
      kinds.insert("body: placed on others");
  }
  for (const Constraint& c : m.constraints) {
    kinds.insert((c.joint.empty() ? "" : "joint: ") + kind_of(c));
    if (c.name[0] == 'k') kinds.insert("redundant copy");
    const auto in_frames = [&](const LinearVector& v, const Side& side) {
      if (side.kind != SideKind::kBody) return;
      for (const VectorTerm& term : v) {
        const int frame = m.bodies[static_cast<std::size_t>(side.index)].frame;
        if (term.frame == frame) continue;
        const auto is_above = [&](int low, int high) {
          for (int f = low; f > 0; f = m.frames[static_cast<std::size_t>(f)].parent) {
            if (f == high) return true;
          }
          return false;
        };
        kinds.insert(is_above(frame, term.frame)   ? "axis: in an ancestor of the body's frame"
                     : is_above(term.frame, frame) ? "axis: in a descendant of the body's frame"
                                                   : "axis: in a sibling of the body's frame");
      }
      if (v.size() > 1) kinds.insert("axis: oblique");
    };
    in_frames(c.axis, c.A);
    in_frames(c.axis2, c.B);
  }
  for (const Load& load : m.loads) {
    static const char* const kNames[] = {"gravity", "force", "torque", "spring", "generalized force"};
    kinds.insert(std::string("load: ") + kNames[static_cast<int>(load.kind)] + (load.action.has_from ? " from" : ""));
  }
  for (const Reveal& reveal : m.reveals) kinds.insert(reveal.is_torque ? "reveal: torque" : "reveal: force");
  return {kinds.begin(), kinds.end()};
}

Search search(std::uint64_t first, std::uint64_t count, GeneratorOptions options) {
  Search result;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    ++result.tried;
    const Mechanism m = random_mechanism(seed, options);
    const Structure s(m);
    Reading reading;
    Verdict verdict;
    try {
      reading = read(m, s);
      verdict = judge(m, s, reading);
    } catch (const std::exception& error) {
      verdict.findings.push_back({"exception", error.what(), 1.0, ""});
    }
    const std::size_t length = reading.text.size();
    for (const std::string& kind : kinds_in(m)) result.kinds[kind].add(seed, length);
    if (!verdict.refused.empty()) {
      const std::string message = without_digits(verdict.refusal_message).substr(0, 60);
      result
          .refusals[(verdict.is_refusal_justified ? "" : "NOT JUSTIFIED: ") + verdict.refused + ", " +
                    verdict.refusal_class + ": " + message]
          .add(seed, length);
      if (verdict.is_refusal_justified) ++result.refused;
    } else {
      ++result.judged;
    }
    result.doubtful += verdict.is_clear ? 0 : 1;
    result.values += verdict.values;
    result.flags += verdict.flags;
    ++(verdict.findings.empty() ? result.clean : result.failed);
    if (!verdict.findings.empty()) result.disagreeing.push_back(seed);
    std::set<std::string> names;
    for (const Finding& f : verdict.findings) names.insert(f.check + " | " + f.about);
    for (const std::string& name : names) result.findings[name].add(seed, length);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

std::string table_of(const Tallies& tallies) {
  std::vector<std::pair<std::string, Tally>> sorted(tallies.begin(), tallies.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::string text;
  for (const auto& [name, tally] : sorted)
    text += padded(std::to_string(tally.count), 7) + "  seed " + std::to_string(tally.seed) + "  " + name + "\n";
  return text;
}

std::string summary_of(const Search& s) {
  return std::to_string(s.tried) + " mechanisms: " + std::to_string(s.judged) + " judged, " +
         std::to_string(s.refused) + " refused with reason, " + std::to_string(s.failed) + " disagree; " +
         std::to_string(s.doubtful) + " of doubtful rank; " + std::to_string(s.values) + " values and " +
         std::to_string(s.flags) + " flags compared in " + std::to_string(static_cast<int>(s.seconds)) + " s\n";
}

}  // namespace vinculum::mechanisms
