#include "vinculum/out/derive_solver.hpp"

namespace vinculum::out {
namespace {

constexpr const char* kExplicitC = R"(/* M = L L^T in the lower triangle of L; 0 where M is not positive definite. */
static int cholesky(const double *M, double *L, int n) {
  int i, j, k;
  for (i = 0; i < n; ++i) {
    for (j = 0; j <= i; ++j) {
      double s = M[i * n + j];
      for (k = 0; k < j; ++k) s -= L[i * n + k] * L[j * n + k];
      if (i == j) {
        if (!(s > 1e-13 * M[i * n + i])) return 0;
        L[i * n + i] = sqrt(s);
      } else {
        L[i * n + j] = s / L[j * n + j];
      }
    }
  }
  return 1;
}

/* Q_0 .. Q_{r-1} (rows of n numbers), orthonormal, span the m rows of B; T [m][r] with B = T Q; order[k] is the row that
   gave Q_k. Rows of length below 1e-10 of their own, once the others are taken from them, depend on these. Returns r. */
static int orthogonalize(const double *B, int m, int n, double *Q, double *T, int *order) {
  int rank = 0, i, j, k, pass;
  double rest[SIZE(NR) * SIZE(NX)], own[SIZE(NR)];
  char taken[SIZE(NR)] = {0};
  for (i = 0; i < m * n; ++i) rest[i] = B[i];
  for (i = 0; i < m; ++i) {
    own[i] = 0.0;
    for (j = 0; j < n; ++j) own[i] += B[i * n + j] * B[i * n + j];
    own[i] = sqrt(own[i]);
  }
  while (rank < m && rank < n) {
    int best = -1;
    double largest = 1e-10, length;
    double *q = Q + rank * n;
    for (i = 0; i < m; ++i) {
      if (taken[i] || own[i] == 0.0) continue;
      for (length = 0.0, j = 0; j < n; ++j) length += rest[i * n + j] * rest[i * n + j];
      length = sqrt(length) / own[i];
      if (length > largest) {
        largest = length;
        best = i;
      }
    }
    if (best < 0) break;
    taken[best] = 1;
    for (j = 0; j < n; ++j) q[j] = rest[best * n + j];
    for (pass = 0; pass < 2; ++pass) { /* once more, against rounding */
      for (k = 0; k < rank; ++k) {
        double s = 0.0;
        for (j = 0; j < n; ++j) s += q[j] * Q[k * n + j];
        for (j = 0; j < n; ++j) q[j] -= s * Q[k * n + j];
      }
    }
    for (length = 0.0, j = 0; j < n; ++j) length += q[j] * q[j];
    length = sqrt(length);
    for (j = 0; j < n; ++j) q[j] /= length;
    for (i = 0; i < m; ++i) {
      double s = 0.0;
      if (taken[i]) continue;
      for (j = 0; j < n; ++j) s += rest[i * n + j] * q[j];
      for (j = 0; j < n; ++j) rest[i * n + j] -= s * q[j];
    }
    order[rank++] = best;
  }
  for (i = 0; i < m; ++i) {
    for (k = 0; k < rank; ++k) {
      double s = 0.0;
      for (j = 0; j < n; ++j) s += B[i * n + j] * Q[k * n + j];
      T[i * rank + k] = s;
    }
  }
  return rank;
}

/* x of least norm with B x = r, m rows of n numbers; 2 where the rows contradict each other. */
static int least_norm(const double *B, const double *r, int m, int n, double *x) {
  double Q[SIZE(NX) * SIZE(NX)], T[SIZE(NR) * SIZE(NX)], y[SIZE(NX)] = {0.0}, largest = 0.0;
  char holds[SIZE(NR)] = {0};
  int order[SIZE(NR)];
  const int rank = orthogonalize(B, m, n, Q, T, order);
  int i, j, k;
  for (k = 0; k < rank; ++k) {
    y[k] = r[order[k]];
    for (j = 0; j < k; ++j) y[k] -= T[order[k] * rank + j] * y[j];
    y[k] /= T[order[k] * rank + k];
    holds[order[k]] = 1; /* by what y_k is */
  }
  for (k = 0; k < rank; ++k) largest = fabs(y[k]) > largest ? fabs(y[k]) : largest;
  for (i = 0; i < m; ++i) {
    double miss = -r[i], size = fabs(r[i]) + 1e-300;
    if (holds[i]) continue;
    for (k = 0; k < rank; ++k) {
      miss += T[i * rank + k] * y[k];
      size += fabs(T[i * rank + k]) * largest;
    }
    if (fabs(miss) > 1e-7 * size) return 2;
  }
  for (j = 0; j < n; ++j) {
    x[j] = 0.0;
    for (k = 0; k < rank; ++k) x[j] += Q[k * n + j] * y[k];
  }
  return 0;
}

)";

constexpr const char* kExplicitSolveC = R"(/* u' and lambda of  M u' = f + A^T lambda,  A u' = b  after Udwadia and Kalaba: with M = L L^T and B = A L^-T,
   L^T u' = L^-1 f + B^+ (b - A M^-1 f). Rows may depend on each other: then lambda is the one of least norm with rows of
   unit length. M may be semidefinite where the rows determine the rest. */
static int solve(const double *M, const double *f, const double *A, const double *b, double *udot, double *lambda) {
  double H[SIZE(NU * NU)], L[SIZE(NU * NU)], y[SIZE(NU)], B[SIZE(NI * NU)], r[SIZE(NI)], scale[SIZE(NI)];
  double Q[SIZE(NU * NU)], T[SIZE(NI * NU)], Tt[SIZE(NI * NU)] = {0.0}, g[SIZE(NU)] = {0.0}, mu[SIZE(NI)], eta[SIZE(NU)] = {0.0}, largest = 0.0;
  double longest = 0.0, fastest = 0.0;
  char holds[SIZE(NI)] = {0};
  int order[SIZE(NI)];
  int i, j, k, rank;
  for (i = 0; i < NU * NU; ++i) H[i] = M[i];
  for (i = 0; i < NU; ++i) y[i] = f[i];
  for (i = 0; i < NI; ++i) {
    double length = 0.0;
    for (j = 0; j < NU; ++j) length += A[i * NU + j] * A[i * NU + j];
    scale[i] = sqrt(length);
    if (scale[i] > longest) longest = scale[i];
  }
  for (i = 0; i < NI; ++i) { /* a row that vanishes but for rounding has no direction */
    scale[i] = scale[i] > 1e-14 * longest ? 1.0 / scale[i] : 0.0;
    r[i] = scale[i] * b[i];
  }
  if (!cholesky(H, L, NU)) { /* the same motion with M + w A^T A, f + w A^T b */
    double w = 0.0;
    for (i = 0; i < NU; ++i) w += M[i * NU + i];
    w = w > 0.0 ? w / NU : 1.0;
    for (k = 0; k < NI; ++k) {
      for (i = 0; i < NU; ++i) {
        for (j = 0; j < NU; ++j) H[i * NU + j] += w * scale[k] * scale[k] * A[k * NU + i] * A[k * NU + j];
        y[i] += w * scale[k] * A[k * NU + i] * r[k];
      }
    }
    if (!cholesky(H, L, NU)) return 1;
  }
  for (i = 0; i < NU; ++i) {
    for (j = 0; j < i; ++j) y[i] -= L[i * NU + j] * y[j];
    y[i] /= L[i * NU + i];
  }
  for (k = 0; k < NI; ++k) {
    for (i = 0; i < NU; ++i) {
      double s = scale[k] * A[k * NU + i];
      for (j = 0; j < i; ++j) s -= L[i * NU + j] * B[k * NU + j];
      B[k * NU + i] = s / L[i * NU + i];
    }
  }
  rank = orthogonalize(B, NI, NU, Q, T, order);
  for (k = 0; k < rank; ++k) { /* B y = r on the rows of full rank */
    double s = r[order[k]], own = 0.0;
    for (j = 0; j < k; ++j) s -= T[order[k] * rank + j] * eta[j];
    eta[k] = s / T[order[k] * rank + k];
    holds[order[k]] = 1; /* by what eta_k is */
    for (i = 0; i < NU; ++i) own += Q[k * NU + i] * y[i];
    g[k] = eta[k] - own;
    if (fabs(eta[k]) > largest) largest = fabs(eta[k]);
    if (fabs(own) > largest) largest = fabs(own); /* loads that the rows hold: their rounding contradicts nothing */
  }
  for (k = 0; k < NI; ++k) { /* rows that depend on these */
    double miss = -r[k], size = fabs(r[k]) + 1e-300;
    if (holds[k]) continue;
    for (j = 0; j < rank; ++j) {
      miss += T[k * rank + j] * eta[j];
      size += fabs(T[k * rank + j]) * largest;
    }
    if (fabs(miss) > 1e-7 * size) return 2;
  }
  for (k = 0; k < rank; ++k) {
    for (i = 0; i < NU; ++i) y[i] += Q[k * NU + i] * g[k];
  }
  for (i = NU - 1; i >= 0; --i) {
    double s = y[i];
    for (j = i + 1; j < NU; ++j) s -= L[j * NU + i] * udot[j];
    udot[i] = s / L[i * NU + i];
  }
  for (i = 0; i < NU; ++i) { /* accelerations, and those without constraints */
    if (fabs(udot[i]) > fastest) fastest = fabs(udot[i]);
    if (M[i * NU + i] > 0.0 && fabs(f[i]) > fastest * M[i * NU + i]) fastest = fabs(f[i]) / M[i * NU + i];
  }
  for (k = 0; k < NI; ++k) { /* what a row that vanishes asks for may be rounding of terms of the longest row's size */
    if (scale[k] == 0.0 && fabs(b[k]) > 1e-10 * longest * fastest + 1e-300) return 2;
  }
  for (k = 0; k < rank; ++k) { /* T^T mu = g */
    for (i = 0; i < NI; ++i) Tt[k * NI + i] = T[i * rank + k];
  }
  if (least_norm(Tt, g, rank, NI, mu)) return 2;
  for (k = 0; k < NI; ++k) lambda[k] = scale[k] * mu[k];
  return 0;
}

)";

