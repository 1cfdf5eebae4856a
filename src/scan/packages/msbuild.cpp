// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MSBuild: Visual Studio's C++ projects with NVIDIA's build customisation, projects of .NET with NuGet packages, and
// the property files that either shares. What the customisation sets is what nvcc is told, so its settings are read as
// flags. Solution filters (`.vcxproj.filters`) only sort files in a window and are not read.
#include <array>

#include "base/text.h"
#include "scan/build/flags.h"
#include "scan/build/xml_elements.h"
#include "scan/deploy/sites.h"
#include "scan/packages/registry_package.h"
#include "scan/readers.h"

namespace unwarp::scan {
namespace {

using knowledge::Ecosystem;

class MsBuildReader {
 public:
  MsBuildReader(const ReadContext& context, FileFacts& out) : context_(context), out_(out) {}

  void read(const XmlElement& element) {
    const std::string_view tag = element.name();
    variables(element);
    if (tag == "PackageReference" || tag == "PackageVersion" || tag == "package" || tag == "dependency")
      package(element, tag.starts_with("Package"));
    else if (tag == "Import")
      import(fileName(element.attribute("Project")), element.line);
    else if (tag == "CudaCompile" || tag == "CudaLink")
      item(element);
    else if (tag == "AdditionalDependencies")
      libraries(element);
    else if (tag == "Exec")
      readShellText(context_, element.attribute("Command"), element.line, out_);
    else if (element.path.ends_with("Event/Command"))
      readShellText(context_, element.text, element.line, out_);
    else if (element.path.find("/CudaCompile/") != std::string_view::npos)
      setting(element);
  }

 private:
  static std::string_view fileName(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

  bool site(std::string_view name, std::uint32_t line, std::string_view version = {}) {
    return addSite(context_, Ecosystem::Config, {name}, line, version, out_);
  }

  /// `CUDA 12.4.props`: the build customisation, with its version in the name.
  void import(std::string_view file, std::uint32_t line) {
    const std::size_t blank = file.find(' '), dot = file.rfind('.');
    if (blank == std::string_view::npos || dot == std::string_view::npos || dot < blank) return;
    site(std::string(file.substr(0, blank)) + std::string(file.substr(dot)), line,
         file.substr(blank + 1, dot - blank - 1));
  }

  void package(const XmlElement& element, bool msbuild) {
    std::string_view name = element.attribute(msbuild ? "Include" : "id");
    if (name.empty()) name = element.attribute("Update");
    packages::addRegistryPackage(context_, "nuget", name, element.line, out_,
                                 element.attribute(msbuild ? "Version" : "version"));
  }

  /// A file to compile; without one it is the settings of all of them, which count one by one.
  void item(const XmlElement& element) {
    if (!element.attribute("Include").empty()) site(element.name(), element.line);
  }

  /// `cudart_static.lib;cublas.lib;%(AdditionalDependencies)`.
  void libraries(const XmlElement& element) {
    for (std::string_view library : split(element.text, ';')) {
      library = trim(library);
      constexpr std::string_view ending = ".lib";
      if (library.size() <= ending.size() || !equalsIgnoreCase(library.substr(library.size() - ending.size()), ending))
        continue;
      library.remove_suffix(ending.size());
      build::addLinkLibrary(context_, fileName(library), element.line, out_);
    }
  }

  /// One setting of the CUDA compiler as the flag it becomes.
  void setting(const XmlElement& element) {
    const std::string_view name = element.name(), value = element.text;
    const bool on = equalsIgnoreCase(value, "true");
    if (name == "CodeGeneration" && !value.empty()) site("CodeGeneration=" + std::string(value), element.line, value);
    if (name == "FastMath" && on) addCompilerFlag(context_, "-use_fast_math", element.line, out_);
    if (name == "GenerateRelocatableDeviceCode" && on) addCompilerFlag(context_, "-rdc=true", element.line, out_);
    if (name == "MaxRegCount" && !value.empty() && value != "0")
      addCompilerFlag(context_, "-maxrregcount=" + std::string(value), element.line, out_);
    if (name == "AdditionalOptions") build::addFlagWords(context_, value, element.line, out_);
  }

  /// `$(CUDA_PATH)` and folders of the toolkit, in text and attributes alike.
  void variables(const XmlElement& element) {
    std::string_view text = element.text;
    variablesIn(text, element.line);
    for (const auto& [name, value] : element.attributes)
      if (name != "Condition") variablesIn(value, element.line);
  }
  void variablesIn(std::string_view text, std::uint32_t line) {
    for (std::size_t open = text.find("$("); open != std::string_view::npos; open = text.find("$(")) {
      const std::size_t close = text.find(')', open);
      if (close == std::string_view::npos) return;
      const std::string_view name = text.substr(open + 2, close - open - 2);
      if (!addSite(context_, Ecosystem::Env, {name}, line, {}, out_)) site("$(" + std::string(name) + ")", line);
      text.remove_prefix(close + 1);
    }
    for (const std::string_view folder : split(text, ';')) build::addToolkitPath(context_, folder, line, out_);
  }

  const ReadContext& context_;
  FileFacts& out_;
};

}  // namespace

void readMsBuild(const ReadContext& context, const Input& input, FileFacts& out) {
  MsBuildReader reader(context, out);
  eachXmlElement(input.bytes, [&](const XmlElement& element) { reader.read(element); });
}

}  // namespace unwarp::scan
