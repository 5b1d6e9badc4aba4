#include "vinculum/out/program/derive_solver_texts.hpp"

namespace vinculum::out::solver_texts {

const char* const kToolsPython = R"(def cholesky(M):
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

const char* const kExplicitPython = R"(def solve(M, f, A, b):
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

const char* const kAugmentedPython = R"(def solve(M, @argument@f, A, b):
    """u' and lambda of [M -A^T; A 0] [u'; lambda] = [f; b] by elimination with complete pivoting. Where rows depend on each
    other u' is unique and lambda is one of many.@why@"""
    n, m = len(M), len(A)
    size = n + m
    scale = [1.0 / math.sqrt(@mass@) if @mass@ > 0.0 else 1.0 for i in range(n)]
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

const char* const kMinimalPython = R"(def eliminate(D, R):
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


def solve(M, @argument@f, A, b):
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
    own = [abs(f[i]) / @mass@ for i in range(n) if @mass@ > 0.0]
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

const char* const kEffortsPython = R"(def solve_with_efforts(M, @argument@f, A, b, Gamma):
    """Motion kept by efforts e beside the multipliers: u' is affine in e, the directed rows determine e; of more efforts
    than rows the least sum of (e/scale)^2. Rows kept by `via` have lambda = 0, by `law directed` their effort."""
    rows = [A[i] for i in ideal_rows]
    udot, found = solve(M, @argument@f, rows, [b[i] for i in ideal_rows])
    each = [solve(M, @argument@column, rows, [0.0] * len(rows)) for column in Gamma]
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

}  // namespace vinculum::out::solver_texts
