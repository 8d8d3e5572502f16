/** The head of a platform or a workspace: the numbers of its last command and of its last event. */
export interface HeadPlace {
  readonly seq: bigint;
  readonly eventSeq: bigint;
}

/** Notifies of commits of this server and of others. */
export interface HeadWatch {
  /**
   * Calls the listener when the head has moved, until the returned function is called. After a commit of this server it is called at
   * once and without a place.
   */
  watch(partitionId: string, onMoved: (place: HeadPlace | undefined) => void): () => void;
}
