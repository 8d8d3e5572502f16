/** The composition root: builds every part of a server and connects them. boot/shutdown.ts stops them. */

import type { AddressInfo } from "node:net";
import { agentReader, tokenReader } from "./boot/credentials.ts";
import { type Custody, custodyOn, custodyServices } from "./boot/custody.ts";
import { type Deliveries, deliveriesOn } from "./boot/deliveries/deliveries.ts";
import { derivedKey } from "./boot/derived-key.ts";
import { type Feeds, feedsOn } from "./boot/feeds.ts";
import { forgetFirstCredentials } from "./boot/first-credentials.ts";
import { bootstrap, type NewPlatform } from "./boot/first-platform.ts";
import { jobRunnersOn } from "./boot/job-runners.ts";
import { listen, refuseUnusableAddress } from "./boot/listen.ts";
import { registerFigures } from "./boot/metrics.ts";
import { type OpenStore, openStore } from "./boot/open-database.ts";
import { consoleOn } from "./boot/people/console-on.ts";
import { peopleServicesOn } from "./boot/people/people-services.ts";
import { firstStartCode } from "./boot/people/start-link.ts";
import { createProductFigures } from "./boot/product-figures.ts";
import { type RailServices, railServicesOn, withSandboxesOn } from "./boot/rail-services.ts";
import { readinessOf } from "./boot/readiness.ts";
import { requestLogOn } from "./boot/request-log.ts";
import { stopApp } from "./boot/shutdown.ts";
import { sweeperOn } from "./boot/system/sweeper.ts";
import { type System, systemOn } from "./boot/system/system.ts";
import { type UmaNoteWriter, umaNotesOn } from "./boot/uma/uma-notes.ts";
import { type UmaServices, umaPathsOn, umaServicesOn } from "./boot/uma-services.ts";
import { VERSION } from "./boot/version.ts";
import { allowsLoopback, walletServicesOn } from "./boot/wallet-services.ts";
import type { Config } from "./config.ts";
import { constraintRefusals } from "./domain/constraints.ts";
import { shiftDeliveries } from "./domain/events/delivery.sql.ts";
import type { PaymentRail, RailRules } from "./domain/payments/transfers/payment-rail.port.ts";
import { describeChanges } from "./domain/people/audit-entries/describe-changes.ts";
import type { Environment } from "./domain/platform.ts";
import { metadataKeys } from "./domain/platforms/searchable-metadata.ts";
import type { ExchangeRoom } from "./domain/rails/orders/exchange-room.port.ts";
import { createLookupIds } from "./domain/uma/lookup-ids.ts";
import { createEngine, type Engine, engineDefaults } from "./engine/engine.ts";
import { enginePorts } from "./engine-ports.ts";
import {
  createFailedAttemptLimiter,
  type FailedAttemptLimiter,
} from "./http/auth/failed-attempts.ts";
import { consoleRules } from "./http/console/console-pages.ts";
import { consolePlaceAt } from "./http/console/place.ts";
import { invitationLogoPage, invitationPage } from "./http/hosted/invitation-page.ts";
import { type Catalogues, catalogues as everyCatalogue } from "./http/hosted/language/catalogue.ts";
import { verificationPages } from "./http/hosted/verification/verification-pages.ts";
import { createPriceLists } from "./http/operations/prices/price-lists.ts";
import { operations } from "./http/operations/routes.ts";
import { type BuiltSite, docsRules, readBuiltSite } from "./http/reference/built-site.ts";
import { referenceNotes } from "./http/reference/reference-notes.ts";
import { createCursors } from "./http/request/paging.ts";
import type { Services, WalletServices } from "./http/request/services.ts";
import { createCallTails } from "./http/request-log/call-tails.ts";
import type { RequestLogReader } from "./http/request-log/reader.ts";
import { toErrorAnswer } from "./http/server/errors.ts";
import { defaultLimits } from "./http/server/limits.ts";
import { createMetrics, type Metrics } from "./http/server/metrics.ts";
import { createRateLimiter } from "./http/server/rate-limit.ts";
import { createHttpServer, type HttpServer } from "./http/server/server.ts";
import {
  createJobWorker,
  type JobRunner,
  type JobWorker,
  jobWorkerDefaults,
} from "./jobs/due-jobs.ts";
import { disableFailing } from "./jobs/events/disable-failing.ts";
import { runnersByKind } from "./jobs/job-runners.ts";
import { createJobStore } from "./jobs/job-store.ts";
import { createSessionUses, type SessionUses } from "./jobs/people/session-uses.ts";
import { createTokenUses, type TokenUses } from "./jobs/people/token-uses.ts";
import type { RequestLogWriter } from "./jobs/reading/request-log-writer.ts";
import { traceRunners } from "./jobs/traced-runners.ts";
import { type ApprovalCalls, createApprovalCalls } from "./jobs/uma/approval-calls.ts";
import {
  createOutboundClient,
  type OutboundClient,
} from "./outside/outbound-http/outbound-client.ts";
import { checkOutboundUrl, outboundUrlMessages } from "./outside/outbound-http/outbound-url.ts";
import { simulatedRail } from "./outside/payments/simulated-rail.ts";
import type { Reads } from "./postgres/database.ts";
import { createSealedFiles, type SealedFiles } from "./secrets/sealed-files.ts";
import { present } from "./std/assert.ts";
import { type Clock, systemClock } from "./std/clock.ts";
import { randomIds } from "./std/ids.ts";
import { createLog, type Log } from "./std/log.ts";
import { type CompileSchema, createSchemaCompiler } from "./validation/validation.ts";
import type { DeliveryWorker } from "./webhooks/deliver-webhooks.ts";
import { eventJson } from "./wire/events/event-contents.ts";

