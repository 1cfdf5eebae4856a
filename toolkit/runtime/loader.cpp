// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/loader.h"

#include <elf.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "compiler/abi/line_table.h"

namespace uw {
namespace {

constexpr size_t kPage = 4096;
// One slot per external symbol: its address, and a jump through it for calls that cannot reach that far.
constexpr size_t kSlotBytes = 16;
constexpr unsigned char kJump[6] = {0xff, 0x25, 0xf2, 0xff, 0xff, 0xff};  // jmp *-14(%rip): the 8 bytes before it

size_t roundUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

class ObjectBuilder {
 public:
  ObjectBuilder(std::string_view elf, const LoadedObject::Resolve& resolve) : elf_(elf), resolve_(resolve) {}

  std::unique_ptr<LoadedObject> build(std::string& error) {
    std::unique_ptr<LoadedObject> object(new LoadedObject);
    object_ = object.get();
    bool good = readHeader() && layOut() && relocateAll() && protect();
    if (!good) {
      error = error_;
      return nullptr;
    }
    publish();
    return object;
  }

 private:
  bool fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
    return false;
  }

  template <class T>
  const T* at(size_t offset, size_t count = 1) const {
    if (offset > elf_.size() || count > (elf_.size() - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(elf_.data() + offset);
  }

  bool readHeader() {
    const auto* header = at<Elf64_Ehdr>(0);
    bool ours = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_type == ET_REL &&
                header->e_machine == EM_X86_64;
    if (!ours) return fail("kernel object is no x86-64 relocatable object");
    const auto* first = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    if (!first) return fail("kernel object is cut short");
    sections_.assign(first, first + header->e_shnum);
    if (header->e_shstrndx < sections_.size()) sectionNames_ = sections_[header->e_shstrndx].sh_offset;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_SYMTAB) continue;
      const auto* symbols = at<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
      if (!symbols || section.sh_link >= sections_.size()) return fail("kernel object has a broken symbol table");
      symbols_.assign(symbols, symbols + section.sh_size / sizeof(Elf64_Sym));
      names_ = sections_[section.sh_link].sh_offset;
    }
    return true;
  }

  std::string textAt(size_t offset) const {
    const char* text = at<char>(offset);
    return text ? std::string(text, strnlen(text, elf_.size() - offset)) : std::string();
  }
  std::string nameOf(const Elf64_Sym& symbol) const { return textAt(names_ + symbol.st_name); }
  std::string nameOf(const Elf64_Shdr& section) const { return textAt(sectionNames_ + section.sh_name); }

  static bool isLoaded(const Elf64_Shdr& section) {
    return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_size > 0 && section.sh_type != SHT_X86_64_UNWIND;
  }

