#include "vinculum/integrate/method.hpp"

#include <array>

#include "vinculum/integrate/dop853.hpp"
#include "vinculum/integrate/dp5.hpp"
#include "vinculum/integrate/stage_sums.hpp"
#include "vinculum/integrate/tsit5.hpp"

namespace vinculum::integrate {
namespace {

template <class Rows>
constexpr std::span<const double> flat(const Rows& rows) {
  // Nested std::arrays of double lie one behind the other.
  static_assert(sizeof(Rows) ==
                sizeof(double) * std::tuple_size_v<Rows> * std::tuple_size_v<typename Rows::value_type>);
  return {rows.front().data(), rows.size() * rows.front().size()};
}

struct Description {
  std::string_view name, source;
  int order;
  std::span<const int> embedded_orders;
  int dense_order;
  int error_exponent;
  double alpha, beta;
};

template <const auto& kTableau>
constexpr Method make_method(const Description& about) {
  bool error_uses_last = false;
  for (const auto& row : kTableau.e) error_uses_last |= row[kTableau.kStages] != 0.0;
  return {.name = about.name,
          .source = about.source,
          .order = about.order,
          .embedded_orders = about.embedded_orders,
          .dense_order = about.dense_order,
          .stages = kTableau.kStages,
          .extra_stages = kTableau.kExtra,
          .first_same_as_last = true,
          .error_uses_last = error_uses_last,
          .error_rows = kTableau.kErrors,
          .dense_rows = kTableau.kDense,
          .error_exponent = about.error_exponent,
          .alpha = about.alpha,
          .beta = about.beta,
          .c = kTableau.c,
          .a = flat(kTableau.a),
          .e = flat(kTableau.e),
          .d = flat(kTableau.d),
          .sums = &kStageSums<kTableau>};
}

constexpr int kEmbedded53[] = {5, 3};
constexpr int kEmbedded4[] = {4};

// Control constants: DOP853 as dop853.f with beta 0.04; the pairs of order 5 as Gustafsson's 0.7/5 and 0.4/5.
const Method kMethods[] = {
    make_method<kDop853>(
        {"dop853",
         "Dormand & Prince; Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.5, "
         "II.6, II.10",
         8, kEmbedded53, 7, 8, 1.0 / 8.0 - 0.2 * 0.04, 0.04}),
    make_method<kDp5>(
        {"dp5",
         "Dormand & Prince, J. Comput. Appl. Math. 6 (1980) 19-26; dense output: Hairer, Nørsett & Wanner "
         "I, II.6",
         5, kEmbedded4, 4, 5, 0.7 / 5.0, 0.4 / 5.0}),
    make_method<kTsit5>(
        {"tsit5", "Tsitouras, Comput. Math. Appl. 62 (2011) 770-775", 5, kEmbedded4, 4, 5, 0.7 / 5.0, 0.4 / 5.0}),
};

}  // namespace

std::span<const Method> method_table() { return kMethods; }

const Method* find_method(std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace vinculum::integrate
