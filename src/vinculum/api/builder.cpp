#include "vinculum/builder.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

#include "vinculum/api/builder_own.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/base/unit.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/model/raw_equations.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum {

Dimension dimension_of(const std::string& unit) {
  Dimension result;
  for (std::size_t begin = 0; begin < unit.size();) {
    const std::size_t end = std::min(unit.find_first_of("*/", begin), unit.size());
    const std::string factor = unit.substr(begin, end - begin);
    const std::size_t hat = factor.find('^');
    const auto found = find_unit(factor.substr(0, hat));
    VINCULUM_EXPECTS((found && found->scale == 1.0) || factor == "1");
    const int sign = begin > 0 && unit[begin - 1] == '/' ? -1 : 1;
    const int exponent = hat == std::string::npos ? 1 : std::stoi(factor.substr(hat + 1));
    if (found) result = result * power(found->dimension, make_rational(sign * exponent, 1));
    begin = end + 1;
  }
  return result;
}

namespace {

/// Reports a mass that is a negative number, or a number that is not finite.
void judge_mass(Builder::Own& own, model::Term mass, const std::string& name) {
  if (!mass.is_valid() || !mass.is_number()) return;
  if (mass.value() < 0.0) complain(own, diag::Kind::kBadValue, "the mass of `" + name + "` is negative", "");
  if (!std::isfinite(mass.value()))
    complain(own, diag::Kind::kBadValue, "the mass of `" + name + "` is not a finite number", "");
}

/// \pre the term is a coordinate or its rate
model::CoordinateId coordinate_of(model::Term term) {
  VINCULUM_EXPECTS(term.is_valid() && term.kind() == model::TermKind::kCoordinate);
  return model::CoordinateId(std::size_t{term.index()});
}

Term entry_of(Builder::Own& own, model::SystemVector which, int speed) {
  VINCULUM_EXPECTS(speed >= 0 && static_cast<std::size_t>(speed) < own.builder.model().coordinates.size());
  return out_of(own.builder.terms().system_vector(which, model::SpeedId(static_cast<std::size_t>(speed))));
}

void add_start(model::ModelBuilder& builder, model::Term what, model::StartKind kind, double value) {
  using On = model::StartCondition::On;
  VINCULUM_EXPECTS(what.is_valid() && what.order() <= 1);
  const auto& nonlinear = builder.model().nonlinear_speeds;
  const auto one = std::ranges::find(nonlinear, what, [](const auto& it) { return it.speed.definition; });
  if (one != nonlinear.end()) {
    const auto number = static_cast<std::uint32_t>(one - nonlinear.begin());
    return builder.add_start({On::kNonlinearSpeed, number, kind, builder.number(value), {}});
  }
  const bool is_speed = what.kind() == model::TermKind::kSpeed;
  if (!is_speed) static_cast<void>(coordinate_of(what));
  const On on = is_speed ? On::kSpeed : what.order() == 0 ? On::kCoordinate : On::kCoordinateRate;
  builder.add_start({on, what.index(), kind, builder.number(value), {}});
}

}  // namespace

