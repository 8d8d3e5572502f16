import { exchangeDirections, exchangeKinds } from "../../domain/uma/exchanges/exchange-log.port.ts";
import type { UmaExchange } from "../../domain/uma/exchanges/uma-exchange.sql.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireUmaExchange = wireObject("UmaExchange", ({ of, maybe }: Kit<UmaExchange>) => ({
  id: of.id("UmaExchange", { description: "`UmaExchange:<uuid>`", example: 91 }),
  at: of.time({ description: "When it ended.", example: "2026-11-29T10:00:00.000Z" }),
  direction: of.enum(exchangeDirections, {
    description: "`IN`: the other institution asked.",
    example: "IN",
  }),
  kind: of.enum(exchangeKinds, { example: "LOOKUP" }),
  vaspDomain: of.text({
    description: "The domain of the other institution.",
    example: "vasp.example",
  }),
  umaVersion: maybe.text({
    description: "The version of its message, where that could be read.",
    example: "1.0",
  }),
  outcome: of.text({ description: "`OK`, or the code of the refusal.", example: "OK" }),
  ms: of.integer({ description: "How long it took, in milliseconds.", example: 120 }),
  transactionId: maybe.id("Transaction"),
  lookupId: maybe.id("Lookup"),
}));
