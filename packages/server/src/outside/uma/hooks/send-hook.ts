/**
 * Tells another institution of a payment that has settled, in one try. The institution and its URL are judged by the policy of this moment,
 * and each address of the host by the guard when it is connected to. Any answer of 2xx is good; what it says is not read.
 *
 * Bounds: 10 seconds and 1 kB for the exchange. If the process dies in between, the message is sent again, signed anew.
 */
import type {
  HookMessage,
  HookOutcome,
  OutsideHooks,
} from "../../../domain/uma/hooks/send-hook.port.ts";
import { writeHook } from "../../../formats/uma/hook-message.ts";
import type { LookupTools } from "../lookups/ask-lookup.ts";
import { permitsCallback } from "../permits-callback.ts";

const DEADLINE_MS = 10_000;
const MOST_BYTES = 1_024;

type HookTools = Pick<LookupTools, "client" | "umaKeys" | "policies" | "permits" | "clock">;

export function createOutsideHooks(tools: HookTools): OutsideHooks {
  return {
    async tell(message) {
      const { platformId, vaspDomain, direction, callback } = message;
      const fault = await tools.policies.judge(platformId, vaspDomain, { direction });
      const about = { platformId, domain: vaspDomain };
      const isAllowed = fault === undefined && (await permitsCallback(tools, about, callback));
      return isAllowed ? sent(tools, message) : "COUNTERPARTY_NOT_ALLOWED";
    },
  };
}

async function sent(
  { client, umaKeys, clock }: HookTools,
  { platformId, key, ownDomain, callback, utxos }: HookMessage,
): Promise<HookOutcome> {
  const signature = await umaKeys.sign(platformId, key, { addresses: [], now: clock.now() });
  const reply = await client.call({
    method: "POST",
    url: callback,
    body: writeHook({
      vaspDomain: ownDomain,
      utxos: utxos.map(({ utxo, amountMsats }) => ({ utxo, amountMsats: BigInt(amountMsats) })),
      signature,
    }),
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MOST_BYTES,
    owner: `uma hook ${platformId}`,
  });
  const isTaken = reply.kind === "answer" && reply.status >= 200 && reply.status < 300;
  return isTaken ? "OK" : "HOOK_REQUEST_FAILED";
}
