// Highlights the text of a model. The words come from the language's own tables, which the scene contains.
import {h} from './dom.js';

// Comments and texts in quotes, units, numbers, names, line ends, everything else
const kToken = /(#[^\n]*)|("[^"\n]*"?)|(\[[^\][\n]*\])|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*'*)|(\n)|([^])/g;

/** Whether brackets contain a unit: after a number or a blank, and not an index such as `q[1]`. */
const isUnit = (text, before) => /[\s\d)]$/.test(before) && !/\.\.|^\[\d+\]$/.test(text.replace('[1]', ''));

/** Returns the parts of a model's text: [[class or '', text]]. \param words {statements, clauses, items} */
export function parts(text, {statements, clauses, items}) {
  const all = [];
  const add = (kind, part) => {
    const last = all.at(-1);
    if (last && last[0] === kind) last[1] += part;
    else all.push([kind, part]);
  };
  let isFirst = true, // no word of the line has been read
    depth = 0, // of braces
    view = -1; // depth at which a view began; −1 outside of views
  let before = '';
  for (const [whole, comment, string, brackets, number, name, line] of text.matchAll(kToken)) {
    if (comment) add('comment', whole);
    else if (string) add('string', whole);
    else if (brackets) add(isUnit(brackets, before) ? 'unit' : '', whole);
    else if (number) add('number', whole);
    else if (name) {
      const heads = view >= 0 ? items.concat('for', 'if', 'else') : statements.concat(clauses, 'else');
      add(isFirst && heads.includes(name) ? 'word' : '', whole);
      if (isFirst && name === 'view' && view < 0) view = depth;
    } else {
      add('', whole);
      if (whole === '{') ++depth;
      if (whole === '}' && --depth <= view) view = -1;
    }
    if (line || whole === '{' || whole === '}') isFirst = true;
    else if (whole.trim() && !comment) isFirst = false;
    before = whole;
  }
  return all;
}

/** Returns a model's text as nodes of the page. */
export function highlighted(text, words) {
  return parts(text, words).map(([kind, part]) => (kind ? h('span', {class: `in-${kind}`}, part) : part));
}
