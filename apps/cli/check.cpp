#include "command.hpp"
#include "load.hpp"

namespace vinculum::cli {

int check(const std::string& model, const CommonOptions& common) {
  const auto loaded = load(model, common);
  if (!loaded) return kUsage;
  print_diagnostics(*loaded, common.json);
  return loaded->model ? kRight : kWrong;
}

}  // namespace vinculum::cli
