// Finds and rewrites calls in JavaScript text; strings, comments and template text are not code and stay as they are.

/** Positions of `text` that are code. */
function codeMask(text) {
  const mask = new Array(text.length).fill(false);
  const templates = []; // brace depths at which a template's ${…} ends
  let depth = 0;
  const skipTemplate = (from) => {
    let i = from;
    while (i < text.length && text[i] !== '`') {
      if (text[i] === '\\') i += 2;
      else if (text.startsWith('${', i)) {
        templates.push(depth);
        return i + 2;
      } else i += 1;
    }
    return i + 1;
  };
  for (let i = 0; i < text.length;) {
    if (text.startsWith('//', i)) i = endOf(text, '\n', i);
    else if (text.startsWith('/*', i)) i = endOf(text, '*/', i) + 2;
    else if (text[i] === "'" || text[i] === '"') i = endOfString(text, i);
    else if (text[i] === '`') i = skipTemplate(i + 1);
    else if (text[i] === '}' && templates.at(-1) === depth) {
      templates.pop();
      i = skipTemplate(i + 1);
    } else {
      if (text[i] === '{') depth += 1;
      if (text[i] === '}') depth -= 1;
      mask[i++] = true;
    }
  }
  return mask;
}

const endOf = (text, mark, from) => {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
};

function endOfString(text, from) {
  let i = from + 1;
  while (i < text.length && text[i] !== text[from]) i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

/** Calls of a function in a text: where each begins and ends, and its arguments. A declaration is no call. */
export function findCalls(text, name) {
  const mask = codeMask(text);
  const calls = [];
  for (const { index } of text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))) {
    if (!mask[index] || /\bfunction\s+$/.test(text.slice(0, index))) continue;
    const args = [];
    let level = 0;
    let start = index + name.length + 1;
    for (let i = start; i < text.length; i++) {
      if (!mask[i]) continue;
      if ('([{'.includes(text[i])) level += 1;
      else if (level > 0 && ')]}'.includes(text[i])) level -= 1;
      else if (level === 0 && (text[i] === ',' || text[i] === ')')) {
        args.push(text.slice(start, i).trim());
        start = i + 1;
        if (text[i] === ')') {
          calls.push({ start: index, end: i + 1, args: args.filter((arg) => arg !== '') });
          break;
        }
      }
    }
  }
  return calls;
}

/** Rewrite the last `most` calls of `from` to `to({ … })`, one named property per parameter, and mend the imports. */
export function migrate(text, { from, to, parameters, most }) {
  const calls = findCalls(text, from).slice(-most);
  let result = text;
  for (const { start, end, args } of calls.toReversed()) {
    const properties = parameters.map((name, i) => (args[i] === name ? name : `${name}: ${args[i]}`));
    result = `${result.slice(0, start)}${to}({ ${properties.join(', ')} })${result.slice(end)}`;
  }
  const names = findCalls(result, from).length > 0 ? `${to}, ${from}` : to;
  const imports = new RegExp(`import \\{ (?:${to}, )?${from} \\} from`);
  return {
    text: calls.length > 0 ? result.replace(imports, `import { ${names} } from`) : result,
    migrated: calls.length,
  };
}
