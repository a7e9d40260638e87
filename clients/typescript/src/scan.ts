// Finds where values of a JSON text end. The text is valid: JSON.parse has read it.

const SPACE = " \t\n\r";
const ENDS = ",]}" + SPACE;

/** Returns the place of the next character that is no blank. */
export function afterSpace(text: string, at: number): number {
  while (at < text.length && SPACE.includes(text.charAt(at))) at++;
  return at;
}

/** Returns the place behind a string that begins here. */
export function afterString(text: string, at: number): number {
  for (;;) {
    at = text.indexOf('"', at + 1);
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Returns the place behind a value that begins here. */
export function afterValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return afterString(text, at);
  if (first === "{" || first === "[") return afterBrackets(text, at);
  while (at < text.length && !ENDS.includes(text.charAt(at))) at++;
  return at;
}

function afterBrackets(text: string, at: number): number {
  let depth = 0;
  for (;;) {
    const c = text[at];
    if (c === '"') {
      at = afterString(text, at);
      continue;
    }
    if (c === "{" || c === "[") depth++;
    if (c === "}" || c === "]") depth--;
    at++;
    if (depth === 0) return at;
  }
}

/** Walks the members of an object that begins here, a key that stands twice included: the key, and where its value begins. */
export function* membersAt(text: string, at: number): Generator<[string, number]> {
  at = afterSpace(text, at + 1);
  while (text[at] !== "}") {
    const end = afterString(text, at);
    const key = JSON.parse(text.slice(at, end)) as string;
    const value = afterSpace(text, afterSpace(text, end) + 1);
    yield [key.toWellFormed(), value];
    at = afterComma(text, afterValue(text, value));
  }
}

/** Walks the items of an array that begins here: where each begins. */
export function* itemsAt(text: string, at: number): Generator<number> {
  at = afterSpace(text, at + 1);
  while (text[at] !== "]") {
    yield at;
    at = afterComma(text, afterValue(text, at));
  }
}

function afterComma(text: string, at: number): number {
  at = afterSpace(text, at);
  return text[at] === "," ? afterSpace(text, at + 1) : at;
}
