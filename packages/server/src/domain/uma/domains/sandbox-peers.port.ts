/**
 * Which sandboxes of the deployment exchange the messages of UMA with each other: two whose policies both say `PROTOCOL`. Where one says
 * `SIMULATED`, payments between them are simulated, so a sandbox that has changed nothing sees no change.
 */
export interface SandboxPeers {
  /** Whether the platform speaks UMA with the sandbox that has the domain. Costs no read unless its own policy says `PROTOCOL`. */
  has(platformId: string, domain: string): Promise<boolean>;
}
