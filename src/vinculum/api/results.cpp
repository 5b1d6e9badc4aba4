#include "vinculum/api/results.hpp"

#include "vinculum/api/shared.hpp"

namespace vinculum {

const files::FileSet& run_files() {
  static const files::FileSet set{"result.json",
                                  {kTrajectoryFile, kEnergyFile, kTrajectoryParquet, kEnergyParquet, kLoadsFile,
                                   kSensitivitiesFile, "events.csv", "impulses.csv", "report.html"}};
  return set;
}

const files::FileSet& compare_files() {
  static const files::FileSet set{"compare.json", {"compare.csv", "ladder.csv", "compare.gp", "report.html"}};
  return set;
}

const files::FileSet& linear_files() {
  static const files::FileSet set{"linear.json", {"A.csv", "B.csv", "C.csv", "D.csv", "modes.csv"}};
  return set;
}

const files::FileSet& periodic_files() {
  static const files::FileSet set{"periodic.json", {"M.csv", "multipliers.csv"}};
  return set;
}

const files::FileSet& root_locus_files() {
  static const files::FileSet set{"root_locus.json", {"eigenvalues.csv"}};
  return set;
}

Results::Results(std::unique_ptr<Own> own) : own_(std::move(own)) {}
Results::~Results() = default;
Results::Results(Results&&) noexcept = default;
Results& Results::operator=(Results&&) noexcept = default;

Result<Results> Results::open(const std::filesystem::path& folder, Formats formats) {
  auto taken = files::Folder::take(folder);
  if (!taken) return wrong_call(std::move(taken.error()));
  for (const files::FileSet* set :
       {&run_files(), &compare_files(), &linear_files(), &periodic_files(), &root_locus_files()}) {
    if (auto done = taken->check(*set); !done) return wrong_call(std::move(done.error()));
  }
  return Results(std::make_unique<Own>(Own{*std::move(taken), formats}));
}

Result<std::vector<std::string>> write_files(Results& results, const files::FileSet& set,
                                             std::span<const files::NamedFile> files) {
  if (auto done = results.own().folder.replace(set, files); !done) return wrong_call(std::move(done.error()));
  std::vector<std::string> names;
  for (const files::NamedFile& file : files) names.push_back(file.name);
  return names;
}

}  // namespace vinculum
