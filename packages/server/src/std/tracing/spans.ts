/**
 * Spans of OpenTelemetry. Without an SDK in the process there are none, and nothing is allocated for them. The parent is given as a
 * `traceparent`, so no context of the SDK is needed.
 */
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

export interface SpanStart {
  readonly name: string;
  readonly kind: "server" | "client" | "job";
  /** A `traceparent`. */
  readonly parent: string | undefined;
  readonly attributes: Attributes;
}

export interface RunningSpan {
  /** The `traceparent` to send with calls that belong to this span. */
  readonly traceparent: string;
  /** Ends the span; with `fault`, the reason, it counts as failed. */
  end(attributes: Attributes, fault?: string): void;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, job: SpanKind.CONSUMER } as const;

/** Undefined without an SDK. */
export function startSpan({ name, kind, parent, attributes }: SpanStart): RunningSpan | undefined {
  const tracer = tracerOfSdk();
  if (tracer === undefined) return undefined;
  const context = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
  return {
    traceparent: toTraceparent(span),
    end(atEnd, fault) {
      span.setAttributes(atEnd);
      if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
      span.end();
    },
  };
}

/** The API's own provider is a proxy; it has a delegate tracer only when an SDK is registered. */
function tracerOfSdk(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return "getDelegateTracer" in provider
    ? (provider as { getDelegateTracer(name: string): Tracer | undefined }).getDelegateTracer(
        "florin",
      )
    : provider.getTracer("florin");
}

function contextOf(traceparent: string) {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function toTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
