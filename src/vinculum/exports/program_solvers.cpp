#include "vinculum/exports/program_solvers.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::report {
namespace {

constexpr std::pair<const char*, double> kTolerances[] = {
    {"LEAST", tolerance::kLeast},         {"ROUNDED", tolerance::kRounded}, {"MASS_PIVOT", tolerance::kRank},
    {"PIVOT", tolerance::kDerivedRank},   {"ROW", tolerance::kRoot},        {"MISS", tolerance::kAtStates},
    {"VANISHED", tolerance::kConsistency}};

constexpr const char* kDot = R"(
dot(x[n], y[n], int n) returns real
  real s = 0.0
  for j < n: s += x[j] * y[j]
  return s
)";

constexpr const char* kOrthogonalize = R"(
# x without its part along the unit vector q
take_off(var x[n], q[n], int n)
  real s = dot(x, q, n)
  for j < n: x[j] -= s * q[j]

# Q_0 .. Q_{r-1} (rows of n numbers), orthonormal, span the m rows of B; T [m][r] with B = T Q; order[k] is the row that
# gave Q_k. Rows of length below `least` of their own, once the others are taken from them, depend on these. Returns r.
orthogonalize(B[m][NX], int m, int n, least, var Q[m][NX], var T[m][NX], var int order[m]) returns int
  real rest[NX][NX], own[NX]
  int taken[NX]
  int rank = 0
  for i < m
    own[i] = sqrt(dot(B[i], B[i], n))
    for j < n: rest[i][j] = B[i][j]
  while rank < m and rank < n
    int best = -1
    real largest = least
    for i < m
      if taken[i] == 0 and own[i] > 0.0
        real size = sqrt(dot(rest[i], rest[i], n)) / own[i]
        if size > largest
          largest = size
          best = i
    if best < 0: break
    taken[best] = 1
    order[rank] = best
    for j < n: Q[rank][j] = rest[best][j]
    for turn < 2  # once more, against rounding
      for k < rank: take_off(Q[rank], Q[k], n)
    real length = sqrt(dot(Q[rank], Q[rank], n))
    for j < n: Q[rank][j] /= length
    for i < m
      if taken[i] == 0: take_off(rest[i], Q[rank], n)
    rank += 1
  for i < m
    for k < rank: T[i][k] = dot(B[i], Q[k], n)
  return rank
)";

constexpr const char* kLeastNorm = R"(
# y of T y = r by the rows in order, which determine it, if the others hold too. own: what y would be without the rows;
# the rounding of loads that they hold contradicts nothing
determine(T[m][NX], int order[rank], int m, int rank, r[m], own[rank]) -> y[NX] fails
  int holds[NX]
  real largest = 0.0
  for k < rank
    y[k] = r[order[k]]
    for j < k: y[k] -= T[order[k]][j] * y[j]
    y[k] /= T[order[k]][k]
    holds[order[k]] = 1
    largest = max(largest, max(abs(y[k]), abs(own[k])))
  for i < m
    if holds[i] == 0
      real miss = -r[i]
      real size = abs(r[i]) + @LEAST
      for k < rank
        miss += T[i][k] * y[k]
        size += abs(T[i][k]) * largest
      if abs(miss) > @MISS * size: fail 2

# x of least norm with B x = r, m rows of n numbers
least_norm(B[m][NX], r[m], int m, int n) -> x[NX] fails
  real Q[NX][NX], T[NX][NX], none[NX]
  int order[NX]
  int rank = orthogonalize(B, m, n, @ROW, Q, T, order)
  call determine(T, order, m, rank, r, none) -> real y[NX]
  for j < n
    x[j] = 0.0
    for k < rank: x[j] += Q[k][j] * y[k]

)";

constexpr const char* kCholesky = R"(
# M = L L^T in the place of M, in its lower triangle; whether M is positive definite
cholesky(var M[n][n], int n) returns int
  for i < n
    for j < i + 1
      real s = M[i][j]
      for k < j: s -= M[i][k] * M[j][k]
      if i == j and not (s > @MASS_PIVOT * M[i][i]): return false
      if i == j: M[i][i] = sqrt(s)
      if i > j: M[i][j] = s / M[j][j]
  return true