export interface App {
  readonly address: AddressInfo;
  /** The port of `/metrics`; undefined when it is not served. */
  readonly metricsPort: number | undefined;
  readonly baseUrl: string;
  /** The platform of a first start whose credentials were not shown yet. */
  readonly created: NewPlatform | undefined;
  /** The link by which the first owner signs up; undefined when there is an owner or the console is off. */
  readonly startLink: string | undefined;
  /** Deletes the stored secret of `created` after it was printed. */
  createdWasShown(): Promise<void>;
  /** For tools and tests that bypass HTTP. */
  readonly engine: Engine;
  readonly jobs: JobWorker;
  readonly deliveries: DeliveryWorker;
  readonly approvals: ApprovalCalls;
  readonly umaRouting: UmaServices["umaRouting"];
  readonly umaPolicies: UmaServices["umaPolicies"];
  readonly umaExchanges: UmaServices["exchanges"];
  /** Undefined when it is switched off. */
  readonly requestLog: RequestLogWriter | undefined;
  readonly attemptLog: Deliveries["attemptLog"];
  readonly rollups: Feeds["rollups"];
  readonly system: System;
  readonly searchIndex: Feeds["searchIndex"];
  readonly tokenUses: TokenUses;
  readonly sessionUses: SessionUses;
  readonly umaNotes: UmaNoteWriter;
  readonly store: OpenStore;
  /** Compiles the schemas of operations that were not called yet. */
  compileSchemas(): Promise<void>;
  /** Stops the server within ten seconds. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Replaces the log on standard error. */
  readonly log?: Log;
  /** Called when the embedded database died and could not be restarted. */
  readonly onDatabaseLost?: (error: unknown) => void;
  /** Fakes for calls to the outside, in tests. */
  readonly wallets?: Partial<WalletServices>;
  /** A rail for production platforms, in tests: this version has none of its own. */
  readonly productionRail?: PaymentRail & RailRules;
  /** The languages of the hosted pages; every language when absent. */
  readonly catalogues?: Catalogues;
  /** Runs deliveries on this thread and not on one of their own, because a test's clock cannot cross threads. */
  readonly deliveriesHere?: boolean;
  /** Wraps the runners of jobs, in tests. */
  readonly aroundJobs?: AroundJobs;
  /** Aborts the start, which stops what it has started and fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

type RunnersByKind = Readonly<Record<string, JobRunner>>;
export type AroundJobs = (runners: RunnersByKind) => RunnersByKind;

/** Starts a server on this configuration: database, platform of a first start, workers, HTTP. */
export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const { clock = systemClock, onDatabaseLost = () => undefined, wallets = {}, signal } = options;
  const { aroundJobs = (runners) => runners, deliveriesHere = clock !== systemClock } = options;
  const log = options.log ?? createLog(config.LOG_LEVEL);
  const store = await openStore(config, { clock, log, onDatabaseLost, signal });
  try {
    await refuseUnusableAddress(config.HOST, config.PORT);
    const sites = await readSites(config, log);
    const start = { config, clock, log, rails: railsOf(options), sites };
    const { catalogues = everyCatalogue } = options;
    const hasThread = !deliveriesHere;
    return await startOn(store, {
      ...start,
      hasThread,
      standIns: wallets,
      aroundJobs,
      catalogues,
      signal,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The build output of `packages/docs-site`, which a packed server contains. */
const DOCS = new URL("../dist-docs/site.bin", import.meta.url);
/** The build output of `packages/console`, which a packed server contains. */
const CONSOLE = new URL("../dist-console/site.bin", import.meta.url);

/** The rail that carries the transfers of each environment. An environment without one refuses them. */
type Rails = Partial<Record<Environment, PaymentRail & RailRules>>;

interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

function railsOf({ productionRail }: AppOptions): Rails {
  const production = productionRail === undefined ? {} : { PRODUCTION: productionRail };
  return { SANDBOX: simulatedRail, ...production };
}

/** The static sites, which are built with the package and read at the start. */
interface Sites {
  readonly docs: BuiltSite | undefined;
  /** Null when it was not built; absent when the console is off. */
  readonly consoleSite?: BuiltSite | null;
}

async function readSites({ CONSOLE: isOn }: Config, log: Log): Promise<Sites> {
  const docs = await readBuiltSite(DOCS, docsRules, log);
  if (isOn !== "on") return { docs };
  return { docs, consoleSite: (await readBuiltSite(CONSOLE, consoleRules, log)) ?? null };
}

interface StartOptions extends Surroundings {
  readonly rails: Rails;
  readonly sites: Sites;
  readonly standIns: Partial<WalletServices>;
  /** Whether deliveries run on a thread of their own. */
  readonly hasThread: boolean;
  readonly aroundJobs: AroundJobs;
  readonly catalogues: Catalogues;
  readonly signal: AbortSignal | undefined;
}

async function startOn(store: OpenStore, options: StartOptions): Promise<App> {
  const { rails, sites, standIns, hasThread, aroundJobs, catalogues, signal, ...surroundings } =
    options;
  const { config, clock, log } = surroundings;
  const { sealer, database } = store;
  const { reads } = database;
  const connected = connectedOn(store, surroundings, () => urlOf(addressOf(http)));
  const { outbound, engine, railServices, umaServices } = connected;
  const metrics = createMetrics();
  const { sandboxes } = umaServices.exchanges;
  const noted = { ...surroundings, outbound, engine, metrics, sandboxes };
  const umaNotes = umaNotesOn(store, noted);
  const files = createSealedFiles({ database, sealer: store.dataSealer, clock });
  const wallets = { ...walletServicesOn(store, { ...surroundings, outbound }), ...standIns };
  const onLongFailing = disableFailing({ engine, log });
  const delivering = deliveriesOn(store, { hasThread, clock, log, outbound, onLongFailing });
  const { deliveries, attemptLog } = delivering;
  const feeds = feedsOn(store, { clock, log, metrics });
  const approvals = createApprovalCalls({ engine, deliveries, clock, log });
  const compile = await createSchemaCompiler();
  const { writer: requestLog, reader: requestLogs } = requestLogOn(store, surroundings);
  const deciding = { engine, files, approvals, wallets, compile, ...custodyOn(sealer) };
  const called = { rails, railServices, ...umaServices, deliveries, outbound };
  const shared = { ...surroundings, ...called, ...deciding };
  const runners = jobRunnersOn(reads, { ...shared, umaNotes, requestLogs, sealer, database });
  const jobs = jobWorkerOn(store, {
    ...surroundings,
    runners: traceRunners(aroundJobs(runnersByKind(runners)), delivering.ofJob),
  });
  const measured = { engine, jobs, deliveries, requestLog, delivering };
  registerFigures(metrics, { ...measured, rails: railServices, reads, clock });
  const system = systemOn(store, { ...surroundings, engine, jobs });
  const sweeper = sweeperOn(store, surroundings, { engine, reads, sealer, clock, log });
  followCommits(engine, { metrics, reads, delivering, jobs, ...feeds });
  // From here on the start completes, so that the credentials of a new platform are printed.
  signal?.throwIfAborted();
  const created = await bootstrap(
    { engine, database, sealer, clock },
    { clientId: config.BOOTSTRAP_CLIENT_ID, clientSecret: config.BOOTSTRAP_CLIENT_SECRET },
  );
  await requestLog?.start();
  const code = config.CONSOLE === "on" ? await firstStartCode({ engine, reads }) : undefined;
  const uses = { ...usesOn(store, surroundings), umaNotes };
  const workers = { jobs, deliveries, feeds, requestLog, requestLogs, ...uses };
  const http = httpOn(store, { ...shared, ...workers, system, metrics, catalogues, sites });
  const { address, metricsServer } = await listen(http, metrics, surroundings);
  const { rollups, searchIndex } = feeds;
  for (const worker of [jobs, deliveries, searchIndex, sweeper, rollups]) worker.start();
  system.start(address.port);
  const { umaRouting, umaPolicies, exchanges: umaExchanges } = umaServices;
  const outer = { umaRouting, umaPolicies, umaExchanges };
  const parts = { engine, jobs, deliveries, approvals, ...outer, attemptLog, store, ...uses };
  const kept = { requestLog, rollups, searchIndex, system, compileSchemas: http.compileSchemas };
  const baseUrl = config.PUBLIC_URL ?? urlOf(address);
  return {
    address,
    metricsPort: metricsServer?.port,
    baseUrl,
    created,
    startLink: code && `${consolePlaceAt(baseUrl).origin}/console/start#${code}`,
    createdWasShown: () => forgetFirstCredentials(store.database),
    ...parts,
    ...kept,
    async close() {
      await metricsServer?.close();
      const rest = { http, sweeper, files, outbound, railNonces: railServices.nonces };
      await stopApp({ ...parts, ...kept, ...rest, clock });
    },
  };
}

/** What calls out, and the engine, which is called by some of it. */
function connectedOn(store: OpenStore, surroundings: Surroundings, ownOrigin: () => string) {
  const { clock } = surroundings;
  const outbound = createOutboundClient({ clock });
  const rails = railServicesOn(store, { ...surroundings, outbound });
  const umaServices = umaServicesOn(store, { ...surroundings, outbound, ownOrigin });
  const engine = engineOn(store, surroundings, rails.exchangeSlots.hasRoom);
  const railServices = withSandboxesOn(store, rails, { engine, clock });
  return { outbound, engine, railServices, umaServices };
}

/** Notes of the last use of credentials. */
function usesOn({ database }: OpenStore, { clock, log }: Surroundings) {
  const tokenUses = createTokenUses({ database, clock, log });
  return { tokenUses, sessionUses: createSessionUses({ database, log }) };
}

function followCommits(
  engine: Engine,
  {
    metrics,
    reads,
    delivering,
    jobs,
    heads,
    rollups,
    searchIndex,
  }: {
    readonly metrics: Metrics;
    readonly reads: Reads;
    readonly delivering: Deliveries;
    readonly jobs: JobWorker;
  } & Pick<Feeds, "heads" | "rollups" | "searchIndex">,
): void {
  const { deliveries, traced } = delivering;
  const figures = createProductFigures(metrics, reads);
  engine.onCommitted({
    committed(commit) {
      for (const follower of [figures, rollups, searchIndex]) follower.committed(commit);
      jobs.stir();
    },
    traced,
    dueJobs: (due) => jobs.hint(due),
    newEvents(platformId) {
      for (const worker of [deliveries, heads]) worker.newEvents(platformId);
    },
  });
}

function jobWorkerOn(
  { database }: OpenStore,
  { clock, log, runners }: Omit<Surroundings, "config"> & { readonly runners: RunnersByKind },
): JobWorker {
  const store = createJobStore(database);
  return createJobWorker({ store, clock, log, runners, ...jobWorkerDefaults });
}

/** The engine alone, for commands of the operator. */
export function engineOn(
  store: OpenStore,
  { config, clock, log }: Surroundings,
  hasRoom?: ExchangeRoom,
): Engine {
  return createEngine({
    ...engineDefaults,
    database: store.database,
    clock,
    log,
    sealer: store.dataSealer,
    renderEvent: eventJson,
    ports: enginePorts(hasRoom),
    renderRefusal: toErrorAnswer,
    describeChanges,
    metadataKeys,
    constraintRefusals,
    clockShifts: [shiftDeliveries],
    laneCount: config.ENGINE_LANES,
    batchMax: config.ENGINE_BATCH_MAX,
    // A test's clock may stand still while commands wait for the next call.
    callExpectedMs: clock === systemClock ? engineDefaults.callExpectedMs : 0,
  });
}

interface Parts extends Surroundings, Custody, UmaServices {
  readonly feeds: Feeds;
  readonly system: System;
  readonly rails: Rails;
  readonly sites: Sites;
  readonly railServices: RailServices;
  readonly outbound: OutboundClient;
  readonly engine: Engine;
  readonly files: SealedFiles;
  readonly metrics: Metrics;
  readonly jobs: JobWorker;
  readonly deliveries: DeliveryWorker;
  readonly approvals: ApprovalCalls;
  readonly wallets: WalletServices;
  readonly compile: CompileSchema;
  readonly requestLog: RequestLogWriter | undefined;
  readonly requestLogs: RequestLogReader;
  readonly catalogues: Catalogues;
  readonly tokenUses: TokenUses;
  readonly sessionUses: SessionUses;
  readonly umaNotes: UmaNoteWriter;
}

function httpOn(store: OpenStore, parts: Parts): HttpServer {
  const { config, clock, log, engine, files, metrics, deliveries, wallets } = parts;
  const { reads, gateReads } = store.database;
  const publicUrl = () => config.PUBLIC_URL ?? urlOf(addressOf(server));
  const people = peopleServicesOn(store, { ...parts, ...parts.feeds, publicUrl });
  const services: Services = {
    engine,
    people,
    system: parts.system.services,
    reads,
    cursors: createCursors(derivedKey(store, "cursors")),
    lookupIds: createLookupIds(derivedKey(store, "lookups")),
    rails: (environment) => parts.rails[environment],
    ...parts.railServices,
    ...umaPartsOf(parts),
    clock,
    compile: parts.compile,
    log,
    ids: randomIds(),
    sealer: store.sealer,
    requestLogs: parts.requestLogs,
    callTails: createCallTails({ reads, clock }),
    files,
    failedRedeems: failedRedeemsOn(clock),
    priceLists: createPriceLists({ clock }),
    wallets,
    ...parts.feeds,
    ...custodyServices(parts),
    judgeWebhookEndpoint: (url, environment) => judgeEndpoint(store, url, environment),
    publicUrl,
    hasPublicUrl: config.PUBLIC_URL !== undefined,
    runDueJobs: (platformId) => runDueOf(parts, platformId),
    testWebhook: (platformId, endpointId) => deliveries.test(platformId, endpointId),
    isQuestionUnanswered: (platformId, transactionId) =>
      parts.approvals.isUnanswered(platformId, transactionId),
    forgetCredentials: () => server.forgetCredentials(),
  };
  const perSecond = config.RATE_LIMIT_PER_SECOND;
  const server = createHttpServer({
    operations,
    reference: referenceNotes,
    ...parts.sites,
    hosted: {
      pages: [invitationPage, invitationLogoPage, ...verificationPages],
      formKey: derivedKey(store, "hosted forms"),
      catalogues: parts.catalogues,
    },
    uma: umaPathsOn(parts.uma, services, parts.exchanges),
    context: services,
    console: consoleOn(services, config),
    authenticate: tokenReader(gateReads, clock),
    noteTokenUse: parts.tokenUses.note,
    authenticateAgent: agentReader(gateReads),
    clock,
    log,
    logRequests: config.LOG_REQUESTS,
    ...(parts.requestLog === undefined ? {} : { requestLog: parts.requestLog }),
    metrics,
    limits: { tokenRate: { perSecond, burst: perSecond * 2 } },
    trustedProxies: config.TRUSTED_PROXIES,
    compile: parts.compile,
    checkReady: readinessOf({ reads: gateReads, engine, schemaVersion: store.schemaVersion }),
    publicUrl: services.publicUrl,
    secureOrigin: config.PUBLIC_URL?.startsWith("https:") ?? false,
    version: VERSION,
  });
  return server;
}

function umaPartsOf({ receivers, umaRouting, umaPolicies, umaNotes, exchanges }: Parts) {
  return { receivers, umaRouting, umaPolicies, umaNotes, umaOutside: exchanges.umaOutside };
}

async function runDueOf({ deliveries, jobs }: Parts, platformId: string): Promise<void> {
  deliveries.retriesDue(platformId);
  await jobs.drain(platformId);
}

function addressOf(server: HttpServer): AddressInfo {
  return present(server.address(), "the address of a listening server");
}

function judgeEndpoint(store: OpenStore, url: string, environment: Environment) {
  const check = checkOutboundUrl(url, { allowLoopbackHttp: allowsLoopback(store, environment) });
  return check.ok ? undefined : outboundUrlMessages[check.reason];
}

function failedRedeemsOn(clock: Clock): FailedAttemptLimiter {
  const { failedRedeemRate: rate, rateKeys: maxKeys } = defaultLimits;
  const limiter = createRateLimiter({ clock, rate, maxKeys });
  return createFailedAttemptLimiter({ clock, limiter });
}

/** The loopback address at which a server on a wildcard address is reached. */
const UNSPECIFIED: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

function urlOf({ address, family, port }: AddressInfo): string {
  const host = UNSPECIFIED.get(address) ?? address;
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`;
}