constexpr const char* kAugmentedC = R"(/* u' and lambda of  [M -A^T; A 0] [u'; lambda] = [f; b]  by elimination with complete pivoting. Where rows depend on each
   other u' is unique and lambda is one of many. */
static int solve(const double *M, const double *f, const double *A, const double *b, double *udot, double *lambda) {
  enum { N = NU + NI };
  double K[SIZE(N * N)], r[SIZE(N)], scale[SIZE(N)], x[SIZE(N)], size = 1e-300, longest = 0.0;
  int column[SIZE(N)];
  int i, j, k, rank = 0;
  for (i = 0; i < NU; ++i) {
    scale[i] = M[i * NU + i] > 0.0 ? 1.0 / sqrt(M[i * NU + i]) : 1.0;
  }
  for (i = 0; i < NI; ++i) {
    double length = 0.0;
    for (j = 0; j < NU; ++j) length += A[i * NU + j] * A[i * NU + j] * scale[j] * scale[j];
    scale[NU + i] = sqrt(length);
    if (scale[NU + i] > longest) longest = scale[NU + i];
  }
  for (i = NU; i < N; ++i) { /* a row that vanishes but for rounding has no direction */
    scale[i] = 1.0 / (scale[i] > 1e-14 * longest ? scale[i] : longest > 0.0 ? longest : 1.0);
  }
  for (i = 0; i < N; ++i) {
    column[i] = i;
    x[i] = 0.0;
    r[i] = scale[i] * (i < NU ? f[i] : b[i - NU]);
    if (fabs(r[i]) > size) size = fabs(r[i]);
    for (j = 0; j < N; ++j) {
      double e = 0.0;
      if (i < NU && j < NU) e = M[i * NU + j];
      if (i < NU && j >= NU) e = -A[(j - NU) * NU + i];
      if (i >= NU && j < NU) e = A[(i - NU) * NU + j];
      K[i * N + j] = scale[i] * scale[j] * e;
    }
  }
  for (k = 0; k < N; ++k) {
    int row = k, best = k;
    double largest = 0.0, swap;
    for (i = k; i < N; ++i) {
      for (j = k; j < N; ++j) {
        if (fabs(K[i * N + j]) > largest) {
          largest = fabs(K[i * N + j]);
          row = i;
          best = j;
        }
      }
    }
    if (!(largest > 1e-11)) break;
    for (j = 0; j < N; ++j) {
      swap = K[k * N + j];
      K[k * N + j] = K[row * N + j];
      K[row * N + j] = swap;
    }
    swap = r[k];
    r[k] = r[row];
    r[row] = swap;
    for (i = 0; i < N; ++i) {
      swap = K[i * N + k];
      K[i * N + k] = K[i * N + best];
      K[i * N + best] = swap;
    }
    i = column[k];
    column[k] = column[best];
    column[best] = i;
    for (i = k + 1; i < N; ++i) {
      const double factor = K[i * N + k] / K[k * N + k];
      for (j = k; j < N; ++j) K[i * N + j] -= factor * K[k * N + j];
      r[i] -= factor * r[k];
    }
    ++rank;
  }
  for (i = rank; i < N; ++i) {
    if (column[i] < NU) return 1;
    if (fabs(r[i]) > 1e-7 * size) return 2;
  }
  for (i = rank - 1; i >= 0; --i) {
    double s = r[i];
    for (j = i + 1; j < rank; ++j) s -= K[i * N + j] * x[column[j]];
    x[column[i]] = s / K[i * N + i];
  }
  for (i = 0; i < NU; ++i) udot[i] = scale[i] * x[i];
  for (i = 0; i < NI; ++i) lambda[i] = scale[NU + i] * x[NU + i];
  return 0;
}

)";

