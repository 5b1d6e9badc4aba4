#include <charconv>
#include <cmath>

#include "support/mechanisms/mechanism.hpp"

// Prints a mechanism as a model text.
namespace vinculum::mechanisms {

std::string number_text(double x) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  return {buffer, end};
}

namespace {

/// Terms with their signs: "a - 0.5*b".
class Sum {
 public:
  /// \param what  empty: only the number.
  void add(double factor, const std::string& what) {
    if (factor == 0.0 && !what.empty()) return;
    const bool is_negative = std::signbit(factor);
    const std::string size = number_text(std::abs(factor));
    text_ += text_.empty() ? (is_negative ? "-" : "") : (is_negative ? " - " : " + ");
    text_ += what.empty() ? size : (std::abs(factor) == 1.0 ? what : size + "*" + what);
  }
  [[nodiscard]] std::string text(const std::string& nothing = "0") const { return text_.empty() ? nothing : text_; }

 private:
  std::string text_;
};

class Printer {
 public:
  explicit Printer(const Mechanism& m) : m_(m), used_(used_by(m)) {}

  std::string print(const std::vector<Question>& questions, const std::string& last_line) {
    line("model mechanism_" + std::to_string(m_.seed));
    line("frame N newtonian");
    line("point O fixed in N");
    std::string names;
    for (std::size_t i = 0; i < m_.coordinates.size(); ++i) {
      if (used_.coordinates[i] != 0) names += (names.empty() ? "" : ", ") + m_.coordinates[i].name;
    }
    if (!names.empty()) line("coord " + names);
    for (const Item& item : m_.order) declare(item);
    for (const Load& load : m_.loads) line(text(load));
    for (const Constraint& c : m_.constraints) constraint(c);
    for (const Reveal& reveal : m_.reveals) {
      std::string text = "reveal " + reveal.name + ": " +
                         (reveal.is_torque ? "torque on " + m_.bodies[at(reveal.index)].name
                                           : "force on " + m_.points[at(reveal.index)].name) +
                         " along ";
      for (std::size_t k = 0; k < reveal.along.size(); ++k) text += (k == 0 ? "" : ", ") + vector(reveal.along[k]);
      line(text);
    }
    for (const Question& question : questions) line("output " + question.name + " = " + question.expression);
    starts();
    line(last_line);
    return out_;
  }

