#include <vinculum/tools.hpp>

#include "bindings.hpp"

namespace vinculum_python {
namespace {

ImportOptions options_of(const std::string& base, const std::string& limits, bool fix_inertia) {
  ImportOptions options;
  options.fix_inertia = fix_inertia;
  if (base == "floating")
    options.base = RobotBase::kFloating;
  else if (base != "fixed")
    throw nb::value_error("base is \"fixed\" or \"floating\"");
  if (limits == "spring")
    options.limits = RobotLimits::kSpring;
  else if (limits == "contact")
    options.limits = RobotLimits::kContact;
  else if (limits != "none")
    throw nb::value_error("limits is \"none\", \"spring\" or \"contact\"");
  return options;
}

}  // namespace

void bind_import(nb::module_& m) {
  nb::class_<LeftOut>(m, "LeftOut", "Elements of an imported file that the model does not contain.")
      .def_ro("what", &LeftOut::what, "Name of the elements.")
      .def_ro("count", &LeftOut::count)
      .def_ro("meaning", &LeftOut::meaning)
      .def("__repr__",
           [](const LeftOut& one) { return std::to_string(one.count) + " " + one.what + ": " + one.meaning; });
  nb::class_<ImportedRobot>(m, "ImportedRobot", "The model of a robot, as text, and what differs from the file.")
      .def_ro("text", &ImportedRobot::text, "The model in canonical layout, for `Model.from_text`.")
      .def_ro("links", &ImportedRobot::links, "Number of links.")
      .def_ro("joints", &ImportedRobot::joints, "Number of joints.")
      .def_ro("degrees_of_freedom", &ImportedRobot::degrees_of_freedom)
      .def_ro("left_out", &ImportedRobot::left_out, "list[LeftOut]")
      .def_ro("changes", &ImportedRobot::changes, "Names and parts that differ from the file, one sentence each.")
      .def_prop_ro(
          "diagnostics", [](const ImportedRobot& robot) { return robot.diagnostics.all; },
          "Warnings, with places in the file.")
      .def("__repr__", &ImportedRobot::summary);
  m.def(
      "import_robot",
      [](const std::filesystem::path& path, const std::string& base, const std::string& limits, bool fix_inertia) {
        const ImportOptions options = options_of(base, limits, fix_inertia);
        return taken([&] { return import_robot(path, options); });
      },
      "path"_a, nb::kw_only(), "base"_a = "fixed", "limits"_a = "none", "fix_inertia"_a = false,
      "The robot in a URDF or SDF file as the text of a model. Arguments and errors as in `Model.from_urdf`.");
}

Model robot_model(const std::filesystem::path& path, const std::string& base, const std::string& limits,
                  bool fix_inertia, Settings settings) {
  const ImportOptions options = options_of(base, limits, fix_inertia);
  return taken([&]() -> Result<Model> {
    const auto robot = import_robot(path, options);
    if (!robot) return Unexpected<Error>{robot.error()};
    return Model::from_text(robot->text, std::move(settings), path.stem().string() + ".vin");
  });
}

}  // namespace vinculum_python
