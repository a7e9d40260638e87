'use strict';
// difference says where two values first differ; empty where they do not.
function difference(got, want, at = '') {
  const inside = (value) => value !== null && typeof value === 'object';
  if (!inside(got) || !inside(want)) return got === want ? '' : `${at}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`;
  for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
    const found = difference(got[key], want[key], `${at}/${key}`);
    if (found) return found;
  }
  return '';
}
module.exports = { difference };
