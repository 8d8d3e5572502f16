/** Holds back the commands of batch jobs while orders are decided, so that the model knows what happened between them. */
export interface BatchGate {
  /** Commands wait until `open`. */
  shut(): void;
  open(): void;
  /** Resolves when no command that has passed is under way. */
  idle(): Promise<void>;
  pass<T>(server: { readonly isDead: boolean }, work: () => Promise<T>): Promise<T>;
}

export function createBatchGate(): BatchGate {
  let waiting: (() => void)[] | undefined = [];
  let atIdle: (() => void)[] = [];
  let underWay = 0;

  const leave = () => {
    underWay--;
    if (underWay > 0) return;
    for (const resolve of atIdle) resolve();
    atIdle = [];
  };

  return {
    shut() {
      waiting ??= [];
    },
    open() {
      const woken = waiting ?? [];
      waiting = undefined;
      for (const wake of woken) wake();
    },
    idle: () =>
      new Promise((resolve) => {
        if (underWay === 0) resolve();
        else atIdle.push(resolve);
      }),
    async pass(server, work) {
      while (waiting !== undefined) await new Promise<void>((resolve) => waiting?.push(resolve));
      if (server.isDead) await new Promise(() => undefined);
      underWay++;
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
