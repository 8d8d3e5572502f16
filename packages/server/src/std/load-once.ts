/**
 * Loads a value when it is first asked for, and gives the same one from then on. A failure is not kept: the next use tries
 * again. (Node itself keeps the failure of an import for good.)
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
