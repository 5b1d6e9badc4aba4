// Time from text to first step: a new process reads the model, derives, compiles, assembles, and runs for a short time.
// Goals: 40 ms with the kernel in the disk cache, 200 ms with an empty cache (medians, wall clock of the whole
// process).

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

double seconds_of(const std::string& line) {
  const auto begin = std::chrono::steady_clock::now();
  const int status = std::system(line.c_str());
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("failed: " + line);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace

int main() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("vinculum-first-step-{}", ::getpid());
  fs::create_directories(folder);
  const fs::path cache = folder / "cache";
  for (const char* model : {"pucks_parallel", "double_pendulum", "four_bar", "kepler"}) {
    const std::string line =
        fmt::format("cd '{}' && VINCULUM_CACHE='{}' '{}' run --until 1e-9 -o out '{}/{}.vin' >/dev/null",
                    folder.string(), cache.string(), VINCULUM_COMMAND, VINCULUM_MODELS, model);
    std::vector<double> cold;
    std::vector<double> warm;
    for (int i = 0; i < 11; ++i) {
      fs::remove_all(cache);
      cold.push_back(seconds_of(line));
      warm.push_back(seconds_of(line));
    }
    fmt::print("{:<20} cold {:6.1f} ms (goal 200)   warm {:6.1f} ms (goal 40)   medians of {}\n", model,
               median(cold) * 1e3, median(warm) * 1e3, cold.size());
  }
  fs::remove_all(folder);
}
