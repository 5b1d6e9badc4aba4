#pragma once

#include "vinculum/api/shared.hpp"
#include "vinculum/report/compare_report.hpp"

/// Implementation of `Comparison`.
namespace vinculum {

struct Comparison::Shared {
  std::shared_ptr<const Model::Shared> model;  ///< the model as its file states it
  report::CompareReport report;
  std::vector<Variant> variants;
  Diagnostics diagnostics;
};

}  // namespace vinculum
