/**
 * The two pages of a sign-in at an issuer: one sends the browser to the issuer, the other one receives it back. They are outside
 * `/console/api`, because a browser comes to them from another site, and they answer only with redirects.
 *
 * The last page gets the result in `?sso=`: `STEPPED_UP` or `TESTED`; or, for a failure, EXPIRED, CANCELLED, UNREACHABLE, LIMITED or
 * REFUSED. A test shows the reason in place of REFUSED. A failure leaves only an entry in the audit log.
 */
import type { IncomingMessage } from "node:http";
import { isOwner } from "../../../domain/people/person.ts";
import { noteRefusedSignIn } from "../../../domain/people/sessions/note-refused-sign-in.ts";
import type {
  FailedSignIn,
  ProvenIdentity,
} from "../../../domain/people/single-sign-on/identity-provider.port.ts";
import { digestOfSubject } from "../../../domain/people/single-sign-on/person-identity.ts";
import {
  type ProvenSignIn,
  recordSsoTest,
  signInWithIssuer,
  stepUpWithIssuer,
} from "../../../domain/people/single-sign-on/sign-in-with-issuer.ts";
import {
  findByIdentity,
  listSsoIssuers,
  workspaceOfSsoName,
} from "../../../domain/people/single-sign-on/sso.sql.ts";
import type { SsoIssuer } from "../../../domain/people/single-sign-on/sso-issuer.ts";
import type { Actor } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { toWireId } from "../../../std/ids.ts";
import { parseUrl } from "../../../std/url.ts";
import { parseId } from "../../../wire/ids.ts";
import { addressKey } from "../../auth/address-key.ts";
import type { PageRoute } from "../../reference/pages.ts";
import type { Services } from "../../request/services.ts";
import type { CallerAddress } from "../../server/caller-address.ts";
import { pathOf } from "../../server/paths.ts";
import { closedPolicy, type SentPage } from "../../server/send.ts";
import { newSession, requireDone, type Visit, visitOf } from "../operations/people/visitor.ts";
import type { ConsolePlace } from "../place.ts";
import { hashOfSecret, newSessionKey, sessionKeyOf, setCookie } from "../session-cookie.ts";
import { clearFlowCookie, type FlowPurpose, type SignInFlow } from "./sign-in-flow.ts";

export const SSO_START = "/console/sso/start";
const SSO_CALLBACK = "/console/sso/callback";
const SIGN_IN_PAGE = "/console/sign-in";

/**
 * Each workspace has its own redirect URI. Otherwise an issuer of one workspace could send the code of another workspace's issuer to its
 * own sign-in and receive that code, because not every issuer names itself in its answer.
 */
export function redirectUriAt({ origin }: ConsolePlace, workspaceId: string): string {
  return `${origin}${SSO_CALLBACK}/${workspaceId}`;
}

type Outcome =
  | FailedSignIn
  | "NO_VERIFIED_ADDRESS"
  | "NO_PERSON"
  | "EXPIRED"
  | "LIMITED"
  | "REFUSED"
  | "STEPPED_UP"
  | "TESTED";

type Tools = Pick<Services, "engine" | "reads" | "clock" | "ids" | "people">;

export function ssoPages(tools: Tools, addressOf: CallerAddress): readonly PageRoute[] {
  const back: Omit<PageRoute, "path"> = {
    bytes: () => 0,
    show: (raw, requestId) =>
      comeBack(raw, tools, {
        headers: { "user-agent": raw.headers["user-agent"] },
        remoteAddress: addressOf(raw),
        requestId,
      }),
  };
  return [
    { path: SSO_START, bytes: () => 0, show: (raw) => begin(raw, tools) },
    // Without a workspace in the path it refuses, as for a wrong workspace.
    { ...back, path: SSO_CALLBACK },
    { ...back, path: `${SSO_CALLBACK}/{workspaceId}` },
  ];
}

async function begin(raw: IncomingMessage, tools: Tools): Promise<SentPage> {
  const { reads, people } = tools;
  const place = people.place();
  if (isFromElsewhere(raw)) return redirect(SIGN_IN_PAGE);
  const query = urlOf(raw, place).searchParams;
  const purpose = await purposeOf(raw, { query, place, tools });
  if (purpose === undefined) return redirect(withOutcome(SIGN_IN_PAGE, "EXPIRED"));
  const issuers = await listSsoIssuers(reads, purpose.workspaceId);
  const issuer = issuers.find(({ id }) => id === purpose.issuerId);
  if (issuer === undefined) return redirect(withOutcome(SIGN_IN_PAGE, "EXPIRED"));
  const { binding, cookie } = people.sso.flows.begin(place, purpose);
  const begun = await people.sso.providers.begin({
    workspaceId: purpose.workspaceId,
    issuer,
    binding,
    redirectUri: redirectUriAt(place, purpose.workspaceId),
    isFresh: purpose.kind === "step-up",
  });
  if (begun.kind === "failed") return redirect(withOutcome(failurePage(purpose), begun.reason));
  return redirect(begun.url, [cookie]);
}