constexpr const char* kMinimalC = R"(/* X of  D X = R  for square D [n][n] and R [n][m], by elimination with row exchanges; 0 where D is singular. */
static int eliminate(double *D, double *R, int n, int m) {
  int i, j, k;
  for (k = 0; k < n; ++k) {
    int best = k;
    double size = 0.0;
    for (i = k; i < n; ++i) {
      if (fabs(D[i * n + k]) > fabs(D[best * n + k])) best = i;
    }
    for (j = 0; j < n; ++j) {
      const double swap = D[k * n + j];
      D[k * n + j] = D[best * n + j];
      D[best * n + j] = swap;
      size += fabs(D[k * n + j]);
    }
    if (!(fabs(D[k * n + k]) > 1e-12 * size)) return 0;
    for (j = 0; j < m; ++j) {
      const double swap = R[k * m + j];
      R[k * m + j] = R[best * m + j];
      R[best * m + j] = swap;
    }
    for (i = k + 1; i < n; ++i) {
      const double factor = D[i * n + k] / D[k * n + k];
      for (j = k; j < n; ++j) D[i * n + j] -= factor * D[k * n + j];
      for (j = 0; j < m; ++j) R[i * m + j] -= factor * R[k * m + j];
    }
  }
  for (k = n - 1; k >= 0; --k) {
    for (j = 0; j < m; ++j) {
      double s = R[k * m + j];
      for (i = k + 1; i < n; ++i) s -= D[k * n + i] * R[i * m + j];
      R[k * m + j] = s / D[k * n + k];
    }
  }
  return 1;
}

