#include "vinculum/codegen/loaded_code.hpp"

#ifdef __linux__

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace vinculum::codegen {
namespace {

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

/// Whether the loader has relocated addresses in the code of the library, so that the code differs from the file.
bool has_relocated_code(const dl_phdr_info& library) {
  for (int k = 0; k < library.dlpi_phnum; ++k) {
    if (library.dlpi_phdr[k].p_type != PT_DYNAMIC) continue;
    for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + library.dlpi_phdr[k].p_vaddr);
         entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_TEXTREL) return true;
    }
  }
  return false;
}

}  // namespace

LoadedCode LoadedCode::now() {
  LoadedCode code;
  const auto add = [](dl_phdr_info* library, std::size_t, void* to) {
    if (has_relocated_code(*library)) return 0;
    for (int k = 0; k < library->dlpi_phnum; ++k) {
      const ElfW(Phdr)& header = library->dlpi_phdr[k];
      if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0 || (header.p_flags & PF_W) != 0) continue;
      const std::uintptr_t begin = library->dlpi_addr + header.p_vaddr, page = page_size();
      const std::uintptr_t first = begin / page * page, last = (begin + header.p_memsz + page - 1) / page * page;
      static_cast<LoadedCode*>(to)->segments_.push_back({reinterpret_cast<std::byte*>(first), last - first});
    }
    return 0;
  };
  ::dl_iterate_phdr(add, &code);
  return code;
}

void LoadedCode::release() const {
  for (const Segment& segment : segments_) ::madvise(segment.begin, segment.size, MADV_DONTNEED);
}

LoadedCode LoadedCode::since(const LoadedCode& before) const {
  LoadedCode code;
  for (const Segment& segment : segments_) {
    if (std::ranges::none_of(before.segments_, [&](const Segment& one) { return one.begin == segment.begin; }))
      code.segments_.push_back(segment);
  }
  return code;
}

}  // namespace vinculum::codegen

#endif
