export interface Gate {
  /** Resolves when the gate is opened. */
  readonly passed: Promise<void>;
  open(): void;
}

/** Closed until it is opened. */
export function newGate(): Gate {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}
