#include "vinculum/report/parquet.hpp"

#include <bit>
#include <ostream>

namespace vinculum::report {
namespace {

constexpr const char* kMagic = "PAR1";
constexpr std::size_t kHeldNumbers = std::size_t{1} << 20;  // numbers per group of rows: 8 MiB

/// Numeric codes of the format (parquet.thrift).
enum Number : std::int64_t { kDataPage = 0, kDouble = 5, kRequired = 0, kPlain = 0, kRle = 3, kUncompressed = 0 };

/// Serializes a structure in Thrift's compact protocol; fields must be added in increasing order.
class Compact {
 public:
  Compact& integer(int field, std::int64_t value) { return head(field, 6).number(value); }    // type i64
  Compact& integer32(int field, std::int64_t value) { return head(field, 5).number(value); }  // also enumerations
  Compact& text(int field, const std::string& value) { return head(field, 8).counted(value); }
  Compact& object(int field, const Compact& value) {
    head(field, 12).bytes_ += value.whole();
    return *this;
  }
  Compact& objects(int field, const std::vector<Compact>& all) {
    list(field, 12, all.size());
    for (const Compact& one : all) bytes_ += one.whole();
    return *this;
  }
  Compact& texts(int field, const std::vector<std::string>& all) {
    list(field, 8, all.size());
    for (const std::string& one : all) counted(one);
    return *this;
  }
  Compact& integers32(int field, const std::vector<std::int64_t>& all) {
    list(field, 5, all.size());
    for (const std::int64_t one : all) number(one);
    return *this;
  }
  [[nodiscard]] std::string whole() const { return bytes_ + '\0'; }

 private:
  Compact& head(int field, int type) {
    bytes_ += static_cast<char>((field - last_) << 4 | type);
    last_ = field;
    return *this;
  }
  void list(int field, int type, std::size_t count) {
    head(field, 9);
    bytes_ += static_cast<char>((count < 15 ? count : 15) << 4 | static_cast<std::size_t>(type));
    if (count >= 15) varint(count);
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
  }
  Compact& number(std::int64_t value) {  // zigzag encoding
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
    return *this;
  }
  Compact& counted(const std::string& value) {
    varint(value.size());
    bytes_ += value;
    return *this;
  }

  std::string bytes_;
  int last_ = 0;
};

/// Appends an integer in little-endian order on every machine.
template <class Word>
void add_word(std::string& bytes, Word word) {
  for (std::size_t i = 0; i < sizeof word; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xff);
}

std::string units_of(const std::vector<Table::Column>& columns) {
  Node units = Node::object();
  for (const Table::Column& column : columns) units.add(column.name, stated(column.unit));
  return to_json(units);
}

}  // namespace

ParquetRows::ParquetRows(std::ostream& stream, std::vector<Table::Column> columns, Facts facts)
    : stream_(stream), columns_(std::move(columns)), facts_(std::move(facts)) {
  facts_.emplace(facts_.begin(), "units", units_of(columns_));
  facts_.emplace(facts_.begin(), "vinculum-parquet", std::to_string(kFormat));
  put(kMagic);
}

void ParquetRows::put(const std::string& bytes) {
  stream_ << bytes;
  written_ += static_cast<std::int64_t>(bytes.size());
}

void ParquetRows::write(std::span<const double> row) {
  held_.insert(held_.end(), row.begin(), row.end());
  if (held_.size() + columns_.size() > kHeldNumbers) close_group();
}

void ParquetRows::close_group() {
  if (held_.empty()) return;
  const std::size_t count = columns_.size(), rows = held_.size() / count;
  const auto size = static_cast<std::int64_t>(rows * sizeof(double));
  Compact page, header;
  page.integer32(1, static_cast<std::int64_t>(rows)).integer32(2, kPlain).integer32(3, kRle).integer32(4, kRle);
  header.integer32(1, kDataPage).integer32(2, size).integer32(3, size).object(5, page);
  const std::string ahead = header.whole();
  groups_.push_back({written_, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(ahead.size()) + size});
  std::string bytes;
  for (std::size_t k = 0; k < count; ++k) {
    bytes = ahead;
    for (std::size_t i = 0; i < rows; ++i) add_word(bytes, std::bit_cast<std::uint64_t>(held_[i * count + k]));
    put(bytes);
  }
  held_.clear();
}

std::string ParquetRows::footer() const {
  const auto count = static_cast<std::int64_t>(columns_.size());
  std::vector<Compact> schema(1), groups, facts;
  schema[0].text(4, "rows").integer32(5, count);
  for (const Table::Column& column : columns_)
    schema.emplace_back().integer32(1, kDouble).integer32(3, kRequired).text(4, column.name);
  std::int64_t all_rows = 0;
  for (const Group& group : groups_) {
    all_rows += group.rows;
    std::vector<Compact> chunks;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t offset = group.offset + k * group.chunk;
      Compact about;
      about.integer32(1, kDouble).integers32(2, {kPlain, kRle});
      about.texts(3, {columns_[static_cast<std::size_t>(k)].name}).integer32(4, kUncompressed);
      about.integer(5, group.rows).integer(6, group.chunk).integer(7, group.chunk).integer(9, offset);
      chunks.emplace_back().integer(2, offset).object(3, about);
    }
    groups.emplace_back().objects(1, chunks).integer(2, count * group.chunk).integer(3, group.rows);
  }
  for (const auto& [name, text] : facts_) facts.emplace_back().text(1, name).text(2, text);
  Compact file;
  file.integer32(1, 1).objects(2, schema).integer(3, all_rows).objects(4, groups).objects(5, facts);
  return file.text(6, "vinculum").whole();
}

void ParquetRows::finish() {
  close_group();
  std::string end = footer();
  add_word(end, static_cast<std::uint32_t>(end.size()));
  put(end + kMagic);
}

}  // namespace vinculum::report
