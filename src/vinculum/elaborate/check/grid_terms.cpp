#include "vinculum/elaborate/check/grid_terms.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "vinculum/expr/spline.hpp"

namespace vinculum::elaborate {
namespace {

using expr::Op;
using expr::Spline;
using model::Term;
using model::TermPool;

constexpr std::size_t kOrders = 4;  // coefficients of a cubic

/// One argument of the table: the index of the interval that contains it, and its position within that interval.
struct Along {
  Term number, position;
  std::size_t pieces = 0;
  std::vector<double> knots;
};

class GridTerms {
 public:
  GridTerms(TermPool& pool, const Grid& grid, std::string name, const TableOptions& options)
      : pool_(pool), grid_(grid), name_(std::move(name)), options_(options) {}

  [[nodiscard]] Term value(Term x, Term y);

 private:
  [[nodiscard]] Term number(double value) { return pool_.number(value); }
  [[nodiscard]] std::shared_ptr<const Spline> spline(std::vector<double> x, std::vector<double> y,
                                                     Spline::Shape shape) {
    return std::make_shared<const Spline>(name_, std::move(x), std::move(y), shape);
  }
  [[nodiscard]] Term lookup(std::vector<double> values, Term at, double first = 0.0);
  [[nodiscard]] Along along(const std::vector<double>& knots, Term x);
  [[nodiscard]] std::vector<std::vector<double>> coefficients(const std::vector<double>& x,
                                                              const std::vector<double>& y) const;
  [[nodiscard]] Term polynomial(const std::vector<Term>& coefficients, Term s);
  [[nodiscard]] Term tensor(const Along& x, const Along& y);
  [[nodiscard]] Term monotone(const Along& x, const Along& y);
  [[nodiscard]] Term mean(Term h0, Term h1, Term d0, Term d1);
  [[nodiscard]] Term end_slope(Term h0, Term h1, Term d0, Term d1);
  [[nodiscard]] Term select(Term condition, Term yes, Term no) {
    return pool_.function(Op::kSelect, condition, yes, no);
  }
  [[nodiscard]] Term less(Term a, Term b) { return pool_.function(Op::kLess, a, b); }

  TermPool& pool_;
  const Grid& grid_;
  std::string name_;
  const TableOptions& options_;
};

/// Element of `values` for the integer `at`, where `first` is the integer of the first element. Outside the list: the
/// first or last element.
Term GridTerms::lookup(std::vector<double> values, Term at, double first) {
  if (std::ranges::all_of(values, [&](double one) { return one == values.front(); })) return number(values.front());
  std::vector<double> numbers;
  for (std::size_t k = 0; k < values.size(); ++k) numbers.push_back(first + static_cast<double>(k));
  return pool_.table(spline(std::move(numbers), std::move(values), {Spline::Kind::kLookup, Spline::Reach::kEndPieces}),
                     0, at);
}

Along GridTerms::along(const std::vector<double>& knots, Term x) {
  const bool is_hold = options_.kind == Spline::Kind::kHold;
  Along result;
  result.knots = knots;
  result.pieces = knots.size() - (is_hold ? 0 : 1);
  std::vector<double> numbers, begins;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const std::size_t piece = std::min(k, result.pieces - 1);
    numbers.push_back(static_cast<double>(piece));
    if (k < result.pieces) begins.push_back(knots[k]);
  }
  const bool ends = options_.outside == Outside::kError;
  if (!ends)
    x = pool_.function(Op::kMinimum, pool_.function(Op::kMaximum, x, number(knots.front())), number(knots.back()));
  result.number = pool_.table(spline(knots, std::move(numbers),
                                     {Spline::Kind::kHold, ends ? Spline::Reach::kInside : Spline::Reach::kEndPieces}),
                              0, x);
  result.position = x - lookup(std::move(begins), result.number);
  return result;
}

/// [orders] coefficients, of that order, of all polynomial pieces of the interpolant.
std::vector<std::vector<double>> GridTerms::coefficients(const std::vector<double>& x,
                                                         const std::vector<double>& y) const {
  const Spline spline(name_, x, y, {options_.kind, Spline::Reach::kInside});
  const std::span<const double> all = spline.coefficients();
  std::vector<std::vector<double>> result(static_cast<std::size_t>(spline.degree()) + 1);
  for (std::size_t n = 0; n < result.size(); ++n)
    for (std::size_t k = n; k < all.size(); k += kOrders) result[n].push_back(all[k]);
  return result;
}

/// The polynomial Σ c_n s^n, by Horner's rule.
Term GridTerms::polynomial(const std::vector<Term>& coefficients, Term s) {
  Term sum = coefficients.back();
  for (std::size_t n = coefficients.size() - 1; n-- > 0;) sum = sum * s + coefficients[n];
  return sum;
}

Term GridTerms::tensor(const Along& x, const Along& y) {
  const std::size_t nx = grid_.x.size(), ny = grid_.y.size();
  // Interpolate along y for each x of the grid, then interpolate the coefficients along x.
  std::vector<std::vector<std::vector<double>>> rows;  // [x][order in y][interval of y]
  for (std::size_t i = 0; i < nx; ++i) {
    const auto begin = grid_.z.begin() + static_cast<std::ptrdiff_t>(i * ny);
    rows.push_back(coefficients(grid_.y, {begin, begin + static_cast<std::ptrdiff_t>(ny)}));
  }
  const std::size_t orders = rows.front().size();
  const Term cell = x.number * number(static_cast<double>(y.pieces)) + y.number;
  std::vector<std::vector<Term>> terms(orders);  // [order in x][order in y]
  for (std::size_t n = 0; n < orders; ++n) {
    std::vector<std::vector<double>> cells(orders, std::vector<double>(x.pieces * y.pieces));
    for (std::size_t l = 0; l < y.pieces; ++l) {
      std::vector<double> column;
      for (const auto& row : rows) column.push_back(row[n][l]);
      const std::vector<std::vector<double>> of_column = coefficients(grid_.x, column);
      for (std::size_t m = 0; m < orders; ++m)
        for (std::size_t k = 0; k < x.pieces; ++k) cells[m][k * y.pieces + l] = of_column[m][k];
    }
    for (std::size_t m = 0; m < orders; ++m) terms[m].push_back(lookup(std::move(cells[m]), cell));
  }
  std::vector<Term> along_x;
  for (const std::vector<Term>& one : terms) along_x.push_back(polynomial(one, y.position));
  return polynomial(along_x, x.position);
}

/// Slope of the interpolant at an inner grid point: the weighted harmonic mean of the slopes d0, d1 of the chords on
/// both sides, with widths h0, h1. It is 0 if the slopes differ in sign.
Term GridTerms::mean(Term h0, Term h1, Term d0, Term d1) {
  const Term w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0, zero = number(0.0);
  return select(less(zero, d0 * d1), (w0 + w1) / (w0 / d0 + w1 / d1), zero);
}

/// Slope of the interpolant at an end of the grid. The interval at the end has the width h0 and the chord's slope d0;
/// the next one has h1 and d1.
Term GridTerms::end_slope(Term h0, Term h1, Term d0, Term d1) {
  const Term slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1), zero = number(0.0);
  const Term is_steep = less(3.0 * pool_.function(Op::kAbsolute, d0), pool_.function(Op::kAbsolute, slope));
  const Term limited = select(less(zero, d0 * d1), slope, select(is_steep, 3.0 * d0, slope));
  return select(less(zero, slope * d0), limited, zero);
}

