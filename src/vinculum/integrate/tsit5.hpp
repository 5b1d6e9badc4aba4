#pragma once

#include "vinculum/integrate/tableau.hpp"

namespace vinculum::integrate {

/// Tsitouras' 5(4) pair with its continuous extension of order 4. θ is the fraction of the step. The published dense
/// output has polynomials b_i(θ) of degree 4; values and slopes are continuous from step to step. So the dense output
/// equals the cubic Hermite interpolant plus θ²(1−θ)² times h Σ d_i k_i, where d_i is the leading coefficient of b_i.
/// Source: Tsitouras, Comput. Math. Appl. 62 (2011) 770–775.   Test: method_test.cpp, all 17 order conditions.
inline constexpr Tableau<6, 0, 1, 1> kTsit5 = {
    .c = {0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0},
    // clang-format off
    .a = {{
        {},
        {0.161},
        {-0.008480655492356989, 0.335480655492357},
        {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
        {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
        {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383},
        {0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774},
    }},
    .e = {{
        {-0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629,
         0.5823571654525552, -0.45808210592918697, 1.0 / 66.0},
    }},
    .d = {{
        {-1.0530884977290216, 0.1017, 2.490627285651252793, -16.54810288924490272, 47.37952196281928122,
         -34.87065786149660974, 2.5},
    }},
    // clang-format on
};

}  // namespace vinculum::integrate
