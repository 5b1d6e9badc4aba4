#include "vinculum/codegen/code_image.hpp"

#include <sys/mman.h>

#include <cstring>

namespace vinculum::codegen {
namespace {

constexpr std::uint32_t kLargestWorkspace = 1u << 28;

}  // namespace

std::shared_ptr<const CodeImage> CodeImage::map(std::span<const unsigned char> image, std::size_t program_count,
                                                std::string& error) {
  native::ImageHeader header{};
  const auto refuse = [&error](const char* why) {
    error = why;
    return std::shared_ptr<const CodeImage>();
  };
  if (image.size() < sizeof header) return refuse("compiled code is cut off");
  std::memcpy(&header, image.data(), sizeof header);
  const std::uint64_t table_size = std::uint64_t{header.program_count} * sizeof(native::ProgramImage) +
                                   std::uint64_t{header.entry_count} * sizeof(std::uint32_t);
  const bool has_level = header.level == native::Level::kFast || header.level == native::Level::kFull;
  if (header.abi_version != native::kAbiVersion || header.program_count != program_count || !has_level ||
      sizeof header + table_size > header.code_offset ||
      std::uint64_t{header.code_offset} + header.code_size != image.size()) {
    return refuse("compiled code does not have the expected layout");
  }

  std::shared_ptr<CodeImage> mapped(new CodeImage);
  mapped->level_ = header.level;
  mapped->programs_.resize(header.program_count);
  std::vector<std::uint32_t> offsets(header.entry_count);
  const unsigned char* table = image.data() + sizeof header;
  if (!mapped->programs_.empty()) {
    std::memcpy(mapped->programs_.data(), table, mapped->programs_.size() * sizeof(native::ProgramImage));
  }
  table += mapped->programs_.size() * sizeof(native::ProgramImage);
  if (!offsets.empty()) std::memcpy(offsets.data(), table, offsets.size() * sizeof(std::uint32_t));
  for (const native::ProgramImage& program : mapped->programs_) {
    if (std::uint64_t{program.first_entry} + program.entry_count > header.entry_count || program.entry_count == 0 ||
        program.workspace_size > kLargestWorkspace) {
      return refuse("compiled code has a broken table of programs");
    }
  }
  for (const std::uint32_t offset : offsets) {
    if (offset >= header.code_size) return refuse("compiled code has a function outside its code");
  }
  if (header.program_count == 0) return mapped;

  void* memory = ::mmap(nullptr, header.code_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return refuse("no memory for compiled code");
  mapped->memory_ = memory;
  mapped->size_ = header.code_size;
  std::memcpy(memory, image.data() + header.code_offset, header.code_size);
  if (::mprotect(memory, header.code_size, PROT_READ | PROT_EXEC) != 0) {
    return refuse("the system does not let this process execute compiled code");
  }
  for (const native::ProgramImage& program : mapped->programs_) {
    mapped->first_entry_.push_back(mapped->entries_.size());
    for (std::uint32_t k = 0; k < program.entry_count; ++k) {
      unsigned char* at = static_cast<unsigned char*>(memory) + offsets[program.first_entry + k];
      mapped->entries_.push_back(reinterpret_cast<native::Entry>(at));
    }
    mapped->entries_.push_back(nullptr);
  }
  return mapped;
}

CodeImage::~CodeImage() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

}  // namespace vinculum::codegen