Term operator+(Term a, Term b) { return out_of(in(a) + in(b)); }
Term operator-(Term a, Term b) { return out_of(in(a)-in(b)); }
Term operator-(Term a) { return out_of(-in(a)); }
Term operator*(Term a, Term b) { return out_of(in(a)*in(b)); }
Term operator/(Term a, Term b) { return out_of(in(a) / in(b)); }
Term operator*(double a, Term b) { return out_of(a * in(b)); }
Term operator+(Term a, double b) { return out_of(in(a) + b); }
Term operator-(Term a, double b) { return out_of(in(a)-b); }
Term dot(Term a, Term b) { return out_of(in(a).pool().dot(in(a), in(b))); }
Term cross(Term a, Term b) { return out_of(in(a).pool().cross(in(a), in(b))); }
Term norm(Term a) { return out_of(in(a).pool().norm(in(a))); }
Term unit(Term a) { return out_of(in(a).pool().unit(in(a))); }
Term sin(Term x) { return out_of(in(x).pool().function(expr::Op::kSine, in(x))); }
Term cos(Term x) { return out_of(in(x).pool().function(expr::Op::kCosine, in(x))); }
Term tan(Term x) { return out_of(in(x).pool().function(expr::Op::kTangent, in(x))); }
Term asin(Term x) { return out_of(in(x).pool().function(expr::Op::kArcSine, in(x))); }
Term acos(Term x) { return out_of(in(x).pool().function(expr::Op::kArcCosine, in(x))); }
Term atan(Term x) { return out_of(in(x).pool().function(expr::Op::kArcTangent, in(x))); }
Term sinh(Term x) { return out_of(in(x).pool().function(expr::Op::kHyperbolicSine, in(x))); }
Term cosh(Term x) { return out_of(in(x).pool().function(expr::Op::kHyperbolicCosine, in(x))); }
Term tanh(Term x) { return out_of(in(x).pool().function(expr::Op::kHyperbolicTangent, in(x))); }
Term abs(Term x) { return out_of(in(x).pool().function(expr::Op::kAbsolute, in(x))); }
Term sign(Term x) { return out_of(in(x).pool().function(expr::Op::kSign, in(x))); }
Term floor(Term x) { return out_of(in(x).pool().function(expr::Op::kFloor, in(x))); }
Term sqrt(Term x) { return out_of(in(x).pool().function(expr::Op::kSquareRoot, in(x))); }
Term exp(Term x) { return out_of(in(x).pool().function(expr::Op::kExponential, in(x))); }
Term log(Term x) { return out_of(in(x).pool().function(expr::Op::kLogarithm, in(x))); }
Term pow(Term x, Term y) { return out_of(in(x).pool().function(expr::Op::kPower, in(x), in(y))); }
Term atan2(Term y, Term x) { return out_of(in(x).pool().function(expr::Op::kArcTangent2, in(y), in(x))); }
Term min(Term x, Term y) { return out_of(in(x).pool().function(expr::Op::kMinimum, in(x), in(y))); }
Term max(Term x, Term y) { return out_of(in(x).pool().function(expr::Op::kMaximum, in(x), in(y))); }

Builder::Builder(std::string name) : own_(new Own{model::ModelBuilder(std::move(name))}) {}
Builder::~Builder() = default;
Builder::Builder(Builder&&) noexcept = default;
Builder& Builder::operator=(Builder&&) noexcept = default;

Term Builder::number(double value) { return out_of(own_->builder.number(value)); }
Term Builder::time() { return out_of(own_->builder.time()); }

Term Builder::parameter(std::string name, double value, const std::string& unit) {
  auto& b = own_->builder;
  b.model().has_units |= !unit.empty();
  return out_of(b.parameter(b.add_parameter(std::move(name), value, dimension_of(unit))));
}
Term Builder::coordinate(std::string name, const std::string& unit) {
  auto& b = own_->builder;
  b.model().has_units |= !unit.empty();
  return out_of(b.q(b.add_coordinate(std::move(name), dimension_of(unit))));
}
Term Builder::rate(Term coordinate) { return out_of(own_->builder.q_dot(coordinate_of(in(coordinate)))); }
Term Builder::speed(std::string name, Term definition, const std::string& unit) {
  auto& b = own_->builder;
  if (model::is_affine_in_rates(b.model(), in(definition)))
    return out_of(b.terms().speed(b.add_speed(std::move(name), in(definition), dimension_of(unit))));
  b.add_nonlinear_speed(std::move(name), in(definition), dimension_of(unit));
  return definition;
}
Term Builder::state(std::string name, Term rate, Term start, const std::string& unit) {
  auto& b = own_->builder;
  return out_of(b.z(b.add_state(std::move(name), in(rate), in(start), dimension_of(unit))));
}

