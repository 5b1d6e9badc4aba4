#pragma once

#include "vinculum/api/shared.hpp"
#include "vinculum/report/compare_report.hpp"

/// A comparison behind the public API.
namespace vinculum {

struct Comparison::Shared {
  std::shared_ptr<const Model::Shared> model;  ///< as the file has it
  report::CompareReport report;
  std::vector<Variant> variants;
  Diagnostics diagnostics;
};

}  // namespace vinculum
