#include "vinculum/api/loads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/api/motion.hpp"
#include "vinculum/model/unit_texts.hpp"

namespace vinculum {
namespace {

std::string unit_of_load(const model::Model& model, const Load& load) {
  return model::unit_of_force(model, load.kind == "torque").si;
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

}  // namespace

report::Table loads_table(const model::Model& model, const Loads& loads) {
  using report::Table;
  std::vector<Table::Column> columns{{"constraint"}, {"on"},     {"kind"}, {"unit"},
                                     {"frame"},      {"unique"}, {"peak"}, {"t"}};
  columns.back().unit = model::unit_of_time(model).si;
  columns.insert(columns.end(), {{"rms"}, {"mean"}});
  for (const char* what : {"at_peak", "mean", "least", "largest"})
    for (const char* axis : {"x", "y", "z"}) columns.push_back({fmt::format("{}.{}", what, axis)});
  return {columns, loads.all.size(), [&model, loads](std::size_t row, std::size_t column) -> report::Node::Value {
            const Load& load = loads.all[row];
            switch (column) {
              case 0: return load.constraint;
              case 1: return load.on;
              case 2: return load.kind;
              case 3: return report::stated(unit_of_load(model, load));
              case 4: return load.frame.empty() ? report::Node::Value() : report::Node::Value(load.frame);
              case 5: return load.is_unique;
              case 6: return load.peak;
              case 7: return load.t;
              case 8: return load.rms;
              case 9: return load.mean;
              default: break;
            }
            const std::size_t at = column - 10;
            const std::array<const std::array<double, 3>*, 4> vectors{&load.at_peak, &load.mean_vector, &load.least,
                                                                      &load.largest};
            return (*vectors[at / 3])[at % 3];
          }};
}

report::Node loads_node(const model::Model& model, const Loads& loads) {
  report::Node all = report::Node::list();
  std::vector<std::vector<std::string>> lines{{"constraint", "on", "peak", "", "at t", "rms", "mean"}};
  bool is_starred = false;
  for (const Load& load : loads.all) {
    const std::string unit = unit_of_load(model, load);
    report::Node& node =
        all.add(report::Node::object({{"constraint", load.constraint},
                                      {"on", load.on},
                                      {"kind", load.kind},
                                      {"unit", report::stated(unit)},
                                      {"frame", load.frame.empty() ? report::Node() : report::Node(load.frame)},
                                      {"unique", load.is_unique},
                                      {"peak", load.peak},
                                      {"t", load.t},
                                      {"rms", load.rms},
                                      {"mean", load.mean},
                                      {"at_peak", report::Node(load.at_peak)},
                                      {"mean_vector", report::Node(load.mean_vector)},
                                      {"least", report::Node(load.least)},
                                      {"largest", report::Node(load.largest)},
                                      {"q", load.pose.q},
                                      {"u", load.pose.u}}));
    node.hush();
    if (!(load.peak > 0.0)) continue;
    is_starred = is_starred || !load.is_unique;
    lines.push_back({load.constraint, load.on, number(load.peak) + (load.is_unique ? "" : "*"), unit, number(load.t),
                     number(load.rms), number(load.mean)});
  }
  if (lines.size() > 1)
    all.said = "\nloads, magnitudes along the run\n" + report::aligned(lines, "  ") +
               (is_starred ? "  * not unique: redundant constraints\n" : "");
  return all;
}

Result<Loads> Trajectory::loads() const {
  if (!shared_->loads) return wrong_call("loads were not recorded: ask for `record.loads` in the options of the run");
  return shared_->all_loads();
}

}  // namespace vinculum
