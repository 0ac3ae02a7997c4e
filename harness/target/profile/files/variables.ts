/** The environment variables that a profile names, without reading it as a whole. */
import { type JsonNode, JsonTextError, parseJsonText } from '../../response/json-text.ts';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names in the order of the text, each once. Comments do not count; where the text is not JSON (a module), all of it does. */
export function variablesIn(text: string): string[] {
  const found = textsOf(text).flatMap((each) => [...each.matchAll(REFERENCE)].map(([, name = '']) => name));
  return [...new Set(found)];
}

function textsOf(text: string): string[] {
  try {
    return stringsIn(parseJsonText(text.replace(/^\uFEFF/, ''), 'jsonc'));
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return [text];
  }
}

function stringsIn(node: JsonNode): string[] {
  if (node.kind === 'string') return [node.value];
  if (node.kind === 'array') return node.items.flatMap(stringsIn);
  return node.kind === 'object' ? node.entries.flatMap(({ value }) => stringsIn(value)) : [];
}