/** A sign-in names the workspace; a step-up and a test use that of the session. Undefined for an unknown workspace or without a session. */
async function purposeOf(
  raw: IncomingMessage,
  {
    query,
    place,
    tools: { reads, people },
  }: { readonly query: URLSearchParams; readonly place: ConsolePlace; readonly tools: Tools },
): Promise<FlowPurpose | undefined> {
  const kind = query.get("for") ?? "sign-in";
  const issuerId = parseId("SsoIssuer", query.get("issuer") ?? "");
  if (issuerId === undefined) return undefined;
  const to = pageIn(place, query.get("to"));
  if (kind === "sign-in") {
    const workspaceId = await workspaceOfSsoName(reads, query.get("workspace") ?? "");
    if (workspaceId === undefined) return undefined;
    return { kind, workspaceId, issuerId, session: null, to };
  }
  if (kind !== "step-up" && kind !== "test") return undefined;
  // The cookie of a session is not sent from another site, so pages of other sites cannot begin these.
  const key = sessionKeyOf(raw, place);
  const live = key && (await people.sessions.find(key));
  if (live === undefined) return undefined;
  if (!people.sessions.use(live, { isAct: true, isProduction: false })) return undefined;
  if (kind === "test" && !isOwner(live.person)) return undefined;
  const session = { id: live.session.id, personId: live.person.id };
  return { kind, workspaceId: live.key.workspaceId, issuerId, session, to };
}

async function comeBack(raw: IncomingMessage, tools: Tools, visit: Visit): Promise<SentPage> {
  const { people } = tools;
  const place = people.place();
  const cleared = clearFlowCookie(place);
  const flow = people.sso.flows.read(place, raw);
  if (flow === undefined) return redirect(withOutcome(SIGN_IN_PAGE, "EXPIRED"), [cleared]);
  const page = failurePage(flow);
  try {
    const returned = urlOf(raw, place);
    const done = await people.failedSources.run(addressKey(visit.remoteAddress), () =>
      finish(flow, returned, { tools, visit }),
    );
    return redirect(done.to, [...(done.cookie === undefined ? [] : [done.cookie]), cleared]);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return redirect(withOutcome(page, outcomeOf(error, flow)), [cleared]);
  }
}

interface Finished {
  readonly to: string;
  readonly cookie?: string;
}

interface Visited {
  readonly tools: Tools;
  readonly visit: Visit;
}

/** A `Refusal` counts as a failed attempt of the address. */
async function finish(flow: SignInFlow, returned: URL, visited: Visited): Promise<Finished> {
  const { tools } = visited;
  const { reads, people } = tools;
  const issuers = await listSsoIssuers(reads, flow.workspaceId);
  const issuer = issuers.find(({ id }) => id === flow.issuerId);
  const { workspaceId, binding } = flow;
  const isOurs = redirectUriAt(people.place(), workspaceId) === returned.origin + returned.pathname;
  if (issuer === undefined || !isOurs) throw await refused("NOT_PROVEN", flow, visited);
  const finished = await people.sso.providers.finish({
    workspaceId,
    issuer,
    binding,
    returned,
    isFresh: flow.kind === "step-up",
  });
  if (finished.kind === "failed") {
    if (finished.reason === "CANCELLED" || finished.reason === "UNREACHABLE")
      return { to: withOutcome(failurePage(flow), finished.reason) };
    throw await refused(finished.reason, flow, visited);
  }
  return accept(flow, { issuer, identity: finished.identity }, visited);
}

async function refused(reason: FailedSignIn, flow: SignInFlow, visited: Visited): Promise<Refusal> {
  await noteRefused(flow, undefined, visited);
  return new Refusal("UNAUTHORIZED", { reason });
}

async function accept(
  flow: SignInFlow,
  { issuer, identity }: { readonly issuer: SsoIssuer; readonly identity: ProvenIdentity },
  visited: Visited,
): Promise<Finished> {
  const { tools } = visited;
  const { issuer: iss, subject, verifiedEmail: email } = identity;
  const digest = digestOfSubject(iss, subject);
  const person = await findByIdentity(tools.reads, flow.workspaceId, { digest, email });
  const proven = { issuer, identity, use: flow.use };
  return tools.people.failedProofs.run(`sso ${digest}`, async () => {
    try {
      return await act(flow, { proven, person }, visited);
    } catch (error) {
      if (error instanceof Refusal) await noteRefused(flow, person, visited);
      throw error;
    }
  });
}

/** The person to whom the identity seems to belong; the command checks it. */
interface Whose {
  readonly proven: ProvenSignIn;
  readonly person: { readonly id: string; readonly name: string } | undefined;
}

