#include "vinculum/files/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <ostream>
#include <ranges>

namespace vinculum::files {
namespace {

// Prefix of the temporary files that exist while the old set is removed and the new set is put in its place
constexpr std::string_view kPrefix = ".vinculum-results-";
constexpr std::string_view kBegun = ".vinculum-run-";  // prefix of temporary files while the old set is still untouched
constexpr std::size_t kTrial = 1 << 16;  // bytes written as a trial before the work, so that a full disk is found early
constexpr mode_t kFolderMode = 0777;     // reduced by the user's umask
constexpr int kMostAttempts = 1000;      // to open a folder that other writers make and remove

Descriptor open_folder(const std::filesystem::path& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// Status of the entry with that name, without following links; nothing if there is none.
std::optional<struct stat> look_at(int folder, const std::string& name) {
  struct stat seen{};
  if (::fstatat(folder, name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return seen;
}

/// Whether the file system does not support locks; the folder is then used without one.
bool has_no_locks(int error) { return error == ENOLCK || error == ENOTSUP || error == EBADF || error == EINVAL; }

/// Names of temporary files that a killed writer has left.
std::vector<std::string> hidden_names(int folder) {
  std::vector<std::string> names;
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy), &::closedir);
  if (!entries) ::close(copy);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if ((name.starts_with(kPrefix) || name.starts_with(kBegun)) && name.ends_with(Staged::kEnding))
      names.emplace_back(name);
  }
  return names;
}

}  // namespace

Folder::Folder(Folder&& other) noexcept
    : path_(std::move(other.path_)),
      folder_(std::move(other.folder_)),
      made_(std::exchange(other.made_, {})),
      is_cut_(other.is_cut_) {}

Folder::~Folder() {
  for (const std::filesystem::path& one : made_ | std::views::reverse) {
    if (::rmdir(one.c_str()) != 0) break;  // not empty: files have been written into it
  }
}

Unexpected<std::string> Folder::cannot(const std::string& why) const {
  return {fmt::format("the results cannot be written into `{}`: {}", path_.string(), why)};
}

Done<Folder> Folder::take(const std::filesystem::path& path) {
  Folder folder(path);
  for (const auto step : {&Folder::open, &Folder::tidy}) {
    if (auto done = (folder.*step)(); !done) return Unexpected<std::string>{done.error()};
  }
  const auto tried =
      Staged::make(folder.folder_.number(), kPrefix, [](std::ostream& stream) { stream << std::string(kTrial, '\n'); });
  if (!tried) return folder.cannot(tried.error());
  return folder;
}

Done<void> Folder::make() {
  std::filesystem::path above;
  for (const std::filesystem::path& part : path_) {
    above /= part;
    if (::mkdir(above.c_str(), kFolderMode) == 0) {
      if (std::ranges::find(made_, above) == made_.end()) made_.push_back(above);
    } else if (const int error = errno; error != EEXIST) {
      std::error_code ignored;
      if (std::filesystem::is_directory(above, ignored)) continue;
      errno = error;
      return cannot(reason_of_system());
    }
  }
  return {};
}

/// Opens and locks the folder. If the writer that made it removes it before it is open and locked, it is made again.
Done<void> Folder::open() {
  for (int attempt = 1;; ++attempt) {
    if (auto done = make(); !done) return done;
    folder_ = open_folder(path_);
    if (!folder_ && errno == ENOENT && attempt < kMostAttempts) continue;
    if (!folder_) return cannot(reason_of_system());
    if (::flock(folder_.number(), LOCK_EX | LOCK_NB) != 0 && !has_no_locks(errno)) {
      const bool is_taken = errno == EWOULDBLOCK;
      const std::string why = reason_of_system();
      made_.clear();  // the writer that has locked the folder needs it
      if (!is_taken) return cannot(why);
      return Unexpected<std::string>{fmt::format(
          "another run writes its results into `{}`; wait for its end, or name another folder", path_.string())};
    }
    struct stat held{}, named{};
    const bool is_there = ::fstat(folder_.number(), &held) == 0 && ::stat(path_.c_str(), &named) == 0;
    if (is_there && held.st_ino == named.st_ino && held.st_dev == named.st_dev) return {};
  }
}

Done<void> Folder::tidy() {
  for (const std::string& name : hidden_names(folder_.number())) {
    is_cut_ = is_cut_ || name.starts_with(kPrefix);
    if (::unlinkat(folder_.number(), name.c_str(), 0) != 0) return cannot(reason_of_system());
  }
  return {};
}

Done<void> Folder::check(const FileSet& set) const {
  std::vector<std::string_view> names = set.others;
  names.push_back(set.seal);
  for (const std::string_view name : names) {
    const auto seen = look_at(folder_.number(), std::string(name));
    if (!seen || !S_ISDIR(seen->st_mode)) continue;
    return Unexpected<std::string>{
        fmt::format("`{}` is a folder, where a file of the results belongs; move it away, or name another folder",
                    (path_ / name).string())};
  }
  return {};
}

Done<std::shared_ptr<Unfinished>> Folder::begin() {
  auto file = Unfinished::begin(folder_.number(), kBegun);
  if (!file) return cannot(file.error());
  return std::make_shared<Unfinished>(*std::move(file));
}

Done<void> Folder::replace(const FileSet& set, std::span<const NamedFile> files) {
  if (auto done = check(set); !done) return done;
  std::vector<Staged> staged;
  for (const NamedFile& file : files) {
    auto one = file.begun ? file.begun->finish() : Staged::make(folder_.number(), kPrefix, file.write);
    if (!one) return cannot(one.error() + "; the results before are unchanged");
    staged.push_back(*std::move(one));
  }
  // From here on no disk space is needed. Order: remove the old seal and the other old files, place the new files,
  // place the new seal.
  const std::string seal(set.seal);
  const bool is_replaced = is_cut_ || look_at(folder_.number(), seal);
  const auto remove = [this](const std::string& name) {
    return ::unlinkat(folder_.number(), name.c_str(), 0) == 0 || errno == ENOENT;
  };
  if (!remove(seal)) return cannot(reason_of_system());
  for (const std::string_view name : set.others) {
    const bool is_new = std::ranges::find(files, name, &NamedFile::name) != files.end();
    if ((is_replaced || is_new) && !remove(std::string(name))) return cannot(reason_of_system());
  }
  const auto place = [&](bool is_seal) -> Done<void> {
    for (std::size_t i = 0; i < files.size(); ++i) {
      if ((files[i].name == set.seal) != is_seal) continue;
      if (auto done = staged[i].place(files[i].name); !done) return cannot(done.error());
    }
    return {};
  };
  if (auto done = place(false); !done) return done;
  if (auto done = place(true); !done) return done;
  made_.clear();
  is_cut_ = false;
  if (::fsync(folder_.number()) != 0 && errno != EINVAL) return cannot(reason_of_system());
  return {};
}

Done<void> replace_file(const std::filesystem::path& path, std::string_view text) {
  const auto cannot = [&path](const std::string& why) {
    return Unexpected<std::string>{fmt::format("`{}` cannot be written: {}", path.string(), why)};
  };
  const Descriptor folder = open_folder(path.has_parent_path() ? path.parent_path() : ".");
  if (!folder) return cannot(reason_of_system());
  const std::string name = path.filename().string();
  const auto before = look_at(folder.number(), name);
  auto staged = Staged::make(folder.number(), fmt::format(".{}-", name), [text](std::ostream& s) { s << text; });
  if (!staged) return cannot(staged.error());
  if (before && S_ISREG(before->st_mode)) staged->permit(before->st_mode);
  if (auto done = staged->place(name); !done) return cannot(done.error());
  return {};
}

}  // namespace vinculum::files