/* u' and lambda by Kane's reduced equations: u' = V w' + rest with the dependent speeds from the pivot rows,
   V^T M V w' = V^T (f - M rest). Rows that are no pivots get lambda = 0. */
static int solve(const double *M, const double *f, const double *A, const double *b, double *udot, double *lambda) {
  double D[SIZE(ND * ND)], R[SIZE(ND * (NW + 1))], V[SIZE(NU * NW)], MV[SIZE(NU * NW)], force[SIZE(NU)], rest[SIZE(NU)];
  double Mr[SIZE(NW * NW)], w[SIZE(NW)], l[SIZE(ND)], largest = 0.0;
  int i, j, k, s;
  for (i = 0; i < ND; ++i) {
    for (j = 0; j < ND; ++j) D[i * ND + j] = A[pivot_rows[i] * NU + dependent[j]];
    for (j = 0; j < NW; ++j) R[i * (NW + 1) + j] = -A[pivot_rows[i] * NU + independent[j]];
    R[i * (NW + 1) + NW] = b[pivot_rows[i]];
  }
  if (!eliminate(D, R, ND, NW + 1)) return 3;
  for (i = 0; i < NU * NW; ++i) V[i] = 0.0;
  for (i = 0; i < NU; ++i) rest[i] = 0.0;
  for (j = 0; j < NW; ++j) V[independent[j] * NW + j] = 1.0;
  for (k = 0; k < ND; ++k) {
    for (j = 0; j < NW; ++j) V[dependent[k] * NW + j] = R[k * (NW + 1) + j];
    rest[dependent[k]] = R[k * (NW + 1) + NW];
  }
  for (i = 0; i < NU; ++i) {
    force[i] = f[i];
    for (s = 0; s < NU; ++s) force[i] -= M[i * NU + s] * rest[s];
    for (j = 0; j < NW; ++j) {
      MV[i * NW + j] = 0.0;
      for (s = 0; s < NU; ++s) MV[i * NW + j] += M[i * NU + s] * V[s * NW + j];
    }
  }
  for (i = 0; i < NW; ++i) {
    w[i] = 0.0;
    for (s = 0; s < NU; ++s) w[i] += V[s * NW + i] * force[s];
    for (j = 0; j < NW; ++j) {
      Mr[i * NW + j] = 0.0;
      for (s = 0; s < NU; ++s) Mr[i * NW + j] += V[s * NW + i] * MV[s * NW + j];
    }
  }
  if (!eliminate(Mr, w, NW, 1)) return 1;
  for (i = 0; i < NU; ++i) {
    udot[i] = rest[i];
    for (j = 0; j < NW; ++j) udot[i] += V[i * NW + j] * w[j];
  }
  for (i = 0; i < NU; ++i) { /* accelerations, and those without constraints: the rounding of loads contradicts nothing */
    if (fabs(udot[i]) > largest) largest = fabs(udot[i]);
    if (M[i * NU + i] > 0.0 && fabs(f[i]) > largest * M[i * NU + i]) largest = fabs(f[i]) / M[i * NU + i];
  }
  for (i = 0; i < NI; ++i) {
    double miss = -b[i], size = fabs(b[i]) + 1e-300;
    for (j = 0; j < NU; ++j) {
      miss += A[i * NU + j] * udot[j];
      size += fabs(A[i * NU + j]) * largest;
    }
    if (fabs(miss) > 1e-7 * size) return 2;
    lambda[i] = 0.0;
  }
  for (k = 0; k < ND; ++k) {
    l[k] = -f[dependent[k]];
    for (s = 0; s < NU; ++s) l[k] += M[dependent[k] * NU + s] * udot[s];
    for (j = 0; j < ND; ++j) D[k * ND + j] = A[pivot_rows[j] * NU + dependent[k]];
  }
  if (!eliminate(D, l, ND, 1)) return 3;
  for (k = 0; k < ND; ++k) lambda[pivot_rows[k]] = l[k];
  return 0;
}

)";

