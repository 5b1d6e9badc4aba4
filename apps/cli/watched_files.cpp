#include "watched_files.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vinculum/tools.hpp>
#include <vinculum/vinculum.hpp>

namespace vinculum::cli {

namespace fs = std::filesystem;

namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
// time after the last change of a file after which an editor that writes in several steps has finished
constexpr auto kSettled = std::chrono::milliseconds(30);
constexpr std::size_t kMostFiles = 1000;

/// All texts within double quotes in `text`.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t open = text.find('"'); open != text.npos;) {
    const std::size_t close = text.find_first_of("\"\n", open + 1);
    if (close == text.npos) break;
    if (text[close] == '"') found.push_back(text.substr(open + 1, close - open - 1));
    open = text.find('"', close + (text[close] == '"' ? 1 : 0));
  }
  return found;
}

}  // namespace

WatchedFiles::WatchedFiles(fs::path model) : model_(std::move(model)) { add(model_); }

WatchedFiles::Stamp WatchedFiles::stamp_of(const fs::path& file) {
  std::error_code none;
  Stamp stamp{file};
  const auto saved = fs::last_write_time(file, none);
  if (!none) stamp.saved = saved;
  const auto size = fs::file_size(file, none);
  if (!none) stamp.size = size;
  return stamp;
}

std::vector<WatchedFiles::Stamp> WatchedFiles::stamps() const {
  std::vector<Stamp> now;
  for (const Stamp& one : seen_) now.push_back(stamp_of(one.file));
  return now;
}

void WatchedFiles::add(const fs::path& file) {
  if (seen_.size() >= kMostFiles || std::ranges::find(seen_, file, &Stamp::file) != seen_.end()) return;
  seen_.push_back(stamp_of(file));
  if (file != model_ && file.extension() != ".vin") return;
  const auto text = read_text(file);
  if (!text) return;
  for (const std::string& name : quoted(*text)) {
    const fs::path named = model_.parent_path() / name;
    std::error_code none;
    if (fs::is_regular_file(named, none)) add(named);
  }
}

bool WatchedFiles::have_changed() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ < kBetweenLooks) return false;
  last_look_ = now;
  std::vector<Stamp> found = stamps();
  if (found == seen_) return false;
  for (std::vector<Stamp> before; before != found; found = stamps()) {
    before = found;
    std::this_thread::sleep_for(kSettled);
  }
  seen_.clear();  // the changed text may name other files
  add(model_);
  return true;
}

}  // namespace vinculum::cli