  // Code first, then everything that stays writable; slots for external symbols belong to the code.
  bool layOut() {
    places_.assign(sections_.size(), nullptr);
    std::vector<size_t> offsets(sections_.size(), 0);
    size_t size = 0;
    auto place = [&](bool code) {
      for (size_t i = 0; i < sections_.size(); ++i) {
        if (!isLoaded(sections_[i]) || ((sections_[i].sh_flags & SHF_EXECINSTR) != 0) != code) continue;
        size = roundUp(size, std::max<size_t>(sections_[i].sh_addralign, 1));
        offsets[i] = size;
        size += sections_[i].sh_size;
      }
    };
    place(true);
    slots_ = roundUp(size, kSlotBytes);
    // Every symbol may need a slot (calls and loads through a table of addresses), own ones included.
    size = codeSize_ = roundUp(slots_ + kSlotBytes * symbols_.size(), kPage);
    place(false);
    object_->size_ = roundUp(std::max<size_t>(size, 1), kPage);
    void* memory = mmap(nullptr, object_->size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return fail("no memory for a kernel object");
    object_->memory_ = static_cast<char*>(memory);
    for (size_t i = 0; i < sections_.size(); ++i) {
      if (!isLoaded(sections_[i])) continue;
      places_[i] = object_->memory_ + offsets[i];
      if (nameOf(sections_[i]) == unwarp::abi::kLineSection) {
        object_->code_ = places_[i];
        object_->codeBytes_ = sections_[i].sh_size;
      }
      if (sections_[i].sh_type == SHT_NOBITS) continue;
      const char* bytes = at<char>(sections_[i].sh_offset, sections_[i].sh_size);
      if (!bytes) return fail("kernel object is cut short");
      std::memcpy(places_[i], bytes, sections_[i].sh_size);
    }
    return resolveSymbols();
  }

  bool resolveSymbols() {
    addresses_.assign(symbols_.size(), nullptr);
    for (size_t i = 1; i < symbols_.size(); ++i) {
      const Elf64_Sym& symbol = symbols_[i];
      if (symbol.st_shndx == SHN_ABS) continue;
      if (symbol.st_shndx != SHN_UNDEF) {
        bool known = symbol.st_shndx < places_.size() && places_[symbol.st_shndx];
        addresses_[i] = known ? places_[symbol.st_shndx] + symbol.st_value : nullptr;
        continue;
      }
      std::string name = nameOf(symbol);
      if (name.empty() || name == "_GLOBAL_OFFSET_TABLE_") continue;
      addresses_[i] = static_cast<char*>(resolve_(name));
      if (!addresses_[i] && ELF64_ST_BIND(symbol.st_info) != STB_WEAK) {
        return fail("device code calls '" + name + "', which Unwarp's toolkit does not provide");
      }
    }
    return true;
  }

  char* slotOf(size_t symbol) {
    char* slot = object_->memory_ + slots_ + kSlotBytes * symbol;
    std::memcpy(slot, &addresses_[symbol], 8);
    std::memcpy(slot + 8, kJump, sizeof kJump);
    return slot;
  }

  static bool reaches(int64_t distance) { return distance == static_cast<int32_t>(distance); }

  bool relocate(char* place, const Elf64_Rela& entry) {
    size_t index = ELF64_R_SYM(entry.r_info);
    if (index >= addresses_.size()) return fail("kernel object has a broken relocation");
    auto here = reinterpret_cast<int64_t>(place);
    int64_t target = reinterpret_cast<int64_t>(addresses_[index]) + entry.r_addend;
    switch (ELF64_R_TYPE(entry.r_info)) {
      case R_X86_64_64:
        std::memcpy(place, &target, 8);
        return true;
      case R_X86_64_PC64:
        target -= here;
        std::memcpy(place, &target, 8);
        return true;
      case R_X86_64_PLT32:
      case R_X86_64_PC32:
        if (!reaches(target - here)) target = reinterpret_cast<int64_t>(slotOf(index)) + 8 + entry.r_addend;
        break;
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        target = reinterpret_cast<int64_t>(slotOf(index)) + entry.r_addend;
        break;
      default:
        return fail("kernel object has a relocation of type " + std::to_string(ELF64_R_TYPE(entry.r_info)));
    }
    auto distance = static_cast<int32_t>(target - here);
    std::memcpy(place, &distance, 4);
    return true;
  }

  bool relocateAll() {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_RELA || section.sh_info >= places_.size() || !places_[section.sh_info]) continue;
      size_t count = section.sh_size / sizeof(Elf64_Rela);
      const auto* entries = at<Elf64_Rela>(section.sh_offset, count);
      if (!entries) return fail("kernel object is cut short");
      for (size_t i = 0; i < count; ++i) {
        if (entries[i].r_offset + 8 > roundUp(sections_[section.sh_info].sh_size, 8) + 8) {
          return fail("kernel object has a relocation outside its section");
        }
        if (!relocate(places_[section.sh_info] + entries[i].r_offset, entries[i])) return false;
      }
    }
    return true;
  }

  bool protect() {
    if (codeSize_ == 0) return true;
    if (mprotect(object_->memory_, codeSize_, PROT_READ | PROT_EXEC) != 0)
      return fail("kernel code cannot be made executable");
    return true;
  }

  void publish() {
    for (size_t i = 1; i < symbols_.size(); ++i) {
      const Elf64_Sym& symbol = symbols_[i];
      if (symbol.st_shndx == SHN_UNDEF || !addresses_[i]) continue;
      if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) object_->symbols_[nameOf(symbol)] = addresses_[i];
    }
  }

  std::string_view elf_;
  const LoadedObject::Resolve& resolve_;
  LoadedObject* object_ = nullptr;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Sym> symbols_;
  std::vector<char*> places_;
  std::vector<char*> addresses_;
  size_t names_ = 0;
  size_t sectionNames_ = 0;
  size_t slots_ = 0;
  size_t codeSize_ = 0;
  std::string error_;
};

std::unique_ptr<LoadedObject> LoadedObject::load(std::string_view elf, const Resolve& resolve, std::string& error) {
  return ObjectBuilder(elf, resolve).build(error);
}

LoadedObject::~LoadedObject() {
  if (memory_) munmap(memory_, size_);
}

void* LoadedObject::symbol(const std::string& name) const {
  auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : found->second;
}

bool LoadedObject::contains(const void* address) const {
  return address >= memory_ && address < memory_ + size_;
}

std::optional<uint64_t> LoadedObject::codeOffset(const void* address) const {
  const char* at = static_cast<const char*>(address);
  if (at < code_ || at >= code_ + codeBytes_) return std::nullopt;
  return static_cast<uint64_t>(at - code_);
}

}  // namespace uw
