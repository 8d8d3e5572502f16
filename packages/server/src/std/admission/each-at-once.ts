/** Runs `work` for each item, `most` of them at a time. The results have the order of the items. After a failure no item is started. */
export async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  const waiting = items.entries();
  let hasFailed = false;
  const workOn = async () => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn));
  return results;
}
