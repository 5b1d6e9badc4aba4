// Implements the gyroscopic law: R_i = λ^a ω_ai + H_ij v^j with a given skew-symmetric matrix H and v = q'. λ^a is the
// multiplier of row a. The rows are ω_ai v^i = 0; for a position-level row φ(q) = 0, ω = dφ. Source: [S] 2.18, 3.11;
// theory.md §6.3.
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/reaction_laws/general_state.hpp"
#include "vinculum/reaction_laws/kinds.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::reaction_laws {
namespace {

constexpr LawRows kDeadRows{Level::kPosition, Level::kVelocity, true};

class GyroscopicLaw final : public model::Law {
 public:
  explicit GyroscopicLaw(std::vector<std::vector<Term>> H) : H_(std::move(H)) {}

  std::string_view word() const override { return "gyroscopic"; }
  std::string text(const Model& model) const override {
    std::string rows;
    for (const auto& row : H_) rows += (rows.empty() ? "" : "; ") + list_text(model, row);
    return "law gyroscopic H = [" + rows + "]";
  }
  bool is_ideal() const override { return false; }
  bool has_ideal_impulses(const Model&, ConstraintId) const override { return true; }
  LawRows rows() const override { return kDeadRows; }
  Term coordinate_force(const Model& model, model::CoordinateId coordinate) const override {
    VINCULUM_EXPECTS(H_.size() == model.coordinates.size());
    model::TermPool& pool = *model.terms;
    Term force = pool.number(0.0);
    for (std::size_t j = 0; j < H_.size(); ++j) {
      const Term H = H_[coordinate.index()][j];
      if (H.is_valid()) force = force + H * pool.coordinate(model::CoordinateId(j), 1);
    }
    return force;
  }

 private:
  std::vector<std::vector<Term>> H_;  ///< [nq][nq]
};

bool is_skew(const Model& model, const std::vector<std::vector<Term>>& H, std::size_t& row, std::size_t& column) {
  for (const double seed : kGeneralStates) {
    model::TermValues values(model, general_state(model, seed));
    for (row = 0; row < H.size(); ++row) {
      for (column = 0; column <= row; ++column) {
        const double a = values.scalar(H[row][column]).value, b = values.scalar(H[column][row]).value;
        if (!(std::fabs(a + b) <= tolerance::kGeneric * (std::fabs(a) + std::fabs(b)))) return false;
      }
    }
  }
  return true;
}

bool read_gyroscopic(Reader& reader) {
  if (!reader.has_rows(kDeadRows)) return false;
  const lang::LawArgument& written = *reader.argument("H");
  const std::string what = "the matrix of `law gyroscopic`";
  auto H = reader.matrix_of_coordinates(written, what);
  if (!H) return false;
  std::size_t row = 0, column = 0;
  if (!is_skew(reader.model(), *H, row, column)) {
    const auto place = [](std::size_t i, std::size_t j) {
      return std::to_string(i + 1) + ", " + std::to_string(j + 1);
    };
    reader.error(diag::Kind::kBadValue, range_of(written),
                 what + " is skew, its entries " + place(row, column) +
                     (row == column ? " is not 0" : " and " + place(column, row) + " are not opposite"),
                 "a gyroscopic force does no work; others are `generalized force on q = EXPR`");
    return false;
  }
  reader.builder().set_law(reader.id(), gyroscopic(std::move(*H)));
  return true;
}

}  // namespace

LawPtr gyroscopic(std::vector<std::vector<Term>> H) { return std::make_shared<GyroscopicLaw>(std::move(H)); }
Kind gyroscopic_kind() {
  return {.form = {"gyroscopic", "reactions by a skew matrix", {{.word = "H", .value = "MATRIX"}}},
          .read = read_gyroscopic};
}

}  // namespace vinculum::reaction_laws
