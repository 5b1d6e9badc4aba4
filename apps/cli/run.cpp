#include <algorithm>
#include <filesystem>

#include "command.hpp"
#include "interrupts.hpp"
#include "manual.hpp"
#include "page.hpp"
#include "pixels.hpp"

namespace vinculum::cli {
namespace {

/// Drawings of a motion that are requested in addition to its results.
struct Drawings {
  bool has_page = false;
  SceneSamples samples = SceneSamples::kFewest;  ///< selection of samples for the page
  std::string svg, png;                          ///< file names; empty: no such drawing
  std::string names;                             ///< quantities to draw, separated by commas; empty: all

  [[nodiscard]] bool has_lines() const { return !svg.empty() || !png.empty(); }
  [[nodiscard]] bool is_any() const { return has_page || has_lines(); }
};

/// Splits at the commas that are outside brackets.
std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all;
  int depth = 0;
  for (const char c : names.empty() ? std::string() : names + ',') {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (all.empty()) all.emplace_back();
    if (c == ',' && depth == 0)
      all.emplace_back();
    else if (c != ' ')
      all.back() += c;
  }
  if (!all.empty()) all.pop_back();
  return all;
}

int write_lines(const Trajectory& motion, const Drawings& drawings, bool is_quiet) {
  const auto picture = motion.svg(split(drawings.names));
  if (!picture) return print(picture.error());
  if (!drawings.svg.empty()) {
    if (const auto done = write_text(drawings.svg, *picture); !done) return print(done.error());
    if (!is_quiet) print("wrote " + drawings.svg + "\n");
  }
  if (drawings.png.empty()) return kRight;
  const auto pixels = png_of(*picture);
  if (!pixels) return print(pixels.error());
  if (const auto done = write_text(drawings.png, *pixels); !done) return print(done.error());
  if (!is_quiet) print("wrote " + drawings.png + "\n");
  return kRight;
}

/// Repeats the motion with the samples that a drawing needs; the motion itself is the same.
int draw(const Model& model, RunOptions options, const std::string& blank, const std::string& folder,
         const Drawings& drawings, bool is_quiet) {
  options.record = {.energy = drawings.has_page, .scene = true, .audit = drawings.has_page};
  options.into = nullptr;
  const auto motion = model.run(options);
  if (!motion) return print(motion.error());
  if (motion->t().empty()) return kRight;
  const int plot = drawings.has_lines() ? write_lines(*motion, drawings, is_quiet) : kRight;
  const int page = drawings.has_page ? write_page(motion->scene(drawings.samples), blank, folder, is_quiet) : kRight;
  return plot == kRight ? page : plot;
}

/// Before the run, reports why the drawing after it would fail: a missing folder, no program for PNG, or a name that is
/// not in the model.
int foresee(const Model& model, const Drawings& drawings) {
  if (!drawings.has_lines()) return kRight;
  for (const std::string& file : {drawings.svg, drawings.png}) {
    const auto folder = std::filesystem::path(file).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
      return print_usage("`" + file + "` cannot be written: there is no folder `" + folder.string() + "`");
  }
  if (!drawings.png.empty() && !has_pixels()) return print_usage(kWithoutPixels);
  if (drawings.names.empty()) return kRight;
  const auto begun = model.run({.until = 0.0});
  if (!begun || begun->t().empty()) return kRight;  // the run will report the reason
  const auto picture = begun->svg(split(drawings.names));
  return picture ? kRight : print(picture.error());
}

/// Makes the end of finished results the start of this run. Their options are used too, unless others are stated.
int go_on_from(const std::string& from, const std::string& folder, const Model& model, const FinishedRun& before,
               RunOptions& options) {
  std::error_code none;
  if (std::filesystem::equivalent(from, folder, none))
    return print_usage("`" + from + "` would be overwritten by the run that continues it: name another folder by `-o`");
  auto state = before.end(model);
  if (!state) return print(state.error());
  if (model.text_hash() != before.provenance.text_hash)
    print_warning("vinculum: note: " + from + " comes from a text that differs from this model\n");
  options.start = *std::move(state);
  if (!options.tolerance) options.tolerance = before.options.tolerance;
  if (!options.method) options.method = before.options.method;
  if (!options.formulation) options.formulation = before.options.formulation;
  if (!options.step) options.step = before.options.step;
  if (options.inputs.empty()) options.inputs = before.options.inputs;
  return kRight;
}

/// Reads the texts of the options `--input`.
int read_inputs(const std::vector<std::string>& texts, RunOptions& options) {
  for (const std::string& text : texts) {
    auto record = InputRecord::parse(text);
    if (!record) return print_usage("`--input " + text + "`: write `--input u=FILE` or `--input u=FILE,linear`");
    options.inputs.push_back(*std::move(record));
  }
  return kRight;
}

int run(Common common, RunOptions options, const std::string& from, std::string folder, Formats formats,
        const Drawings& drawings) {
  if (!drawings.names.empty() && !drawings.has_lines())
    return print_usage("`--plot` chooses the lines of a picture: add `--svg FILE` or `--png FILE`");
  const auto blank = drawings.has_page ? blank_page() : std::string();
  if (!blank) return print(blank.error());
  if (!drawings.has_page && drawings.samples != SceneSamples::kFewest)
    return print_usage("`--samples` is for the page of `--report`: add `--report`");
  std::optional<FinishedRun> before;
  if (!from.empty()) {
    auto found = FinishedRun::read(from);
    if (!found) return print(found.error());
    before = *std::move(found);
    for (const auto& [name, value] : before->provenance.set) {
      const bool is_stated =
          std::ranges::any_of(common.sets, [&](const auto& set) { return set.starts_with(name + '='); });
      if (!is_stated) common.sets.push_back(name + "=" + value);
    }
  }
  int status = kRight;
  const auto model = common.load(status);
  if (!model) return status;
  print_warning(model->diagnostics().text);
  if (status = foresee(*model, drawings); status != kRight) return status;
  if (folder.empty()) folder = common.results_folder();
  if (before) {
    if (status = go_on_from(from, folder, *model, *before, options); status != kRight) return status;
  }
  const Interrupts interrupts;
  auto results = Results::open(folder, formats);
  if (!results) return print(results.error());
  options.into = &*results;
  const auto motion = run_watched(*model, options);
  if (!motion) return print(motion.error());
  const auto files = motion->write(*results);
  const bool is_written = files && !files->empty();
  const Error* why = motion->stopped();
  status = why != nullptr && !why->is_stated_end() ? print(*why) : kRight;
  print(common.json ? motion->json()
                    : motion->text() + (is_written ? "wrote " + folder + "/" + listed(*files) + "\n" : ""));
  if (!files) return print(files.error());
  for (const std::string& name : options.sensitivity) {
    const auto derivatives = motion->sensitivity(name);
    if (status != kRight) break;
    if (!derivatives)
      status = print(derivatives.error());
    else if (derivatives->ended)
      status = print(*derivatives->ended);
  }
  const int drawn = drawings.is_any() ? draw(*model, options, *blank, folder, drawings, common.json) : kRight;
  return status == kRight ? drawn : status;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  static Common common;
  static RunOptions options;
  static std::string folder, from, sensitivity;
  static Formats formats;
  static Drawings drawings;
  static std::vector<std::string> inputs;
  CLI::App* command = app.add_subcommand("run", "compute the motion: a short table, CSV and JSON");
  common.add_model(command);
  command->add_option("-o,--output", folder, "results folder (default results/ and the model file's name)")
      ->type_name(kFolder);
  command
      ->add_option("--from", from,
                   "results folder of an earlier run: begin in its last state, exact to the bit, with its parameters "
                   "and options unless others are stated")
      ->type_name(kFolder);
  Common::add_motion(command, options);
  command
      ->add_option("--input", inputs,
                   "values of an input: u=FILE, a CSV file with the time and a column, or u=FILE,linear")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  command->add_flag("--energy", options.record.energy,
                    "also write energies, the power of every load and constraint, and their balance to energy.csv");
  command->add_flag("--loads", options.record.loads,
                    "also print and write to loads.csv the peak, mean and root mean square of the force and torque of "
                    "every constraint along the run");
  command
      ->add_option("--loads-in", options.record.loads_in, "the same, with components in this frame, such as a body's")
      ->type_name("FRAME");
  command
      ->add_option(
          "--sensitivity", sensitivity,
          "also print and write to sensitivities.csv the derivatives of the motion by these parameters, and by "
          "the start values of these coordinates, speeds and states: \"m, x, x'\"")
      ->type_name("NAMES");
  command->add_flag(
      "--profile", options.record.profile,
      "also print the time of each part of the run and the number of solves by the pivoted solver, in text and JSON");
  command->add_flag("--parquet", formats.parquet, "also write trajectory.parquet and, with --energy, energy.parquet");
  command->add_flag("--report", drawings.has_page, "also write the page of `show`, report.html, to the results folder");
  add_samples(command, drawings.samples);
  command->add_option("--svg", drawings.svg, "also write an SVG plot over time to this file")->type_name(kFile);
  command
      ->add_option("--png", drawings.png,
                   "also write the plot as a PNG picture; needs rsvg-convert (Debian: librsvg2-bin)")
      ->type_name(kFile);
  command
      ->add_option("--plot", drawings.names,
                   "quantities of the plot, separated by commas (default: outputs, coordinates, speeds): \"q1, q1', "
                   "C1.x, multiplier(c), force(c, P)\"")
      ->type_name("NAMES");
  command->add_option("--at", options.at, "times in s that text and JSON show in addition to the end: 1,2,3")
      ->delimiter(',');
  command->add_option("--max-steps", options.most_steps, "end the run after this number of steps (default: no limit)");
  common.add_set(command);
  common.add_json(command);
  common.add_backend(command);
  command->callback([&status] {
    status = read_inputs(inputs, options);
    options.sensitivity = split(sensitivity);
    options.record.loads = options.record.loads || !options.record.loads_in.empty();
    if (status == kRight) status = run(common, options, from, folder, formats, drawings);
  });
}

}  // namespace vinculum::cli
