/** The texts that a script contains, put together: a key that it joins from pieces is in none of them. */

const QUOTES = ['"', "'", '`'];

/** More than this is not read as a script. */
const MAX_CHARACTERS = 512 * 1024;

/** The contents of all string literals of the scripts in a text, in their order, without anything between them. */
export const joinedLiterals = (text: string): string =>
  scriptsIn(text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text)
    .map((script) => literalsOf(script).join(''))
    .join('\n');

/** The elements of a page that hold scripts; of a text without a page around it, all of it. */
function scriptsIn(text: string): string[] {
  if (!/^\s*</.test(text)) return [text];
  // Of the same length, which the lower case of a whole text may not be.
  const lower = text.replace(/script/gi, 'script');
  const scripts: string[] = [];
  for (let from = lower.indexOf('<script'); from >= 0; ) {
    const end = lower.indexOf('</script', from);
    scripts.push(text.slice(lower.indexOf('>', from) + 1, end < 0 ? undefined : end));
    from = end < 0 ? -1 : lower.indexOf('<script', end);
  }
  return scripts;
}

/** Read without regard to comments and patterns: a quotation mark in them costs at most the rest of its line. */
function literalsOf(script: string): string[] {
  const literals: string[] = [];
  let quote = '';
  let literal = '';
  for (let at = 0; at < script.length; at += 1) {
    const character = script.charAt(at);
    if (quote === '') {
      if (QUOTES.includes(character)) quote = character;
    } else if (character === '\\') {
      at += 1;
      literal += script.charAt(at);
    } else if (character === quote || (character === '\n' && quote !== '`')) {
      literals.push(literal);
      literal = '';
      quote = '';
    } else literal += character;
  }
  return literals;
}
