// Quantities, read exactly: 1Gi, 1024Mi and 1073741824 are the same.

const LONGEST = 64;
const LARGEST_EXPONENT = 30;
const PARTS = /^([0-9]*)(?:\.([0-9]*))?([^0-9.][^]*)?$/;
const EXPONENT = /^[eE]([+-]?[0-9]+)$/;
const BINARY = new Map([
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60],
]);
const DECIMAL = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);

/** A unit that is so small that each quantity is a whole number of it: the last digit of the longest fraction with the smallest exponent. */
const UNIT = LONGEST + LARGEST_EXPONENT;

/** Reads a quantity, in units of 10^-94. Undefined for a text that is none, or one that is negative. */
export function quantityOf(text: string): bigint | undefined {
  const [, whole = "", fraction = "", suffix = ""] = (text.length <= LONGEST ? PARTS.exec(text) : null) ?? [];
  if (whole + fraction === "") return undefined;
  const bits = BINARY.get(suffix) ?? 0;
  const power = bits > 0 ? 0 : powerOf(suffix);
  if (power === undefined) return undefined;
  return (BigInt(whole + fraction) << BigInt(bits)) * 10n ** BigInt(UNIT + power - fraction.length);
}

/** Returns undefined for a text that is no decimal suffix. */
function powerOf(suffix: string): number | undefined {
  const power = DECIMAL.get(suffix) ?? Number(EXPONENT.exec(suffix)?.[1] ?? NaN);
  return Math.abs(power) <= LARGEST_EXPONENT ? power : undefined;
}

/** Reports whether two texts are the same quantity. No text is as good as zero. */
export function sameQuantity(a: string, b: string): boolean {
  const one = quantityOf(a || "0");
  return one !== undefined && one === quantityOf(b || "0");
}
