// Starts the language server of the Python package, `python -m vinculum.lsp`, for model texts.
const {workspace} = require('vscode');
const {LanguageClient} = require('vscode-languageclient/node');

let client;

exports.activate = async () => {
  const python = workspace.getConfiguration('vinculum').get('python');
  client = new LanguageClient(
    'vinculum',
    'Vinculum',
    // Python also imports from the folder in which it starts, which must not be that of the model.
    {command: python, args: ['-m', 'vinculum.lsp'], options: {cwd: __dirname}},
    {documentSelector: [{language: 'vinculum'}]},
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
