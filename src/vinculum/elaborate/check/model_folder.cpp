#include "vinculum/elaborate/check/model_folder.hpp"

#include <algorithm>
#include <system_error>

namespace vinculum::elaborate {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [end, _] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

}  // namespace

Located locate_below(const fs::path& folder, const std::string& name, std::string_view what, std::uintmax_t largest) {
  const fs::path relative(name);
  const std::string thing(what);
  if (relative.empty()) return {{}, thing + " needs the name of its file"};
  if (name.find('\0') != std::string::npos || relative.is_absolute() || relative.has_root_name() ||
      std::ranges::find(relative, fs::path("..")) != relative.end()) {
    return {{}, thing + " must be in the model's folder or below it: `" + name + "` leads out of it"};
  }
  std::error_code error;
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return {{}, "the model's folder cannot be read"};
  const fs::path file = fs::canonical(root / relative, error);
  if (error) return {{}, "there is no file `" + name + "` in the model's folder"};
  if (!is_below(file, root))
    return {{}, thing + " must be in the model's folder or below it: `" + name + "` is a link that leads out of it"};
  if (!fs::is_regular_file(file, error) || error) return {{}, "`" + name + "` is not a file"};
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) return {{}, "the file `" + name + "` cannot be read"};
  if (size > largest) return {{}, "the file `" + name + "` is larger than " + std::to_string(largest >> 20) + " MiB"};
  return {file, {}};
}

}  // namespace vinculum::elaborate
