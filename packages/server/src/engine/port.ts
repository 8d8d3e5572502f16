import { present } from "../std/assert.ts";

/**
 * Functions that commands call while they decide: pure ones that another part of the domain implements, or that depend on the settings, and
 * gauges of this process that decide only how soon something is done.
 * The engine is created with them and `world.port` hands them to commands, so that inputs of commands contain data only.
 */
export interface Port<Functions extends object> {
  readonly name: string;
  /** Exists for the compiler only. */
  readonly functions?: Functions;
}

export type Ports = ReadonlyMap<Port<object>, object>;

/** The functions that the engine was created with for this port. Throws a `Bug` when there are none. */
export function functionsOf<Functions extends object>(
  ports: Ports | undefined,
  port: Port<Functions>,
): Functions {
  return present(ports?.get(port), `the port ${port.name}`) as Functions;
}

export function definePort<Functions extends object>(name: string): Port<Functions> {
  return { name };
}

export type Provided = readonly [port: Port<object>, functions: object];

export function provide<Functions extends object>(
  port: Port<Functions>,
  functions: Functions,
): Provided {
  return [port, functions];
}
