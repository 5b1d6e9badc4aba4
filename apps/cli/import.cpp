#include <filesystem>
#include <map>
#include <vinculum/tools.hpp>

#include "command.hpp"

namespace vinculum::cli {
namespace {

struct ImportArguments {
  std::string robot, output;
  ImportOptions options;
};

int import_file(const ImportArguments& arguments) {
  std::error_code error;
  if (!arguments.output.empty() && std::filesystem::equivalent(arguments.robot, arguments.output, error))
    return print_usage("`" + arguments.output + "` is the file of the robot; the model needs another name");
  const auto robot = import_robot(arguments.robot, arguments.options);
  if (!robot) return print(robot.error());
  print_warning(robot->diagnostics.text);
  if (arguments.output.empty()) {
    print_warning(robot->summary());
    print(robot->text);
    return kRight;
  }
  if (const auto written = write_text(arguments.output, robot->text); !written) return print(written.error());
  print(robot->summary() + "wrote " + arguments.output + "\n");
  return kRight;
}

}  // namespace

void add_import(CLI::App& app, int& status) {
  static ImportArguments arguments;
  CLI::App* command = app.add_subcommand("import", "a model of a robot in a URDF or SDF file");
  command->add_option("robot", arguments.robot, "the robot's file, such as robot.urdf or robot.sdf")->required();
  command->add_option("-o,--output", arguments.output, "file for the model, instead of printing it");
  const std::map<std::string, RobotBase> bases = {{"fixed", RobotBase::kFixed}, {"floating", RobotBase::kFloating}};
  const std::map<std::string, RobotLimits> limits = {
      {"none", RobotLimits::kNone}, {"spring", RobotLimits::kSpring}, {"contact", RobotLimits::kContact}};
  command
      ->add_option_function<std::string>(
          "--base", [bases](const std::string& word) { arguments.options.base = bases.at(word); },
          "fixed (default): the ground carries the root; floating: it moves freely")
      ->check(CLI::IsMember({"fixed", "floating"}));
  command
      ->add_option_function<std::string>(
          "--limits", [limits](const std::string& word) { arguments.options.limits = limits.at(word); },
          "limits of joints: none (default, as comments), spring, contact (rigid stops)")
      ->check(CLI::IsMember({"none", "spring", "contact"}));
  command->add_flag("--fix-inertia", arguments.options.fix_inertia,
                    "replace an inertia that no body can have by the nearest possible one");
  command->callback([&status] { status = import_file(arguments); });
}

}  // namespace vinculum::cli
