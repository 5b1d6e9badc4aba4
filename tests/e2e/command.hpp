#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace vinculum::test_support {

/// What a command printed and how it ended.
struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

/// A fresh folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vinculum-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream stream(path_ / name, std::ios::binary);
    std::ostringstream content;
    content << stream.rdbuf();
    return std::move(content).str();
  }

 private:
  std::filesystem::path path_;
};

/// Runs `vinculum ARGUMENTS` in the folder, with a cache of its own there.
inline Ran run_command(const Folder& folder, const std::string& arguments) {
  const std::string where = folder.path().string();
  const std::string line = "cd '" + where + "' && VINCULUM_CACHE='" + where + "/cache' '" VINCULUM_COMMAND "' " +
                           arguments + " >'" + where + "/.out' 2>'" + where + "/.err'";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read(".out"), folder.read(".err")};
}

}  // namespace vinculum::test_support
