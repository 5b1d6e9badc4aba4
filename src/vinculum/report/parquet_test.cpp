#include "vinculum/report/parquet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <sstream>

// Tests of the structure of the file. Tests in python/tests check that other programs (pyarrow, DuckDB) can read it.
namespace vinculum::report {
namespace {

std::uint32_t word_at(const std::string& file, std::size_t at) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | static_cast<unsigned char>(file[at + static_cast<std::size_t>(i)]);
  return word;
}

std::string parquet_of(const std::vector<std::vector<double>>& rows) {
  std::ostringstream stream;
  ParquetRows parquet(stream, {{"t", "s"}, {"C1.x", "N"}, {"n", ""}}, {{"provenance", "{}"}});
  for (const auto& row : rows) parquet.write(row);
  parquet.finish();
  return stream.str();
}

TEST(Parquet, HasColumnsOfPlainNumbersBetweenMagicWords) {
  const std::string file = parquet_of({{0.0, -0.0, 1.5}, {0.1, std::nan(""), 2.5}});
  EXPECT_TRUE(file.starts_with("PAR1"));
  EXPECT_TRUE(file.ends_with("PAR1"));
  double column[2] = {1.5, 2.5};
  EXPECT_NE(file.find(std::string(reinterpret_cast<const char*>(column), sizeof column)), file.npos);
}

TEST(Parquet, TellsInItsFooterWhatItHolds) {
  const std::string file = parquet_of({{0.0, 1.0, 2.0}});
  const std::size_t length = word_at(file, file.size() - 8);
  ASSERT_LT(length, file.size() - 12);
  const std::string footer = file.substr(file.size() - 8 - length, length);
  for (const char* text : {"C1.x", "units", R"("C1.x": "N")", R"("n": "1")", "provenance", "vinculum-parquet"})
    EXPECT_NE(footer.find(text), footer.npos) << text;
}

TEST(Parquet, OfNoRowsIsAFileToo) {
  const std::string file = parquet_of({});
  EXPECT_EQ(file.size(), 12 + word_at(file, file.size() - 8));
}

TEST(Parquet, HoldsNoMoreThanAGroupInMemory) {
  std::ostringstream stream;
  ParquetRows parquet(stream, {{"t", "s"}}, {});
  const double row[] = {1.0};
  for (int i = 0; i < 1 << 20; ++i) parquet.write(row);
  EXPECT_GE(static_cast<long>(stream.tellp()), 8L << 20);
}

}  // namespace
}  // namespace vinculum::report
