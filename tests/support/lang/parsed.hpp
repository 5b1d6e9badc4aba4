#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "vinculum/diag/render.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/reaction_laws/law_table.hpp"

// Shared by the tests of the parser.
namespace vinculum::lang {

struct Parsed {
  ModelFile file;
  std::string errors;  // rendered
  std::size_t count = 0;
};

inline Parsed parse_text(const std::string& text) {
  const diag::SourceText source("m.vin", text);
  diag::Diagnostics sink;
  Parsed result;
  result.file = parse(source, reaction_laws::laws().forms(), sink);
  result.errors = diag::render_text(source, sink.all());
  result.count = sink.all().size();
  return result;
}

// The only statement of a text without errors.
template <class Node>
Node only(const std::string& text) {
  Parsed parsed = parse_text(text);
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(parsed.file.statements.size(), 1U);
  if (parsed.file.statements.size() != 1U) return {};
  EXPECT_TRUE(std::holds_alternative<Node>(parsed.file.statements[0].node));
  return std::get<Node>(std::move(parsed.file.statements[0].node));
}

/// The diagnostics as a user sees them.
inline std::string diagnosed(const std::string& text) { return parse_text(text).errors; }

inline std::vector<std::string> names_at_fault(const std::string& text) {
  std::vector<std::string> result;
  for (const Name& name : parse_text(text).file.names_at_fault) result.push_back(name.text);
  return result;
}

}  // namespace vinculum::lang