Builder::Frame Builder::frame(std::string name, Frame parent, Term angle, int axis) {
  return {id_of(own_->builder.add_rotated_frame(std::move(name), in(parent), in(angle), axis))};
}
Builder::Frame Builder::frame(std::string name, Frame parent, Term angle, Term direction) {
  return {id_of(own_->builder.add_rotated_frame(std::move(name), in(parent), in(angle), in(direction)))};
}
Builder::Frame Builder::frame(std::string name, Frame parent, const std::array<Term, 4>& e) {
  return {id_of(own_->builder.add_quaternion_frame(
      std::move(name), in(parent),
      {coordinate_of(in(e[0])), coordinate_of(in(e[1])), coordinate_of(in(e[2])), coordinate_of(in(e[3]))}))};
}
Term Builder::axis(Frame frame, int axis) { return out_of(own_->builder.axis(in(frame), axis)); }
Builder::Point Builder::fixed_point(std::string name, Frame frame) {
  return {id_of(own_->builder.add_fixed_point(std::move(name), in(frame)))};
}
Builder::Point Builder::point(std::string name, Point base, Term offset) {
  return {id_of(own_->builder.add_point(std::move(name), in(base), in(offset)))};
}
Builder::Point Builder::particle(std::string name, Term mass, Point base, Term offset) {
  auto& b = own_->builder;
  judge_mass(*own_, in(mass), name);
  return {id_of(b.point_of(b.add_particle(std::move(name), in(mass), in(base), in(offset))))};
}
Builder::Body Builder::body(std::string name, Frame frame, Term mass, const Inertia& inertia, Point base, Term offset) {
  auto& b = own_->builder;
  const auto product = [&](Term term) { return term.is_valid() ? in(term) : b.number(0.0); };
  judge_mass(*own_, in(mass), name);
  const auto id = b.add_body(
      std::move(name), in(frame), in(mass),
      {in(inertia.xx), in(inertia.yy), in(inertia.zz), product(inertia.xy), product(inertia.yz), product(inertia.zx)},
      in(base), in(offset));
  return {frame, {id_of(b.center_of(id))}};
}
Term Builder::pos(Point to, Point from) { return out_of(own_->builder.pos(in(to), in(from))); }
Term Builder::vel(Point point, Frame seen_in) { return out_of(own_->builder.vel(in(point), in(seen_in))); }
Term Builder::acc(Point point, Frame seen_in) { return out_of(own_->builder.acc(in(point), in(seen_in))); }
Term Builder::omega(Frame frame, Frame seen_in) { return out_of(own_->builder.omega(in(frame), in(seen_in))); }

void Builder::force(Point point, Term force, std::optional<Point> from) {
  own_->builder.add_force(in(point), in(force), in<model::PointId>(from));
}
void Builder::torque(Frame body, Term torque, std::optional<Frame> from) {
  own_->builder.add_torque(in(body), in(torque), in<model::FrameId>(from));
}
void Builder::gravity(Term acceleration) { own_->builder.add_gravity(in(acceleration)); }
void Builder::spring(Point first, Point second, Term stiffness, Term length, Term damping) {
  own_->builder.add_spring(in(first), in(second), in(stiffness), in(length), in(damping));
}
void Builder::potential(Term energy) { own_->builder.add_potential(in(energy)); }
void Builder::generalized_force(Term coordinate, Term force) {
  own_->builder.add_generalized_force(coordinate_of(in(coordinate)), in(force));
}

void Builder::equations(const std::vector<Term>& coordinates, const std::vector<std::vector<Term>>& M,
                        const std::vector<Term>& Q) {
  std::vector<model::CoordinateId> q;
  for (const Term coordinate : coordinates) q.push_back(coordinate_of(in(coordinate)));
  std::vector<std::vector<model::Term>> rows;
  for (const auto& row : M) rows.push_back(in(row));
  model::add_equations(own_->builder, q, rows, in(Q));
}

