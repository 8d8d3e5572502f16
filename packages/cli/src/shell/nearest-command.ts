/** The command that a misspelt word most probably stands for. */

/** Undefined when none is near. Two neighbours that changed places are two edits, and are forgiven in a word of four letters. */
export function nearestCommand(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted.length > LONGEST) return undefined;
  let nearest: string | undefined;
  let fewest = wanted.length < 4 ? 2 : Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of known) {
    const edits = editsBetween(wanted, name);
    if (edits >= fewest) continue;
    nearest = name;
    fewest = edits;
  }
  return nearest;
}

const LONGEST = 64;

/** The Levenshtein distance. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [left, letter] of [...from].entries()) {
    const next = [left + 1];
    for (const [right, other] of [...to].entries()) {
      const replaced = (row[right] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[right + 1] ?? 0) + 1, (next[right] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
