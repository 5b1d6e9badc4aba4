#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/folder.hpp"

namespace vinculum::test_support {

/// Output and exit status of a command.
struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

/// A shell line that runs in a folder with a separate cache; `$VINCULUM` is the command.
inline std::string in_folder(const Folder& folder, const std::string& line) {
  const std::string where = folder.path().string();
  return "cd '" + where + "' && VINCULUM='" VINCULUM_COMMAND "' && export VINCULUM VINCULUM_CACHE='" + where +
         "/cache' && " + line;
}

/// Runs such a line.
inline Ran run_line(const Folder& folder, const std::string& line) {
  const std::string where = folder.path().string();
  const int status =
      std::system((in_folder(folder, "{ " + line + "; } >'") + where + "/.out' 2>'" + where + "/.err'").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read(".out"), folder.read(".err")};
}

/// Runs `vinculum ARGUMENTS` in the folder, with a separate cache.
inline Ran run_command(const Folder& folder, const std::string& arguments) {
  return run_line(folder, "\"$VINCULUM\" " + arguments);
}

}  // namespace vinculum::test_support
