#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "support/mechanisms/generator.hpp"
#include "support/mechanisms/judge.hpp"

namespace vinculum::mechanisms {

/// Number of occurrences, and the seed of the shortest model with one.
struct Tally {
  int count = 0;
  std::uint64_t seed = 0;
  std::size_t length = 0;
  void add(std::uint64_t of_seed, std::size_t of_length);
};
using Tallies = std::map<std::string, Tally>;

/// Results for many seeds.
struct Search {
  int tried = 0, judged = 0, clean = 0, failed = 0;
  int doubtful = 0;  ///< judged by balances only, because rank or conditioning is unclear
  int refused = 0;   ///< rejected with a named error that the oracle confirms
  long values = 0, flags = 0;
  double seconds = 0.0;
  std::vector<std::uint64_t> disagreeing = {};  ///< seeds with findings, ascending
  Tallies kinds;                                ///< generated joints, relations, clauses and loads
  Tallies refusals;                             ///< named errors, with the reason why they are right
  Tallies findings;                             ///< by "check | about"
};
[[nodiscard]] Search search(std::uint64_t first, std::uint64_t count, GeneratorOptions options = {});
/// Names of the parts of a mechanism: joints with their sides, relations, frames, clauses, loads.
[[nodiscard]] std::vector<std::string> kinds_in(const Mechanism& mechanism);
/// One line per entry: count, seed, name.
[[nodiscard]] std::string table_of(const Tallies& tallies);
[[nodiscard]] std::string summary_of(const Search& search);

}  // namespace vinculum::mechanisms
