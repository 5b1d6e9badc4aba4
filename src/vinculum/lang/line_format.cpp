#include "vinculum/lang/line_format.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/lang/expression_format.hpp"

namespace vinculum::lang {
namespace {

std::string join(std::initializer_list<std::string_view> parts) {
  std::string result;
  for (const std::string_view part : parts) result += part;
  return result;
}

std::string join_list(const std::vector<std::string>& parts, char mark = kBreakOrBlank) {
  std::string result;
  for (const std::string& part : parts) {
    if (!result.empty()) {
      result += ',';
      result += mark;
    }
    result += part;
  }
  return result;
}

// The items of a statement that is a list of such.
std::string join_items(const std::vector<std::string>& items) { return join_list(items, kBreakBetweenParts); }

std::string equation(std::string_view left, const std::string& right) {
  return join({left, " =", std::string_view(&kBreakOrBlank, 1), right});
}

std::string spelled(const Name& name) { return format_with_breaks(name); }

std::vector<std::string> spelled(const std::vector<Name>& names) {
  std::vector<std::string> result;
  for (const Name& name : names) result.push_back(spelled(name));
  return result;
}
std::vector<std::string> spelled(const std::vector<ExpressionPtr>& expressions) {
  std::vector<std::string> result;
  for (const ExpressionPtr& one : expressions) result.push_back(format_with_breaks(*one));
  return result;
}

std::string quoted(const std::string& text) { return join({"\"", text, "\""}); }

std::string behind(std::string_view word, const ExpressionPtr& expression) {
  return expression == nullptr ? std::string() : join({" ", word, " ", format_with_breaks(*expression)});
}
std::string behind(std::string_view word, const std::optional<Name>& name) {
  return name ? join({" ", word, " ", spelled(*name)}) : std::string();
}

constexpr std::string_view kBlank(&kBreakBetweenParts, 1);

// As `behind`, where the line may be broken before the word.
std::string option(std::string_view word, const ExpressionPtr& expression) {
  return expression == nullptr ? std::string() : join({kBlank, word, " ", format_with_breaks(*expression)});
}

struct HeadLine {
  std::string operator()(const ModelStatement& s) const {
    return join({"model ", s.name.text, s.title ? "  " : "", s.title ? quoted(*s.title) : ""});
  }
  std::string operator()(const SourceStatement& s) const { return "source " + quoted(s.text); }
  std::string operator()(const ParamStatement& s) const {
    std::vector<std::string> items;
    for (const ParamItem& item : s.items)
      items.push_back(join({spelled(item.name), " = ", format_item(*item.value, item.unit)}));
    return "param " + join_items(items);
  }
  std::string operator()(const CoordStatement& s) const {
    std::vector<std::string> items;
    for (const CoordGroup& group : s.groups) {
      for (const Name& name : group.names) items.push_back(spelled(name));
      if (group.unit) items.back() = join({items.back(), " ", format_unit(*group.unit)});
    }
    return "coord " + join_items(items);
  }
  std::string operator()(const SpeedStatement& s) const {
    std::vector<std::string> items;
    for (const SpeedItem& item : s.items) {
      items.push_back(join({spelled(item.name), " = ", format_item(*item.definition, item.unit)}));
    }
    return "speed " + join_items(items);
  }
  std::string operator()(const LetStatement& s) const {
    return "let " + equation(spelled(s.name), format_with_breaks(*s.value));
  }
  std::string operator()(const FrameStatement& s) const {
    const std::string head = "frame " + spelled(s.name);
    if (const auto* rotated = std::get_if<FrameRotated>(&s.definition)) {
      return join(
          {head, " = ", spelled(rotated->parent), behind("rotated", rotated->angle), behind("about", rotated->axis)});
    }
    if (const auto* sequence = std::get_if<FrameSequence>(&s.definition)) {
      return join({head, " = ", spelled(sequence->parent), " ", sequence->sequence.text, "(",
                   join_list(spelled(sequence->angles)), ")"});
    }
    if (const auto* quaternion = std::get_if<FrameQuaternion>(&s.definition)) {
      return join(
          {head, " = ", spelled(quaternion->parent), " quaternion(", join_list(spelled(quaternion->coordinates)), ")"});
    }
    return head + " newtonian";
  }
  std::string operator()(const PointStatement& s) const {
    const std::string head = "point " + spelled(s.name);
    if (const auto* fixed = std::get_if<PointFixed>(&s.definition)) return head + " fixed in " + spelled(fixed->frame);
    const auto& at = std::get<PointAt>(s.definition);
    return equation(head + behind("on", at.on), format_with_breaks(*at.position));
  }
  std::string operator()(const ParticleStatement& s) const {
    return join({"particle ", spelled(s.name), behind("mass", s.mass), behind("at", s.position)});
  }
  std::string operator()(const ForceStatement& s) const {
    return equation("force on " + spelled(s.point), format_with_breaks(*s.force)) + behind("from", s.from);
  }
  std::string operator()(const TorqueStatement& s) const {
    return equation("torque on " + spelled(s.body), format_with_breaks(*s.torque)) + behind("from", s.from);
  }
  std::string operator()(const BodyStatement& s) const {
    return join({"body ", spelled(s.name), " frame ", spelled(s.frame), option("mass", s.mass), kBlank, "inertia (",
                 join_list(spelled(s.inertia)), ")", s.inertia_unit ? " " : "",
                 s.inertia_unit ? format_unit(*s.inertia_unit) : "", option("at", s.position),
                 behind("about", s.about)});
  }
  std::string operator()(const GravityStatement& s) const { return "gravity " + format_with_breaks(*s.acceleration); }
  std::string operator()(const SpringStatement& s) const {
    return join({"spring ", spelled(s.first), " ", spelled(s.second), behind("stiffness", s.stiffness),
                 behind("length", s.length), behind("damping", s.damping)});
  }
  std::string operator()(const PotentialStatement& s) const { return "potential " + format_with_breaks(*s.energy); }
  std::string operator()(const GeneralizedForceStatement& s) const {
    return equation("generalized force on " + spelled(s.coordinate), format_with_breaks(*s.force));
  }
  std::string operator()(const ConstraintStatement& s) const {
    return join({"constraint ", spelled(s.name), ": ",
                 equation(format_with_breaks(*s.left), format_with_breaks(*s.right)), s.along.empty() ? "" : " along ",
                 join_list(spelled(s.along))});
  }
  std::string operator()(const JointStatement& s) const {
    std::string result =
        join({"joint ", spelled(s.name), ": ", s.kind.text, " between ", spelled(s.first_point), " of ",
              spelled(s.first_body), " and ", spelled(s.second_point), " of ", spelled(s.second_body)});
    if (s.surface) {
      result += join({kBlank, "surface ", s.surface->kind.text});
      if (!s.surface->arguments.empty()) result += join({"(", join_list(spelled(s.surface->arguments)), ")"});
    }
    return result +
           join({option("axis", s.axis), option("axis2", s.axis2), option("ratio", s.ratio), option("pitch", s.pitch),
                 option("length", s.length), option("radius", s.radius), option("prescribed", s.prescribed)});
  }
  std::string operator()(const LagrangianStatement& s) const { return "lagrangian " + format_with_breaks(*s.L); }
  std::string operator()(const StateStatement& s) const {
    const std::string name = spelled(s.name);
    const std::string rate = equation(join({"state ", name, "'"}), format_with_breaks(*s.rate));
    return s.start == nullptr ? rate : join({rate, " start ", equation(name, format_with_breaks(*s.start))});
  }
  std::string operator()(const RevealStatement& s) const {
    return join({"reveal ", spelled(s.name), s.is_torque ? ": torque on " : ": force on ", spelled(s.target), " along ",
                 join_list(spelled(s.along))});
  }
  std::string operator()(const OutputStatement& s) const {
    return "output " + equation(spelled(s.name), format_with_breaks(*s.value)) + behind("in", s.frame);
  }
  std::string operator()(const StartStatement& s) const {
    std::vector<std::string> items;
    for (const StartItem& item : s.items) {
      items.push_back(join({format_with_breaks(*item.variable), item.kind == StartKind::kHeld ? " = " : " ~ ",
                            format_item(*item.value, item.unit)}));
    }
    return "start " + join_items(items);
  }
  std::string operator()(const RunStatement& s) const {
    constexpr std::string_view kOptions[] = {"step", "tolerance", "method", "formulation"};
    return join({"run ", format_unless_word(*s.duration, kOptions), behind("step", s.step),
                 behind("tolerance", s.tolerance), behind("method", s.method), behind("formulation", s.formulation)});
  }
  std::string operator()(const ConserveStatement& s) const { return "conserve " + join_items(spelled(s.invariants)); }
  std::string operator()(const ExpectStatement& s) const {
    if (const auto* stop = std::get_if<ExpectStop>(&s.what)) {
      return join({"expect stop: ", stop->kind.text, behind("at", stop->time), behind("±", stop->tolerance)});
    }
    const auto& value = std::get<ExpectValue>(s.what);
    std::string head = "expect ";
    switch (value.when) {
      case ExpectWhen::kAlways: head += "always: "; break;
      case ExpectWhen::kStart: head += "at start: "; break;
      case ExpectWhen::kEnd: head += "at end: "; break;
      case ExpectWhen::kAt: {
        constexpr std::string_view kTimes[] = {"start", "end"};
        head += join({"at ", format_unless_word(*value.time, kTimes), ": "});
        break;
      }
    }
    const std::string left = format_with_breaks(*value.left);
    if (value.right == nullptr) return head + left;
    return head + equation(left, format_with_breaks(*value.right)) + behind("±", value.tolerance);
  }
  std::string operator()(const ForStatement& s) const {
    return join({"for ", s.variable.text, " in ", format_range_with_breaks(*s.from, *s.to), " {"});
  }
  std::string operator()(const IfStatement& s) const { return join({"if ", format_with_breaks(*s.condition), " {"}); }
  std::string operator()(const IncludeStatement& s) const { return "include " + quoted(s.file); }
  std::string operator()(const ComponentStatement& s) const {
    return join({"component ", s.name.text, "(", join_list(spelled(s.parameters)), ") {"});
  }
  std::string operator()(const UseStatement& s) const {
    return join({"use ", s.component.text, "(", join_list(spelled(s.arguments)), ") as ", spelled(s.as)});
  }
};

// ` start mu = EXPR, …`, or nothing.
std::string start_of_mu(const std::vector<ExpressionPtr>& start) {
  return start.empty() ? std::string() : " start " + equation("mu", join_list(spelled(start)));
}

struct ClauseLine {
  std::string operator()(const IdealClause&) const { return "law ideal"; }
  std::string operator()(const DirectedClause& c) const { return "law directed along " + join_list(spelled(c.along)); }
  std::string operator()(const VakonomicClause& c) const {
    std::string text = "law vakonomic" + start_of_mu(c.start);
    bool is_first = c.start.empty();
    for (const StartOfRate& rate : c.start_of_rates) {
      text += (is_first ? " start " : ", ") +
              equation("mu" + std::string(static_cast<std::size_t>(rate.order), '\''), join_list(spelled(rate.values)));
      is_first = false;
    }
    return text;
  }
  std::string operator()(const KozlovClause& c) const {
    return "law kozlov " + equation("c", format_with_breaks(*c.c)) + start_of_mu(c.start);
  }
  std::string operator()(const AdiabaticClause& c) const {
    return "law adiabatic " + equation("mu", join_list(spelled(c.mu)));
  }
  std::string operator()(const GyroscopicClause& c) const {
    return "law gyroscopic " + equation("H", format_with_breaks(*c.H));
  }
  std::string operator()(const RealisedClause& c) const {
    return join({"law ", c.kind.text, " ", equation("kappa", format_with_breaks(*c.kappa))});
  }
  std::string operator()(const ViaClause& c) const {
    std::vector<std::string> items;
    for (const ViaItem& item : c.items) {
      items.push_back(join({item.is_torque ? "torque on " : "force on ", spelled(item.target),
                            behind("from", item.from), behind("along", item.along), behind("scale", item.scale)}));
    }
    return "via " + join_items(items);
  }
  std::string operator()(const NonidealClause& c) const {
    return equation("nonideal on " + spelled(c.target), format_with_breaks(*c.value)) + behind("from", c.from);
  }
  std::string operator()(const FrictionClause& c) const {
    return join({"friction on ", spelled(c.target), " ", equation("mu", format_with_breaks(*c.mu)),
                 behind("static", c.static_mu), behind("from", c.from), behind("sliding", c.sliding)});
  }
};

}  // namespace

std::string head_line(const StatementNode& statement) { return std::visit(HeadLine{}, statement); }

std::string clause_line(const Clause& clause) { return std::visit(ClauseLine{}, clause.what); }

}  // namespace vinculum::lang
