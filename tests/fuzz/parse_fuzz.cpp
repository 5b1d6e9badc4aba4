// libFuzzer program for the parser, with arbitrary bytes: parse, render diagnostics; without errors also format and
// parse again. The formatted text must have the same meaning and be its own canonical form. A violation traps, and
// libFuzzer reports the input.

#include <cstddef>
#include <cstdint>
#include <string>

#include "support/lang/equality.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/lang/format.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

namespace {

using namespace vinculum;

void require(bool condition) {
  if (!condition) __builtin_trap();
}

void check_format(const lang::ModelFile& file) {
  const std::string formatted = lang::format(file);
  const diag::SourceText source("formatted.vin", formatted);
  diag::Diagnostics sink;
  const lang::ModelFile again = lang::parse(source, reaction_laws::laws().forms(), sink);
  require(sink.all().empty());
  require(lang::is_equal(file, again));
  require(lang::format(again) == formatted);
}

void check_diagnostics(const diag::SourceText& source, const diag::Diagnostics& sink) {
  for (const diag::Diagnostic& one : sink.all()) {
    require(one.range.begin <= one.range.end && one.range.end <= source.text().size());
    require(!one.message.empty());
  }
  require(!diag::render_text(source, sink.all()).empty());
  require(!diag::render_json(source, sink.all()).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const diag::SourceText source("fuzz.vin", std::string(data, data + size));
  diag::Diagnostics sink;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), sink);
  if (sink.has_errors()) {
    check_diagnostics(source, sink);
    require(sink.all().size() <= static_cast<std::size_t>(lang::kMaxSyntaxErrors) + 1);
  } else {
    check_format(file);
  }

  diag::Diagnostics expression_sink;
  const lang::ExpressionPtr expression = lang::parse_expression(source, expression_sink);
  require((expression == nullptr) == expression_sink.has_errors());
  return 0;
}
