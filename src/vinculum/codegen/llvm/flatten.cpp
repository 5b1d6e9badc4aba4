#include "vinculum/codegen/llvm/flatten.hpp"

#include <llvm/Object/ELFObjectFile.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

namespace vinculum::codegen::native {
namespace {

using llvm::Error;
using llvm::Expected;
using llvm::object::ELF64LE;
using Elf = llvm::object::ELFFile<ELF64LE>;

Error refuse(const llvm::Twine& why) { return llvm::createStringError(llvm::inconvertibleErrorCode(), why); }

/// Copies the sections that the code needs at run time.   \returns the offset of each in the code, by the section's
/// index
Expected<std::map<std::uint32_t, std::uint64_t>> copy_sections(const Elf& elf, std::vector<unsigned char>& code) {
  std::map<std::uint32_t, std::uint64_t> placed;
  auto sections = elf.sections();
  if (!sections) return sections.takeError();
  std::uint32_t index = 0;
  for (const auto& section : *sections) {
    const std::uint32_t here = index++;
    if ((section.sh_flags & llvm::ELF::SHF_ALLOC) == 0 || section.sh_size == 0) continue;
    if (section.sh_type != llvm::ELF::SHT_PROGBITS || (section.sh_flags & llvm::ELF::SHF_WRITE) != 0) {
      return refuse("section that is neither code nor literals");
    }
    auto content = elf.getSectionContents(section);
    if (!content) return content.takeError();
    const std::uint64_t alignment = std::max<std::uint64_t>(1, section.sh_addralign);
    code.resize((code.size() + alignment - 1) / alignment * alignment);
    placed.emplace(here, code.size());
    code.insert(code.end(), content->begin(), content->end());
  }
  return placed;
}

Error relocate(const Elf& elf, const std::map<std::uint32_t, std::uint64_t>& placed, std::vector<unsigned char>& code) {
  auto sections = elf.sections();
  if (!sections) return sections.takeError();
  for (const auto& section : *sections) {
    if (section.sh_type == llvm::ELF::SHT_REL) return refuse("relocation without addend");
    if (section.sh_type != llvm::ELF::SHT_RELA) continue;
    const auto target = placed.find(section.sh_info);
    if (target == placed.end()) continue;
    auto relocations = elf.relas(section);
    if (!relocations) return relocations.takeError();
    auto symbols = elf.getSection(section.sh_link);
    if (!symbols) return symbols.takeError();
    for (const auto& relocation : *relocations) {
      const std::uint32_t type = relocation.getType(false);
      if (type != llvm::ELF::R_X86_64_PC32 && type != llvm::ELF::R_X86_64_PLT32) {
        return refuse("relocation of type " + llvm::Twine(type));
      }
      auto symbol = elf.getRelocationSymbol(relocation, *symbols);
      if (!symbol) return symbol.takeError();
      if (*symbol == nullptr) return refuse("relocation without symbol");
      const auto home = placed.find((*symbol)->st_shndx);
      if (home == placed.end()) {
        auto names = elf.getStringTableForSymtab(**symbols);
        if (!names) return names.takeError();
        auto name = (*symbol)->getName(*names);
        if (!name) return name.takeError();
        return refuse("use of " + *name + ", which is outside the kernel");
      }
      const auto at = static_cast<std::int64_t>(target->second + relocation.r_offset);
      const auto value = static_cast<std::int64_t>(home->second + (*symbol)->st_value) + relocation.r_addend - at;
      if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max() ||
          static_cast<std::uint64_t>(at) + 4 > code.size()) {
        return refuse("relocation out of range");
      }
      const auto narrow = static_cast<std::int32_t>(value);
      std::memcpy(code.data() + at, &narrow, sizeof narrow);
    }
  }
  return Error::success();
}

Expected<std::map<std::string, std::uint64_t>> find_functions(const Elf& elf,
                                                              const std::map<std::uint32_t, std::uint64_t>& placed) {
  std::map<std::string, std::uint64_t> functions;
  auto sections = elf.sections();
  if (!sections) return sections.takeError();
  for (const auto& section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB) continue;
    auto names = elf.getStringTableForSymtab(section);
    if (!names) return names.takeError();
    auto symbols = elf.symbols(&section);
    if (!symbols) return symbols.takeError();
    for (const auto& symbol : *symbols) {
      const auto home = placed.find(symbol.st_shndx);
      if (symbol.getType() != llvm::ELF::STT_FUNC || home == placed.end()) continue;
      auto name = symbol.getName(*names);
      if (!name) return name.takeError();
      functions[name->str()] = home->second + symbol.st_value;
    }
  }
  return functions;
}

}  // namespace

Error FlatCode::add(llvm::StringRef object, const std::vector<std::string>& entries) {
  auto elf = Elf::create(object);
  if (!elf) return elf.takeError();
  if (elf->getHeader().e_machine != llvm::ELF::EM_X86_64) return refuse("object for another machine");
  auto placed = copy_sections(*elf, code_);
  if (!placed) return placed.takeError();
  if (Error error = relocate(*elf, *placed, code_)) return error;
  auto functions = find_functions(*elf, *placed);
  if (!functions) return functions.takeError();
  for (const std::string& entry : entries) {
    const auto place = functions->find(entry);
    if (place == functions->end()) return refuse("no function " + entry);
    offsets_.push_back(static_cast<std::uint32_t>(place->second));
  }
  return Error::success();
}

}  // namespace vinculum::codegen::native