# x of L x = y in the place of y
forward(L[n][n], var y[n], int n)
  for i < n
    for j < i: y[i] -= L[i][j] * y[j]
    y[i] /= L[i][i]
)";

constexpr const char* kUnitRows = R"(
# B has the m rows of A with unit length; scale has the inverse lengths, and 0 for a row that vanishes but for rounding,
# which has no direction. Returns the longest length.
unit_rows(A[m][NU], int m, var B[m][NX], var scale[m]) returns real
  real longest = 0.0
  for k < m
    scale[k] = sqrt(dot(A[k], A[k], NU))
    longest = max(longest, scale[k])
  for k < m
    if scale[k] > @ROUNDED * longest: scale[k] = 1.0 / scale[k]
    else: scale[k] = 0.0
    for i < NU: B[k][i] = scale[k] * A[k][i]
  return longest

# L of L L^T = M + w B^T B with w = 0, or w > 0 if M is not positive definite. Returns w; -1: that matrix is not either
root_of(M[NU][NU], B[m][NX], int m, var L[NU][NU]) returns real
  for i < NU
    for j < NU: L[i][j] = M[i][j]
  if cholesky(L, NU): return 0.0
  real w = 0.0
  for i < NU: w += M[i][i] / NU
  if not (w > 0.0): w = 1.0
  for i < NU
    for j < NU
      L[i][j] = M[i][j]
      for k < m: L[i][j] += w * B[k][i] * B[k][j]
  if cholesky(L, NU): return w
  return -1.0
)";

constexpr const char* kExplicit = R"(
# u' and lambda of M u' = f + A^T lambda, A u' = b after Udwadia and Kalaba: with M = L L^T and B = A L^-T,
# L^T u' = L^-1 f + B^+ (b - A M^-1 f). Rows may depend on each other: then lambda is the one of least norm with rows of
# unit length. M may be semidefinite where the rows determine the rest.
solve(M[NU][NU], mass[NU], f[NU], A[NI][NU], b[NI]) -> udot[NU], lambda[NI] fails
  real L[NU][NU], B[NX][NX], Q[NX][NX], T[NX][NX], Tt[NX][NX], scale[NX], r[NX], y[NX], own[NX], g[NX]
  int order[NX]
  real fastest = 0.0
  real longest = unit_rows(A, NI, B, scale)
  for k < NI: r[k] = scale[k] * b[k]
  for i < NU: y[i] = f[i]
  real w = root_of(M, B, NI, L)
  if w < 0.0: fail 1
  if w > 0.0  # the same motion with M + w A^T A, f + w A^T b
    for i < NU
      for k < NI: y[i] += w * B[k][i] * r[k]
  forward(L, y, NU)
  for k < NI: forward(L, B[k], NU)
  int rank = orthogonalize(B, NI, NU, @ROW, Q, T, order)
  for k < rank: own[k] = dot(Q[k], y, NU)
  call determine(T, order, NI, rank, r, own) -> real eta[NX]
  for k < rank
    g[k] = eta[k] - own[k]
    for i < NU: y[i] += Q[k][i] * g[k]
    for i < NI: Tt[k][i] = T[i][k]
  for i down NU
    udot[i] = y[i]
    for j in i + 1, NU: udot[i] -= L[j][i] * udot[j]
    udot[i] /= L[i][i]
  for i < NU  # accelerations, and those without constraints
    fastest = max(fastest, abs(udot[i]))
    if mass[i] > 0.0: fastest = max(fastest, abs(f[i]) / mass[i])
  for k < NI  # what a row that vanishes asks for may be rounding of terms of the longest row's size
    if scale[k] == 0.0 and abs(b[k]) > @VANISHED * longest * fastest + @LEAST: fail 2
  call least_norm(Tt, g, rank, NI) -> real mu[NX]
  for k < NI: lambda[k] = scale[k] * mu[k]
)";