Term GridTerms::monotone(const Along& x, const Along& y) {
  const std::size_t nx = grid_.x.size(), ny = grid_.y.size();
  std::vector<std::vector<double>> rows(kOrders);  // [order in y] coefficients of all intervals of y, for each x
  for (std::size_t i = 0; i < nx; ++i) {
    const auto begin = grid_.z.begin() + static_cast<std::ptrdiff_t>(i * ny);
    const auto own = coefficients(grid_.y, {begin, begin + static_cast<std::ptrdiff_t>(ny)});
    for (std::size_t n = 0; n < kOrders; ++n) rows[n].insert(rows[n].end(), own[n].begin(), own[n].end());
  }
  const auto row = [&](double away) {
    std::vector<Term> terms;
    const Term at = (x.number + number(away)) * number(static_cast<double>(y.pieces)) + y.number;
    for (const std::vector<double>& one : rows) terms.push_back(lookup(one, at));
    return polynomial(terms, y.position);
  };
  std::vector<double> widths;
  for (std::size_t i = 0; i + 1 < nx; ++i) widths.push_back(grid_.x[i + 1] - grid_.x[i]);
  const auto width = [&](double away) { return lookup(widths, x.number + number(away)); };
  const Term begin = row(0.0), end = row(1.0), h = width(0.0);
  const Term d = (end - begin) / h;
  Term first = d, last = d;
  if (nx > 2) {
    std::vector<double> is_first(nx - 1, 0.0), is_last(nx - 1, 0.0);
    is_first.front() = is_last.back() = 1.0;
    const Term h_before = width(-1.0), h_after = width(1.0);
    const Term d_before = (begin - row(-1.0)) / h_before, d_after = (row(2.0) - end) / h_after;
    first = select(lookup(is_first, x.number), end_slope(h, h_after, d, d_after), mean(h_before, h, d_before, d));
    last = select(lookup(is_last, x.number), end_slope(h, h_before, d, d_before), mean(h, h_after, d, d_after));
  }
  const Term bend = (3.0 * d - 2.0 * first - last) / h, twist = (first + last - 2.0 * d) / (h * h);
  return polynomial({begin, first, bend, twist}, x.position);
}

Term GridTerms::value(Term x, Term y) {
  const Along along_x = along(grid_.x, x), along_y = along(grid_.y, y);
  return options_.kind == Spline::Kind::kSmooth ? monotone(along_x, along_y) : tensor(along_x, along_y);
}

}  // namespace

Term grid_term(TermPool& pool, const Grid& grid, const std::string& name, const TableOptions& options, Term x, Term y) {
  return GridTerms(pool, grid, name, options).value(x, y);
}

}  // namespace vinculum::elaborate
