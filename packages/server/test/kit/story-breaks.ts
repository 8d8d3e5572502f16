/** A week of statements of a desk with three planted breaks. */
import type { Story } from "./story.ts";
import {
  activeConnection,
  expectStatus,
  manualConnection,
  payerOf,
  routeTo,
} from "./story-rails.ts";

export interface PlantedWeek {
  readonly deskId: string;
  readonly days: readonly string[];
  /** The day of each break. */
  readonly missing: string;
  readonly twice: string;
  readonly swapped: string;
}

/** Seven days, the last of which is the day of the time that is given. */
export async function plantBreaks(story: Story, now: number): Promise<PlantedWeek> {
  const days = Array.from({ length: 7 }, (_, index) =>
    new Date(now - (6 - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const [first = "", second = "", third = "", fourth = "", fifth = "", sixth = ""] = days;
  const payer = await payerOf(story, 1_000_000);
  const deskId = await activeConnection(story, { ...manualConnection(), name: "House bank" });
  await routeTo(story, deskId);
  const on = (word: string) => `/rails/connections/${deskId}/${word}`;
  let lines = 0;
  const line = async (bookedOn: string, amount: number, direction = "CREDIT") =>
    expectStatus(
      201,
      await story.call("POST", on("entries"), {
        ...{ bankReference: `BANK-${++lines}`, direction, amount, currency: "USD", bookedOn },
        payer: { name: "Ana Ruiz" },
      }),
    );
  let atBank = 100_000;
  const balance = async (asOf: string, change: number) => {
    atBank += change;
    const body = { currency: "USD", asOf, booked: atBank };
    expectStatus(201, await story.call("POST", on("balances"), body));
  };
  await line(first, 5_000);
  await balance(first, 5_000);
  // The bank has paid an order of which no line was typed in.
  expectStatus(201, await payer.pay(12_345));
  await line(second, 1_000);
  await balance(second, 1_000 - 12_345);
  await balance(third, 0);
  // A line was typed in twice under two references.
  await line(fourth, 7_700);
  await line(fourth, 7_700);
  await balance(fourth, 7_700);
  await balance(fifth, 0);
  // 5,400 at the bank was typed in as 4,500.
  await line(sixth, 4_500);
  await balance(sixth, 5_400);
  return { deskId, days, missing: second, twice: fourth, swapped: sixth };
}
