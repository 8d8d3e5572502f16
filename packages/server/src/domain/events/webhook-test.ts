/** The result of sending a TEST event to the endpoint of a platform. */
export type WebhookTest =
  | { readonly kind: "no-endpoint" }
  | { readonly kind: "failed"; readonly reason: string }
  | {
      readonly kind: "answered";
      readonly url: string;
      readonly status: number;
      readonly body: string;
      /** From the connection to the end of the answer. */
      readonly latencyMs: number;
    };
