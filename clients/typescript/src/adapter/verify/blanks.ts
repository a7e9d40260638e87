/** What the planner takes for a blank. JavaScript's own `trim` takes a byte order mark for one, and not U+0085. */
export const BLANK = /\p{White_Space}/u;

/** Takes what is around a text off both ends. A regular expression for that would look at each place for the end. */
export function trimmed(text: string, around: RegExp): string {
  let [first, end] = [0, text.length];
  while (first < end && around.test(text.charAt(first))) first++;
  while (first < end && around.test(text.charAt(end - 1))) end--;
  return text.slice(first, end);
}
