import Type from "typebox";
import type {
  DatabaseFigures,
  JobCount,
  MasterKeys,
  RanMigration,
} from "../../domain/platforms/system/deployment.sql.ts";
import type { ServerFigures, ServerRow } from "../../domain/platforms/system/servers.sql.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

const CommitsSchema = Type.Object({
  count: count("How many commits the quantiles are of; the last 1,024 at most."),
  p50Ms: Type.Number(),
  p99Ms: Type.Number(),
});

const FailingJobsSchema = Type.Array(
  Type.Object({
    id: Type.String({ format: "uuid" }),
    platformId: Type.String({
      format: "uuid",
      description: "Of the platform or the workspace, as the log names it.",
    }),
    kind: Type.String(),
    failures: count("In a row, on this server."),
    since: { ...DateTimeSchema, description: "When it failed first." },
    error: Type.String({ description: "Of the last failure." }),
  }),
  {
    description:
      "Jobs that failed ten times in a row there. They are tried again once a minute. The first 100.",
  },
);

const DiskSchema = Type.Object(
  { freeBytes: Type.Integer(), totalBytes: Type.Integer() },
  { description: "Of the file system with the embedded database." },
);

/** A server counts as silent when it has missed three writes of its row. */
const SILENT_AFTER_MS = 30_000;

interface Asked {
  /** The id of the server that answers the call. */
  readonly serverId: string;
  readonly now: number;
}

export const wireSystemServer = wireObject(
  "SystemServer",
  ({ of, maybe }: Kit<ServerRow & ServerFigures, Asked>) => ({
    id: of.text({ format: "uuid", example: "019a4f00-0000-7000-8000-000000000031" }),
    name: of.text({ description: "Host and port.", example: "florin-1:8080" }),
    version: of.text({ example: "0.1.0" }),
    isThis: of.boolean({
      from: ({ id }, { serverId }) => id === serverId,
      description: "The server that answers.",
      example: true,
    }),
    isSilent: of.boolean({
      from: ({ seenAt }, { now }) => now - seenAt > SILENT_AFTER_MS,
      description: "It has not written its figures for half a minute: it was killed, or hangs.",
      example: false,
    }),
    isReady: of.boolean({ from: ({ notReadyBecause }) => notReadyBecause === null, example: true }),
    notReadyBecause: maybe.text(),
    startedAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
    seenAt: of.time({ example: "2026-11-21T11:14:20.000Z" }),
    lanes: of.integer({ minimum: 0, description: "Connections that commit.", example: 2 }),
    queued: of.integer({ minimum: 0, description: "Commands that wait for a commit.", example: 0 }),
    commits: of.json(CommitsSchema, { example: { count: 1024, p50Ms: 2, p99Ms: 9 } }),
    connections: of.integer({
      minimum: 0,
      description: "Open connections to the database, without those of the delivery thread.",
      example: 7,
    }),
    jobsUnderway: of.integer({ minimum: 0, description: "Jobs that it has in hand.", example: 1 }),
    failingJobs: maybe.json(FailingJobsSchema, {
      from: ({ failingJobs = [] }) =>
        failingJobs.map(({ since, ...job }) => ({ ...job, since: toIso(since) })),
      example: [
        {
          id: "019a4f00-0000-7000-8000-000000000033",
          platformId: "019a4f00-0000-7000-8000-000000000001",
          kind: "make-export",
          failures: 12,
          since: "2026-11-21T11:02:41.000Z",
          error: "the database did not answer in time",
        },
      ],
    }),
    disk: maybe.json(DiskSchema),
  }),
);

const KeysSchema = Type.Object({
  masterKeyId: Type.String({ description: "The master key that seals the secrets." }),
  otherMasterKeyId: Type.Optional(
    Type.String({ description: "During a rotation: the second one. End it by `florin reseal`." }),
  ),
  dataKeySince: Type.Optional({
    ...DateTimeSchema,
    description: "The data key is as old as the database and is never changed.",
  }),
});

const migration = wireObject({}, ({ of }: Kit<RanMigration>) => ({
  version: of.integer({ example: 65 }),
  name: of.text({ example: "0065-single-sign-on.sql" }),
  appliedAt: of.time({ example: "2026-11-20T08:00:00.000Z" }),
}));

interface Database extends DatabaseFigures {
  readonly keys: MasterKeys;
  /** The newest first. */
  readonly migrations: readonly RanMigration[];
  readonly faults: { readonly refusals: readonly string[]; readonly warnings: readonly string[] };
}

export const wireSystemDatabase = wireObject("SystemDatabase", ({ of }: Kit<Database>) => ({
  version: of.text({ example: "17.6" }),
  bytes: of.integer({ example: 812345678 }),
  connections: of.integer({ minimum: 0, description: "Of all servers and tools.", example: 16 }),
  mostConnections: of.integer({ example: 100 }),
  oldestTransactionMs: of.integer({
    minimum: 0,
    description: "Age of the oldest open transaction; 0 without one.",
    example: 0,
  }),
  startRefusals: of.json(Type.Array(Type.String()), {
    from: ({ faults }) => faults.refusals,
    description: "For what a server would refuse to start on this database now.",
    example: [],
  }),
  startWarnings: of.json(Type.Array(Type.String()), {
    from: ({ faults }) => faults.warnings,
    description: "What it would warn of.",
    example: [],
  }),
  keys: of.json(KeysSchema, {
    from: keysOf,
    example: { masterKeyId: "5f0c2a9be47d1836", dataKeySince: "2026-10-01T08:00:00.000Z" },
  }),
  migrations: of.list(migration, {
    description: "The newest first.",
    example: [migration.example],
  }),
}));

function keysOf({ keys, migrations }: Database) {
  const first = migrations.at(-1);
  return {
    masterKeyId: keys.id,
    ...(keys.otherId === null ? {} : { otherMasterKeyId: keys.otherId }),
    ...(first === undefined ? {} : { dataKeySince: toIso(first.appliedAt) }),
  };
}

export const wireSystemJob = wireObject("SystemJob", ({ of }: Kit<JobCount>) => ({
  kind: of.text({ example: "submit-transfer" }),
  count: of.integer({
    minimum: 0,
    description: "Jobs that are to be done, now or later.",
    example: 12,
  }),
  due: of.integer({ minimum: 0, description: "Those whose time has come.", example: 2 }),
  overdue: of.integer({
    minimum: 0,
    description: "Those whose time came more than a minute ago.",
    example: 0,
  }),
  firstAt: of.time({
    description: "When the first of them is due.",
    example: "2026-11-21T11:14:21.000Z",
  }),
}));

export const SystemSettingSchema = Type.Object(
  {
    name: Type.String(),
    meaning: Type.String(),
    value: Type.String({ description: "In effect; of a secret, `(set)` or `(not set)`." }),
    isSet: Type.Boolean({ description: "False where the default is in effect." }),
  },
  { $id: "SystemSetting" },
);

export const settingExample = {
  name: "ENGINE_LANES",
  meaning: "Connections that commit.",
  value: "2",
  isSet: false,
};
