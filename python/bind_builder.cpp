// Low-level bindings of the C++ Builder, with integers as handles. The class Builder of the Python package uses them.
// It checks the arguments (python/vinculum/_builder.py), so that messages name the Python call.
#include <nanobind/stl/array.h>

#include <memory>
#include <vinculum/builder.hpp>

#include "bindings.hpp"

namespace vinculum_python {
namespace {

using Id = std::uint32_t;
using MaybeId = std::optional<Id>;

template <class Handle>
std::optional<Handle> handle(MaybeId id) {
  return id ? std::optional(Handle{*id}) : std::nullopt;
}

std::pair<Id, int> id_and_rows(Builder::Constraint constraint) { return {constraint.id, constraint.rows}; }

/// A Builder that can be used until its model has been made.
struct Workshop {
  explicit Workshop(std::string name) : builder(std::move(name)) {}
  Builder builder;

  Model finished(const Written& set, const std::string& backend, const std::optional<std::string>& cache) {
    return taken([&] { return Model::from_builder(std::move(builder), settings_of(set, backend, cache)); });
  }
};

void bind_terms(nb::module_& m) {
  nb::class_<Term>(m, "_Term").def(nb::init<>()).def("is_valid", &Term::is_valid);
  using One = Term (*)(Term);
  using Two = Term (*)(Term, Term);
  m.def("_add", static_cast<Two>(&vinculum::operator+));
  m.def("_subtract", static_cast<Two>(&vinculum::operator-));
  m.def("_multiply", static_cast<Two>(&vinculum::operator*));
  m.def("_divide", static_cast<Two>(&vinculum::operator/));
  m.def("_negate", static_cast<One>(&vinculum::operator-));
  for (const auto& [name, function] :
       std::initializer_list<std::pair<const char*, Two>>{{"_dot", &vinculum::dot},
                                                          {"_cross", &vinculum::cross},
                                                          {"_pow", static_cast<Two>(&vinculum::pow)},
                                                          {"_atan2", static_cast<Two>(&vinculum::atan2)},
                                                          {"_min", static_cast<Two>(&vinculum::min)},
                                                          {"_max", static_cast<Two>(&vinculum::max)},
                                                          {"_less", &vinculum::operator<},
                                                          {"_less_equal", &vinculum::operator<=},
                                                          {"_and", &vinculum::operator&&},
                                                          {"_or", &vinculum::operator||}})
    m.def(name, function);
  m.def("_not", &vinculum::operator!);
  m.def("_select", &vinculum::select);
  nb::class_<Builder::Action>(m, "_Action");
  for (const auto& [name, function] :
       std::initializer_list<std::pair<const char*, One>>{{"_norm", &vinculum::norm},
                                                          {"_unit", &vinculum::unit},
                                                          {"_sin", static_cast<One>(&vinculum::sin)},
                                                          {"_cos", static_cast<One>(&vinculum::cos)},
                                                          {"_tan", static_cast<One>(&vinculum::tan)},
                                                          {"_asin", static_cast<One>(&vinculum::asin)},
                                                          {"_acos", static_cast<One>(&vinculum::acos)},
                                                          {"_atan", static_cast<One>(&vinculum::atan)},
                                                          {"_sinh", static_cast<One>(&vinculum::sinh)},
                                                          {"_cosh", static_cast<One>(&vinculum::cosh)},
                                                          {"_tanh", static_cast<One>(&vinculum::tanh)},
                                                          {"_abs", static_cast<One>(&vinculum::abs)},
                                                          {"_sign", static_cast<One>(&vinculum::sign)},
                                                          {"_floor", static_cast<One>(&vinculum::floor)},
                                                          {"_sqrt", static_cast<One>(&vinculum::sqrt)},
                                                          {"_exp", static_cast<One>(&vinculum::exp)},
                                                          {"_log", static_cast<One>(&vinculum::log)}})
    m.def(name, function);
}

void bind_what_moves(nb::class_<Workshop>& c) {
  c.def("number", [](Workshop& w, double value) { return w.builder.number(value); })
      .def("time", [](Workshop& w) { return w.builder.time(); })
      .def("parameter", [](Workshop& w, const std::string& name, double value,
                           const std::string& unit) { return w.builder.parameter(name, value, unit); })
      .def("coordinate", [](Workshop& w, const std::string& name,
                            const std::string& unit) { return w.builder.coordinate(name, unit); })
      .def("rate", [](Workshop& w, Term q) { return w.builder.rate(q); })
      .def("speed", [](Workshop& w, const std::string& name, Term definition,
                       const std::string& unit) { return w.builder.speed(name, definition, unit); })
      .def("state", [](Workshop& w, const std::string& name, Term rate, Term start,
                       const std::string& unit) { return w.builder.state(name, rate, start, unit); })
      .def("frame_about_axis", [](Workshop& w, const std::string& name, Id parent, Term angle,
                                  int axis) { return w.builder.frame(name, {parent}, angle, axis).id; })
      .def("frame_about", [](Workshop& w, const std::string& name, Id parent, Term angle,
                             Term direction) { return w.builder.frame(name, {parent}, angle, direction).id; })
      .def("frame_by_quaternion", [](Workshop& w, const std::string& name, Id parent,
                                     const std::array<Term, 4>& e) { return w.builder.frame(name, {parent}, e).id; })
      .def("axis", [](Workshop& w, Id frame, int axis) { return w.builder.axis({frame}, axis); })
      .def("fixed_point",
           [](Workshop& w, const std::string& name, Id frame) { return w.builder.fixed_point(name, {frame}).id; })
      .def("point", [](Workshop& w, const std::string& name, Id base,
                       Term offset) { return w.builder.point(name, {base}, offset).id; })
      .def("particle", [](Workshop& w, const std::string& name, Term mass, Id base,
                          Term offset) { return w.builder.particle(name, mass, {base}, offset).id; })
      .def("body",
           [](Workshop& w, const std::string& name, Id frame, Term mass, const std::array<Term, 6>& inertia, Id base,
              Term offset) {
             const auto& [xx, yy, zz, xy, yz, zx] = inertia;
             return w.builder.body(name, {frame}, mass, {xx, yy, zz, xy, yz, zx}, {base}, offset).center.id;
           })
      .def("pos", [](Workshop& w, Id to, Id from) { return w.builder.pos({to}, {from}); })
      .def("vel", [](Workshop& w, Id point, Id frame) { return w.builder.vel({point}, {frame}); })
      .def("acc", [](Workshop& w, Id point, Id frame) { return w.builder.acc({point}, {frame}); })
      .def("omega", [](Workshop& w, Id frame, Id seen_in) { return w.builder.omega({frame}, {seen_in}); });
}

void bind_what_acts(nb::class_<Workshop>& c) {
  c.def(
       "force",
       [](Workshop& w, Id point, Term force, MaybeId from) {
         w.builder.force({point}, force, handle<Builder::Point>(from));
       },
       "point"_a, "force"_a, "from_"_a = nb::none())
      .def(
          "torque",
          [](Workshop& w, Id body, Term torque, MaybeId from) {
            w.builder.torque({body}, torque, handle<Builder::Frame>(from));
          },
          "body"_a, "torque"_a, "from_"_a = nb::none())
      .def("gravity", [](Workshop& w, Term acceleration) { w.builder.gravity(acceleration); })
      .def("spring", [](Workshop& w, Id first, Id second, Term stiffness, Term length,
                        Term damping) { w.builder.spring({first}, {second}, stiffness, length, damping); })
      .def("potential", [](Workshop& w, Term energy) { w.builder.potential(energy); })
      .def("generalized_force", [](Workshop& w, Term q, Term force) { w.builder.generalized_force(q, force); })
      .def("equations", [](Workshop& w, const std::vector<Term>& q, const std::vector<std::vector<Term>>& M,
                           const std::vector<Term>& Q) { w.builder.equations(q, M, Q); })
      .def("constraint",
           [](Workshop& w, const std::string& name, Term relation, const std::vector<Term>& along,
              const std::string& unit) { return id_and_rows(w.builder.constraint(name, relation, along, unit)); })
      .def(
          "nonideal_on_point",
          [](Workshop& w, Id constraint, Id point, Term force, MaybeId from) {
            w.builder.nonideal({constraint}, Builder::Point{point}, force, handle<Builder::Point>(from));
          },
          "constraint"_a, "point"_a, "force"_a, "from_"_a = nb::none())
      .def("nonideal_on_coordinate",
           [](Workshop& w, Id constraint, Term q, Term force) { w.builder.nonideal({constraint}, q, force); })
      .def("variational", [](Workshop& w, Id constraint, const std::vector<Term>& starts,
                             Term c) { w.builder.variational({constraint}, starts, c); })
      .def("multiplier", [](Workshop& w, Id constraint, int row) { return w.builder.multiplier({constraint}, row); })
      .def("force_of", [](Workshop& w, Id constraint, Id point) { return w.builder.force_of({constraint}, {point}); })
      .def("Q_ideal", [](Workshop& w, int speed) { return w.builder.Q_ideal(speed); })
      .def("Q_constraint", [](Workshop& w, int speed) { return w.builder.Q_constraint(speed); })
      .def("free_acceleration", [](Workshop& w, int speed) { return w.builder.free_acceleration(speed); })
      .def(
          "output",
          [](Workshop& w, const std::string& name, Term value, MaybeId frame, const std::string& unit) {
            w.builder.output(name, value, unit, handle<Builder::Frame>(frame));
          },
          "name"_a, "value"_a, "frame"_a.none(), "unit"_a)
      .def("start", [](Workshop& w, Term what, double value) { w.builder.start(what, value); })
      .def("guess", [](Workshop& w, Term what, double value) { w.builder.guess(what, value); });
}

/// Joints, laws, tables and the run, in which mistakes are diagnostics of the model.
void bind_what_is_checked(nb::class_<Workshop>& c) {
  using End = std::pair<Id, Id>;  // point and frame
  using Arguments = std::vector<std::pair<std::string, std::vector<Term>>>;
  c.def("joint",
        [](Workshop& w, const std::string& name, const std::string& kind, End first, End second,
           const std::array<Term, 7>& terms, const std::string& surface, const std::vector<Term>& surface_lengths) {
          const auto& [axis, axis2, ratio, pitch, length, radius, prescribed] = terms;
          return id_and_rows(w.builder.joint(
              name, kind, {{first.first}, {first.second}}, {{second.first}, {second.second}},
              {axis, axis2, ratio, pitch, length, radius, prescribed, surface, surface_lengths, {}, {}}));
        })
      .def("law",
           [](Workshop& w, Id constraint, const std::string& name, const Arguments& stated) {
             std::vector<vinculum::LawArgument> arguments;
             for (const auto& [word, values] : stated) arguments.push_back({word, values});
             w.builder.law({constraint}, name, arguments);
           })
      .def("table",
           [](Workshop& w, const std::string& name, const Numbers& x, const Numbers& y, Term at, int kind, int outside,
              bool is_periodic) {
             const vinculum::TableOptions options{static_cast<vinculum::TableOptions::Kind>(kind),
                                                  static_cast<vinculum::TableOptions::Outside>(outside), is_periodic};
             return w.builder.table(name, x, y, at, options);
           })
      .def(
          "run",
          [](Workshop& w, double duration, std::optional<double> step, std::optional<double> max_step,
             std::optional<double> tolerance) { w.builder.run(duration, {step, max_step, tolerance}); },
          "duration"_a, "step"_a.none(), "max_step"_a.none(), "tolerance"_a.none());
}

/// Unilateral constraints, limits, contacts and friction.
void bind_contacts(nb::class_<Workshop>& c) {
  using End = std::pair<Id, Id>;                // point and frame
  using Impacts = std::tuple<Term, int, bool>;  // e, law, is_sequential
  using Surface = std::pair<std::string, std::vector<Term>>;
  using vinculum::Restitution;
  static constexpr auto kRestitution = [](const Impacts& stated) {
    const auto& [e, law, is_sequential] = stated;
    return Restitution{e, static_cast<Restitution::Law>(law), is_sequential};
  };
  static constexpr auto kIds = [](const Builder::LimitPair& pair) {
    const auto id = [](const auto& one) { return one ? MaybeId(one->id) : std::nullopt; };
    return std::pair(id(pair.min), id(pair.max));
  };
  c.def("unilateral",
        [](Workshop& w, const std::string& name, Term gap, const Impacts& restitution, Term compliance,
           const std::string& unit) {
          return id_and_rows(w.builder.unilateral(name, gap, {kRestitution(restitution), {}, compliance}, unit));
        })
      .def("limits",
           [](Workshop& w, Term q, Term lower, Term upper, const Impacts& restitution, const std::string& name) {
             return kIds(w.builder.limits(q, {lower, upper, kRestitution(restitution), name}));
           })
      .def("limits_of_joint",
           [](Workshop& w, Id joint, Term lower, Term upper, const Impacts& restitution, const std::string& name) {
             return kIds(w.builder.limits(Builder::Constraint{joint}, {lower, upper, kRestitution(restitution), name}));
           })
      .def("contact",
           [](Workshop& w, const std::string& name, End first, End second, const std::array<Term, 2>& axes,
              const std::array<Surface, 2>& surfaces, const Impacts& restitution, const std::array<Term, 2>& friction,
              Term compliance) {
             vinculum::JointParts parts;
             parts.axis = axes[0];
             parts.axis2 = axes[1];
             parts.surface = surfaces[0].first;
             parts.surface_lengths = surfaces[0].second;
             parts.surface2 = surfaces[1].first;
             parts.surface2_lengths = surfaces[1].second;
             std::vector<std::array<Id, 3>> all;  // constraint, P, Q
             for (const Builder::Contact& one :
                  w.builder.contact(name, {{first.first}, {first.second}}, {{second.first}, {second.second}}, parts,
                                    {kRestitution(restitution), {friction[0], friction[1]}, compliance}))
               all.push_back({one.constraint.id, one.P.id, one.Q.id});
             return all;
           })
      .def(
          "friction_on_point",
          [](Workshop& w, Id constraint, Id point, Term mu, Term static_mu, MaybeId from, Term sliding) {
            w.builder.friction(Builder::Constraint{constraint}, Builder::Point{point}, {mu, static_mu},
                               handle<Builder::Point>(from), sliding);
          },
          "constraint"_a, "point"_a, "mu"_a, "static_mu"_a, "from_"_a.none(), "sliding"_a)
      .def("friction_on_coordinate", [](Workshop& w, Term q, Term bound, Term static_bound,
                                        Term viscous) { w.builder.friction(q, bound, static_bound, viscous); })
      .def("friction_of_joint", [](Workshop& w, Id joint, Term bound, Term static_bound, Term viscous) {
        w.builder.friction(Builder::Constraint{joint}, bound, static_bound, viscous);
      });
}

void bind_events(nb::class_<Workshop>& c) {
  using Actions = std::vector<Builder::Action>;
  c.def_static("stop", &Builder::stop)
      .def_static("record", &Builder::record)
      .def_static("set", &Builder::set)
      .def("input", [](Workshop& w, const std::string& name, Term value,
                       const std::string& unit) { return w.builder.input(name, unit, value); })
      .def("sampled_state", [](Workshop& w, const std::string& name, Term period, Term start,
                               const std::string& unit) { return w.builder.sampled_state(name, period, start, unit); })
      .def("sample", [](Workshop& w, Term state, Term value) { w.builder.sample(state, value); })
      .def("when", [](Workshop& w, Id constraint, Term condition) { w.builder.when({constraint}, condition); })
      .def("event",
           [](Workshop& w, const std::string& name, Term expression, int crossing, const Actions& actions) {
             w.builder.event(name, expression, static_cast<Builder::Crossing>(crossing), actions);
           })
      .def("event_at", [](Workshop& w, const std::string& name, Term time,
                          const Actions& actions) { w.builder.event_at(name, time, actions); })
      .def("event_every", [](Workshop& w, const std::string& name, Term period,
                             const Actions& actions) { w.builder.event_every(name, period, actions); })
      .def("terminate_when", [](Workshop& w, Term condition) { w.builder.terminate_when(condition); });
}

void bind_what_is_drawn(nb::class_<Workshop>& c) {
  using Frame = Builder::Frame;
  using Point = Builder::Point;
  c.def(
       "draw_shape",
       [](Workshop& w, MaybeId frame, MaybeId at, bool is_body, const std::string& kind, const std::vector<Term>& sizes,
          Term axis, const std::string& colour, bool is_surface) -> void {
         const vinculum::View::Shape shape{kind, sizes, axis, colour, is_surface};
         if (!frame) return w.builder.view().shape(Point{*at}, shape);
         if (!is_body) return w.builder.view().shape(Frame{*frame}, shape, Point{*at});
         w.builder.view().shape(Builder::Body{{*frame}, {*at}}, shape);
       },
       "frame"_a.none(), "at"_a.none(), "is_body"_a, "kind"_a, "sizes"_a, "axis"_a, "colour"_a, "is_surface"_a)
      .def("draw_rod", [](Workshop& w, Id first, Id second, Term radius,
                          const std::string& colour) { w.builder.view().rod({first}, {second}, radius, colour); })
      .def("draw_coil", [](Workshop& w, Id first, Id second, Term radius,
                           const std::string& colour) { w.builder.view().coil({first}, {second}, radius, colour); })
      .def("draw_axes", [](Workshop& w, Id frame, Id at, Term length) { w.builder.view().axes({frame}, {at}, length); })
      .def("draw_trace",
           [](Workshop& w, Id point, const std::string& colour) { w.builder.view().trace({point}, colour); })
      .def("draw_arrow", [](Workshop& w, const std::string& name, Term vector, Id at, const std::string& colour,
                            const std::string& unit) { w.builder.view().arrow(name, vector, {at}, unit, colour); })
      .def("draw_force", [](Workshop& w, Id constraint, Id on) { w.builder.view().force({constraint}, {on}); })
      .def("draw_torque", [](Workshop& w, Id constraint, Id body) { w.builder.view().torque({constraint}, {body}); })
      .def("colour_body",
           [](Workshop& w, Id frame, const std::string& c) { w.builder.view().colour(Builder::Body{{frame}, {}}, c); })
      .def("colour_point",
           [](Workshop& w, Id point, const std::string& c) { w.builder.view().colour(Point{point}, c); })
      .def("colour_constraint",
           [](Workshop& w, Id id, const std::string& c) { w.builder.view().colour(Builder::Constraint{id}, c); })
      .def("hide_body", [](Workshop& w, Id frame) { w.builder.view().hide(Builder::Body{{frame}, {}}); })
      .def("hide_point", [](Workshop& w, Id point) { w.builder.view().hide(Point{point}); })
      .def("hide_constraint", [](Workshop& w, Id id) { w.builder.view().hide(Builder::Constraint{id}); })
      .def("draw_without", [](Workshop& w, const std::string& what) { w.builder.view().without(what); });
}

}  // namespace

void bind_builder(nb::module_& m) {
  bind_terms(m);
  nb::class_<Workshop> workshop(m, "_Builder");
  workshop.def(nb::init<std::string>());
  bind_what_moves(workshop);
  bind_what_acts(workshop);
  bind_what_is_checked(workshop);
  bind_contacts(workshop);
  bind_events(workshop);
  bind_what_is_drawn(workshop);
  workshop.def_static(
      "check_unit", [](const std::string& unit) { static_cast<void>(Builder("unit").coordinate("x", unit)); }, "unit"_a,
      "Raises where a Builder would not take the unit.");
  workshop.def("finished", &Workshop::finished, "set"_a, "backend"_a, "cache"_a = nb::none());
}

}  // namespace vinculum_python