async function act(flow: SignInFlow, whose: Whose, visited: Visited): Promise<Finished> {
  switch (flow.kind) {
    case "sign-in":
      return openSession(flow, whose, visited);
    case "step-up":
      return stepUp(flow, whose, visited);
    case "test":
      return test(flow, whose, visited);
  }
}

async function openSession(
  { workspaceId, to }: SignInFlow,
  { proven, person }: Whose,
  { tools, visit }: Visited,
): Promise<Finished> {
  const { engine, people, ids, clock } = tools;
  const key = newSessionKey(workspaceId);
  const personId = person?.id ?? ids.next(clock.now());
  const answered = await engine.submit({
    platformId: workspaceId,
    actor: { kind: "person", id: personId },
    act: visitOf(visit, person?.name ?? proven.identity.name),
    command: signInWithIssuer,
    input: { ...proven, personId, session: newSession(visit, key, tools) },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  requireDone(answered);
  people.sessions.forget();
  return { to, cookie: setCookie(people.place(), key) };
}

async function stepUp(
  { workspaceId, session, to }: SignInFlow,
  { proven, person }: Whose,
  { tools, visit }: Visited,
): Promise<Finished> {
  const { engine, people } = tools;
  const { id: sessionId, personId } = present(session, "the session of a step-up");
  const key = newSessionKey(workspaceId);
  const { address, userAgent } = newSession(visit, key, tools);
  const answered = await engine.submit({
    platformId: workspaceId,
    actor: { kind: "person", id: personId },
    act: { ...visitOf(visit, person?.name ?? null), sessionId },
    command: stepUpWithIssuer,
    input: {
      ...proven,
      personId,
      sessionId,
      session: { secretHash: hashOfSecret(key.secret), address, userAgent },
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  requireDone(answered);
  people.sessions.forget();
  return { to: withOutcome(to, "STEPPED_UP"), cookie: setCookie(people.place(), key) };
}

async function test(
  { workspaceId, session, to }: SignInFlow,
  { proven }: Whose,
  { tools, visit }: Visited,
): Promise<Finished> {
  const { id: sessionId, personId } = present(session, "the session of a test");
  const answered = await tools.engine.submit({
    platformId: workspaceId,
    actor: { kind: "person", id: personId },
    act: { ...visitOf(visit), sessionId, target: toWireId("SsoIssuer", proven.issuer.id) },
    command: recordSsoTest,
    input: { ...proven, personId, sessionId },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  requireDone(answered);
  return { to: withOutcome(to, "TESTED") };
}

/** The actor is the person of the attempt, if that person is known. */
async function noteRefused(
  { workspaceId, issuerId, session }: SignInFlow,
  person: { readonly id: string; readonly name: string } | undefined,
  { tools, visit }: Visited,
): Promise<void> {
  const personId = person?.id ?? session?.personId;
  const actor: Actor =
    personId === undefined ? { kind: "worker", id: "sign-in" } : { kind: "person", id: personId };
  await tools.engine.submit({
    platformId: workspaceId,
    actor,
    act: {
      ...visitOf(visit, person?.name ?? null),
      sessionId: session?.id ?? null,
      target: toWireId("SsoIssuer", issuerId),
    },
    command: noteRefusedSignIn,
    input: undefined,
    toAnswer: () => ({ status: 200, body: "" }),
  });
}

function outcomeOf({ code, details }: Refusal, { kind }: SignInFlow): Outcome {
  if (code === "RATE_LIMITED") return "LIMITED";
  const reason = details?.reason;
  return kind === "test" && typeof reason === "string" ? (reason as Outcome) : "REFUSED";
}

function failurePage({ kind, to }: FlowPurpose): string {
  return kind === "sign-in" ? SIGN_IN_PAGE : to;
}

function withOutcome(page: string, outcome: Outcome): string {
  return `${page}${page.includes("?") ? "&" : "?"}sso=${outcome}`;
}

/** A path of the console, whatever was sent: never another origin, and never a page of a sign-in. */
function pageIn({ origin }: ConsolePlace, sent: string | null): string {
  const url = sent === null || sent.length > 500 ? undefined : parseUrl(sent, origin);
  const isPage = url?.origin === origin && /^\/console(?:\/(?!api\/|sso\/)|$)/.test(url.pathname);
  return isPage ? url.pathname + url.search : "/console";
}

/** A link at another site must not start a sign-in: it could sign the browser in as a person whom that site has chosen. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** The URL that was requested, at our own origin. */
function urlOf({ url = "" }: IncomingMessage, { origin }: ConsolePlace): URL {
  const query = url.indexOf("?");
  return new URL(`${pathOf(url)}${query === -1 ? "" : url.slice(query)}`, origin);
}

function redirect(to: string, cookies: readonly string[] = []): SentPage {
  return {
    status: 303,
    headers: ["Location", to, ...cookies.flatMap((cookie) => ["Set-Cookie", cookie])],
    contentType: "text/plain; charset=utf-8",
    contentPolicy: closedPolicy,
    body: "",
  };
}
