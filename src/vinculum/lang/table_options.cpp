#include "vinculum/lang/table_options.hpp"

#include <algorithm>

namespace vinculum::lang {
namespace {

constexpr TableOptionForm kForms[] = {
    {"linear", TableOptionValue::kNone, "linear"},
    {"smooth", TableOptionValue::kNone, "smooth"},
    {"spline", TableOptionValue::kNone, "spline"},
    {"hold", TableOptionValue::kNone, "hold"},
    {"column", TableOptionValue::kText, "column \"NAME\""},
    {"outside", TableOptionValue::kWord, "outside error|hold|linear"},
    {"periodic", TableOptionValue::kNone, "periodic"},
};

}  // namespace

std::span<const TableOptionForm> table_options() { return kForms; }

const TableOptionForm* find_table_option(std::string_view word) {
  const auto* row = std::ranges::find(kForms, word, &TableOptionForm::word);
  return row == std::end(kForms) ? nullptr : row;
}

}  // namespace vinculum::lang
