/** Makes the call of an operation and prints its answer. */
import {
  bearerAuthorization,
  type Connection,
  connectionOf,
  urlOf,
} from "../connection/connection.ts";
import { confirmChange } from "../connection/environment.ts";
import { type Answer, accepted, type Endpoint, type Request, send } from "../connection/send.ts";
import { NotReached, UsageError } from "../failures.ts";
import type { Host } from "../host.ts";
import { asObject, asText, parseJson } from "../json.ts";
import { showAnswer } from "../output/show.ts";
import { bodyOf, type Flags, fillPath, headersOf, queryOf } from "./input.ts";
import type { OperationRow } from "./operation-row.ts";

export interface OperationCall {
  readonly row: OperationRow;
  /** The parameters of the path, in their order; `-` is read from standard input. */
  readonly values: readonly string[];
  readonly flags: Flags;
}

export async function runOperation(host: Host, call: OperationCall): Promise<void> {
  const { row, flags } = call;
  if (flags.all === true) {
    await requestOf(host, call);
    return printPages(host, { row, flags, endpoint: await endpointFor(host, call) });
  }
  await printAnswer(host, flags, await callOperation(host, call));
}

/** Makes the call and answers what came back, whatever its status. */
export async function callOperation(host: Host, call: OperationCall): Promise<Answer> {
  const request = await requestOf(host, call);
  const endpoint = await endpointFor(host, call);
  if (request.idempotencyKey !== undefined && call.flags["idempotency-key"] === undefined) {
    host.writeError(`idempotency-key: ${request.idempotencyKey}\n`);
  }
  return answered(host, endpoint, request);
}

async function requestOf(host: Host, { row, values, flags }: OperationCall): Promise<Request> {
  const { method, path, takesKey } = row;
  if (values.filter((value) => value === "-").length + (flags.data === "-" ? 1 : 0) > 1) {
    throw new UsageError("standard input can be read for one value only");
  }
  const read = await Promise.all(
    values.map(async (value) => (value === "-" ? (await host.readInput()).trim() : value)),
  );
  const query = queryOf(row, flags);
  const target = fillPath(path, read) + (query.size === 0 ? "" : `?${query}`);
  const body = await bodyOf(host, row, flags);
  const idempotencyKey =
    takesKey === true && !isDryRun(row, flags) ? keyOf(host, flags) : undefined;
  return { method, target, body, headers: headersOf(row, flags), idempotencyKey };
}

/** A dry run changes nothing: it has no key, and is not asked about in production. */
function isDryRun({ query = [] }: OperationRow, flags: Flags): boolean {
  return query.some(({ name }) => name === "dryRun") && String(flags["dry-run"]) === "true";
}

function keyOf(host: Host, flags: Flags): string {
  const given = flags["idempotency-key"];
  if (given === undefined) return host.newKey();
  if (typeof given !== "string" || !/^[\x21-\x7e]{1,255}$/.test(given)) {
    throw new UsageError("--idempotency-key must be 1 to 255 visible ASCII characters");
  }
  return given;
}

async function endpointFor(host: Host, { row, flags }: OperationCall): Promise<Endpoint> {
  const profile = typeof flags.profile === "string" ? flags.profile : undefined;
  if (row.access === "platform") {
    const connection = connectionOf(host, profile);
    await confirm(host, { row, flags, connection });
    return connection;
  }
  const url = urlOf(host, profile);
  return { url, authorization: row.access === "agent" ? bearerAuthorization(host) : undefined };
}

async function confirm(
  host: Host,
  { row, flags, connection }: { row: OperationRow; flags: Flags; connection: Connection },
): Promise<void> {
  if (row.method === "GET" || isDryRun(row, flags)) return;
  const what = `${row.noun} ${row.verb}`;
  await confirmChange(host, connection, { what, isConfirmed: flags.yes === true });
}

/** When the answer is lost, the error names the idempotency key: a call under the same key gets the outcome. */
async function answered(host: Host, endpoint: Endpoint, request: Request): Promise<Answer> {
  try {
    return await send(host, endpoint, request);
  } catch (error) {
    const { idempotencyKey } = request;
    if (!(error instanceof NotReached) || idempotencyKey === undefined) throw error;
    const advice = `to learn the outcome, repeat the command with --idempotency-key ${idempotencyKey}`;
    throw new NotReached(`${error.message}\n  ${advice}`);
  }
}

async function printAnswer(host: Host, flags: Flags, answer: Answer): Promise<void> {
  if (flags.json === true) {
    host.writeOut(answer.bytes);
    if (host.isTerminal) host.writeOut("\n");
  }
  accepted(answer);
  if (flags.json !== true) host.writeOut(showAnswer(parseJson(answer.text)));
}

/** Prints all pages of a list; with `--json` the bytes of each page, a line each. */
async function printPages(
  host: Host,
  { row, flags, endpoint }: { row: OperationRow; flags: Flags; endpoint: Endpoint },
): Promise<void> {
  const query = queryOf(row, flags);
  for (;;) {
    const target = row.path + (query.size === 0 ? "" : `?${query}`);
    const answer = await send(host, endpoint, { method: "GET", target });
    if (flags.json === true) host.writeOut(answer.bytes);
    const page = asObject(parseJson(accepted(answer).text)) ?? {};
    if (flags.json === true) host.writeOut("\n");
    else host.writeOut(showAnswer({ data: page.data }));
    if (page.hasMore !== true || host.stopped.aborted) return;
    const next = asText(page.nextCursor);
    if (next === undefined || next === query.get("cursor")) {
      throw new NotReached("the list says that it has more, but its cursor does not lead on");
    }
    query.set("cursor", next);
  }
}
