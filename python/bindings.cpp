// Python bindings of the public API (include/vinculum), with the same names (docs/python.md). Differences: functions
// without arguments are properties, options are keyword arguments, enumerations are strings, an Error is raised.
#include "bindings.hpp"

using namespace vinculum_python;

namespace {

/// Calls `function` of the package's `module` with `self`. The module is imported on first use.
nb::object done(const char* module, const char* function, nb::handle self) {
  return nb::module_::import_((std::string("vinculum.") + module).c_str()).attr(function)(self);
}

/// A reported quantity, by its name or a handle.
using Quantity = std::variant<ColumnHandle, CoordinateHandle, SpeedHandle, StateHandle, std::string>;
Column column_of(const Trajectory& run, const Quantity& quantity) {
  return std::visit([&](const auto& one) { return taken([&] { return run.column(one); }); }, quantity);
}

template <class On>
auto by_handles(Result<Column> (Trajectory::*function)(ConstraintHandle, On) const) {
  return [function](const Trajectory& run, ConstraintHandle constraint, On on) {
    return taken([&] { return (run.*function)(constraint, on); });
  };
}

template <class Handle>
double value_of(const Simulation& simulation, Handle handle) {
  const auto value = simulation.value(handle);
  if (!value) raise(value.error());
  return *value;
}

/// Binds a function of a model that finds a thing by its name.
template <class Handle>
auto found(Result<Handle> (ModelNames::*function)(std::string_view) const) {
  return [function](const Model& model, const std::string& name) {
    return taken([&] { return (model.*function)(name); });
  };
}

/// The page that draws a scene (docs/report.md), as a `Page` of the package.
nb::object page_of(const Scene& scene) {
  const nb::module_ pages = nb::module_::import_("vinculum._page");
  const auto blank = nb::cast<std::string>(pages.attr("blank")());
  return pages.attr("Page")(taken([&] { return scene.page(blank); }));
}

SceneSamples scene_samples_of(const std::string& samples) {
  if (samples != "fewest" && samples != "all") throw nb::value_error("samples are \"fewest\" or \"all\"");
  return samples == "all" ? SceneSamples::kAll : SceneSamples::kFewest;
}

/// Sets an input. The interpreter's lock is kept, because releasing it takes longer than the call.
void set_input(Simulation& simulation, InputHandle input, double value) {
  if (const auto done = simulation.set_input(input, value); !done) raise(done.error());
}

/// Converts the value of an event to a Python float, str or None.
nb::object value_of(const EventValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return nb::float_(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return nb::str(word->c_str(), word->size());
  return nb::none();
}

/// Reports the function `on_event` of a simulation to Python's garbage collector. The function may refer to the
/// simulation, and the collector must be able to find such cycles.
int visit_on_event(PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
  Py_VISIT(Py_TYPE(self));
#endif
  if (!nb::inst_ready(self)) return 0;
  const auto* held = nb::inst_ptr<Simulation>(self)->on_event().target<PythonOnEvent>();
  if (held != nullptr) Py_VISIT(held->function().ptr());
  return 0;
}
int drop_on_event(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<Simulation>(self)->on_event({});
  return 0;
}
PyType_Slot slots_of_simulation[] = {{Py_tp_traverse, reinterpret_cast<void*>(visit_on_event)},
                                     {Py_tp_clear, reinterpret_cast<void*>(drop_on_event)},
                                     {0, nullptr}};

void bind_values(nb::module_& m) {
  nb::class_<Diagnostic>(m, "Diagnostic",
                         "One error, warning or notice about the text of a model; each kind has a page in docs/errors.")
      .def_ro("kind", &Diagnostic::kind)
      .def_ro("severity", &Diagnostic::severity)
      .def_ro("place", &Diagnostic::place)
      .def_ro("message", &Diagnostic::message)
      .def_ro("hint", &Diagnostic::hint)
      .def("__repr__", [](const Diagnostic& one) { return one.place + ": " + one.severity + ": " + one.message; });
  nb::class_<Error>(m, "Error", "Why there is no result.")
      .def_ro("kind", &Error::kind)
      .def_ro("message", &Error::message)
      .def_ro("t", &Error::t, "[s] time of the failure of a motion; else NaN")
      .def_ro("place", &Error::place)
      .def_prop_ro("diagnostics", [](const Error& error) { return error.diagnostics.all; })
      .def_prop_ro("text", &Error::text, "For people, with place, line, caret and hint.")
      .def_prop_ro("json", &Error::json)
      .def("__repr__", &Error::text);
  nb::class_<Entity>(m, "Entity", "A named thing of a model, with its SI unit and its place in the text.")
      .def_ro("name", &Entity::name)
      .def_ro("unit", &Entity::unit, "SI; \"1\" if it has none")
      .def_ro("place", &Entity::place)
      .def("__repr__", [](const Entity& one) { return one.name + " [" + one.unit + "]"; });
  nb::class_<Parameter, Entity>(m, "Parameter", "A parameter, with its value in SI units.")
      .def_ro("value", &Parameter::value, "in SI units");
  nb::class_<State>(m, "State", "t [s], coordinates q, speeds u, extra states z, in the order of the model's lists.")
      .def(
          "__init__",
          [](State* place, double t, Numbers q, Numbers u, Numbers z) {
            new (place) State{t, std::move(q), std::move(u), std::move(z)};
          },
          "t"_a, "q"_a, "u"_a, "z"_a = Numbers())
      .def_rw("t", &State::t)
      .def_prop_ro("q", numbers(&State::q))
      .def_prop_ro("u", numbers(&State::u))
      .def_prop_ro("z", numbers(&State::z));
  nb::class_<Matrices>(m, "Matrices", "q' = G u + g, M u' = f + C + Aᵀλ, A u' = b at a state, and their geometry.")
      .def_prop_ro("G", numbers(&Matrices::G), "[nq, nu]")
      .def_prop_ro("q_dot", numbers(&Matrices::q_dot), "[nq]")
      .def_prop_ro("M", numbers(&Matrices::M), "[nu, nu] mass matrix")
      .def_prop_ro("f", numbers(&Matrices::f), "[nu] given forces minus inertia bias")
      .def_prop_ro("C", numbers(&Matrices::C), "[nu] forces of `nonideal` clauses")
      .def_prop_ro("A", numbers(&Matrices::A), "[nc, nu] constraint Jacobian")
      .def_prop_ro("b", numbers(&Matrices::b), "[nc]")
      .def_prop_ro("phi", numbers(&Matrices::phi), "[nc] residuals at position level; 0 if a row has none")
      .def_prop_ro("psi", numbers(&Matrices::psi), "[nc] residuals at velocity level; 0 if a row has none")
      .def_ro("rank", &Matrices::rank, "rank of A")
      .def_prop_ro("Q_ideal", numbers(&Matrices::Q_ideal), "[nu] ideal part of the constraint force")
      .def_prop_ro("Q_nonideal", numbers(&Matrices::Q_nonideal), "[nu] non-ideal part of the constraint force")
      .def_prop_ro("Q_constraint", numbers(&Matrices::Q_constraint), "[nu] Q_ideal + Q_nonideal")
      .def_prop_ro("a", numbers(&Matrices::a), "[nu] unconstrained acceleration")
      .def_prop_ro("e", numbers(&Matrices::e), "[nc] b - A a")
      .def_prop_ro("L", numbers(&Matrices::L), "[nu, nu] Cholesky factor, M = L Lᵀ")
      .def_prop_ro("B", numbers(&Matrices::B), "[nc, nu] scaled rows A L⁻ᵀ")
      .def_prop_ro("T", numbers(&Matrices::T), "[nu, nu] projector B⁺B")
      .def_prop_ro("N", numbers(&Matrices::N), "[nu, nu] projector 1 - T")
      .def_ro("gauss", &Matrices::gauss, "Gauss' function (u' - a)ᵀ M (u' - a)");
  nb::class_<Exerted>(m, "Exerted",
                      "Force [N] on a point or couple [N m] on a body; measure numbers in the newtonian frame.")
      .def_ro("constraint", &Exerted::constraint)
      .def_ro("on", &Exerted::on)
      .def_prop_ro("value",
                   [](nb::handle self) { return view(nb::cast<const Exerted&>(self).value.data(), {3}, self); })
      .def_ro("is_unique", &Exerted::is_unique, "[3] False: redundant constraints make the component indeterminate");
  nb::class_<Forces>(m, "Forces", "Accelerations and all constraint forces at a state.")
      .def_prop_ro("u_dot", numbers(&Forces::u_dot), "[nu] accelerations u'")
      .def_prop_ro("z_dot", numbers(&Forces::z_dot), "[nz] rates of the extra states")
      .def_prop_ro("multipliers", numbers(&Forces::lambda), "[nc] multipliers of the rows")
      .def_prop_ro("Q", numbers(&Forces::Q), "[nu] generalized constraint forces, Q_ideal + Q_nonideal")
      .def_prop_ro("Q_ideal", numbers(&Forces::Q_ideal), "[nu] ideal part of Q")
      .def_prop_ro("Q_nonideal", numbers(&Forces::Q_nonideal), "[nu] non-ideal part of Q")
      .def_prop_ro("efforts", numbers(&Forces::efforts), "efforts of actuators that enforce servo constraints")
      .def_ro("rank", &Forces::rank, "rank of A")
      .def_ro("on_points", &Forces::on_points, "list of Exerted: forces on points [N]")
      .def_ro("on_bodies", &Forces::on_bodies, "list of Exerted: couples on bodies [N m], in addition to those forces");
  nb::class_<Instant>(m, "Instant", "A state with its accelerations and forces.")
      .def_ro("state", &Instant::state)
      .def_ro("forces", &Instant::forces)
      .def_prop_ro("outputs", numbers(&Instant::outputs),
                   "[components] values of the outputs, in the order of `Trajectory.names`");
  nb::class_<Event>(m, "Event", "An event of a run: a row of events.csv (docs/json.md).")
      .def_ro("t", &Event::t, "[s]")
      .def_ro("kind", &Event::kind, "event, constraint, impulse, friction, switch, rank or stop")
      .def_ro("where", &Event::where, "an event, a constraint or row, a switch, or a place in the text; may be empty")
      .def_prop_ro(
          "before", [](const Event& event) { return value_of(event.before); },
          nb::sig("def before(self) -> None | float | str"),
          "What the event changes, before it: a number, a word or None (docs/json.md lists them by kind).")
      .def_prop_ro(
          "after", [](const Event& event) { return value_of(event.after); },
          nb::sig("def after(self) -> None | float | str"),
          "What the event changes, after it. An impulse has the unit of its multiplier times s.")
      .def("__repr__", [](const Event& event) {
        return nb::str("<vinculum.Event {} {} at {} s>").format(event.kind, event.where, event.t);
      });
  nb::class_<ExertedImpulse>(m, "ExertedImpulse",
                             "Impulse [N s] of a constraint on a point, or its moment [N m s] on a body, where the "
                             "speeds jump: a row of impulses.csv. Measure numbers in the newtonian frame.")
      .def_ro("t", &ExertedImpulse::t, "[s]")
      .def_prop_ro("constraint", [](const ExertedImpulse& one) { return one.impulse.constraint; })
      .def_prop_ro(
          "on", [](const ExertedImpulse& one) { return one.impulse.on; }, "name of the point or body")
      .def_ro("is_moment", &ExertedImpulse::is_couple, "whether it is a moment on a body")
      .def_prop_ro(
          "value",
          [](nb::handle self) { return view(nb::cast<const ExertedImpulse&>(self).impulse.value.data(), {3}, self); },
          "[3] friction of contacts is included")
      .def_prop_ro(
          "at", [](nb::handle self) { return view(nb::cast<const ExertedImpulse&>(self).at.data(), {3}, self); },
          "[3] position of the point, or of the mass center of the body [m]")
      .def_prop_ro(
          "is_unique", [](const ExertedImpulse& one) { return one.impulse.is_unique; },
          "[3] False: redundant constraints make the component indeterminate")
      .def("__repr__", [](const ExertedImpulse& one) {
        return nb::str("<vinculum.ExertedImpulse of {} on {} at {} s>")
            .format(one.impulse.constraint, one.impulse.on, one.t);
      });
  nb::class_<Column>(m, "Column", "One quantity at all samples. numpy.asarray(column) gives its values without a copy.")
      .def_ro("name", &Column::name)
      .def_ro("unit", &Column::unit)
      .def_ro("frame", &Column::frame)
      .def_prop_ro("values", column_array, "[samples] or [samples, components]")
      .def_prop_ro(
          "is_unique", [](const Column& c) { return std::vector<bool>(c.is_unique.begin(), c.is_unique.end()); },
          "[samples * components] False if redundant constraints make it indeterminate; empty: always unique")
      .def("__array__", [](nb::handle self, nb::args, nb::kwargs) { return column_array(self); })
      .def("__len__", &Column::size);
  nb::class_<Sensitivity>(
      m, "Sensitivity",
      "Derivatives of a motion by one parameter or start value. sensitivity[\"x\"] is the derivative of x as an array "
      "[instants] or [instants, components]; its unit is that of x divided by that of the quantity, such as m/kg.")
      .def_ro("of", &Sensitivity::of, "name of the parameter, coordinate, speed or state")
      .def_ro("unit", &Sensitivity::unit, "its SI unit")
      .def_prop_ro("t", numbers(&Sensitivity::t), "[instants] s")
      .def_ro("ended", &Sensitivity::ended,
              "None, or the Error of kind \"not-smooth\" that says why there are no derivatives after the last of `t`")
      .def_prop_ro(
          "names",
          [](const Sensitivity& s) {
            std::vector<std::string> names;
            for (const Column& one : s.columns) names.push_back(one.name);
            return names;
          },
          "Names of the quantities that have derivatives.")
      .def(
          "column", [](const Sensitivity& s, const std::string& name) { return taken([&] { return s.column(name); }); },
          "name"_a, "The derivative of a quantity, a Column with its unit.")
      .def("__getitem__",
           [](const Sensitivity& s, const std::string& name) {
             return column_array(nb::cast(taken([&] { return s.column(name); })));
           })
      .def("__contains__", [](const Sensitivity& s, const std::string& name) { return s.column(name).has_value(); })
      .def("__repr__", [](const Sensitivity& s) {
        return "<vinculum.Sensitivity by " + s.of + " at " + std::to_string(s.t.size()) + " instants>";
      });
  nb::class_<Note>(m, "Note", "A reason why a run is slow (docs/numerics.md).")
      .def_ro("kind", &Note::kind)
      .def_ro("t", &Note::t)
      .def_ro("message", &Note::message)
      .def_ro("component", &Note::component)
      .def_ro("term", &Note::term)
      .def_ro("rate", &Note::rate)
      .def_ro("steps", &Note::steps)
      .def("__repr__", [](const Note& one) { return one.kind + ": " + one.message; });
  nb::class_<Statistics>(m, "Statistics", "Counts and times of a run, and the back end that evaluated its equations.")
      .def_ro("steps", &Statistics::steps)
      .def_ro("rejected", &Statistics::rejected)
      .def_ro("static_solves", &Statistics::static_solves)
      .def_ro("pivoted_solves", &Statistics::pivoted_solves)
      .def_prop_ro("backend", [](const Statistics& s) { return to_string(s.backend); })
      .def_ro("backend_note", &Statistics::backend_note)
      .def_ro("from_cache", &Statistics::from_cache)
      .def_ro("seconds_run", &Statistics::seconds_run);
  nb::class_<Energy>(m, "Energy",
                     "Energies [J], powers [W] and their balance along a run; `columns` has one Column each.")
      .def_ro("columns", &Energy::columns)
      .def_ro("worst", &Energy::worst, "[J] largest |balance|")
      .def_ro("relative", &Energy::relative, "`worst` relative to the largest energy or work")
      .def_ro("t", &Energy::t, "[s] time of `worst`");
  nb::class_<Load>(m, "Load",
                   "The load of one constraint on a point or body along a run: what a bearing, motor or weld carries. "
                   "Forces [N], torques [N m]; vectors have components in the frame of Loads.")
      .def_ro("constraint", &Load::constraint)
      .def_ro("on", &Load::on, "name of the point, or for a torque of the body")
      .def_ro("frame", &Load::frame, "frame of the components; empty for a `reveal`, which has its own directions")
      .def_ro("kind", &Load::kind, "\"force\" or \"torque\"")
      .def_ro("peak", &Load::peak, "largest magnitude, also between samples")
      .def_ro("t", &Load::t, "[s] time of the peak")
      .def_ro("rms", &Load::rms, "root mean square of the magnitude over time")
      .def_ro("mean", &Load::mean, "mean of the magnitude over time")
      .def_ro("at_peak", &Load::at_peak, "[3] components at the peak")
      .def_ro("mean_vector", &Load::mean_vector, "[3] mean of each component over time")
      .def_ro("least", &Load::least, "[3] smallest value of each component")
      .def_ro("largest", &Load::largest, "[3] largest value of each component")
      .def_ro("is_unique", &Load::is_unique, "False: redundant constraints make a component indeterminate")
      .def_ro("pose", &Load::pose, "State at or near the peak")
      .def("__repr__", [](const Load& one) {
        return one.kind + " of " + one.constraint + " on " + one.on + ": peak " + std::to_string(one.peak) + " at " +
               std::to_string(one.t) + " s";
      });
  nb::class_<Loads>(m, "Loads", "Loads of all constraints along a run; impulses are left out.")
      .def_ro("frame", &Loads::frame, "frame of all components")
      .def_ro("all", &Loads::all, "one Load per constraint and point or body");
  nb::class_<Audit>(m, "Audit", "Whether a motion and its forces satisfy the identities of mechanics (docs/audit.md).")
      .def_prop_ro("holds", &Audit::holds,
                   "True if at least one line holds, none is broken, and the run reached its end or its `expect stop`.")
      .def_ro("samples", &Audit::samples, "number of audited instants")
      .def_prop_ro("text", &Audit::text, "The verdict in one sentence, and the broken lines.")
      .def_prop_ro("list", &Audit::list, "The verdict, and all lines.")
      .def_prop_ro("json", &Audit::json)
      .def("__repr__", &Audit::text);
}

void bind_trajectory(nb::module_& m) {
  const auto array = [](const Array& (Trajectory::*of)() const) {
    return [of](nb::handle self) { return view((nb::cast<const Trajectory&>(self).*of)(), self); };
  };
  nb::class_<Trajectory>(m, "Trajectory",
                         "A motion up to its end, or up to the time at which it had to stop. Arrays are read-only "
                         "views that keep it alive.")
      .def_prop_ro(
          "t",
          [](nb::handle self) {
            const std::span<const double> t = nb::cast<const Trajectory&>(self).t();
            return view(t.data(), {t.size()}, self);
          },
          "[samples] time in s")
      .def_prop_ro("q", array(&Trajectory::q), "[samples, nq]")
      .def_prop_ro("u", array(&Trajectory::u), "[samples, nu]")
      .def_prop_ro("z", array(&Trajectory::z), "[samples, nz]")
      .def_prop_ro("names", &Trajectory::names,
                   "Names for `column`, one per component, as in the header of trajectory.csv after t.")
      .def(
          "column", [](const Trajectory& run, const Quantity& quantity) { return column_of(run, quantity); }, "name"_a,
          "A coordinate, speed, extra state or output as a Column, by its name or a handle of the model. \"C1\" of a "
          "vector has three components, \"C1.x\" one. CallError if there is no such name, or if the handle is of "
          "another model.")
      .def(
          "svg",
          [](const Trajectory& run, const std::vector<std::string>& names) {
            return taken([&] { return run.svg(names); });
          },
          "names"_a = std::vector<std::string>(),
          "An SVG plot over time, as a str: of the named quantities, or of outputs, coordinates, speeds and states "
          "(docs/report.md).")
      .def(
          "__getitem__",
          [](const Trajectory& run, const Quantity& quantity) {
            return column_array(nb::cast(column_of(run, quantity)));
          },
          "name"_a, "The values of `column(name)`: [samples] or [samples, components].")
      .def(
          "at", [](const Trajectory& run, double t) { return taken([&] { return run.at(t); }); }, "t"_a,
          "State and forces at a sample, or at a time named in `run(at=...)`, as an Instant. CallError at other times.")
      .def(
          "force",
          [](const Trajectory& run, const std::string& constraint, const std::string& point) {
            return taken([&] { return run.force(constraint, point); });
          },
          "constraint"_a, "point"_a,
          "Force of a constraint on a point, or its resultant on a body, [N] in the newtonian frame; a Column. Names, "
          "or "
          "handles of the model. CallError if the constraint puts no force on it.")
      .def("force", by_handles<PointHandle>(&Trajectory::force), "constraint"_a, "point"_a)
      .def("force", by_handles<BodyHandle>(&Trajectory::force), "constraint"_a, "body"_a)
      .def(
          "torque",
          [](const Trajectory& run, const std::string& constraint, const std::string& body) {
            return taken([&] { return run.torque(constraint, body); });
          },
          "constraint"_a, "body"_a,
          "Couple of a constraint on a body [N m] in the newtonian frame; a Column. Names, or handles of the model. "
          "CallError if the constraint puts no couple on it.")
      .def("torque", by_handles<BodyHandle>(&Trajectory::torque), "constraint"_a, "body"_a)
      .def(
          "multiplier",
          [](const Trajectory& run, const std::string& constraint) {
            return taken([&] { return run.multiplier(constraint); });
          },
          "constraint"_a,
          "Multipliers of a constraint, one component per row; a Column. A name, or a handle of the model.")
      .def(
          "multiplier",
          [](const Trajectory& run, ConstraintHandle constraint) {
            return taken([&] { return run.multiplier(constraint); });
          },
          "constraint"_a)
      .def(
          "sensitivity",
          [](const Trajectory& run, const std::string& of, const std::string& at) {
            if (at != "samples" && at != "asked") throw nb::value_error("at is \"samples\" or \"asked\"");
            return taken(
                [&] { return run.sensitivity(of, at == "asked" ? SensitivityAt::kAsked : SensitivityAt::kSamples); });
          },
          "of"_a, "at"_a = "samples",
          "Derivatives of a run with `sensitivity=[...]` by one of these quantities: a Sensitivity, at all samples or, "
          "with \"asked\", at the times `run(at=...)`. CallError for another name. If the motion does not depend "
          "smoothly "
          "on parameters from some instant on, `Sensitivity.ended` gives the reason.")
      .def_prop_ro(
          "loads", [](const Trajectory& run) { return taken([&] { return run.loads(); }); },
          "Loads of a run with `loads=True` or `loads=\"frame\"`; CallError for other runs.")
      .def_prop_ro(
          "energy", [](const Trajectory& run) { return taken([&] { return run.energy(); }); },
          "Energies of a run with `energy=True`; CallError for other runs.")
      .def(
          "audit",
          [](const Trajectory& run, int instants) {
            const nb::gil_scoped_release others_may_run;
            return run.audit(instants);
          },
          "instants"_a = 40, "Audits up to `instants` samples by all identities of docs/theory.md §8.")
      .def_prop_ro("events", &Trajectory::events,
                   "list of Event in the order of time, as in events.csv; a motion that ended early has a last one of "
                   "kind \"stop\".")
      .def_prop_ro(
          "impulses", [](const Trajectory& run) { return taken([&] { return run.impulses(); }); },
          "list of ExertedImpulse in the order of time, as in impulses.csv: impulses of constraints as vectors.")
      .def_prop_ro(
          "stopped",
          [](const Trajectory& run) -> std::optional<Error> {
            return run.stopped() == nullptr ? std::nullopt : std::optional(*run.stopped());
          },
          "Why the motion ended early, an Error; None if it reached its end.")
      .def_prop_ro(
          "notes", [](const Trajectory& run) { return listed(run.notes()); }, "Reasons why the run was slow.")
      .def_prop_ro("statistics", &Trajectory::statistics)
      .def_prop_ro(
          "provenance",
          [](const Trajectory& run) { return nb::module_::import_("json").attr("loads")(run.provenance().json()); },
          "The inputs that determine the motion, as a dict.")
      .def_prop_ro("text", &Trajectory::text)
      .def_prop_ro("json", &Trajectory::json)
      .def(
          "write",
          [](const Trajectory& run, const std::filesystem::path& folder, bool parquet) {
            return taken([&] { return run.write(folder, {.parquet = parquet}); });
          },
          "folder"_a, "parquet"_a = false,
          "Writes trajectory.csv, events.csv, result.json and, with `parquet`, trajectory.parquet into a folder. "
          "Returns "
          "the names of the files.")
      .def(
          "to_pandas", [](nb::handle self) { return done("_tables", "to_pandas", self); },
          nb::sig("def to_pandas(self) -> 'pandas.DataFrame'"),
          "The content of trajectory.csv as a pandas.DataFrame: one column for each of `names`, t [s] as index; "
          "`attrs[\"units\"]` has the SI units, `attrs[\"provenance\"]` the provenance. Needs pandas.")
      .def(
          "to_arrow", [](nb::handle self) { return done("_tables", "to_arrow", self); },
          nb::sig("def to_arrow(self) -> 'pyarrow.Table'"),
          "A pyarrow.Table with the columns t and `names`, without nulls. The metadata of a field have its unit and "
          "frame, those of the schema the provenance. Needs pyarrow.")
      .def(
          "gltf",
          [](const Trajectory& run, const nb::object& path, const std::string& samples) {
            const SceneSamples kept = scene_samples_of(samples);
            const Scene scene = taken([&] { return run.scene(kept, false); });
            return nb::module_::import_("vinculum._gltf").attr("write")(scene.json, scene.columns, path);
          },
          "path"_a, nb::kw_only(), "samples"_a = "fewest",
          "Writes a binary glTF 2.0 file with the bodies, particles and links of the motion, animated "
          "(docs/howto/gltf.md). Keyframes are samples of the run; `run(scene=True)` records enough of them for smooth "
          "curves. `samples`: \"fewest\" (as many as a drawing needs) or \"all\". Returns the path. ExportError if the "
          "model has no positions.")
      .def(
          "_repr_svg_", [](const Trajectory& run) { return taken([&] { return run.svg(); }); },
          nb::sig("def _repr_svg_(self) -> str"))
      .def("__len__", [](const Trajectory& run) { return run.t().size(); })
      .def("__repr__", &Trajectory::text);
  nb::class_<Simulation>(m, "Simulation", nb::type_slots(slots_of_simulation),
                         "A motion that the caller advances step by step. It serves one thread.")
      .def_prop_rw(
          "state", [](const Simulation& s) { return s.state(); },
          [](Simulation& s, const State& state) { taken([&] { return s.set_state(state); }); },
          "The present State. Assignment moves to the nearest state that satisfies the constraints.")
      .def(
          "advance", [](Simulation& s, double t) { taken([&] { return s.advance(t); }); }, "t"_a,
          "Advances to time t [s]. Events at t have happened then. MotionError if the motion ends before t, also at\n"
          "every later call until a state is assigned; the state is then the last one reached.")
      .def(
          "set", [](Simulation& s, const Written& values) { taken([&] { return s.set(values_of(values)); }); },
          "values"_a,
          "Changes parameters from this time on, as a controller does at every tick: {\"tau\": 0.3}, or a "
          "ParameterHandle and a value in SI units.")
      .def(
          "set",
          [](Simulation& s, ParameterHandle parameter, double value) {
            taken([&] { return s.set(parameter, value); });
          },
          "parameter"_a, "value"_a)
      .def("value", value_of<CoordinateHandle>, "handle"_a,
           "A coordinate, speed or extra state of `state`, or a parameter, by its handle; a float in SI units. "
           "CallError if the handle is of another model.")
      .def("value", value_of<SpeedHandle>, "handle"_a)
      .def("value", value_of<StateHandle>, "handle"_a)
      .def("value", value_of<ParameterHandle>, "handle"_a)
      .def(
          "input", [](const Simulation& s, const std::string& name) { return taken([&] { return s.input(name); }); },
          "name"_a, "Handle of an input, as `Model.input`. CallError if there is no such input.")
      .def(
          "set_input", [](Simulation& s, InputHandle input, double value) { set_input(s, input, value); }, "input"_a,
          "value"_a,
          "Gives an input another value, a float in SI units, which holds from the present time on. `input`: a handle\n"
          "from `input`, or a name. CallError if there is no such input or the value is not finite. MotionError if an\n"
          "event that the jump causes ends the motion.")
      .def(
          "set_input",
          [](Simulation& s, const std::string& name, double value) {
            const auto input = s.input(name);
            if (!input) raise(input.error());
            set_input(s, *input, value);
          },
          "input"_a, "value"_a)
      .def_prop_rw(
          "on_event",
          [](const Simulation& s) -> nb::object {
            const auto* held = s.on_event().target<PythonOnEvent>();
            return held == nullptr ? nb::none() : nb::borrow(held->function());
          },
          [](Simulation& s, const nb::object& function) { s.on_event(on_event_of(function)); },
          nb::for_setter(nb::arg("function").none()),
          nb::sig("def on_event(self) -> typing.Callable[[Event, State, State], bool | None] | None"),
          "A function `f(event, before, after)` that `advance` calls for each Event when it happens, with the State\n"
          "before and after all events of this instant; also `set_input`, if the jump causes events; None: no calls.\n"
          "`return True` ends `advance` after the event, and the next call goes on from there. What the function\n"
          "raises is raised by `advance`, and the simulation is at the event. In a call, `state`, `forces` and\n"
          "`matrices` are those after the event, and `set_input` has effect from this instant on; other changes of\n"
          "the motion and `save` raise CallError.")
      .def(
          "save",
          [](const Simulation& s) {
            const std::string bytes = taken([&] { return s.save(); });
            return nb::bytes(bytes.data(), bytes.size());
          },
          "Everything that the rest of the motion depends on, as bytes: time, state, inputs, sides of switching\n"
          "surfaces, friction, step size. MotionError if the motion has ended.")
      .def(
          "restore",
          [](Simulation& s, const nb::bytes& saved) {
            taken([&] { return s.restore({saved.c_str(), saved.size()}); });
          },
          "saved"_a,
          "Goes back to what `save` returned, also in another process; the motion then goes on with the same bits.\n"
          "CallError if the bytes are from another model, other parameter values or another version.")
      .def_prop_ro("matrices", [](const Simulation& s) { return taken([&] { return s.matrices(); }); })
      .def_prop_ro("forces", [](const Simulation& s) { return taken([&] { return s.forces(); }); })
      .def(
          "inverse_dynamics",
          [](const Simulation& s, const std::vector<double>& accelerations) {
            return owned(taken([&] { return s.inverse_dynamics(accelerations); }));
          },
          "accelerations"_a,
          "Generalized forces [nu] which, added to everything that the model states, produce the accelerations u' "
          "[nu]\n"
          "at the present state. With constraints: those without a component along the constraints. CallError if a\n"
          "constraint does not admit u', or if other forces would change.");
  nb::class_<Derivation>(m, "Derivation", "The equations of motion: as text, LaTeX, C and Python (docs/derive.md).")
      .def_prop_ro("text", &Derivation::text)
      .def_prop_ro("latex", &Derivation::latex)
      .def_prop_ro("c", [](const Derivation& d) { return taken([&] { return d.c(); }); })
      .def_prop_ro(
          "program", [](const Derivation& d) { return taken([&] { return d.program_json(); }); },
          "JSON: names and units [SI] of the arrays of the code, inputs, outputs, events, functions.")
      .def_prop_ro("python", [](const Derivation& d) { return taken([&] { return d.python(); }); })
      .def(
          "to_sympy", [](nb::handle self) { return done("_sympy", "to_sympy", self); },
          nb::sig("def to_sympy(self) -> 'vinculum.SymbolicEquations'"),
          "The matrices of the explicit form for SymPy; see Model.to_sympy.")
      .def(
          "_repr_latex_", [](nb::handle self) { return done("_notebook", "latex", self); },
          nb::sig("def _repr_latex_(self) -> str"))
      .def("__repr__", &Derivation::text);
  nb::class_<Explanation>(m, "Explanation",
                          "The moving parts, the degrees of freedom, and the form of the force of each constraint.")
      .def_prop_ro("text", &Explanation::text)
      .def_prop_ro("json", &Explanation::json)
      .def("__repr__", &Explanation::text);
  nb::class_<Comparison::Variant>(
      m, "Variant",
      "One law or formulation of a Comparison, with its largest differences from the first, relative to its size.")
      .def_ro("name", &Comparison::Variant::name)
      .def_ro("not_run", &Comparison::Variant::not_run, "why it has no motion; may be empty")
      .def_ro("coordinates", &Comparison::Variant::coordinates)
      .def_ro("speeds", &Comparison::Variant::speeds)
      .def_ro("forces", &Comparison::Variant::forces);
  nb::class_<Comparison>(m, "Comparison",
                         "One model under several reaction laws or in several formulations (docs/compare.md).")
      .def_prop_ro("variants", [](const Comparison& c) { return listed(c.variants()); })
      .def_prop_ro("text", &Comparison::text)
      .def_prop_ro("json", &Comparison::json)
      .def(
          "page", [](const Comparison& c) { return page_of(taken([&] { return c.scene(); })); },
          nb::sig("def page(self) -> 'vinculum.Page'"),
          "All motions in one drawing, for a comparison with `scene=True`.")
      .def(
          "write",
          [](const Comparison& c, const std::filesystem::path& folder) {
            return taken([&] { return c.write(folder); });
          },
          "folder"_a,
          "Writes compare.csv, compare.json, compare.gp and, with ladders, ladder.csv. Returns their names.")
      .def("__repr__", &Comparison::text);
  nb::class_<Verdict>(
      m, "Verdict",
      "Result of the `expect` statements of a model along one run. True if all passed and there is at least one.")
      .def_ro("passed", &Verdict::passed)
      .def_ro("failed", &Verdict::failed)
      .def_ro("text", &Verdict::text)
      .def("__bool__", [](const Verdict& v) { return v.failed == 0 && v.passed > 0; })
      .def("__repr__", [](const Verdict& v) { return v.text; });
}

/// Converts the argument `inputs` of `Model.run` to records.
std::vector<InputRecord> records_of(const nb::dict& inputs) {
  std::vector<InputRecord> records;
  for (const auto& [name, given] : inputs) {
    InputRecord& record = records.emplace_back(nb::cast<std::string>(name));
    if (nb::isinstance<nb::tuple>(given)) {
      const auto parts = nb::cast<nb::tuple>(given);
      const std::string how = parts.size() == 3 ? nb::cast<std::string>(parts[2]) : "hold";
      if (parts.size() < 2 || parts.size() > 3 || (how != "hold" && how != "linear"))
        throw nb::value_error("an input is (t, values) or (t, values, \"linear\")");
      record.t = nb::cast<std::vector<double>>(parts[0]);
      record.values = nb::cast<std::vector<double>>(parts[1]);
      record.is_linear = how == "linear";
    } else {
      const std::string file = nb::cast<std::string>(nb::str(given));
      record = taken([&] { return InputRecord::parse(record.name + "=" + file); });
    }
  }
  return records;
}

Trajectory run(const Model& model, RunOptions options) {
  Interruption interruption;
  options.is_interrupted = std::ref(interruption);
  Trajectory trajectory = taken([&] { return model.run(options); });
  interruption.raise_what_was_found();
  return trajectory;
}

Comparison compare(const Model& model, CompareOptions options) {
  Interruption interruption;
  options.is_interrupted = std::ref(interruption);
  auto result = [&] {
    const nb::gil_scoped_release others_may_run;
    return model.compare(options);
  }();
  interruption.raise_what_was_found();
  return taken([&] { return std::move(result); });
}

void bind_model(nb::module_& m) {
  const auto entities = [](std::span<const Entity> (Model::*of)() const) {
    return [of](const Model& model) { return listed((model.*of)()); };
  };
  nb::class_<Model>(m, "Model", "A mechanical system, complete and checked. Any number of threads may share it.")
      .def_static(
          "load",
          [](const std::filesystem::path& path, const Written& set, const std::string& backend,
             const std::optional<std::string>& cache) {
            return taken([&] { return Model::load(path, settings_of(set, backend, cache)); });
          },
          "path"_a, nb::kw_only(), "set"_a = Written(), "backend"_a = "native", "cache"_a = nb::none(),
          "Reads the file of a model. `set`: parameter values by name, a number in SI units or a str such as "
          "\"2 [kg]\". `backend`: native, tape or interpreter; all give the same bits. `cache`: folder of compiled "
          "kernels, \"\" for none. ModelError if the text is wrong, CallError if there is no such file.")
      .def_static(
          "from_text",
          [](const std::string& text, const Written& set, const std::string& backend,
             const std::optional<std::string>& cache, const std::string& name) {
            return taken([&] { return Model::from_text(text, settings_of(set, backend, cache), name); });
          },
          "text"_a, nb::kw_only(), "set"_a = Written(), "backend"_a = "native", "cache"_a = nb::none(),
          "name"_a = "model.vin",
          "A model from its text. `name`: file name shown in diagnostics; included files are searched in its folder. "
          "Other arguments as in `load`.")
      .def_static(
          "from_urdf",
          [](const std::filesystem::path& path, const std::string& base, const std::string& limits, bool fix_inertia,
             const Written& set, const std::string& backend, const std::optional<std::string>& cache) {
            return robot_model(path, base, limits, fix_inertia, settings_of(set, backend, cache));
          },
          "path"_a, nb::kw_only(), "base"_a = "fixed", "limits"_a = "none", "fix_inertia"_a = false,
          "set"_a = Written(), "backend"_a = "native", "cache"_a = nb::none(),
          "The robot in a URDF file, or in an SDF file. `base`: \"fixed\", the ground carries the root of the links, "
          "or \"floating\". "
          "`limits` of joints: \"none\", \"spring\" or \"contact\" (rigid stops). `fix_inertia`: replace an inertia "
          "that no body can have by the nearest possible one, instead of writing it exactly. Other arguments as in "
          "`load`. The coordinates have the names of the joints, in rad and m; `model.coordinates` lists them. Reads "
          "this file only, and no mesh. ModelError if the file is wrong, with its places; CallError if there is no "
          "such file; ValueError for another `base` or `limits`. `import_robot` returns the text of the model. "
          "Sources: https://wiki.ros.org/urdf/XML, http://sdformat.org/spec; guide: docs/howto/robots.md.")
      .def_static(
          "from_builder",
          [](nb::object builder, nb::kwargs settings) { return nb::cast<Model>(builder.attr("model")(**settings)); },
          nb::sig(
              "def from_builder(builder: 'vinculum.Builder', *, set: collections.abc.Mapping[str, float | str] = {}, "
              "backend: str = 'native', cache: str | None = None) -> Model"),
          "The model built by a Builder, which cannot be used afterwards. Other arguments as in `load`.")
      .def_prop_ro("name", &Model::name)
      .def_prop_ro("text_hash", &Model::text_hash, "128 bits of the text and all included files; empty without text.")
      .def_prop_ro("parameters", [](const Model& model) { return listed(model.parameters()); })
      .def_prop_ro("coordinates", entities(&Model::coordinates))
      .def_prop_ro("speeds", entities(&Model::speeds))
      .def_prop_ro("states", entities(&Model::states))
      .def_prop_ro("inputs", entities(&Model::inputs))
      .def_prop_ro("constraints", entities(&Model::constraints))
      .def_prop_ro("outputs", entities(&Model::outputs))
      .def_prop_ro(
          "diagnostics", [](const Model& model) { return model.diagnostics().all; }, "Warnings and notices.")
      .def(
          "with_values",
          [](const Model& model, const Written& values) {
            return taken([&] { return model.with(values_of(values)); });
          },
          "values"_a,
          "The same model with other parameter values; compiled kernels are reused. A dict of names, or a "
          "ParameterHandle and a value in SI units. CallError if a parameter does not exist or a value is not "
          "possible.")
      .def(
          "with_values",
          [](const Model& model, ParameterHandle parameter, double value) {
            return taken([&] { return model.with(parameter, value); });
          },
          "parameter"_a, "value"_a)
      .def(
          "parameter", found(&Model::parameter), "name"_a,
          "Handle of a parameter. Each of these functions raises CallError with the nearest name, or all names, if the "
          "model has no such thing; a handle is found once and then used without a search.")
      .def("coordinate", found(&Model::coordinate), "name"_a, "Handle of a coordinate.")
      .def("speed", found(&Model::speed), "name"_a, "Handle of a generalized speed, such as \"x'\".")
      .def("state", found(&Model::state), "name"_a, "Handle of an extra state.")
      .def("input", found(&Model::input), "name"_a, "Handle of an input, for `Simulation.set_input`.")
      .def("constraint", found(&Model::constraint), "name"_a, "Handle of a constraint.")
      .def("point", found(&Model::point), "name"_a, "Handle of a point, a particle or the mass center of a body.")
      .def("frame", found(&Model::frame), "name"_a, "Handle of a frame, or of the frame of a body.")
      .def("body", found(&Model::body), "name"_a, "Handle of a rigid body.")
      .def("column", found(&Model::column), "name"_a,
           "Handle of a reported quantity, as `Trajectory.column` names it. Compiles the equations if needed.")
      .def(
          "assemble",
          [](const Model& model, const std::optional<State>& near) {
            return taken([&] { return near ? model.assemble(*near) : model.assemble(); });
          },
          "near"_a = nb::none(),
          "The consistent start, or the State nearest to `near` that satisfies the constraints. MotionError if there "
          "is none.")
      .def(
          "matrices",
          [](const Model& model, const State& state) { return taken([&] { return model.matrices(state); }); },
          "state"_a, "The terms of M u' = f + C + Aᵀλ, A u' = b at a state [SI], as Matrices.")
      .def(
          "forces", [](const Model& model, const State& state) { return taken([&] { return model.forces(state); }); },
          "state"_a,
          "Accelerations and all constraint forces at a state. MotionError if the equations have no solution there.")
      .def(
          "derive",
          [](const Model& model, const std::string& form, const std::string& additional) {
            return taken([&] {
              return model.derive(formulation_of(form),
                                  known(find_additional(additional), additional, "speeds, vanishing, absolute"));
            });
          },
          "form"_a = "explicit", nb::kw_only(), "additional"_a = "speeds",
          "The equations of motion (docs/derive.md). `form`: explicit, augmented or minimal. `additional`: motion "
          "variables added to the minimal form, speeds, vanishing or absolute.")
      .def(
          "explain",
          [](const Model& model, bool geometry, bool along, std::optional<double> until) {
            return taken([&] { return model.explain({.geometry = geometry, .along = along, .until = until}); });
          },
          nb::kw_only(), "geometry"_a = false, "along"_a = false, "until"_a = nb::none(),
          "The moving parts, the degrees of freedom, and the form of the force of each constraint. `geometry`: also "
          "the "
          "matrices of docs/theory.md §4.4. `along`: also variations along the motion, up to the time `until` [s].")
      .def(
          "sweep",
          [](nb::handle self, nb::object design, nb::object record, nb::object workers, nb::kwargs options) {
            return nb::module_::import_("vinculum._sweep")
                .attr("sweep")(self, design, record, "workers"_a = workers, **options);
          },
          "design"_a, "record"_a = nb::none(), nb::kw_only(), "workers"_a = nb::none(), "options"_a,
          "Runs the model once for each row of a table of parameter values. `design`: a dict of columns, a table of "
          "pandas, or a list of dicts; titles are names of parameters, with a unit such as \"m [g]\", otherwise in SI "
          "units. `record`: names of quantities whose values at the end are recorded, or a dict of names or functions "
          "of the Trajectory; default: all quantities. `workers`: number of threads, default: all cores. Options are "
          "those of `run`. Results do not depend on the number of threads. Returns a Sweep; a run that stops early is "
          "one of its `failures`. DesignError if the design is not possible.")
      .def(
          "fit",
          [](nb::handle self, nb::object data, nb::object over, nb::kwargs options) {
            return nb::module_::import_("vinculum._fit").attr("fit")(self, data, over, **options);
          },
          "data"_a, "over"_a, "options"_a,
          "Fits parameters to measured values by least squares, with the exact derivatives of the runs. `data`: a dict "
          "of "
          "columns or a table of pandas; `t` [s], and quantities of the run in SI units, NaN where a value is missing. "
          "`over`: names of the parameters; the search begins at their values in the model. Options: `sigma`, standard "
          "deviation of a measurement, one for all or a dict by quantity; `bounds`, a dict of (low, high); and those "
          "of "
          "`run`, with tolerance 1e-10 by default. Returns a Fit with `values`, `covariance` and `residual`. Needs "
          "scipy. DesignError if the data cannot be fitted, MotionError if a run stops early or is not smooth.")
      .def(
          "fmu",
          [](nb::handle self, nb::object path, const std::string& version, nb::object binary, nb::object stop) {
            return nb::module_::import_("vinculum._fmu")
                .attr("write")(self, path, version, "binary"_a = binary, "stop"_a = stop);
          },
          "path"_a, "version"_a = "3.0", nb::kw_only(), "binary"_a = nb::none(), "stop"_a = nb::none(),
          "Writes a functional mock-up unit for model exchange and co-simulation (docs/howto/fmu.md): C sources and, "
          "if a "
          "C compiler is found, the library for this machine. `version` of FMI: 2.0 or 3.0. `binary`: True, no file "
          "without the library; False, sources only. `stop` [s]: default end of simulations. Parameters [SI] are "
          "tunable. Returns the path. FmuError if the model has no FMU or the compiler fails, CallError if its "
          "equations are implicit.")
      .def(
          "simulation", [](const Model& model) { return taken([&] { return model.simulation(); }); },
          "A motion that the caller advances step by step, from the start of the model.")
      .def(
          "evaluator", [](const Model& model) { return taken([&] { return model.evaluator(); }); },
          "The equations at states that the caller chooses: accelerations, M, A, velocities, Jacobians. ModelError or "
          "MotionError if the model has no start.")
      .def(
          "run",
          [](const Model& model, std::optional<State> start, std::optional<double> until,
             std::optional<double> tolerance, std::optional<double> step, Numbers at, bool energy, bool audit,
             bool scene, const std::variant<bool, std::string>& loads,
             const std::variant<std::string, std::vector<std::string>>& sensitivity, std::optional<std::string> method,
             const std::optional<std::string>& formulation, const nb::dict& inputs, const nb::object& on_event) {
            RunOptions options{.start = std::move(start),
                               .until = until,
                               .tolerance = tolerance,
                               .step = step,
                               .at = std::move(at),
                               .record = {.energy = energy, .scene = scene, .audit = audit},
                               .inputs = records_of(inputs),
                               .method = std::move(method),
                               .on_event = on_event_of(on_event)};
            if (formulation) options.formulation = formulation_of(*formulation);
            const std::string* in = std::get_if<std::string>(&loads);
            options.record.loads = in != nullptr || std::get<bool>(loads);
            if (in != nullptr) options.record.loads_in = *in;
            const auto* names = std::get_if<std::vector<std::string>>(&sensitivity);
            options.sensitivity = names != nullptr ? *names : std::vector{std::get<std::string>(sensitivity)};
            return run(model, std::move(options));
          },
          nb::kw_only(), "start"_a = nb::none(), "until"_a = nb::none(), "tolerance"_a = nb::none(),
          "step"_a = nb::none(), "at"_a = Numbers(), "energy"_a = false, "audit"_a = false, "scene"_a = false,
          "loads"_a = false, "sensitivity"_a = std::vector<std::string>(), "method"_a = nb::none(),
          "formulation"_a = nb::none(), "inputs"_a = nb::dict(), "on_event"_a = nb::none(),
          "Computes a motion. Default values are those of the model's `run` statement. `start`: exact initial State, "
          "for "
          "example `motion.at(motion.t[-1]).state`. `until`: end [s]. `tolerance`: relative, default 1e-8. `step`: "
          "time "
          "between samples [s]. `at`: times reported in addition [s]. `energy`, `audit`: record the data needed by "
          "`Trajectory.energy` and by line 10.5 of `Trajectory.audit`. `scene`: record at least 4000 samples, for "
          "`Trajectory.gltf`. `loads`: True or the name of a frame: record "
          "the data needed by "
          "`Trajectory.loads`. `sensitivity`: names of the parameters, and of the coordinates, speeds and states at "
          "the "
          "start, by which the run is differentiated for `Trajectory.sensitivity`. `method`: dop853, dp5, tsit5 or "
          "radau. "
          "`formulation`: explicit, augmented or minimal. `inputs`: values of inputs by name, each a CSV file such as "
          "\"force.csv\" or \"force.csv, linear\", or a tuple (t, values) or (t, values, \"linear\") of arrays [rows] "
          "in "
          "s and SI units; without `linear` each value holds until the next row. `on_event`: a function "
          "f(event, before, after) that is called for each Event when it happens, with the State before and after all "
          "events of its instant; `return True` ends the run there, as interrupted, and what it raises is raised by "
          "`run`. A motion that stops early is a "
          "Trajectory with `stopped`. "
          "CallError if an option is not possible. Ctrl-C raises KeyboardInterrupt.")
      .def(
          "show",
          [](const Model& model, std::optional<State> start, std::optional<double> until,
             std::optional<double> tolerance, std::optional<std::string> method,
             const std::optional<std::string>& formulation, const std::string& samples, bool audit) {
            const SceneSamples kept = scene_samples_of(samples);
            RunOptions options{.start = std::move(start),
                               .until = until,
                               .tolerance = tolerance,
                               .record = {.energy = true, .scene = true, .audit = audit},
                               .method = std::move(method)};
            if (formulation) options.formulation = formulation_of(*formulation);
            const Trajectory motion = run(model, std::move(options));
            return page_of(taken([&] { return motion.scene(kept, audit); }));
          },
          nb::kw_only(), "start"_a = nb::none(), "until"_a = nb::none(), "tolerance"_a = nb::none(),
          "method"_a = nb::none(), "formulation"_a = nb::none(), "samples"_a = "fewest", "audit"_a = true,
          nb::sig("def show(self, *, start: State | None = None, until: float | None = None, tolerance: float | None = "
                  "None, method: str | None = None, formulation: str | None = None, samples: str = 'fewest', audit: "
                  "bool = True) "
                  "-> 'vinculum.Page'"),
          "Computes a motion like `run` and returns the Page that draws it, as written by `vinculum show`. A notebook "
          "displays it; `Page.write` writes a file. `samples`: \"fewest\" (as many as a drawing needs) or \"all\". "
          "`audit=False` leaves out the audit, which may take as long as the run.")
      .def(
          "compare",
          [](const Model& model, const std::string& laws, const std::vector<std::string>& formulations,
             const std::vector<std::string>& on, std::optional<double> until, std::optional<double> tolerance,
             bool scene, const std::vector<std::string>& restitution) {
            CompareOptions options{.laws = laws,
                                   .on = on,
                                   .until = until,
                                   .tolerance = tolerance,
                                   .scene = scene,
                                   .restitution = restitution};
            for (const std::string& one : formulations) options.formulations.push_back(formulation_of(one));
            return compare(model, std::move(options));
          },
          "laws"_a = "", nb::kw_only(), "formulations"_a = std::vector<std::string>(),
          "on"_a = std::vector<std::string>(), "until"_a = nb::none(), "tolerance"_a = nb::none(), "scene"_a = false,
          "restitution"_a = std::vector<std::string>(),
          "The model under several reaction laws, such as \"ideal,viscous(kappa=10)\", in several formulations, or "
          "under "
          "several laws of restitution, such as `restitution=[\"energetic\", \"newton\"]`. `on`: "
          "constraints whose law is replaced; default: all that admit every law. `scene`: record the samples for "
          "`Comparison.page`.")
      .def(
          "test",
          [](const Model& model) {
            const nb::gil_scoped_release others_may_run;
            return model.test();
          },
          "Runs the model and checks its `expect` statements.")
      .def(
          "to_sympy", [](nb::handle self) { return done("_sympy", "to_sympy", self.attr("derive")("explicit")); },
          nb::sig("def to_sympy(self) -> 'vinculum.SymbolicEquations'"),
          "M, f, A, b of M u' = f + Aᵀλ, A u' = b as SymPy matrices, with symbols named as in the model. Needs sympy. "
          "CallError if the equations are implicit.")
      .def(
          "_repr_html_", [](nb::handle self) { return done("_notebook", "html", self); },
          nb::sig("def _repr_html_(self) -> str"))
      .def(
          "_repr_latex_", [](nb::handle self) { return done("_notebook", "latex", self.attr("derive")("explicit")); },
          nb::sig("def _repr_latex_(self) -> str"))
      .def("__repr__", [](const Model& model) { return "<vinculum.Model " + model.name() + ">"; });
}

}  // namespace

NB_MODULE(_vinculum, m) {
  m.doc() = "Constrained motion in analytical dynamics, and the force that enforces every constraint.";
  m.attr("__version__") = nb::cast(version());
  bind_names(m);
  bind_values(m);
  bind_trajectory(m);
  bind_model(m);
  bind_linearization(m);
  bind_evaluator(m);
  bind_import(m);
  bind_builder(m);
  m.def(
      "format", [](const std::filesystem::path& path) { return taken([&] { return format(path); }); }, "path"_a,
      "The text of a model in canonical layout. ModelError if the text has errors.");
  bind_editing(m);
}