constexpr const char* kExplicitPython = R"(def cholesky(M):
    """L with M = L L^T, None where M is not positive definite"""
    n = len(M)
    L = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = M[i][j]
            for k in range(j):
                s -= L[i][k] * L[j][k]
            if i == j:
                if not s > 1e-13 * M[i][i]:
                    return None
                L[i][i] = math.sqrt(s)
            else:
                L[i][j] = s / L[j][j]
    return L


def dot(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b
    return s


def orthogonalize(B, n):
    """Q orthonormal with the span of the rows of B, T with B = T Q, and the rows that gave Q"""
    rest = [list(row) for row in B]
    own = [math.sqrt(dot(row, row)) for row in B]
    Q, order = [], []
    while len(order) < min(len(B), n):
        best, largest = -1, 1e-10
        for i in range(len(B)):
            if i in order or own[i] == 0.0:
                continue
            length = math.sqrt(dot(rest[i], rest[i])) / own[i]
            if length > largest:
                best, largest = i, length
        if best < 0:
            break
        q = list(rest[best])
        for _ in range(2):  # once more, against rounding
            for known in Q:
                s = dot(q, known)
                q = [a - s * b for a, b in zip(q, known)]
        length = math.sqrt(dot(q, q))
        q = [a / length for a in q]
        order.append(best)
        Q.append(q)
        for i in range(len(B)):
            if i not in order:
                s = dot(rest[i], q)
                rest[i] = [a - s * b for a, b in zip(rest[i], q)]
    return Q, [[dot(row, q) for q in Q] for row in B], order


def least_norm(B, r, n):
    """x of least norm with B x = r"""
    Q, T, order = orthogonalize(B, n)
    y = []
    for k, row in enumerate(order):
        s = r[row]
        for j in range(k):
            s -= T[row][j] * y[j]
        y.append(s / T[row][k])
    check_rows(T, r, y, order)
    x = [0.0] * n
    for q, a in zip(Q, y):
        x = [c + a * d for c, d in zip(x, q)]
    return x


def check_rows(T, r, y, order, own=()):
    """Whether rows that depend on those in order, which determine y, hold too. own: what there would be without the rows;
    the rounding of loads that they hold contradicts nothing"""
    largest = max([abs(a) for a in y] + [abs(a) for a in own], default=0.0)
    for i, (row, right) in enumerate(zip(T, r)):
        if i in order:
            continue
        size = abs(right) + 1e-300 + sum(abs(a) for a in row) * largest
        if abs(dot(row, y) - right) > 1e-7 * size:
            raise ArithmeticError("the constraints contradict each other")


)";

