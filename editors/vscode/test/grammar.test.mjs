// Tokenizes models with the TextMate grammar as VS Code does. VINCULUM_MODELS names a JSON file [[path, hasIllegal], …].
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {test} from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const require = createRequire(import.meta.url);
const grammarFile = new URL('../syntaxes/vinculum.tmLanguage.json', import.meta.url);

await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, 'utf8'), 'grammar.json'),
});
const grammar = await registry.loadGrammar('source.vinculum');

/** Texts of the tokens with their innermost scopes. */
function tokens(text) {
  const found = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const {tokens: all, ruleStack} = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const {startIndex, endIndex, scopes} of all)
      found.push([line.slice(startIndex, endIndex), scopes.at(-1).replace(/\.vinculum$/, '')]);
  }
  return found;
}
const scopeOf = (text, word) => tokens(text).find(([one]) => one === word)?.[1];

test('no token of a model is illegal, except where the program finds an illegal character', () => {
  const models = JSON.parse(readFileSync(process.env.VINCULUM_MODELS, 'utf8'));
  assert.ok(models.length > 500);
  for (const [path, hasIllegal] of models) {
    const illegal = tokens(readFileSync(path, 'utf8')).filter(([, scope]) => scope === 'invalid.illegal');
    assert.equal(illegal.length > 0, hasIllegal, `${path}: ${JSON.stringify(illegal.slice(0, 3))}`);
  }
});

test('words have the scopes of their places', () => {
  const body = 'body rod frame A mass m inertia plane I at P  # a rod';
  assert.equal(scopeOf(body, 'body'), 'keyword.control');
  assert.equal(scopeOf(body, 'rod'), 'entity.name.type');
  assert.equal(scopeOf(body, 'mass'), 'keyword.other');
  assert.equal(scopeOf(body, '# a rod'), 'comment.line.number-sign');
  assert.equal(scopeOf('param l = 2.5e3 [mm]', '[mm]'), 'constant.other.unit');
  assert.equal(scopeOf('param l = 2.5e3 [mm]', '2.5e3'), 'constant.numeric');
  assert.equal(scopeOf('  law viscous kappa = 3', 'viscous'), 'support.type');
  assert.equal(scopeOf('joint J: revolute between P of A and Q of B', 'revolute'), 'support.type');
  assert.equal(scopeOf('let h = dot(a, N.y)', 'dot'), 'support.function');
  assert.equal(scopeOf('for i in 1..3 {', '1'), 'constant.numeric');
  assert.equal(scopeOf('let v = mass*2', 'mass'), 'keyword.other');
  assert.equal(scopeOf('let v = P.mass', 'mass'), 'variable.other');
  assert.equal(scopeOf("let v = q''", "q''"), 'variable.other');
  assert.equal(scopeOf('let v = $', '$'), 'invalid.illegal');
  assert.equal(scopeOf('title "open', '"'), 'invalid.illegal');
});