constexpr const char* kLargest = R"(
largest_of(x[n], int n) returns real
  real result = 0.0
  for j < n: result = max(result, abs(x[j]))
  return result
)";

constexpr const char* kCorrection = R"(
# The least w, in the metric of M, with A w = r for all rows that do not depend on others. The others hold too if the
# constraints do not contradict each other. M may be semidefinite where the rows determine the rest. At a state that
# does not satisfy the constraints, rows that are not linear depend on each other only nearly; size: of the quantities
# that w changes, or 0 if the rows are linear in them.
correction(M[NU][NU], A[NC][NU], r[NC], size) -> w[NU] fails
  real L[NU][NU], B[NX][NX], Q[NX][NX], T[NX][NX], scale[NX], y[NX]
  int order[NX]
  real least = @ROW
  unit_rows(A, NC, B, scale)
  for k < NC
    if size > 0.0 and 10.0 * abs(scale[k] * r[k]) > least * size: least = 10.0 * abs(scale[k] * r[k]) / size
  if root_of(M, B, NC, L) < 0.0: fail 1
  for k < NC: forward(L, B[k], NU)
  if least > 0.1: least = 0.1
  int rank = orthogonalize(B, NC, NU, least, Q, T, order)
  for k < rank
    real part = scale[order[k]] * r[order[k]]
    for j < k: part -= T[order[k]][j] * dot(Q[j], y, NU)
    part /= T[order[k]][k]
    for i < NU: y[i] += part * Q[k][i]
  for i down NU
    w[i] = y[i]
    for j in i + 1, NU: w[i] -= L[j][i] * w[j]
    w[i] /= L[i][i]
)";

constexpr const char* kEliminate = R"(
# X of D X = R [n][m] by elimination of D [n][n] with complete pivoting; 0 for unknowns without pivot. Returns the rank;
# column has the unknowns in the order of their pivots, and what is left of R behind the rank has to be 0
eliminate(var D[n][n], var R[n][m], int n, int m, var X[n][m], var int column[n]) returns int
  int rank = 0
  for i < n: column[i] = i
  while rank < n
    int row = rank
    int best = rank
    for i in rank, n
      for j in rank, n
        if abs(D[i][j]) > abs(D[row][best])
          row = i
          best = j
    if not (abs(D[row][best]) > @PIVOT * abs(D[0][0])): break
    for j < n: exchange D[rank][j], D[row][j]
    for j < m: exchange R[rank][j], R[row][j]
    for i < n: exchange D[i][rank], D[i][best]
    exchange column[rank], column[best]
    for i in rank + 1, n
      real factor = D[i][rank] / D[rank][rank]
      if factor != 0.0
        for j in rank, n: D[i][j] -= factor * D[rank][j]
        for j < m: R[i][j] -= factor * R[rank][j]
    rank += 1
  for i down rank
    for k < m
      X[column[i]][k] = R[i][k]
      for j in i + 1, rank: X[column[i]][k] -= D[i][j] * X[column[j]][k]
      X[column[i]][k] /= D[i][i]
  for i in rank, n
    for k < m: X[column[i]][k] = 0.0
  return rank
)";