constexpr const char* kExplicitSolvePython = R"(def solve(M, f, A, b):
    """u' and lambda of M u' = f + A^T lambda, A u' = b after Udwadia and Kalaba: with M = L L^T and B = A L^-T,
    L^T u' = L^-1 f + B^+ (b - A M^-1 f). Rows may depend on each other: then lambda is the one of least norm with rows of
    unit length. M may be semidefinite where the rows determine the rest."""
    n = len(M)
    lengths = [math.sqrt(dot(row, row)) for row in A]
    longest = max(lengths, default=0.0)  # a row that vanishes but for rounding has no direction
    scale = [1.0 / length if length > 1e-14 * longest else 0.0 for length in lengths]
    r = [s * right for s, right in zip(scale, b)]
    H, y = M, list(f)
    L = cholesky(H)
    if L is None:  # the same motion with M + w A^T A, f + w A^T b
        w = sum(M[i][i] for i in range(n)) / n or 1.0
        H = [list(row) for row in M]
        for row, s, right in zip(A, scale, r):
            for i in range(n):
                for j in range(n):
                    H[i][j] += w * s * s * row[i] * row[j]
                y[i] += w * s * row[i] * right
        L = cholesky(H)
        if L is None:
            raise ArithmeticError("an acceleration is undetermined")

    def forward(x):
        x = list(x)
        for i in range(n):
            for j in range(i):
                x[i] -= L[i][j] * x[j]
            x[i] /= L[i][i]
        return x

    y = forward(y)
    B = [forward([s * a for a in row]) for row, s in zip(A, scale)]
    Q, T, order = orthogonalize(B, n)
    eta, g = [], []
    for k, row in enumerate(order):
        s = r[row]
        for j in range(k):
            s -= T[row][j] * eta[j]
        eta.append(s / T[row][k])
        g.append(eta[k] - dot(Q[k], y))
    check_rows(T, r, eta, order, [e - a for e, a in zip(eta, g)])
    for q, a in zip(Q, g):
        y = [c + a * d for c, d in zip(y, q)]
    udot = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = y[i]
        for j in range(i + 1, n):
            s -= L[j][i] * udot[j]
        udot[i] = s / L[i][i]
    fastest = max([abs(a) for a in udot] + [abs(f[i]) / M[i][i] for i in range(n) if M[i][i] > 0.0], default=0.0)
    for s, right in zip(scale, b):  # what a row that vanishes asks for may be rounding of terms of the longest row's size
        if s == 0.0 and abs(right) > 1e-10 * longest * fastest + 1e-300:
            raise ArithmeticError("the constraints contradict each other")
    transposed = [[T[i][k] for i in range(len(A))] for k in range(len(order))]
    mu = least_norm(transposed, g, len(A))
    return udot, [s * a for s, a in zip(scale, mu)]


)";

constexpr const char* kAugmentedPython = R"(def solve(M, f, A, b):
    """u' and lambda of [M -A^T; A 0] [u'; lambda] = [f; b] by elimination with complete pivoting. Where rows depend on each
    other u' is unique and lambda is one of many."""
    n, m = len(M), len(A)
    size = n + m
    scale = [1.0 / math.sqrt(M[i][i]) if M[i][i] > 0.0 else 1.0 for i in range(n)]
    lengths = [math.sqrt(sum(row[j] * row[j] * scale[j] * scale[j] for j in range(n))) for row in A]
    longest = max(lengths, default=0.0)  # a row that vanishes but for rounding has no direction
    scale += [1.0 / (length if length > 1e-14 * longest else longest or 1.0) for length in lengths]
    K = [list(M[i]) + [-A[k][i] for k in range(m)] for i in range(n)] + [list(row) + [0.0] * m for row in A]
    K = [[scale[i] * scale[j] * K[i][j] for j in range(size)] for i in range(size)]
    r = [s * right for s, right in zip(scale, list(f) + list(b))]
    column = list(range(size))
    largest_right = max([abs(a) for a in r], default=0.0) + 1e-300
    rank = 0
    for k in range(size):
        row, best, largest = k, k, 0.0
        for i in range(k, size):
            for j in range(k, size):
                if abs(K[i][j]) > largest:
                    row, best, largest = i, j, abs(K[i][j])
        if not largest > 1e-11:
            break
        K[k], K[row] = K[row], K[k]
        r[k], r[row] = r[row], r[k]
        for line in K:
            line[k], line[best] = line[best], line[k]
        column[k], column[best] = column[best], column[k]
        for i in range(k + 1, size):
            factor = K[i][k] / K[k][k]
            if factor != 0.0:
                for j in range(k, size):
                    K[i][j] -= factor * K[k][j]
                r[i] -= factor * r[k]
        rank += 1
    for i in range(rank, size):
        if column[i] < n:
            raise ArithmeticError("an acceleration is undetermined")
        if abs(r[i]) > 1e-7 * largest_right:
            raise ArithmeticError("the constraints contradict each other")
    x = [0.0] * size
    for i in range(rank - 1, -1, -1):
        s = r[i]
        for j in range(i + 1, rank):
            s -= K[i][j] * x[column[j]]
        x[column[i]] = s / K[i][i]
    x = [s * a for s, a in zip(scale, x)]
    return x[:n], x[n:]


)";