  std::string vector(const LinearVector& v) const {
    Sum sum;
    for (const VectorTerm& term : v) {
      const std::string name = (term.body >= 0 ? m_.bodies[at(term.body)].name : m_.frames[at(term.frame)].name) + "." +
                               std::string(1, "xyz"[term.axis]);
      if (term.factor.is_constant()) {
        sum.add(term.factor.constant, name);
      } else if (term.factor.coordinates.size() == 1 && term.factor.constant == 0.0 && term.factor.rate == 0.0) {
        const auto& [coordinate, factor] = term.factor.coordinates[0];
        sum.add(factor, m_.coordinates[at(coordinate)].name + "*" + name);
      } else {
        sum.add(1.0, "(" + affine(term.factor) + ")*" + name);
      }
    }
    return sum.text("0*N.x");
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  std::string affine(const Affine& a) const {
    Sum sum;
    if (a.constant != 0.0) sum.add(a.constant, "");
    for (const auto& [coordinate, factor] : a.coordinates) sum.add(factor, m_.coordinates[at(coordinate)].name);
    sum.add(a.rate, "t");
    return sum.text();
  }

  void declare(const Item& item) {
    switch (item.kind) {
      case Item::Kind::kFrame:
        if (used_.frames[at(item.index)] != 0) frame(m_.frames[at(item.index)]);
        break;
      case Item::Kind::kPoint:
        if (used_.points[at(item.index)] != 0) point(m_.points[at(item.index)]);
        break;
      case Item::Kind::kBody: body(m_.bodies[at(item.index)]); break;
      case Item::Kind::kParticle: {
        const Particle& p = m_.particles[at(item.index)];
        if (!p.removed)
          line("particle " + p.name + " mass " + number_text(p.mass) + " at " + place(m_.points[at(p.point)]));
        break;
      }
    }
  }

  void frame(const Frame& f) {
    const std::string head = "frame " + f.name + " = " + m_.frames[at(f.parent)].name + " ";
    switch (f.kind) {
      case FrameKind::kNewtonian: break;
      case FrameKind::kAbout:
        line(head + "rotated " + affine(f.angle) + " about " +
             (f.letter >= 0 ? std::string(1, "xyz"[f.letter]) : vector(f.axis)));
        break;
      case FrameKind::kSequence:
        line(head + f.sequence + "(" + affine(f.angles[0]) + ", " + affine(f.angles[1]) + ", " + affine(f.angles[2]) +
             ")");
        break;
      case FrameKind::kQuaternion: {
        std::string names;
        for (const int q : f.quaternion) names += (names.empty() ? "" : ", ") + m_.coordinates[at(q)].name;
        line(head + "quaternion(" + names + ")");
        break;
      }
      case FrameKind::kAxes:
        line(head + "axes " + std::string(1, "xyz"[f.first]) + " " + vector(f.axis) + ", " +
             std::string(1, "xyz"[f.second]) + " " + vector(f.axis2));
        break;
    }
  }

  std::string place(const Point& p) const {
    const std::string base = m_.points[at(p.base)].name;
    if (p.offset.empty()) return base;
    const std::string offset = vector(p.offset);
    return offset[0] == '-' ? base + " - " + offset.substr(1) : base + " + " + offset;
  }
  void point(const Point& p) {
    if (p.kind == PointKind::kFixed && p.name != "O") line("point " + p.name + " fixed in N");
    if (p.kind == PointKind::kOffset)
      line("point " + p.name + (p.on_body >= 0 ? " on " + m_.bodies[at(p.on_body)].name : "") + " = " + place(p));
  }
  void body(const Body& b) {
    if (b.removed) return;
    std::string inertia;
    for (const double x : b.inertia) inertia += (inertia.empty() ? "" : ", ") + number_text(x);
    inertia = b.inertia.size() == 1 ? "plane " + inertia : "(" + inertia + ")";
    line("body " + b.name + " frame " + m_.frames[at(b.frame)].name + " mass " + number_text(b.mass) + " inertia " +
         inertia + " at " + place(m_.points[at(b.center)]));
  }

  std::string name_of(int i, bool is_body) const { return is_body ? m_.bodies[at(i)].name : m_.frames[at(i)].name; }

  std::string node(const Node& n) const {
    const auto arg = [&](int i) { return node(*n.arguments[at(i)]); };
    const auto point = [&](int i) { return m_.points[at(i)].name; };
    switch (n.kind) {
      case NodeKind::kNumber: return number_text(n.number);
      case NodeKind::kCoordinate: return m_.coordinates[at(n.i)].name + std::string(at(n.j), '\'');
      case NodeKind::kTime: return "t";
      case NodeKind::kAdd:
      case NodeKind::kVectorAdd: return arg(0) + " + " + closed(1, n);
      case NodeKind::kSubtract:
      case NodeKind::kVectorSubtract: return arg(0) + " - " + closed(1, n);
      case NodeKind::kMultiply:
      case NodeKind::kScale: return closed(0, n) + "*" + closed(1, n);
      case NodeKind::kDot: return "dot(" + arg(0) + ", " + arg(1) + ")";
      case NodeKind::kNorm: return "norm(" + arg(0) + ")";
      case NodeKind::kSine: return "sin(" + arg(0) + ")";
      case NodeKind::kLinear: return vector(n.vector);
      case NodeKind::kPosition: return "pos(" + point(n.i) + ", " + point(n.j) + ")";
      case NodeKind::kVelocity: return "vel(" + point(n.i) + ")";
      case NodeKind::kVelocityIn: return "vel(" + point(n.i) + ", " + name_of(n.j, n.names_body) + ")";
      case NodeKind::kAcceleration: return "acc(" + point(n.i) + ")";
      case NodeKind::kOmega: return "omega(" + name_of(n.i, n.names_body) + ")";
      case NodeKind::kOmegaIn: return "omega(" + name_of(n.i, n.names_body) + ", " + name_of(n.j, n.names_body) + ")";
      case NodeKind::kAlpha: return "alpha(" + name_of(n.i, n.names_body) + ")";
      case NodeKind::kCross: return "cross(" + arg(0) + ", " + arg(1) + ")";
      case NodeKind::kUnit: return "unit(" + arg(0) + ")";
    }
    return {};
  }
  std::string closed(int i, const Node& n) const {
    const Node& argument = *n.arguments[at(i)];
    const std::string text = node(argument);
    const bool is_sum = argument.kind == NodeKind::kAdd || argument.kind == NodeKind::kSubtract ||
                        argument.kind == NodeKind::kVectorAdd || argument.kind == NodeKind::kVectorSubtract ||
                        argument.kind == NodeKind::kLinear || text[0] == '-';
    return is_sum ? "(" + text + ")" : text;
  }

  std::string side(const Side& s) const {
    switch (s.kind) {
      case SideKind::kGround: return "N";
      case SideKind::kBody: return m_.bodies[at(s.index)].name;
      case SideKind::kParticle: return m_.particles[at(s.index)].name;
      case SideKind::kFrame: return m_.frames[at(s.index)].name;
    }
    return {};
  }

  std::string action(const Action& a, const std::string& before_value) const {
    const auto named = [&](int i) {
      switch (a.on) {
        case Action::On::kPoint: return m_.points[at(i)].name;
        case Action::On::kBody: return m_.bodies[at(i)].name;
        case Action::On::kCoordinate: return m_.coordinates[at(i)].name;
      }
      return std::string();
    };
    return named(a.index) + before_value + node(*a.value) +
           (a.has_from ? " from " + (a.from_ground ? std::string("N") : named(a.from)) : "");
  }

  void constraint(const Constraint& c) {
    if (c.joint.empty()) {
      const auto scaled = [&](const NodePtr& side) {
        const std::string text = node(*side);
        return c.scaled_by == 1.0 ? text : number_text(c.scaled_by) + "*(" + text + ")";
      };
      std::string text = "constraint " + c.name + ": " + scaled(c.left) + " = " + scaled(c.right);
      for (std::size_t k = 0; k < c.along.size(); ++k) text += (k == 0 ? " along " : ", ") + vector(c.along[k]);
      line(text);
    } else {
      const auto joined = [&](int point, bool is_center, const Side& s) {
        return (is_center ? "center(" + side(s) + ")" : m_.points[at(point)].name) + " of " + side(s);
      };
      std::string text = "joint " + c.name + ": " + c.joint + " between " + joined(c.P, c.P_is_center, c.A) + " and " +
                         joined(c.Q, c.Q_is_center, c.B);
      if (!c.surface.empty()) {
        text += " surface " + c.surface;
        for (std::size_t k = 0; k < c.lengths.size(); ++k) text += (k == 0 ? "(" : ", ") + number_text(c.lengths[k]);
        if (!c.lengths.empty()) text += ")";
      }
      if (!c.axis.empty()) text += " axis " + vector(c.axis);
      if (!c.axis2.empty()) text += " axis2 " + vector(c.axis2);
      if (c.joint == "gear") text += " ratio " + number_text(c.number);
      if (c.joint == "screw") text += " pitch " + number_text(c.number);
      if (c.joint == "distance") text += " length " + number_text(c.number);
      if (c.has_radius) text += " radius " + number_text(c.number);
      if (c.prescribed) text += " prescribed " + node(*c.prescribed);
      line(text);
    }
    if (c.law == LawKind::kDirected) {
      std::string text = "    law directed along ";
      for (std::size_t k = 0; k < c.directions.size(); ++k) text += (k == 0 ? "" : ", ") + vector(c.directions[k]);
      line(text);
    }
    for (const Action& a : c.actuators) {
      if (c.law != LawKind::kVia) break;
      line("    via " + std::string(a.on == Action::On::kPoint ? "force on " : "torque on ") + action(a, " along ") +
           (a.scale != 1.0 ? " scale " + number_text(a.scale) : ""));
    }
    for (const Action& a : c.nonideal) line("    nonideal on " + action(a, " = "));
  }

  std::string text(const Load& l) const {
    switch (l.kind) {
      case Load::Kind::kGravity: return "gravity " + vector(l.gravity);
      case Load::Kind::kForce: return "force on " + action(l.action, " = ");
      case Load::Kind::kTorque: return "torque on " + action(l.action, " = ");
      case Load::Kind::kGeneralized: return "generalized force on " + action(l.action, " = ");
      case Load::Kind::kSpring:
        return "spring " + m_.points[at(l.P)].name + " " + m_.points[at(l.Q)].name + " stiffness " +
               number_text(l.stiffness) + " length " + number_text(l.length) +
               (l.damping != 0.0 ? " damping " + number_text(l.damping) : "");
    }
    return {};
  }

  void starts() {
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "start " : ", ") + what; };
    for (std::size_t i = 0; i < m_.coordinates.size(); ++i) {
      if (used_.coordinates[i] == 0) continue;
      const Coordinate& c = m_.coordinates[i];
      add(c.name + " ~ " + number_text(c.q));
      if (!m_.is_quaternion_part(static_cast<int>(i))) add(c.name + "' ~ " + number_text(c.rate));
    }
    for (std::size_t f = 0; f < m_.frames.size(); ++f) {
      if (m_.frames[f].kind != FrameKind::kQuaternion || used_.frames[f] == 0) continue;
      for (std::size_t k = 0; k < 3; ++k)
        add(m_.frames[f].name + ".w" + std::string(1, "xyz"[k]) + " ~ " + number_text(m_.spin[3 * f + k]));
    }
    if (!text.empty()) line(text);
  }

  const Mechanism& m_;
  const Used used_;
  std::string out_;
};

}  // namespace

std::string text_of(const Mechanism& mechanism, const std::vector<Question>& questions, const std::string& last_line) {
  return Printer(mechanism).print(questions, last_line);
}
std::string text_of(const Mechanism& mechanism, const LinearVector& vector) {
  return Printer(mechanism).vector(vector);
}

}  // namespace vinculum::mechanisms