constexpr const char* kAugmented = R"(
# u' and lambda of [M -A^T; A 0] [u'; lambda] = [f; b] by elimination with complete pivoting, each speed in the scale of
# its mass. Where rows depend on each other u' is unique and lambda is one of many. M need not be positive.
solve(M[NU][NU], mass[NU], f[NU], A[NI][NU], b[NI]) -> udot[NU], lambda[NI] fails
  real K[NS][NS], r[NS][1], scale[NS], x[NS][1]
  int column[NS]
  real size = @LEAST
  real longest = 0.0
  for i < NU
    scale[i] = 1.0
    if mass[i] > 0.0: scale[i] = 1.0 / sqrt(mass[i])
    r[i][0] = scale[i] * f[i]
  for k < NI
    real s = 0.0
    for j < NU: s += A[k][j] * A[k][j] * scale[j] * scale[j]
    scale[NU + k] = sqrt(s)
    longest = max(longest, scale[NU + k])
  for k in NU, NS  # a row that vanishes but for rounding has no direction
    if not (scale[k] > @ROUNDED * longest): scale[k] = longest
    if scale[k] > 0.0: scale[k] = 1.0 / scale[k]
    else: scale[k] = 1.0
    r[k][0] = scale[k] * b[k - NU]
  for i < NU
    for j < NU: K[i][j] = scale[i] * scale[j] * M[i][j]
    for k < NI
      K[NU + k][i] = scale[i] * scale[NU + k] * A[k][i]
      K[i][NU + k] = -K[NU + k][i]
  for i < NS: size = max(size, abs(r[i][0]))
  int rank = eliminate(K, r, NS, 1, x, column)
  for i in rank, NS
    if column[i] < NU: fail 1
    if abs(r[i][0]) > @MISS * size: fail 2
  for i < NU: udot[i] = scale[i] * x[i][0]
  for k < NI: lambda[k] = scale[NU + k] * x[NU + k][0]
)";

constexpr const char* kMinimal = R"(
# u' and lambda by Kane's reduced equations: u' = V w' + rest with the dependent speeds from the pivot rows,
# V^T M V w' = V^T (f - M rest). Rows that are no pivots get lambda = 0.
solve(M[NU][NU], mass[NU], f[NU], A[NI][NU], b[NI]) -> udot[NU], lambda[NI] fails
  real D[ND][ND], R[ND][NW + 1], X[ND][NW + 1], V[NU][NW], MV[NU][NW], force[NU], rest[NU]
  real Mr[NW][NW], r[NW][1], w[NW][1], l[ND][1], x[ND][1]
  int column[NU]
  real largest = 0.0
  for i < ND
    for j < ND: D[i][j] = A[pivot_rows[i]][dependent[j]]
    for j < NW: R[i][j] = -A[pivot_rows[i]][independent[j]]
    R[i][NW] = b[pivot_rows[i]]
  if eliminate(D, R, ND, NW + 1, X, column) < ND: fail 3
  for j < NW: V[independent[j]][j] = 1.0
  for k < ND
    for j < NW: V[dependent[k]][j] = X[k][j]
    rest[dependent[k]] = X[k][NW]
  for i < NU
    force[i] = f[i] - dot(M[i], rest, NU)
    for j < NW
      for k < NU: MV[i][j] += M[i][k] * V[k][j]
  for i < NW
    for k < NU: r[i][0] += V[k][i] * force[k]
    for j < NW
      for k < NU: Mr[i][j] += V[k][i] * MV[k][j]
  if eliminate(Mr, r, NW, 1, w, column) < NW: fail 1
  for i < NU  # accelerations, and those without constraints: the rounding of loads contradicts nothing
    udot[i] = rest[i]
    for j < NW: udot[i] += V[i][j] * w[j][0]
    largest = max(largest, abs(udot[i]))
    if mass[i] > 0.0: largest = max(largest, abs(f[i]) / mass[i])
  for i < NI
    real size = abs(b[i]) + @LEAST
    for j < NU: size += abs(A[i][j]) * largest
    if abs(dot(A[i], udot, NU) - b[i]) > @MISS * size: fail 2
    lambda[i] = 0.0
  for k < ND
    l[k][0] = dot(M[dependent[k]], udot, NU) - f[dependent[k]]
    for j < ND: D[k][j] = A[pivot_rows[j]][dependent[k]]
  if eliminate(D, l, ND, 1, x, column) < ND: fail 3
  for k < ND: lambda[pivot_rows[k]] = x[k][0]
)";