constexpr const char* kMinimalPython = R"(def eliminate(D, R):
    """X of D X = R for square D, by elimination with row exchanges; None where D is singular"""
    n = len(D)
    D, R = [list(row) for row in D], [list(row) for row in R]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(D[i][k]))
        D[k], D[best] = D[best], D[k]
        R[k], R[best] = R[best], R[k]
        if not abs(D[k][k]) > 1e-12 * sum(abs(a) for a in D[k]):
            return None
        for i in range(k + 1, n):
            factor = D[i][k] / D[k][k]
            for j in range(k, n):
                D[i][j] -= factor * D[k][j]
            R[i] = [a - factor * c for a, c in zip(R[i], R[k])]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            R[k] = [a - D[k][i] * c for a, c in zip(R[k], R[i])]
        R[k] = [a / D[k][k] for a in R[k]]
    return R


def solve(M, f, A, b):
    """u' and lambda by Kane's reduced equations: u' = V w' + rest with the dependent speeds from the pivot rows,
    V^T M V w' = V^T (f - M rest). Rows that are no pivots get lambda = 0."""
    n, m = len(M), len(independent)
    D = [[A[row][s] for s in dependent] for row in pivot_rows]
    R = eliminate(D, [[-A[row][s] for s in independent] + [b[row]] for row in pivot_rows])
    if R is None:
        raise ArithmeticError("the choice of dependent speeds is singular here")
    V = [[0.0] * m for _ in range(n)]
    rest = [0.0] * n
    for j, s in enumerate(independent):
        V[s][j] = 1.0
    for s, row in zip(dependent, R):
        V[s], rest[s] = row[:m], row[m]
    force = [f[i] - sum(M[i][s] * rest[s] for s in range(n)) for i in range(n)]
    MV = [[sum(M[i][s] * V[s][j] for s in range(n)) for j in range(m)] for i in range(n)]
    Mr = [[sum(V[s][i] * MV[s][j] for s in range(n)) for j in range(m)] for i in range(m)]
    fr = [[sum(V[s][i] * force[s] for s in range(n))] for i in range(m)]
    w = eliminate(Mr, fr)
    if w is None:
        raise ArithmeticError("an acceleration is undetermined")
    udot = [rest[i] + sum(V[i][j] * w[j][0] for j in range(m)) for i in range(n)]
    own = [abs(f[i]) / M[i][i] for i in range(n) if M[i][i] > 0.0]
    largest = max([abs(a) for a in udot] + own, default=0.0)  # the rounding of loads contradicts nothing
    for row, right in zip(A, b):
        size = abs(right) + 1e-300 + sum(abs(a) for a in row) * largest
        if abs(sum(a * c for a, c in zip(row, udot)) - right) > 1e-7 * size:
            raise ArithmeticError("the constraints contradict each other")
    lambdas = [0.0] * len(A)
    rest = [[sum(M[s][k] * udot[k] for k in range(n)) - f[s]] for s in dependent]
    found = eliminate([[A[row][s] for row in pivot_rows] for s in dependent], rest)
    if found is None:
        raise ArithmeticError("the choice of dependent speeds is singular here")
    for row, value in zip(pivot_rows, found):
        lambdas[row] = value[0]
    return udot, lambdas


)";

constexpr const char* kEffortsC = R"(/* Motion kept by efforts e beside the multipliers: u' is affine in e, the directed rows determine e; of more efforts than
   rows the least sum of (e/scale)^2. Rows kept by `via` have lambda = 0,
   by `law directed` their effort. */
