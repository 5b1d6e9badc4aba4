#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vinculum/expr/code.hpp"

namespace vinculum::report {

/// A scalar, vector or matrix of a program.
struct Variable {
  std::string name;
  std::string rows, columns;  ///< sizes, as expressions; both empty: a scalar; columns empty: a vector
  bool is_whole = false;      ///< true: integers
  bool is_changed = false;    ///< an argument that the function modifies
};

/// One statement of a function. Its texts are in the notation of `read_functions`.
struct Statement {
  enum class Kind {
    kFor,       ///< loop; texts: index, first, end; the statements of the block follow, one level deeper
    kDown,      ///< loop from end − 1 down to first; texts: index, first, end
    kWhile,     ///< loop; texts: condition
    kIf,        ///< branch; texts: condition
    kElse,      ///< belongs to the preceding kIf of the same depth
    kLine,      ///< one of "break", "continue", "return x", "f(x)"
    kFail,      ///< the function fails; texts: index into `kFailures`
    kArrays,    ///< variables: new arrays, filled with 0
    kCall,      ///< texts: function, arguments; variables: outputs; outputs with sizes are new variables
    kExchange,  ///< texts: two variables or entries whose values are exchanged
    kDefine,    ///< a new scalar variable; texts: name, value
    kAssign,    ///< texts: variable or entry, sign ("=", "+=", …), value
  } kind{};
  int depth = 1;
  std::vector<std::string> texts = {};
  std::vector<Variable> variables = {};
  std::string type = {};  ///< type of a kDefine: "int", "real", "const" (a constant real)
  std::string note = {};  ///< a comment at the end of the line
  expr::Expr value = {};  ///< value of a kDefine or kAssign; if valid, it replaces the last text
};

/// A function. Its outputs have no initial value. If an output has the name of an input, the function modifies that
/// input.
struct Function {
  enum class Answer { kNothing, kStatus, kWhole, kReal };
  std::string about;  ///< comment lines
  std::string name;
  std::vector<Variable> inputs, outputs;
  Answer answer{};  ///< kStatus: the function can fail
  bool is_public = false;
  std::vector<Statement> body;
  expr::Names names;  ///< names of symbols and shared subexpressions in its values
};

/// A program that is independent of a programming language; input of `to_c` and `to_python`.
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
  std::string about;     ///< comment in the header; each language adds how matrices are stored
  std::string contents;  ///< comment lines: the meaning of array entries
  std::vector<Size> sizes;
  std::vector<Indices> indices;
  std::vector<Numbers> numbers;
  std::vector<Function> functions;
  const expr::Graph* graph = nullptr;  ///< graph of the expressions in `Statement::value`
  bool is_guarded = false;             ///< true if some values are selected by conditions
};

/// Failures of a program: C returns the index, Python raises an exception with the text.
inline constexpr const char* kFailures[] = {"", "an acceleration is undetermined",
                                            "the constraints contradict each other",
                                            "the dependent speeds are not determined by the constraints here",
                                            "no state near this one satisfies the constraints"};

/// Reads functions written in a small notation:
///
///   # what it does                                             lines of comment before the head
///   name(x, int n, A[n][m], var y[n]) -> z[n] fails            inputs; outputs; or `returns int`, `returns real`
///     real s = 0.0                                             also `int s = 0`; `real K[n][n], r[n]`: arrays of zeros
///     for i < n: s += A[i][0] * y[i]                           also `i in a, b` (a ≤ i < b), `i down b`, `i down a, b`
///     if s > 1.0 and not (x == 0.0): fail 2                    also else, while, break, continue, return
///     call f(A, y) -> z, real w[n]                             fails if f fails; w is a new variable
///     exchange y[i], y[k]  # a note
///
/// A block is indented by two spaces; a single statement may follow on the line of the block's head. A[i] of a matrix A
/// is its row i. Integer quotients are written `//`. Words: abs max sqrt NAN true false and or not.
[[nodiscard]] std::vector<Function> read_functions(std::string_view text);

/// Returns the program in C99. Matrices are stored row by row.
[[nodiscard]] std::string to_c(const Program& program);
/// Returns the program in Python, which imports only `math`. Matrices are lists of rows; outputs are returned.
[[nodiscard]] std::string to_python(const Program& program);

}  // namespace vinculum::report
