#include <filesystem>
#include <map>

#include "command.hpp"
#include "interrupts.hpp"
#include "progress.hpp"

namespace vinculum::cli {

void Common::add_model(CLI::App* command) { command->add_option("MODEL", model, "model file")->required(); }

void Common::add_set(CLI::App* command) {
  command->add_option("--set", sets, "set a parameter: p=2.5 or \"p=2.5 [kg]\"")->allow_extra_args(false);
}

void Common::add_json(CLI::App* command) { command->add_flag("--json", json, "print JSON"); }

void Common::add_backend(CLI::App* command) {
  static const std::map<std::string, Backend> kBackends = {
      {"native", Backend::kNative}, {"tape", Backend::kTape}, {"interpreter", Backend::kInterpreter}};
  command
      ->add_option_function<std::string>(
          "--backend", [this](const std::string& name) { backend = kBackends.at(name); },
          "how the equations are evaluated: native (default), tape, interpreter; all give the same numbers")
      ->check(CLI::IsMember({"native", "tape", "interpreter"}));
  command->add_flag("!--no-cache", has_cache, "neither read nor write the cache of compiled kernels");
}

std::optional<Settings> Common::settings() const {
  Settings settings;
  settings.backend = backend;
  if (!has_cache) settings.cache = "";
  for (const std::string& set : sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      print_usage("`--set " + set + "` is not of the form `--set name=value`");
      return std::nullopt;
    }
    settings.set.emplace_back(set.substr(0, equals), set.substr(equals + 1));
  }
  return settings;
}

std::optional<Model> Common::load(int& status) const {
  status = kUsage;
  std::optional<Settings> settings = this->settings();
  if (!settings) return std::nullopt;
  const auto loaded = Model::load(model, *std::move(settings));
  if (!loaded) {
    status = print(loaded.error(), json);
    return std::nullopt;
  }
  status = kRight;
  return *loaded;
}

std::string Common::results_folder() const { return "results/" + std::filesystem::path(model).stem().string(); }

int print_usage(std::string_view text) {
  print_warning("vinculum: " + std::string(text) + "\n");
  return kUsage;
}

int print(const Error& error, bool json) {
  if (json && error.about == Error::About::kModel) {
    print(error.json());
  } else {
    print_warning(error.text());
  }
  if (error.kind == "interrupted") return kInterrupted;
  return error.about == Error::About::kCall ? kUsage : kWrong;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i <= list.size() && !list.empty(); ++i) {
    if (i < list.size() && list[i] == '[') ++depth;  // `edge[1,2]` is one name
    if (i < list.size() && list[i] == ']' && depth > 0) --depth;
    if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
    std::string word = list.substr(begin, i - begin);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    words.push_back(std::move(word));
    begin = i + 1;
  }
  return words;
}

Result<Trajectory> run_watched(const Model& model, RunOptions options) {
  Progress progress;
  options.progress = [&progress](double t, double until) { progress.show(t, until); };
  options.on_note = [&progress](const Note& note) { progress.say("note: " + note.message); };
  options.is_interrupted = &Interrupts::is_asked;
  return model.run(options);
}

}  // namespace vinculum::cli
