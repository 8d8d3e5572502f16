/** `florin batches create FILE`: sends a spreadsheet of payments, shows how the batch goes on, and lists the rows that were refused. */
import { type Command, Option } from "commander";
import { connectionOf } from "../connection/connection.ts";
import { accepted, type Endpoint, send } from "../connection/send.ts";
import { NotReached } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, type JsonObject, parseJson } from "../json.ts";
import { addCallOptions, flagsOf } from "../operations/operation-command.ts";
import { operationTable } from "../operations/operation-table.ts";
import { callOperation } from "../operations/run-operation.ts";
import { type Counts, countsIn, createProgress, refusedLine, summaryOf } from "./progress.ts";

const LOOK_AGAIN_MS = 500;
const MOST_LISTED = 100;

/** A batch of which not every row was paid. */
class Incomplete extends Error {
  override readonly name = "Incomplete";
}

export function addBatches(program: Command, host: Host): void {
  const row = rowOf("createPaymentBatchFromCsv");
  const noun = program.command("batches").description("create");
  const command = noun
    .command("create")
    .description(`${row.summary}, and follow it  (${row.method} ${row.path})`)
    .argument("<file>", "a CSV file; florin payment-batches template.csv shows one")
    .option("--name <text>", "the file's name without .csv when absent")
    .addOption(new Option("--mode <text>").choices(["INDEPENDENT", "ALL_OR_NOTHING"]))
    .option("--require-funds", "pays nothing when the balance is too low for all rows")
    .option("--scheduled-for <time>", "when it runs, such as 2026-11-30T08:00:00Z")
    .option("--no-wait", "does not follow the batch");
  addCallOptions(command, row);
  command.action(async (file: string) => {
    // Commander keeps `--no-wait` under `wait`.
    const { "no-wait": _, ...given } = flagsOf(command);
    const isFollowed = command.getOptionValue("wait") !== false && given.json !== true;
    const flags = { ...given, name: given.name ?? nameOf(file), file };
    const required = given["require-funds"] === true ? { "require-funds": "true" } : {};
    const answer = await callOperation(host, {
      row,
      values: [],
      flags: { ...withoutAbsent(flags), ...required },
    });
    if (given.json === true) host.writeOut(answer.bytes);
    const batch = batchIn(accepted(answer).text);
    if (given.json === true) return;
    const profile = typeof given.profile === "string" ? given.profile : undefined;
    await follow(host, connectionOf(host, profile), { batch, isFollowed });
  });
}

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly scheduledFor: string | undefined;
  readonly error: JsonObject | undefined;
  readonly counts: Counts;
}

function batchIn(text: string): Batch {
  const body = asObject(parseJson(text)) ?? {};
  const [id, status, counts] = [asText(body.id), asText(body.status), countsIn(body.counts)];
  if (id === undefined || status === undefined || counts === undefined) {
    throw new NotReached("UNEXPECTED_ANSWER: the answer is no batch");
  }
  return {
    id,
    status,
    counts,
    scheduledFor: asText(body.scheduledFor),
    error: asObject(body.error),
  };
}

const hasEnded = ({ status }: Batch) => status === "COMPLETED" || status === "CANCELLED";

async function follow(
  host: Host,
  endpoint: Endpoint,
  { batch: sent, isFollowed }: { readonly batch: Batch; readonly isFollowed: boolean },
): Promise<void> {
  const { id, scheduledFor } = sent;
  host.writeOut(`${id}\n`);
  const later = `florin payment-batches get ${id}`;
  if (!hasEnded(sent) && (scheduledFor !== undefined || !isFollowed)) {
    const when = scheduledFor === undefined ? "it runs now" : `it runs at ${scheduledFor}`;
    host.writeError(`${sent.counts.total} payments are stored; ${when}: ${later}\n`);
    return;
  }
  const progress = createProgress(host);
  let batch = sent;
  for (; !hasEnded(batch); ) {
    progress.show(batch.counts);
    await host.pause(LOOK_AGAIN_MS, host.stopped);
    if (host.stopped.aborted) {
      progress.end();
      host.writeError(`stopped looking; the batch goes on: ${later}\n`);
      return;
    }
    batch = await readBatch(host, endpoint, id);
  }
  progress.show(batch.counts);
  progress.end();
  await tellEnd(host, endpoint, batch);
}

async function readBatch(host: Host, endpoint: Endpoint, id: string): Promise<Batch> {
  const target = `/payment-batches/${encodeURIComponent(id)}`;
  return batchIn(accepted(await send(host, endpoint, { method: "GET", target })).text);
}

async function tellEnd(host: Host, endpoint: Endpoint, batch: Batch): Promise<void> {
  const { id, counts, error } = batch;
  host.writeOut(summaryOf(counts));
  if (counts.refused > 0) {
    const target = `/payment-batches/${encodeURIComponent(id)}/items?status=REFUSED&limit=${MOST_LISTED}`;
    const { text } = accepted(await send(host, endpoint, { method: "GET", target }));
    const page = asObject(parseJson(text)) ?? {};
    const items = Array.isArray(page.data) ? page.data : [];
    for (const item of items) host.writeOut(refusedLine(asObject(item) ?? {}));
    const more = counts.refused - items.length;
    if (more > 0) host.writeOut(`and ${more} more\n`);
    host.writeError(
      `to mend them and send them again: florin payment-batches items.csv ${id} --status REFUSED --json > refused.csv\n`,
    );
  }
  if (error !== undefined) {
    throw new Incomplete(`${asText(error.code) ?? ""}: ${asText(error.message) ?? ""}`);
  }
  if (counts.refused > 0 || counts.cancelled > 0) {
    throw new Incomplete("not every row was made a payment");
  }
}

function nameOf(file: string): string | undefined {
  const name = (file.split(/[/\\]/).at(-1) ?? "").replace(/\.csv$/i, "").slice(0, 80);
  return name.trim() === "" ? undefined : name;
}

function withoutAbsent<Value>(flags: Readonly<Record<string, Value | undefined>>) {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, Value>;
}

function rowOf(operationId: string) {
  const row = operationTable.find(({ id }) => id === operationId);
  if (row === undefined) throw new Error(`the table has no operation ${operationId}`);
  return row;
}
