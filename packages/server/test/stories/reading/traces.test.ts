/** The trace of a call: taken up, logged, and passed on to webhooks, also from jobs; spans where an SDK is in the process. */
import {
  type Context,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LogLine, recordingLog } from "../../kit/http-shell.ts";
import { endReceivers, httpReceiver } from "../../kit/receivers.ts";
import {
  bankAccount,
  type Funded,
  fundedCustomer,
  openStory,
  type Story,
} from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const TRACE = `00-${TRACE_ID}-b7ad6b7169203331-01`;

interface Delivery {
  readonly type: string;
  readonly traceparent: string | undefined;
}

let server: TestServer;
let story: Story;
let funded: Funded;
let destination: string;
const lines: LogLine[] = [];
const deliveries: Delivery[] = [];

beforeAll(async () => {
  server = await startTestServer({ log: recordingLog(lines), settings: { LOG_REQUESTS: "all" } });
  story = await openStory(server);
  funded = await fundedCustomer(story);
  destination = await bankAccount(story, funded);
});
beforeEach(async () => {
  const receiver = await httpReceiver((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      const { type } = JSON.parse(text) as { readonly type: string };
      deliveries.push({ type, traceparent: request.headers.traceparent as string | undefined });
      response.end();
    });
  });
  await story.call("PATCH", "/config", { webhookEndpoint: receiver.url });
  await expect.poll(() => deliveries.some(({ type }) => type === "TEST")).toBe(true);
  deliveries.splice(0);
  lines.splice(0);
});
afterEach(() => endReceivers());
afterAll(() => server.close());

async function pay(headers: Readonly<Record<string, string>>): Promise<readonly Delivery[]> {
  const { accountId } = funded;
  const order = { source: { accountId }, destination: { accountId: destination }, amount: 100 };
  const paid = await story.call("POST", "/transfer-out", order, { headers });
  expect(paid.status).toBe(201);
  await story.settle();
  await expect
    .poll(() => deliveries.map(({ type }) => type))
    .toContain("OUTGOING_PAYMENT.COMPLETED");
  return deliveries.filter(({ type }) => type.startsWith("OUTGOING_PAYMENT."));
}

describe("the trace of a call", () => {
  it("is in its line of the log and goes with the events that it caused, also later ones", async () => {
    const caused = await pay({ traceparent: TRACE });
    expect(caused.length).toBeGreaterThan(1);
    for (const { traceparent } of caused) expect(traceparent).toBe(TRACE);
    const logged = lines.find(({ operationId }) => operationId === "transferOut");
    expect(logged).toMatchObject({ status: 201, traceId: TRACE_ID });
  });

  it("is none of the next call's", async () => {
    for (const { traceparent } of await pay({})) expect(traceparent).toBeUndefined();
    expect(lines.filter((line) => "traceId" in line)).toEqual([]);
  });

  it("counts as not sent when it is not valid", async () => {
    const caused = await pay({ traceparent: `00-${"0".repeat(32)}-b7ad6b7169203331-01` });
    for (const { traceparent } of caused) expect(traceparent).toBeUndefined();
  });
});

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Record<string, unknown>;
  isFailed: boolean;
}

/** Stands in for an SDK. */
function recordingSdk() {
  const ended: Recorded[] = [];
  let count = 0;
  const tracer = {
    startSpan(name: string, options: SpanOptions = {}, context?: Context) {
      const parent = context === undefined ? undefined : trace.getSpanContext(context);
      const recorded: Recorded = {
        name,
        parent: parent?.spanId,
        traceId: parent?.traceId ?? "f".repeat(32),
        spanId: (++count).toString(16).padStart(16, "0"),
        attributes: { ...options.attributes },
        isFailed: false,
      };
      const { traceId, spanId } = recorded;
      return {
        spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
        setAttributes: (more: object) => Object.assign(recorded.attributes, more),
        setStatus({ code }: { readonly code: SpanStatusCode }) {
          recorded.isFailed = code === SpanStatusCode.ERROR;
        },
        end: () => ended.push(recorded),
      } as unknown as Span;
    },
  } as Tracer;
  return { ended, provider: { getTracer: () => tracer } };
}

describe("with an SDK in the process", () => {
  afterEach(() => trace.disable());

  it("a call, its job and the posts of its events are spans of one trace", async () => {
    const { ended, provider } = recordingSdk();
    trace.setGlobalTracerProvider(provider);
    const caused = await pay({ traceparent: TRACE });
    // A span ends after its receiver has the event.
    const postsEnded = () => ended.filter(({ name }) => name === "POST").length;
    await expect.poll(postsEnded).toBeGreaterThanOrEqual(Math.max(2, caused.length));
    const call = ended.find(({ name }) => name === "transferOut");
    expect(call).toMatchObject({
      parent: "b7ad6b7169203331",
      traceId: TRACE_ID,
      isFailed: false,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/2025-10-13/transfer-out",
        "http.response.status_code": 201,
      },
    });
    const job = ended.find(({ name }) => name.startsWith("job "));
    expect(job).toMatchObject({ parent: call?.spanId, traceId: TRACE_ID });
    const posts = ended.filter(({ name }) => name === "POST");
    expect(posts.some(({ parent }) => parent === call?.spanId)).toBe(true);
    expect(posts.some(({ parent }) => parent === job?.spanId)).toBe(true);
    const sent = () =>
      ended
        .filter(({ name }) => name === "POST")
        .map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`);
    for (const { traceparent } of caused) await expect.poll(sent).toContain(traceparent);
    expect(JSON.stringify(ended)).not.toMatch(/accountNumber|fullName|"amount"/);
  });

  it("a call without a trace begins one", async () => {
    const { ended, provider } = recordingSdk();
    trace.setGlobalTracerProvider(provider);
    await story.call("GET", "/config");
    expect(ended).toMatchObject([{ name: "getConfig", parent: undefined }]);
  });
});
