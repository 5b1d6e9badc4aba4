#include <charconv>
#include <string>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/shared_frame.hpp"
#include "vinculum/model/sliding.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

const int kSum = expr::operation_info(Op::kAdd).precedence;
const int kProduct = expr::operation_info(Op::kMultiply).precedence;
const int kSign = expr::operation_info(Op::kNegate).precedence;
const int kPowerOf = expr::operation_info(Op::kPower).precedence;
constexpr int kAtom = 100;

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model) {}
  std::string text;

  /// Writes the term, in brackets if its precedence is below `least`.
  void write(Term term, int least) {
    const int own = precedence(term);
    if (own < least) text += '(';
    write_bare(term);
    if (own < least) text += ')';
  }

 private:
  static int precedence(Term term) {
    switch (term.kind()) {
      case TermKind::kNumber: return term.value() < 0.0 ? kSign : kAtom;
      case TermKind::kFunction: return expr::operation_info(term.op()).precedence;
      case TermKind::kVectorAdd:
      case TermKind::kVectorSubtract: return kSum;
      case TermKind::kVectorNegate: return kSign;
      case TermKind::kScale: return kProduct;
      case TermKind::kVectorSelect: return expr::operation_info(Op::kSelect).precedence;
      default: return kAtom;
    }
  }

  void write_number(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    text.append(buffer, end);
  }

  void call(std::string_view name, Term term) {
    text += name;
    text += '(';
    for (int i = 0; i < term.operand_count(); ++i) {
      if (i > 0) text += ", ";
      write(term.operand(i), 0);
    }
    text += ')';
  }

  void infix(Term first, std::string_view sign, Term second, int least_first, int least_second) {
    write(first, least_first);
    text += sign;
    write(second, least_second);
  }

  void conditional(Term condition, Term if_true, Term if_false, int own) {
    write(if_true, own + 1);
    text += " if ";
    write(condition, own + 1);
    text += " else ";
    write(if_false, own);
  }

  const std::string& point(std::uint32_t index) const { return model_.points[index].name; }
  /// Name of a frame. A further body of a shared frame owns a frame without a name; then it is the name of the body.
  const std::string& frame(std::uint32_t index) const {
    const Frame& frame = model_.frames[index];
    return is_beside_parent(frame) ? model_.body(*frame.body).name : frame.name;
  }

  /// `vel(P)`, or `vel(P, F)` if F is not the newtonian frame; `name` is `vel`, `acc`, `omega` or `alpha`.
  void motion(std::string_view name, const std::string& of, std::uint32_t seen_in) {
    text += name;
    text += '(' + of;
    if (seen_in != Model::newtonian().value) text += ", " + frame(seen_in);
    text += ')';
  }

  void row_of(std::string_view name, Term term) {
    const Constraint& constraint = model_.constraints[term.index()];
    text += name;
    text += '(' + constraint.name + ')';
    if (constraint.rows.size() > 1) text += '[' + std::to_string(term.second() + 1) + ']';
  }

  void write_entry(Term term) {
    switch (static_cast<SystemVector>(term.index())) {
      case SystemVector::kFreeAcceleration: text += "free_acceleration"; break;
      case SystemVector::kIdealForce: text += "Q_ideal"; break;
      case SystemVector::kConstraintForce: text += "Q_constraint"; break;
    }
    text += '[' + std::to_string(term.second() + 1) + ']';
  }

  void along_speed(const char* name, Term term) {
    text += name + ("(" + model_.constraints[term.index()].name) + ")[" + std::to_string(term.second() + 1) + ']';
  }

  /// A load states its friction by the direction of a velocity, which is written again.
  void write_slide_direction(Term term) {
    const Slide& slide = model_.slides[term.index()];
    const bool is_load = !slide.constraint.is_valid(), is_vector = slide.velocity.is_vector();
    text += !is_load ? "sliding(" + name_of(model_, slide) : is_vector ? "dot(unit(" : "sign(";
    if (is_load) write(slide.velocity, 0);
    if (is_load && is_vector) {
      text += "), " + frame(Model::newtonian().index()) + '.';
      text += "xyz"[term.second()];
    }
    text += ')';
    if (!is_load && is_vector) text += '[' + std::to_string(term.second() + 1) + ']';
  }

  void write_bare(Term term) {
    switch (term.kind()) {
      case TermKind::kNumber: write_number(term.value()); break;
      case TermKind::kTime: text += 't'; break;
      case TermKind::kParameter: text += model_.parameters[term.index()].name; break;
      case TermKind::kCoordinate:
        text += model_.coordinates[term.index()].name + std::string(static_cast<std::size_t>(term.order()), '\'');
        break;
      case TermKind::kSpeed:
        text += model_.speeds[term.index()].name + std::string(static_cast<std::size_t>(term.order()), '\'');
        break;
      case TermKind::kMultiplier: row_of("multiplier", term); break;
      case TermKind::kIdealMultiplier: row_of("ideal_multiplier", term); break;
      case TermKind::kGeneralizedForce: along_speed("generalized_force", term); break;
      case TermKind::kGeneralizedIdealForce: along_speed("generalized_ideal_force", term); break;
      case TermKind::kDeparture: row_of("departure", term); break;
      case TermKind::kSystemVector: write_entry(term); break;
      case TermKind::kLawEnergy: text += "effective_energy(" + model_.constraints[term.index()].name + ')'; break;
      case TermKind::kEffort:
        text += "effort(" + model_.constraints[term.index()].name + ", " + std::to_string(term.second() + 1) + ')';
        break;
      case TermKind::kSlideDirection: write_slide_direction(term); break;
      case TermKind::kState: text += model_.states[term.index()].name; break;
      case TermKind::kPartial: call("jacobian", term); break;
      case TermKind::kRate:
        for (int i = 1; i < term.order(); ++i) text += "dt(";
        call("dt", term);
        for (int i = 1; i < term.order(); ++i) text += ')';
        break;
      case TermKind::kFunction: write_function(term); break;
      case TermKind::kTable:
        // The model language has no name for the derivative of a table; it is written as table'.
        call("table" + std::string(static_cast<std::size_t>(term.order()), '\'') + "[" +
                 term.pool().spline(term.index())->name() + "]",
             term);
        break;
      case TermKind::kDot: call("dot", term); break;
      case TermKind::kNorm: call("norm", term); break;
      case TermKind::kZeroVector: text += '0'; break;
      case TermKind::kBasisVector:
        text += frame(term.index()) + '.';
        text += "xyz"[term.second()];
        break;
      case TermKind::kPosition: text += "pos(" + point(term.index()) + ", " + point(term.second()) + ')'; break;
      case TermKind::kVelocity: motion("vel", point(term.index()), term.second()); break;
      case TermKind::kAcceleration: motion("acc", point(term.index()), term.second()); break;
      case TermKind::kAngularVelocity: motion("omega", frame(term.index()), term.second()); break;
      case TermKind::kAngularAcceleration: motion("alpha", frame(term.index()), term.second()); break;
      case TermKind::kVectorAdd: infix(term.operand(0), " + ", term.operand(1), kSum, kSum); break;
      case TermKind::kVectorSubtract: infix(term.operand(0), " - ", term.operand(1), kSum, kSum + 1); break;
      case TermKind::kVectorNegate:
        text += '-';
        write(term.operand(0), kSign);
        break;
      case TermKind::kScale: write_scale(term); break;
      case TermKind::kCross: call("cross", term); break;
      case TermKind::kUnit: call("unit", term); break;
      case TermKind::kVectorSelect:
        conditional(term.operand(0), term.operand(1), term.operand(2), precedence(term));
        break;
    }
  }

  /// Writes (1/s) v as v/s, and (a/s) v as a*v/s.
  void write_scale(Term term) {
    const Term factor = term.operand(0), vector = term.operand(1);
    if (factor.kind() == TermKind::kFunction && factor.op() == Op::kDivide) {
      if (!(factor.operand(0).is_number() && factor.operand(0).value() == 1.0)) {
        write(factor.operand(0), kProduct);
        text += '*';
      }
      infix(vector, "/", factor.operand(1), kProduct, kProduct + 1);
    } else {
      infix(factor, "*", vector, kProduct, kProduct);
    }
  }

  void write_function(Term term) {
    const expr::OperationInfo& info = expr::operation_info(term.op());
    const int own = info.precedence;
    switch (term.op()) {
      case Op::kAdd: infix(term.operand(0), " + ", term.operand(1), own, own); break;
      case Op::kSubtract: infix(term.operand(0), " - ", term.operand(1), own, own + 1); break;
      case Op::kMultiply: infix(term.operand(0), "*", term.operand(1), own, own); break;
      case Op::kDivide: infix(term.operand(0), "/", term.operand(1), own, own + 1); break;
      case Op::kPower: infix(term.operand(0), "^", term.operand(1), kPowerOf + 1, kPowerOf); break;
      case Op::kNegate:
        text += '-';
        write(term.operand(0), kSign);
        break;
      case Op::kNot:
        text += "not ";
        write(term.operand(0), own);
        break;
      case Op::kSelect: conditional(term.operand(0), term.operand(1), term.operand(2), own); break;
      default:
        if (info.infix.empty()) {
          call(info.name, term);
        } else {  // comparisons and logic
          const bool is_logic = term.op() == Op::kAnd || term.op() == Op::kOr;
          write(term.operand(0), is_logic ? own : own + 1);
          text += ' ';
          text += info.infix;
          text += ' ';
          write(term.operand(1), own + 1);
        }
    }
  }

  const Model& model_;
};

}  // namespace

std::string to_text(const Model& model, Term term) {
  VINCULUM_EXPECTS(term.is_valid());
  Writer writer(model);
  writer.write(term, 0);
  return std::move(writer.text);
}

}  // namespace vinculum::model
