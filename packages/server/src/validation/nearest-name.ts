/**
 * The known name that a misspelt one most probably stands for; undefined when none is near. Case, dashes and underscores do
 * not count: `customer_id` is `customerId`. Cost: the product of the lengths, of at most 64 characters, for each known name.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  if (wanted === "" || wanted.length > LONGEST) return undefined;
  let nearest: string | undefined;
  let fewest = Math.floor(wanted.length / 3) + 1;
  for (const candidate of known) {
    const edits = editsBetween(wanted, plain(candidate));
    if (edits >= fewest) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

const LONGEST = 64;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The Levenshtein distance in which two neighbours that changed places are one edit. */
function editsBetween(from: string, to: string): number {
  let above: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let left = 0; left < from.length; left += 1) {
    const next = [left + 1];
    for (let right = 0; right < to.length; right += 1) {
      const replaced = (row[right] ?? 0) + (from[left] === to[right] ? 0 : 1);
      let edits = Math.min(replaced, (row[right + 1] ?? 0) + 1, (next[right] ?? 0) + 1);
      if (left > 0 && right > 0 && from[left] === to[right - 1] && from[left - 1] === to[right]) {
        edits = Math.min(edits, (above[right - 1] ?? 0) + 1);
      }
      next.push(edits);
    }
    above = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
