#include "vinculum/codegen/native.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "vinculum/codegen/background_compiler.hpp"
#include "vinculum/codegen/code_image.hpp"
#include "vinculum/codegen/compiler_module.hpp"
#include "vinculum/codegen/fingerprint.hpp"
#include "vinculum/codegen/native_kernel.hpp"
#include "vinculum/codegen/native_program.hpp"
#include "vinculum/codegen/object_cache.hpp"

namespace vinculum::codegen {
namespace {

using native::Level;

/// The programs of one compilation, with the data needed to compile them again later.
class Compilation {
 public:
  Compilation(std::span<const Tape> tapes, const std::string& cache_folder, std::string compiler)
      : compiler_(std::move(compiler)), cache_(cache_folder) {
    for (const Tape& tape : tapes) programs_.emplace_back(tape);
    for (const NativeProgram& program : programs_) views_.push_back(program.view());
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  /// Expected duration of an optimizing compilation: about 20 µs per instruction on one core.
  [[nodiscard]] std::chrono::microseconds expected_duration() const {
    constexpr std::size_t kMicrosecondsPerInstruction = 20;
    std::size_t count = 0;
    for (const native::Program& view : views_) count += view.instruction_count;
    return std::chrono::microseconds(kMicrosecondsPerInstruction * count);
  }

  [[nodiscard]] std::shared_ptr<const CodeImage> load(Level level) const {
    std::string ignored;
    const std::vector<unsigned char> image = cache_.load(key(level));
    return image.empty() ? nullptr : CodeImage::map(image, programs_.size(), ignored);
  }

  [[nodiscard]] std::shared_ptr<const CodeImage> compile(Level level, const std::atomic<bool>* cancel,
                                                         std::string& error) const {
    const native::CompileFunction function = open_compiler_module(error);
    if (function == nullptr) return nullptr;
    const std::vector<unsigned char> image = compile_image(function, views_, level, cancel, error);
    release_compiler_memory();
    if (image.empty()) return nullptr;
    std::shared_ptr<const CodeImage> mapped = CodeImage::map(image, programs_.size(), error);
    if (mapped != nullptr) cache_.store(key(mapped->level()), image);
    if (mapped != nullptr && mapped->level() == Level::kFull) has_best_ = true;
    return mapped;
  }

  /// Total time for which the unoptimized code was in use, as recorded in the cache; 0 if there is no record.
  [[nodiscard]] std::chrono::microseconds recorded_use() const {
    const std::vector<unsigned char> content = cache_.load(key(kUse));
    std::int64_t count = 0;
    if (content.size() == sizeof count) std::memcpy(&count, content.data(), sizeof count);
    return std::chrono::microseconds(std::max<std::int64_t>(count, 0));
  }

  /// Adds to the recorded time of use, unless optimized code is already available for the next request. A contribution
  /// may be lost if several processes write at the same time, or if memory is exhausted.
  void record_use(std::chrono::microseconds use) const noexcept try {
    if (has_best_) return;
    const std::int64_t count = (recorded_use() + use).count();
    std::vector<unsigned char> content(sizeof count);
    std::memcpy(content.data(), &count, sizeof count);
    cache_.store(key(kUse), content);
  } catch (...) {
  }

 private:
  /// Key of the record of use in the cache. It is used like a Level and differs from every Level.
  static constexpr std::uint64_t kUse = 1000;

  [[nodiscard]] Fingerprint::Value key(Level level) const { return key(static_cast<std::uint64_t>(level)); }
  [[nodiscard]] Fingerprint::Value key(std::uint64_t what) const {
    Fingerprint fingerprint;
    fingerprint.add(kTapeVersion);
    fingerprint.add(compiler_);
    fingerprint.add(what);
    fingerprint.add(std::uint64_t{programs_.size()});
    for (const NativeProgram& program : programs_) program.add_to(fingerprint);
    return fingerprint.value();
  }

  std::string compiler_;
  ObjectCache cache_;
  // the background thread writes it, the thread that uses the kernels reads it
  mutable std::atomic<bool> has_best_{false};
  std::vector<NativeProgram> programs_;
  std::vector<native::Program> views_;
};

/// Compiles optimized code on the background thread. That thread also loads the compiler module, so a start from the
/// cache does not wait for it. Compilation begins when the unoptimized code has been in use, in this and earlier runs,
/// for about the expected duration of the compilation. For a shorter use, compiling would not save time. For a longer
/// use, the total time is at most twice the minimum. If earlier runs have already reached that duration, the
/// compilation is completed even if this run ends sooner.
void improve_in_background(std::shared_ptr<const Compilation> compilation, const std::shared_ptr<NativeCode>& code) {
  BackgroundCompiler* background = background_compiler();
  if (background == nullptr) return;
  const auto left = compilation->expected_duration() - compilation->recorded_use();
  const bool is_paid_for = left.count() <= 0;
  background->submit(
      [compilation = std::move(compilation), weak = std::weak_ptr(code), is_paid_for](const std::atomic<bool>& cancel) {
        std::string ignored;
        std::shared_ptr<const CodeImage> image =
            compilation->compile(Level::kFull, is_paid_for ? nullptr : &cancel, ignored);
        const std::shared_ptr<NativeCode> target = weak.lock();
        if (image != nullptr && target != nullptr) target->exchange(std::move(image));
      },
      left);
}

/// Wraps unoptimized code so that the destruction of the wrapper records the time of use.
std::shared_ptr<NativeCode> make_recorded(std::shared_ptr<const Compilation> compilation,
                                          std::unique_ptr<NativeCode> code) {
  const auto end = [compilation = std::move(compilation),
                    begin = std::chrono::steady_clock::now()](const NativeCode* ended) {
    compilation->record_use(
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin));
    delete ended;
  };
  return {code.release(), end};
}

}  // namespace

bool is_native_available() {
  std::string ignored;
  return open_compiler_module(ignored) != nullptr;
}

std::vector<std::shared_ptr<const Kernel>> make_native_kernels(std::span<const Tape> tapes,
                                                               const CompileOptions& options, CompileReport& report) {
  std::string compiler = describe_compiler();
  if (compiler.empty()) {
    static_cast<void>(open_compiler_module(report.note));
    return {};
  }
  const auto compilation = std::make_shared<const Compilation>(tapes, options.cache_folder, std::move(compiler));
  std::shared_ptr<const CodeImage> image = compilation->load(Level::kFull);
  if (image == nullptr) image = compilation->load(Level::kFast);
  report.from_cache = image != nullptr;
  if (image == nullptr) image = compilation->compile(Level::kSoonest, nullptr, report.note);
  if (image == nullptr) return {};
  const bool is_final = image->level() == Level::kFull;

  auto first = std::make_unique<NativeCode>(std::move(image), tapes.size());
  const std::shared_ptr<NativeCode> code =
      is_final ? std::shared_ptr<NativeCode>(std::move(first)) : make_recorded(compilation, std::move(first));
  std::vector<std::shared_ptr<const Kernel>> kernels;
  for (std::size_t k = 0; k < tapes.size(); ++k) kernels.push_back(make_native_kernel(tapes[k], code, k));
  if (!is_final) improve_in_background(compilation, code);
  return kernels;
}

namespace {

/// \param cancel  becomes true when the compilation should stop; null: use only code from the cache
std::shared_ptr<const Kernel> best_kernel(const Tape& tape, const CompileOptions& options,
                                          const std::atomic<bool>* cancel) {
  std::string compiler = describe_compiler(), ignored;
  if (compiler.empty()) return nullptr;
  const Compilation compilation({&tape, 1}, options.cache_folder, std::move(compiler));
  std::shared_ptr<const CodeImage> image = compilation.load(Level::kFull);
  if (image == nullptr && cancel != nullptr) image = compilation.compile(Level::kFull, cancel, ignored);
  if (image == nullptr) return nullptr;
  return make_native_kernel(tape, std::make_shared<NativeCode>(std::move(image), 1), 0);
}

}  // namespace

std::shared_ptr<const Kernel> load_native_kernel(const Tape& tape, const CompileOptions& options) {
  return options.cache_folder.empty() ? nullptr : best_kernel(tape, options, nullptr);
}

std::shared_ptr<const Kernel> make_best_native_kernel(const Tape& tape, const CompileOptions& options,
                                                      const std::atomic<bool>& cancel) {
  return best_kernel(tape, options, &cancel);
}

}  // namespace vinculum::codegen