constexpr const char* kEfforts = R"(
# Motion kept by efforts e beside the multipliers: u' is affine in e, the directed rows determine e; of more efforts than
# rows the least sum of (e/scale)^2. Rows kept by `via` have lambda = 0, by `law directed` their effort.
solve_with_efforts(M[NU][NU], mass[NU], f[NU], A[NC][NU], b[NC], Gamma[NE][NU]) -> udot[NU], lambda[NC], effort[NE] fails
  real Ai[NI][NU], bi[NI], none[NI], each[NE][NU], share[NE][NI], B[NX][NX], r[NX]
  for i < NI
    bi[i] = b[ideal_rows[i]]
    for j < NU: Ai[i][j] = A[ideal_rows[i]][j]
  call solve(M, mass, f, Ai, bi) -> udot, real li[NI]
  for k < NE
    call solve(M, mass, Gamma[k], Ai, none) -> each[k], share[k]
  for i < NC - NI
    r[i] = b[directed_rows[i]] - dot(A[directed_rows[i]], udot, NU)
    for k < NE: B[i][k] = dot(A[directed_rows[i]], each[k], NU) * effort_scale[k]
  call least_norm(B, r, NC - NI, NE) -> real x[NX]
  for i < NC: lambda[i] = 0.0
  for k < NE
    effort[k] = x[k] * effort_scale[k]
    for j < NU: udot[j] += effort[k] * each[k][j]
    for i < NI: li[i] += effort[k] * share[k][i]
    if row_of_effort[k] >= 0: lambda[row_of_effort[k]] = effort[k]
  for i < NI: lambda[ideal_rows[i]] = li[i]
)";

constexpr const char* kHigherOrder = R"(
# x of J x = r by elimination with complete pivoting, rows and columns in the scale of their largest entries; and once
# more for what rounding left
highest(J[NT][NT], r[NT][1]) -> x[NT] fails
  real K[NT][NT], left[NT][1], change[NT][1], row[NT], scale[NT]
  int column[NT]
  for i < NT
    real largest = 0.0
    for j < NT: largest = max(largest, abs(J[i][j]))
    row[i] = 1.0
    if largest > 0.0: row[i] = 1.0 / largest
    x[i] = 0.0
  for j < NT
    real widest = 0.0
    for i < NT: widest = max(widest, row[i] * abs(J[i][j]))
    scale[j] = 1.0
    if widest > 0.0: scale[j] = 1.0 / widest
  for turn < 2
    for i < NT
      left[i][0] = row[i] * r[i][0]
      for j < NT
        K[i][j] = row[i] * J[i][j] * scale[j]
        left[i][0] -= row[i] * J[i][j] * x[j]
    if eliminate(K, left, NT, 1, change, column) < NT: fail 1
    for j < NT: x[j] += scale[j] * change[j][0]
)";

/// Reads functions after replacing the names of tolerances, such as @NAME, by their values.
std::vector<Function> read_with_tolerances(std::string text) {
  for (const auto& [name, value] : kTolerances) {
    const std::string mark = std::string("@") + name, number = fmt::format("{}", value);
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), number);
  }
  return read_functions(text);
}

}  // namespace

std::vector<Function> solver_of_corrections(bool is_iterated) {
  return read_with_tolerances(std::string(kDot) + kOrthogonalize + kCholesky + kUnitRows + kCorrection +
                              (is_iterated ? kLargest : ""));
}

std::vector<Function> solver_of_higher_order() { return read_with_tolerances(std::string(kEliminate) + kHigherOrder); }

std::vector<Function> solvers(equations::Formulation form, bool has_efforts, bool has_indefinite_mass) {
  using equations::Formulation;
  if (has_indefinite_mass && form == Formulation::kExplicit) form = Formulation::kAugmented;
  std::string text;
  if (form != Formulation::kAugmented || has_efforts) text += kDot;
  if (form == Formulation::kExplicit || has_efforts) text += std::string(kOrthogonalize) + kLeastNorm;
  if (form != Formulation::kExplicit) text += kEliminate;
  if (form == Formulation::kExplicit) text += std::string(kCholesky) + kUnitRows;
  text += form == Formulation::kExplicit ? kExplicit : form == Formulation::kAugmented ? kAugmented : kMinimal;
  if (has_efforts) text += kEfforts;
  return read_with_tolerances(std::move(text));
}

}  // namespace vinculum::report