static int solve_with_efforts(const double *M, const double *f, const double *A, const double *b, const double *Gamma,
    double *udot, double *lambda, double *effort) {
  enum { NK = NC - NI };
  double Ai[SIZE(NI * NU)], bi[SIZE(NI)], zero[SIZE(NI)] = {0.0}, li[SIZE(NI)], share[SIZE(NE * NI)];
  double each[SIZE(NE * NU)], B[SIZE(NK * NE)], r[SIZE(NK)];
  int i, j, k, result;
  for (i = 0; i < NI; ++i) {
    bi[i] = b[ideal_rows[i]];
    for (j = 0; j < NU; ++j) Ai[i * NU + j] = A[ideal_rows[i] * NU + j];
  }
  result = solve(M, f, Ai, bi, udot, li);
  for (k = 0; k < NE && result == 0; ++k) {
    result = solve(M, Gamma + k * NU, Ai, zero, each + k * NU, share + k * NI);
  }
  if (result) return result;
  for (i = 0; i < NK; ++i) {
    const double *row = A + directed_rows[i] * NU;
    r[i] = b[directed_rows[i]];
    for (j = 0; j < NU; ++j) r[i] -= row[j] * udot[j];
    for (k = 0; k < NE; ++k) {
      B[i * NE + k] = 0.0;
      for (j = 0; j < NU; ++j) B[i * NE + k] += row[j] * each[k * NU + j] * effort_scale[k];
    }
  }
  if (least_norm(B, r, NK, NE, effort)) return 2;
  for (i = 0; i < NC; ++i) lambda[i] = 0.0;
  for (k = 0; k < NE; ++k) {
    effort[k] *= effort_scale[k];
    for (j = 0; j < NU; ++j) udot[j] += effort[k] * each[k * NU + j];
    for (i = 0; i < NI; ++i) li[i] += effort[k] * share[k * NI + i];
  }
  for (i = 0; i < NI; ++i) lambda[ideal_rows[i]] = li[i];
  for (k = 0; k < NE; ++k) {
    if (row_of_effort[k] >= 0) lambda[row_of_effort[k]] = effort[k];
  }
  return 0;
}

)";

constexpr const char* kEffortsPython = R"(def solve_with_efforts(M, f, A, b, Gamma):
    """Motion kept by efforts e beside the multipliers: u' is affine in e, the directed rows determine e; of more efforts
    than rows the least sum of (e/scale)^2. Rows kept by `via` have lambda = 0, by `law directed` their effort."""
    rows = [A[i] for i in ideal_rows]
    udot, found = solve(M, f, rows, [b[i] for i in ideal_rows])
    each = [solve(M, column, rows, [0.0] * len(rows)) for column in Gamma]
    B = [[dot(A[i], motion) * scale for (motion, _), scale in zip(each, effort_scale)] for i in directed_rows]
    x = least_norm(B, [b[i] - dot(A[i], udot) for i in directed_rows], len(Gamma))
    effort = [a * scale for a, scale in zip(x, effort_scale)]
    for e, (motion, share) in zip(effort, each):
        udot = [a + e * c for a, c in zip(udot, motion)]
        found = [a + e * c for a, c in zip(found, share)]
    lambdas = [0.0] * len(A)
    for i, value in zip(ideal_rows, found):
        lambdas[i] = value
    for i, e in zip(row_of_effort, effort):
        if i >= 0:
            lambdas[i] = e
    return udot, lambdas, effort


)";

std::string form_text(dynamics::Formulation form, bool is_c) {
  switch (form) {
    case dynamics::Formulation::kExplicit: return is_c ? kExplicitSolveC : kExplicitSolvePython;
    case dynamics::Formulation::kAugmented: return is_c ? kAugmentedC : kAugmentedPython;
    case dynamics::Formulation::kMinimal: return is_c ? kMinimalC : kMinimalPython;
  }
  return "";
}

// The orthogonalization alone, without what only the explicit form needs.
std::string tools_text(bool needs_cholesky, bool is_c) {
  const std::string text = is_c ? kExplicitC : kExplicitPython;
  return needs_cholesky ? text : text.substr(text.find(is_c ? "/* Q_0" : "def dot("));
}

}  // namespace

std::string solver_text(dynamics::Formulation form, expr::CodeLanguage language, bool has_efforts) {
  const bool is_c = language == expr::CodeLanguage::kC;
  const bool is_explicit = form == dynamics::Formulation::kExplicit;
  std::string text;
  if (is_explicit || has_efforts) text += tools_text(is_explicit, is_c);
  text += form_text(form, is_c);
  if (has_efforts) text += is_c ? kEffortsC : kEffortsPython;
  return text;
}

}  // namespace vinculum::out
