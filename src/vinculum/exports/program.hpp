#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expr/code.hpp"

namespace vinculum::report {

/// A scalar, a vector or a matrix of a program.
struct Variable {
  std::string name;
  std::string rows, columns;  ///< expressions; both empty: a scalar, columns empty: a vector
  bool is_whole = false;      ///< of integers
  bool is_changed = false;    ///< an argument that the function writes into
};

/// One line of a function. Expressions are in the notation of `read_functions`.
struct Statement {
  enum class Kind {
    kFor,       ///< texts: index, first, end; the block follows, one deeper
    kDown,      ///< texts: index, first, end; from end − 1 down to first
    kWhile,     ///< texts: condition
    kIf,        ///< texts: condition
    kElse,      ///< of the kIf before, at the same depth
    kLine,      ///< texts: one of "break", "continue", "return x", "f(x)"
    kFail,      ///< texts: number of the failure
    kArrays,    ///< variables, all of them 0
    kCall,      ///< texts: function, arguments; variables: what it fills, new ones where they have sizes
    kExchange,  ///< texts: two places
    kDefine,    ///< texts: name, value
    kAssign,    ///< texts: place, sign ("=", "+=", …), value
  } kind{};
  int depth = 1;
  std::vector<std::string> texts = {};
  std::vector<Variable> variables = {};
  std::string type = {};  ///< of kDefine: "int", "real", "const" (a real that stays)
  std::string note = {};  ///< a comment on the line
  expr::Expr value = {};  ///< of kDefine and kAssign, in the place of the text
};

/// A function: its outputs are filled by it and start with no value. One that has the name of an input is that input,
/// changed.
struct Function {
  enum class Answer { kNothing, kStatus, kWhole, kReal };
  std::string about;  ///< lines
  std::string name;
  std::vector<Variable> inputs, outputs;
  Answer answer{};  ///< kStatus: the function may fail
  bool is_public = false;
  std::vector<Statement> body;
  expr::Names names;  ///< of symbols and shared subexpressions in its values
};

/// A program in no language: what `to_c` and `to_python` print.
struct Program {
  struct Size {
    std::string name;
    std::size_t value;
  };
  struct Indices {
    std::string name;
    std::vector<int> values;
  };
  struct Numbers {
    std::string name;
    std::vector<double> values;
    std::string about = {};
  };
  std::string about;     ///< lines at the head of the file, the last one open: how matrices are stored is said there
  std::string contents;  ///< lines: which entry of its arrays is what
  std::vector<Size> sizes;
  std::vector<Indices> indices;
  std::vector<Numbers> numbers;
  std::vector<Function> functions;
  const expr::Graph* graph = nullptr;  ///< of the values in statements
  bool is_guarded = false;             ///< some values are chosen by conditions
};

/// How a program may fail: C returns the number, Python raises with the words.
inline constexpr const char* kFailures[] = {"", "an acceleration is undetermined",
                                            "the constraints contradict each other",
                                            "the dependent speeds are not determined by the constraints here"};

/// Functions written in the notation of programs:
///
///   # what it does                                             lines of comment before the head
///   name(x, int n, A[n][m], var y[n]) -> z[n] fails            inputs; outputs; or `returns int`, `returns real`
///     real s = 0.0                                             int likewise; arrays `real K[n][n], r[n]`: all 0
///     for i < n: s += A[i][0] * y[i]                           also `i in a, b` (a ≤ i < b), `i down b`, `i down a, b`
///     if s > 1.0 and not (x == 0.0): fail 2                    else, while, break, continue, return
///     call f(A, y) -> z, real w[n]                             fails where f does; w is new
///     exchange y[i], y[k]  # a note
///
/// Two spaces indent a block; a single statement may follow its head on the line. A[i] of a matrix is its row. Integer
/// quotients are `//`. Words: abs max sqrt NAN true false and or not.
[[nodiscard]] std::vector<Function> read_functions(std::string_view text);

/// The program in C99; arrays of arrays are stored row by row.
[[nodiscard]] std::string to_c(const Program& program);
/// The program in Python with `math` alone; arrays of arrays are lists of rows, outputs are returned.
[[nodiscard]] std::string to_python(const Program& program);

}  // namespace vinculum::report
