/**
 * Whose work begins next, where there are places for only so much of it. The work of a line (a platform) is under way on at
 * most its share of the places; where a place comes free, the lines take turns. So one line, however long and however slow
 * its work, keeps another one waiting for the end of one piece of work at most.
 *
 * Bounds: work whose caller has left does not begin; work that has begun holds its place until it ends, whether anybody
 * waits for it or not. What is remembered is what waits or is under way.
 */
export interface Turns {
  /** Begins the work when its line's turn has come. */
  take<T>(line: string, work: () => Promise<T>): Turn<T>;
}

export interface Turn<T> {
  /** It has come. */
  readonly begun: Promise<void>;
  readonly answer: Promise<T>;
  /** The caller does not wait for the answer any more. */
  leave(): void;
}

interface Line {
  underway: number;
  readonly waiting: Set<() => void>;
}

export function createTurns(options: {
  readonly places: number;
  /** Of one line. */
  readonly share: number;
}): Turns {
  /** The one whose turn was longest ago stands first. */
  const lines = new Map<string, Line>();
  let free = options.places;

  function lineOf(name: string): Line {
    const known = lines.get(name);
    if (known !== undefined) return known;
    const line: Line = { underway: 0, waiting: new Set() };
    lines.set(name, line);
    return line;
  }

  /** A line that is moved to the end is met there again: they go around until nothing more can begin. */
  function beginNext(): void {
    for (const [name, line] of lines) {
      if (free === 0) return;
      const [begin] = line.waiting;
      if (begin === undefined || line.underway === options.share) continue;
      line.waiting.delete(begin);
      line.underway++;
      free--;
      lines.delete(name);
      lines.set(name, line);
      begin();
    }
  }

  function dropIfEmpty(name: string, line: Line): void {
    if (line.underway === 0 && line.waiting.size === 0) lines.delete(name);
  }

  return {
    take(name, work) {
      const line = lineOf(name);
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const answer = begun.then(work).finally(() => {
        line.underway--;
        free++;
        dropIfEmpty(name, line);
        beginNext();
      });
      // The caller left as this work began: its failure has no reader.
      answer.catch(() => undefined);
      line.waiting.add(begin);
      beginNext();
      return {
        begun,
        answer,
        leave() {
          if (line.waiting.delete(begin)) dropIfEmpty(name, line);
        },
      };
    },
  };
}
