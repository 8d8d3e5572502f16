/** Documents of an issuer, fetched through the guarded client: its configuration and its keys. Bounds: 5 s and 1 MB for each. */
import { isJsonObject } from "../../../std/json.ts";
import type { OutboundClient } from "../../outbound-http/outbound-client.ts";

export interface IssuerRequest {
  readonly issuer: string;
  readonly allowLoopback: boolean;
}

export type IssuerDocument = Readonly<Record<string, unknown>>;

const DEADLINE_MS = 5_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** The configuration, which must name the issuer itself. */
export async function getConfiguration(
  outbound: OutboundClient,
  request: IssuerRequest,
): Promise<IssuerDocument> {
  const base = request.issuer.replace(/\/$/, "");
  const configuration = await getDocument(
    outbound,
    `${base}/.well-known/openid-configuration`,
    request,
  );
  if (configuration.issuer !== request.issuer)
    throw new Error("the configuration is not this issuer's");
  return configuration;
}

export async function getDocument(
  outbound: OutboundClient,
  url: string,
  { allowLoopback }: Pick<IssuerRequest, "allowLoopback">,
): Promise<IssuerDocument> {
  const { status, body } = await outbound.get({
    url,
    headers: { accept: "application/json" },
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    allowLoopback,
    owner: "oidc",
  });
  if (status !== 200) throw new Error(`the answer is ${status}`);
  const value: unknown = JSON.parse(body);
  if (!isJsonObject(value)) throw new Error("the answer is no object");
  return value;
}
