#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/api/shared.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/record_file.hpp"
#include "vinculum/model/unit_texts.hpp"

// Records of inputs for a run.
namespace vinculum {
namespace {

std::vector<std::string> names_of_inputs(const Model::Shared& model) {
  std::vector<std::string> names;
  for (const Entity& input : model.inputs) names.push_back(input.name);
  return names;
}

/// Reads the file of a record into its numbers.
Result<void> read_file(const model::Model& model, const model::Input& input, InputRecord& record) {
  elaborate::RecordFile file = elaborate::read_record(record.file, record.name);
  const std::string name = "`" + record.file.string() + "`";
  if (!file.problem.empty())
    return wrong_call(fmt::format("the record of input `{}` in {}: {}", record.name, name, file.problem));
  const std::string unit = unit_of(model, input.dimension).si;
  if (model.has_units && file.dimension != input.dimension) {
    return wrong_call(
        file.has_unit
            ? fmt::format("the record of input `{}` in {} is in another unit than [{}], the input's", record.name, name,
                          unit)
            : fmt::format("the record of input `{}` in {} gives no unit: write `{} [{}]` as the title of its column",
                          record.name, name, record.name, unit));
  }
  record.t = std::move(file.t);
  record.values = std::move(file.values);
  return {};
}

Result<void> judge_numbers(const InputRecord& record) {
  const std::string what = "the record of input `" + record.name + "`";
  if (record.t.empty() && record.values.empty())
    return wrong_call(what + " has no rows: it came from a program, or was left out");
  if (record.t.size() != record.values.size())
    return wrong_call(fmt::format("{} has {} times and {} values", what, record.t.size(), record.values.size()));
  for (std::size_t i = 0; i < record.t.size(); ++i) {
    if (!std::isfinite(record.t[i]) || !std::isfinite(record.values[i]))
      return wrong_call(fmt::format("{} holds a number that is not finite, in row {}", what, i));
    if (i > 0 && !(record.t[i] > record.t[i - 1]))
      return wrong_call(
          fmt::format("{}: the time {} s is not after {} s, in row {}", what, record.t[i], record.t[i - 1], i));
  }
  return {};
}

}  // namespace

Result<InputRecord> InputRecord::parse(std::string_view text) {
  const auto wrong = [&] {
    return wrong_call(fmt::format("`{}` gives no record of an input: write `u=FILE` or `u=FILE,linear`", text));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return wrong();
  InputRecord record{std::string(text.substr(0, equals))};
  std::string_view file = text.substr(equals + 1);
  if (const std::size_t comma = file.rfind(','); comma != std::string_view::npos) {
    std::string_view how = file.substr(comma + 1);
    while (how.starts_with(' ')) how.remove_prefix(1);
    if (how == "linear" || how == "hold") {
      record.is_linear = how == "linear";
      file = file.substr(0, comma);
    }
  }
  if (file.empty()) return wrong();
  record.file = std::filesystem::path(std::string(file));
  return record;
}

Result<std::vector<sim::InputRecord>> input_records(const Model::Shared& shared, std::span<const InputRecord> given,
                                                    double begin, double duration) {
  const model::Model& model = *shared.model;
  std::vector<sim::InputRecord> records;
  for (InputRecord record : given) {
    const auto input = std::ranges::find(model.inputs, record.name, &model::Input::name);
    if (input == model.inputs.end()) return no_such("input", record.name, names_of_inputs(shared));
    const auto index = static_cast<std::size_t>(input - model.inputs.begin());
    if (std::ranges::find(records, index, &sim::InputRecord::input) != records.end())
      return wrong_call("input `" + record.name + "` has two records");
    if (!record.file.empty()) {
      if (auto done = read_file(model, *input, record); !done) return Unexpected<Error>{done.error()};
    }
    if (auto done = judge_numbers(record); !done) return Unexpected<Error>{done.error()};
    const double same = tolerance::kSameTime * duration;
    if (record.t.front() > begin + same)
      return wrong_call(fmt::format("the record of input `{}` begins at {} s, after the run, which begins at {} s",
                                    record.name, record.t.front(), begin));
    if (record.t.back() < begin + duration - same)
      return wrong_call(
          fmt::format("the record of input `{}` ends at {} s, before the run, which ends at {} s: add "
                      "rows, or end the run there",
                      record.name, record.t.back(), begin + duration));
    records.push_back({index, std::move(record.t), std::move(record.values), record.is_linear});
  }
  return records;
}

}  // namespace vinculum
