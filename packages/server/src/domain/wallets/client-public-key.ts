/** The P-256 public key of a client, to which sessions and exports are sealed. */
export type ClientPublicKey = string & { readonly [checked]: "a P-256 point, not only its shape" };

declare const checked: unique symbol;
