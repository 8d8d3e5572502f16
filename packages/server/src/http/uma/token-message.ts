/** A message of another institution at a URL that it was given: the token in the URL names the platform, so the host does not. */
export interface TokenMessage {
  readonly token: string;
  readonly body: Uint8Array;
  /** The key of the address. */
  readonly caller: string;
  /** Whether another sandbox of the deployment sends it. */
  readonly isAmongSandboxes: boolean;
}
