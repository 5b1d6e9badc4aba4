"""The equations of motion for SymPy. The Python program written by `derive` is executed with symbols as arguments."""

import ast
import fractions
import re

from ._errors import BuildError

_LISTED = re.compile(r"^ +([pquz])\[(\d+)\]\s+(\S+)", re.M)


class SymbolicEquations:
    """Equations of motion as SymPy matrices: q' = q_dot, M u' = f + Aᵀλ, A u' = b.

    q_dot [nq], M [nu, nu], f [nu], A [nc, nu], b [nc], z_dot [nz]
                   the terms of the equations; f includes the forces of `nonideal` clauses
    t, q, u, z, p  the symbols, named as in the model ("x", "x'", "l"); all except t are lists
    symbols        dict of all symbols by name
    values         dict of the parameter values of the model by name [SI]
    """

    def __init__(self, symbols, values, results, order):
        self.t, self.symbols, self.values = symbols["t"][0], {}, values
        self.q, self.u, self.z, self.p = (symbols[kind] for kind in "quzp")
        for one in (self.t, *self.q, *self.u, *self.z, *self.p):
            self.symbols[one.name] = one
        for name in order:
            setattr(self, {"qdot": "q_dot", "zdot": "z_dot"}.get(name, name), results[name])

    def at(self, state, values=None):
        """Dict of symbols and numbers for `subs`: t, q, u and z of `state`, and all parameters.

        :param state: a vinculum.State.
        :param values: parameter values by name [SI] that replace those of the model.
        """
        numbers = {self.t: state.t}
        for symbols, given in ((self.q, state.q), (self.u, state.u), (self.z, state.z)):
            numbers.update(zip(symbols, map(float, given)))
        for symbol in self.p:
            numbers[symbol] = (values or {}).get(symbol.name, self.values[symbol.name])
        return numbers

    def _repr_latex_(self):
        import sympy

        parts = ((name, getattr(self, name)) for name in ("M", "f", "A", "b"))
        return (
            "$$\\begin{gather}" + r" \\ ".join(f"{name} = {sympy.latex(of)}" for name, of in parts) + "\\end{gather}$$"
        )


class _Symbolic(ast.NodeTransformer):
    """Rewrites the program: floats that are short fractions become rationals; conditions become SymPy expressions."""

    _relations = {ast.Lt: "Lt", ast.LtE: "Le", ast.Gt: "Gt", ast.GtE: "Ge", ast.Eq: "Eq", ast.NotEq: "Ne"}

    @staticmethod
    def _call(name, *arguments):
        return ast.Call(ast.Attribute(ast.Name("sympy", ast.Load()), name, ast.Load()), list(arguments), [])

    def visit_Constant(self, node):
        if not isinstance(node.value, float):
            return node
        exact = fractions.Fraction(node.value)
        if exact.denominator <= 1024:
            return self._call("Rational", ast.Constant(exact.numerator), ast.Constant(exact.denominator))
        return self._call("Float", ast.Constant(repr(node.value)), ast.Constant(17))

    def visit_IfExp(self, node):
        self.generic_visit(node)
        branches = (
            ast.Tuple([node.body, node.test], ast.Load()),
            ast.Tuple([node.orelse, ast.Constant(True)], ast.Load()),
        )
        return self._call("Piecewise", *branches)

    def visit_Compare(self, node):
        self.generic_visit(node)
        return self._call(self._relations[type(node.ops[0])], node.left, node.comparators[0])

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        return self._call("And" if isinstance(node.op, ast.And) else "Or", *node.values)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return self._call("Not", node.operand) if isinstance(node.op, ast.Not) else node


def _spline(*_):
    raise BuildError("to_sympy: the equations contain a table, for which SymPy has no expression")


class _Math:
    """Replacement for the module `math`, with functions of SymPy."""

    def __init__(self, sympy):
        self._sympy = sympy

    def __getattr__(self, name):
        return getattr(self._sympy, {"pow": "Pow"}.get(name, name))


def to_sympy(derivation):
    """The SymbolicEquations of a Derivation of the explicit form.

    :raises BuildError: for another form, and for equations that contain a table.
    """
    import sympy

    tree = ast.parse(derivation.python)
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    equations = next((one for name, one in functions.items() if name.endswith("_equations")), None)
    if equations is None:
        raise BuildError('to_sympy: takes the explicit form, model.derive("explicit")')
    program = {}
    exec(compile(tree, "<derived>", "exec"), program)
    numbers = (
        program[equations.name.removesuffix("_equations") + "_parameters"]()
        if "_parameters" in derivation.python
        else []
    )

    symbols = {kind: [] for kind in "tquzp"}
    symbols["t"] = [sympy.Symbol("t", real=True)]
    for kind, _, name in _LISTED.findall(ast.get_docstring(tree, clean=False)):
        symbols[kind].append(sympy.Symbol(name, real=True))

    name = equations.name
    order = [one.id for one in equations.body[-1].value.elts]
    exec(
        compile(ast.fix_missing_locations(ast.Module([_Symbolic().visit(equations)], [])), "<derived>", "exec"),
        scope := {
            **{key: value for key, value in program.items() if key.isupper()},
            "sympy": sympy,
            "math": _Math(sympy),
            "abs": sympy.Abs,
            "sign_of": sympy.sign,
            "floor_of": sympy.floor,
            "smaller": sympy.Min,
            "larger": sympy.Max,
            "whole_power": lambda x, n: x**n,
            "divided": lambda a, b: a / b,
            "guarded": lambda function, *x: function(*x),
            "spline": _spline,
            "in_period": _spline,
        },
    )
    given = [symbols[one.arg][0] if one.arg == "t" else symbols[one.arg] for one in equations.args.args]
    matrices = {}
    for key, found in zip(order, scope[name](*given)):
        columns = len(symbols["u"]) if key in ("M", "A") else 1
        entries = [x for row in found for x in (row if columns > 1 or isinstance(row, list) else [row])]
        matrices[key] = sympy.Matrix(len(found), columns, entries)
    values = {symbol.name: value for symbol, value in zip(symbols["p"], numbers)}
    return SymbolicEquations(symbols, values, matrices, order)
