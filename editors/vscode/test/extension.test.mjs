// The extension with stand-ins for VS Code and its client: the command that it starts, and the documents it serves.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import Module, {createRequire} from 'node:module';
import path from 'node:path';
import {test} from 'node:test';

const started = [];
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, {id, name, server, options});
  }
  async start() {
    started.push(this);
  }
  async stop() {
    this.isStopped = true;
  }
}
const settings = {vinculum: {python: '/opt/env/bin/python'}};
const standIns = {
  'vscode': {workspace: {getConfiguration: (section) => ({get: (key) => settings[section][key]})}},
  'vscode-languageclient/node': {LanguageClient},
};
const load = Module._load;
Module._load = (name, ...rest) => standIns[name] ?? load(name, ...rest);
const extension = createRequire(import.meta.url)('../extension.js');

test('the server runs in the Python of the settings, and ends with the extension', async () => {
  assert.equal(extension.deactivate(), undefined);
  await extension.activate();
  const {options, ...server} = started[0].server;
  assert.deepEqual(server, {command: '/opt/env/bin/python', args: ['-m', 'vinculum.lsp']});
  assert.equal(path.basename(options.cwd), 'vscode'); // not the folder of the model
  assert.deepEqual(started[0].options.documentSelector, [{language: 'vinculum'}]);
  await extension.deactivate();
  assert.ok(started[0].isStopped);
});

test('the language and the setting are declared', () => {
  const {contributes, dependencies} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
  assert.equal(contributes.languages[0].id, started[0].options.documentSelector[0].language);
  assert.ok('vinculum.python' in contributes.configuration.properties);
  assert.ok('vscode-languageclient' in dependencies);
});

test('brackets of blocks change the indentation', () => {
  const {indentationRules} = JSON.parse(readFileSync(new URL('../language-configuration.json', import.meta.url)));
  const opens = new RegExp(indentationRules.increaseIndentPattern);
  for (const line of ['view {', '  for i in 1..3 {', 'component c(a) {  # a part', '} else {'])
    assert.match(line, opens);
  for (const line of ['param m = 2', 'view { no ground }', '# view {']) assert.doesNotMatch(line, opens);
  assert.match('  }', new RegExp(indentationRules.decreaseIndentPattern));
});
