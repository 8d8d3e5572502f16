/** Checks of orders: an id is carried out once, an order that was received is never denied, an outcome is never taken back. */
import { pause } from "../../../std/clock.ts";
import type { JsonObject } from "../../../std/json.ts";
import { fundingIn } from "../connector/connector-client.ts";
import { fundingBody } from "../connector/connector-funding.ts";
import {
  type Bench,
  type Check,
  type CheckOutcome,
  conflictFault,
  reportFault,
  statusOf,
} from "./conformance.ts";

const AT_ONCE = 20;
/** How long a settled order is watched for a change of mind. */
const WATCHED_MS = 1_500;
/** Above 2^53: a JSON number loses its last digit. */
const LARGE = "9007199254740993";

export const ORDER_CHECKS: readonly Check[] = [
  {
    name: "one id is one payment, 20 times at once and in order",
    async run(bench) {
      const id = bench.newId();
      const body = bench.order(id, "1250");
      const all = await Promise.all(Array.from({ length: AT_ONCE }, () => bench.put(id, body)));
      for (let again = 0; again < 3; again++) all.push(await bench.put(id, body));
      const fault = all.map(reportFault).find((each) => each !== undefined);
      if (fault !== undefined) return fault;
      return endsAsItSays(bench, id, "1250");
    },
  },
  {
    name: "the same id with another body is a conflict",
    async run(bench) {
      const id = bench.newId();
      await bench.put(id, bench.order(id, "300"));
      return conflictFault(await bench.put(id, bench.order(id, "301")));
    },
  },
  {
    name: "an inquiry knows what was ordered",
    async run(bench) {
      const id = bench.newId();
      await bench.put(id, bench.order(id, "410"));
      return reportFault(await bench.call({ method: "GET", path: `/payments/${id}` }));
    },
  },
  {
    name: "an order that gives money back is taken, or declined",
    async run(bench) {
      const id = bench.newId();
      const back = { direction: "BACK", paymentRail: "RETURN", original: { entryId: "E-0" } };
      const fault = reportFault(await bench.put(id, bench.order(id, "640", back)));
      if (fault !== undefined) return fault;
      const ended = await bench.ended(id);
      const isOver = ended?.status === "settled" || ended?.status === "declined";
      return isOver ? undefined : `it must end as settled or declined, and is ${ended?.status}`;
    },
  },
  {
    name: "payment instructions are the same under one id",
    features: ["instructions"],
    async run({ call, newId, options: { currency } }) {
      const id = newId();
      const accountId = `InternalAccount:${newId()}`;
      const environment = "SANDBOX" as const;
      const purpose = { kind: "ACCOUNT", accountId } as const;
      const order = { id, currency, customerName: "Ana Ruiz", environment, purpose };
      const asked = {
        method: "PUT",
        path: `/instructions/${id}`,
        body: fundingBody(order),
        idempotencyKey: id,
      } as const;
      const [first, again] = [fundingIn(await call(asked)), fundingIn(await call(asked))];
      for (const { told, outcome } of [first, again]) {
        if (told !== undefined && "fault" in told) return told.fault;
        if (told === undefined) return outcome.kind === "failed" ? outcome.message : "no answer";
      }
      const isSame = JSON.stringify(first.told) === JSON.stringify(again.told);
      return isSame ? undefined : "it must answer the same instructions each time";
    },
  },
  {
    name: "a connection that is cut leaves one payment, or none",
    async run(bench) {
      const id = bench.newId();
      const body = bench.order(id, "520");
      await bench.put(id, body, { timeoutMs: 3 });
      const asked = await bench.call({ method: "GET", path: `/payments/${id}` });
      const isKnown = statusOf(asked) === 200 || statusOf(asked) === 404;
      if (!isKnown) return `an inquiry must answer 200 or 404, not ${statusOf(asked)}`;
      return reportFault(await bench.put(id, body)) ?? endsAsItSays(bench, id, "520");
    },
  },
  {
    name: "an amount above 2^53 is kept to the unit",
    async run(bench) {
      const id = bench.newId();
      const fault = reportFault(await bench.put(id, bench.order(id, LARGE)));
      return fault ?? endsAsItSays(bench, id, LARGE);
    },
  },
  {
    name: "names may be of any script",
    async run(bench) {
      const id = bench.newId();
      const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Žofia 李小龙 👩‍🚀 <&>\"'" };
      return reportFault(
        await bench.put(id, bench.order(id, "640", { remittance: "Größe — Ωμέγα", beneficiary })),
      );
    },
  },
  {
    name: "what is settled stays settled",
    async run(bench) {
      const id = bench.newId();
      await bench.put(id, bench.order(id, "750"));
      const first = await bench.ended(id);
      if (first === undefined) return "an inquiry about an order that it has must be answered 200";
      await pause(bench.options.clock, WATCHED_MS);
      const later = await bench.ended(id);
      return later?.status === first.status
        ? undefined
        : `it reported ${String(first.status)} and then ${String(later?.status)}`;
    },
  },
  {
    name: "a cancel is answered by a report",
    features: ["cancel"],
    async run(bench) {
      const id = bench.newId();
      await bench.put(id, bench.order(id, "580"));
      const path = `/payments/${id}/cancel`;
      const body = Buffer.from("{}");
      return reportFault(await bench.call({ method: "POST", path, body, idempotencyKey: id }));
    },
  },
  {
    name: "a cancel after settlement does not cancel",
    async run(bench) {
      const id = bench.newId();
      await bench.put(id, bench.order(id, "860"));
      const before = await bench.ended(id);
      if (before?.status !== "settled") return undefined;
      const path = `/payments/${id}/cancel`;
      const body = Buffer.from("{}");
      const answer = await bench.call({ method: "POST", path, body, idempotencyKey: id });
      const status = answer.kind === "answered" ? answer.body?.status : undefined;
      return status === "cancelled" ? "it reports a settled payment as cancelled" : undefined;
    },
  },
];

/** A settled order is one entry of its amount, a declined one none. Without a feed nothing can be compared. */
async function endsAsItSays(bench: Bench, id: string, amount: string): Promise<CheckOutcome> {
  const report = await bench.ended(id);
  if (report === undefined) return "an inquiry about an order that it has must be answered 200";
  const entries = (await bench.feed(500)).filter(({ paymentId }) => paymentId === id);
  return entriesFault(report, entries, amount);
}

function entriesFault(
  { status }: JsonObject,
  entries: readonly JsonObject[],
  amount: string,
): CheckOutcome {
  if (status === "declined" || status === "cancelled") {
    return entries.length === 0 ? undefined : `it reports ${status}, and money has moved`;
  }
  if (status !== "settled") return undefined;
  if (entries.length > 1) return `it has paid ${entries.length} times`;
  const [entry] = entries;
  if (entry === undefined || entry.amount === amount) return undefined;
  return `it has paid ${String(entry.amount)} in place of ${amount}`;
}
