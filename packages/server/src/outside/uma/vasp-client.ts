/**
 * Calls other institutions over the guarded client: public addresses alone, unless the operator has listed the host (`UMA_HOSTS`); no
 * redirects; nothing is decompressed. Whatever the other side does is a value: only a bug rejects. If the process dies in between, the other
 * side may have taken the message, which its nonce lets it take once.
 */
import type { OutboundClient } from "../outbound-http/outbound-client.ts";
import { OutboundFailed, OutboundRefused } from "../outbound-http/outbound-errors.ts";
import type { UmaHosts } from "./uma-hosts.ts";

export interface VaspCall {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** JSON. */
  readonly body?: string;
  /** Of the whole exchange. */
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
  /** Two owners share no connections, so one cannot delay the other. */
  readonly owner: string;
}

export type VaspReply =
  | { readonly kind: "answer"; readonly status: number; readonly body: string }
  | { readonly kind: "failed"; readonly reason: string };

export interface VaspClient {
  call(call: VaspCall): Promise<VaspReply>;
}

export function createVaspClient({
  outbound,
  hosts,
}: {
  readonly outbound: OutboundClient;
  readonly hosts: UmaHosts;
}): VaspClient {
  return {
    async call({ body, url, ...call }) {
      const place = hosts.callOf(url, call.method);
      const content = body === undefined ? {} : { "content-type": "application/json" };
      try {
        const { status, headers, ...answer } = await outbound.send({
          ...call,
          ...place,
          headers: { ...place.headers, ...content, accept: "application/json" },
          allowLoopback: false,
          ...(body === undefined ? {} : { body: Buffer.from(body, "utf8") }),
        });
        const encoding = headers["content-encoding"] ?? "identity";
        if (encoding !== "identity") return failed("the answer is compressed");
        return { kind: "answer", status, body: answer.body };
      } catch (error) {
        if (error instanceof OutboundRefused) return failed(`refused: ${error.reason}`);
        if (error instanceof OutboundFailed) return failed(error.reason);
        throw error;
      }
    },
  };
}

function failed(reason: string): VaspReply {
  return { kind: "failed", reason };
}
