#pragma once

#include "vinculum/api/force_table.hpp"
#include "vinculum/api/load_account.hpp"
#include "vinculum/api/loads.hpp"
#include "vinculum/api/provenance.hpp"
#include "vinculum/files/staged.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/report/run_report.hpp"
#include "vinculum/run/energy_account.hpp"

namespace vinculum::sensitivity {
class Sensitivities;
}

/// Implementation of `Trajectory`.
namespace vinculum {

/// The derivatives at the end of a run, in text and JSON; why there are none, if the motion is not smooth.
[[nodiscard]] report::Node sensitivities_node(const Trajectory::Shared& of);

struct Trajectory::Shared {
  std::shared_ptr<const Model::Shared> model;
  Model::Shared::SharedBinding bound;
  sim::Trajectory run;
  std::optional<sim::EnergyAccount> account;
  std::optional<LoadAccount> loads;
  std::shared_ptr<sensitivity::Sensitivities> sensitivities;  ///< null unless `RunOptions::sensitivity` was given
  std::string loads_in;                                       ///< frame of the components of loads
  bool has_asked = false;                                     ///< `RunOptions::at` was given
  bool is_streamed = false;  ///< samples were written to the files of `RunOptions::into`
  std::weak_ptr<files::Unfinished> streamed;
  std::vector<double> t;
  Array q, u, z;
  std::optional<Error> stopped;
  std::vector<Note> notes;
  Statistics statistics;
  Provenance provenance;

  /// The derivatives by one of the quantities of `sensitivities`; an Error of kind "not-smooth" as by
  /// `Trajectory::sensitivity`.
  [[nodiscard]] Result<Sensitivity> derivatives(std::string_view of, SensitivityAt at) const;
  /// Makes a column with `components` numbers for each complete sample; `read` returns the numbers of a sample.
  template <class Read>
  [[nodiscard]] Column column(std::string name, std::string unit, int components, Read read) const {
    Column column{std::move(name), std::move(unit), "", components, {}, {}};
    for (const sim::Sample& sample : run.samples) {
      for (int k = 0; k < components; ++k) column.values.push_back(read(sample, k));
    }
    return column;
  }
  [[nodiscard]] Column column(const report::Column& one, int component) const;
  [[nodiscard]] Result<Column> from_table(ForceTable::Kind kind, std::string_view constraint,
                                          std::string_view on) const;
  [[nodiscard]] report::StageSeconds seconds() const {
    return {model->seconds_parse, statistics.seconds_read, statistics.seconds_derive, statistics.seconds_compile,
            statistics.seconds_run};
  }
  /// \pre loads were recorded
  [[nodiscard]] Loads all_loads() const { return {loads_in, loads->loads()}; }
  [[nodiscard]] report::Node report() const {
    report::Node node = report::run_report(*bound, report::columns_of(*bound), run, seconds(), has_asked);
    if (loads) node.add("loads", loads_node(*bound->compiled->model, all_loads()));
    if (sensitivities) node.add("sensitivities", sensitivities_node(*this));
    node.add("provenance", provenance_node(provenance));
    return node;
  }
};

}  // namespace vinculum
