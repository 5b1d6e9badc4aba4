// Rules for the JavaScript of page/: the recommended rules, and rules for mistakes that those do not find.
// tests/page/lint.sh runs them.
import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    rules: {
      'array-callback-return': 'error',
      'eqeqeq': 'error',
      'no-shadow': 'error',
      'no-template-curly-in-string': 'error',
      'no-unmodified-loop-condition': 'error',
      'no-unreachable-loop': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', {functions: false, classes: false}],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {files: ['src/**'], languageOptions: {globals: globals.browser}},
  // Programs of Node.js. They hand functions to a browser, which has its own names.
  {files: ['*.mjs', 'test/**'], languageOptions: {globals: {...globals.node, ...globals.browser}}},
];