Builder::Constraint Builder::constraint(std::string name, Term relation, const std::vector<Term>& along,
                                        const std::string& unit) {
  auto& b = own_->builder;
  return handle_of(b.model(), b.add_constraint(std::move(name), in(relation), in(along), dimension_of(unit)));
}
void Builder::nonideal(Constraint constraint, Point point, Term force, std::optional<Point> from) {
  if (!takes_clauses(*own_, constraint)) return;
  own_->builder.add_nonideal_force(in(constraint), in(point), in(force), in<model::PointId>(from));
}
void Builder::nonideal(Constraint constraint, Term coordinate, Term force) {
  if (!takes_clauses(*own_, constraint)) return;
  const model::GeneralizedForceOn stated{coordinate_of(in(coordinate)), in(force)};
  own_->builder.add_nonideal(in(constraint), model::Nonideal{stated, {}});
}
void Builder::variational(Constraint constraint, const std::vector<Term>& starts, Term c) {
  if (takes_law(*own_, constraint, "variational"))
    reaction_laws::set_variational(own_->builder, in(constraint), in(starts), in(c));
}
Term Builder::multiplier(Constraint constraint, int row) {
  return out_of(own_->builder.terms().multiplier(in(constraint), row));
}
Term Builder::force_of(Constraint constraint, Point point) {
  return out_of(model::total_force(own_->builder.model(), in(constraint), in(point)));
}

Term Builder::Q_ideal(int speed) { return entry_of(*own_, model::SystemVector::kIdealForce, speed); }
Term Builder::Q_constraint(int speed) { return entry_of(*own_, model::SystemVector::kConstraintForce, speed); }
Term Builder::free_acceleration(int speed) { return entry_of(*own_, model::SystemVector::kFreeAcceleration, speed); }

void Builder::output(std::string name, Term value, const std::string& unit, std::optional<Frame> frame) {
  own_->builder.add_output(std::move(name), in(value), in<model::FrameId>(frame), dimension_of(unit));
}
void Builder::start(Term what, double value) { add_start(own_->builder, in(what), model::StartKind::kHeld, value); }
void Builder::guess(Term what, double value) { add_start(own_->builder, in(what), model::StartKind::kGuess, value); }

Result<Model> Model::from_builder(Builder builder, Settings settings) {
  auto shared = std::make_shared<Shared>();
  model::ModelBuilder& inner = builder.own_->builder;
  std::vector<std::string> names;
  for (const auto& parameter : inner.model().parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : settings.set) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return no_such("parameter", name, names);
    double number = 0.0;
    if (const auto* stated = std::get_if<double>(&value.stated)) {
      number = *stated;
    } else {
      const std::string& text = std::get<std::string>(value.stated);
      const char* const end = text.data() + text.size();
      if (std::from_chars(text.data(), end, number).ptr != end) number = std::nan("");
    }
    if (!std::isfinite(number)) return wrong_call("`" + name + "` is set to a number, not to `" + value.text() + "`");
    model::Parameter& parameter = inner.model().parameters[static_cast<std::size_t>(found - names.begin())];
    if (number != parameter.value && !parameter.fixed_by.empty())
      return wrong_call("`" + name + "` is read when the model is built, by " + parameter.fixed_by);
    parameter.value = number;
  }
  if (const auto broken = model::broken_requirement(inner.model())) return wrong_call("in a model " + *broken);
  shared->settings = std::move(settings);
  const std::string name = inner.model().name;
  if (!inner.complete_speeds()) {
    if (auto problems = builder.own_->finish(); !problems.empty()) return wrong_model(name, std::move(problems));
  }
  auto model = inner.finish();
  if (!model) {
    model::Model nothing;
    nothing.name = name;
    return Unexpected<Error>{motion_error(nothing, nullptr, model.error())};
  }
  shared->model = *std::move(model);
  describe_entities(*shared);
  return Model(std::move(shared));
}

}  // namespace vinculum
