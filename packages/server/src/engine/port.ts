import { present } from "../std/assert.ts";

/**
 * What commands ask of the deployment while they decide: pure functions that another part of the domain implements, or that depend on
 * the settings. The engine is made with them, and `world.port` gives them to commands, so that inputs of commands are data.
 */
export interface Port<Functions extends object> {
  readonly name: string;
  /** Carries the type alone. */
  readonly functions?: Functions;
}

export type Ports = ReadonlyMap<Port<object>, object>;

/** The functions that the engine was made with. */
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
