#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/files/folder.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum {

struct Results::Own {
  files::Folder folder;
  Formats formats;
  std::map<std::string, std::shared_ptr<files::Unfinished>, std::less<>> begun = {};  ///< unfinished files by name
};

inline constexpr const char *kTrajectoryFile = "trajectory.csv", *kEnergyFile = "energy.csv", *kLoadsFile = "loads.csv",
                            *kSensitivitiesFile = "sensitivities.csv";
inline constexpr const char *kTrajectoryParquet = "trajectory.parquet", *kEnergyParquet = "energy.parquet";
/// The files that a run, a comparison, a linearization, a periodic motion and a root locus, respectively, may write. No
/// other file in the folder is changed.
[[nodiscard]] const files::FileSet& run_files();
[[nodiscard]] const files::FileSet& compare_files();
[[nodiscard]] const files::FileSet& linear_files();
[[nodiscard]] const files::FileSet& periodic_files();
[[nodiscard]] const files::FileSet& root_locus_files();

/// Writes `files`, which belong to `set`, to the results folder.   \returns the names of the written files.
[[nodiscard]] Result<std::vector<std::string>> write_files(Results& results, const files::FileSet& set,
                                                           std::span<const files::NamedFile> files);
/// Calls `written.write(results)` with a folder that is opened for this call.
template <class Written>
[[nodiscard]] Result<std::vector<std::string>> write_alone(const Written& written, const std::filesystem::path& folder,
                                                           Formats formats = {}) {
  auto results = Results::open(folder, formats);
  if (!results) return Unexpected<Error>{results.error()};
  return written.write(*results);
}

}  // namespace vinculum
