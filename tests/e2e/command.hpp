#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/folder.hpp"

namespace vinculum::test_support {

/// What a command printed and how it ended.
struct Ran {
  int status = -1;
  std::string out;
  std::string err;
};

/// A line of the shell for a folder with a cache of its own, in which `$VINCULUM` is the command.
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

/// Runs `vinculum ARGUMENTS` in the folder, with a cache of its own there.
inline Ran run_command(const Folder& folder, const std::string& arguments) {
  return run_line(folder, "\"$VINCULUM\" " + arguments);
}

}  // namespace vinculum::test_support
