import Type from "typebox";
import type {
  DatabaseFigures,
  JobCount,
  MasterKeys,
  RanMigration,
} from "../../domain/platforms/system/deployment.sql.ts";
import type { ServerRow } from "../../domain/platforms/system/servers.sql.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema } from "../fields.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const SystemServerSchema = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    name: Type.String({ description: "Host and port." }),
    version: Type.String(),
    isThis: Type.Boolean({ description: "The server that answers." }),
    isSilent: Type.Boolean({
      description: "It has not written its figures for half a minute: it was killed, or hangs.",
    }),
    isReady: Type.Boolean(),
    notReadyBecause: Type.Optional(Type.String()),
    startedAt: DateTimeSchema,
    seenAt: DateTimeSchema,
    lanes: count("Connections that commit."),
    queued: count("Commands that wait for a commit."),
    commits: Type.Object({
      count: count("How many commits the quantiles are of; the last 1,024 at most."),
      p50Ms: Type.Number(),
      p99Ms: Type.Number(),
    }),
    connections: count("Open connections to the database, without those of the delivery thread."),
    jobsUnderway: count("Jobs that it has in hand."),
    failingJobs: Type.Optional(
      Type.Array(
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
      ),
    ),
    disk: Type.Optional(
      Type.Object(
        { freeBytes: Type.Integer(), totalBytes: Type.Integer() },
        { description: "Of the file system with the embedded database." },
      ),
    ),
  },
  { $id: "SystemServer" },
);

export const serverExample = {
  id: "019a4f00-0000-7000-8000-000000000031",
  name: "florin-1:8080",
  version: "0.1.0",
  isThis: true,
  isSilent: false,
  isReady: true,
  startedAt: "2026-11-21T09:00:00.000Z",
  seenAt: "2026-11-21T11:14:20.000Z",
  lanes: 2,
  queued: 0,
  commits: { count: 1024, p50Ms: 2, p99Ms: 9 },
  connections: 7,
  jobsUnderway: 1,
  failingJobs: [
    {
      id: "019a4f00-0000-7000-8000-000000000033",
      platformId: "019a4f00-0000-7000-8000-000000000001",
      kind: "make-export",
      failures: 12,
      since: "2026-11-21T11:02:41.000Z",
      error: "the database did not answer in time",
    },
  ],
};

/** Three writes late. */
const SILENT_AFTER_MS = 30_000;

export function serverToWire(
  { id, name, version, startedAt, seenAt, figures }: ServerRow,
  { serverId, now }: { readonly serverId: string; readonly now: number },
) {
  const { notReadyBecause, disk, failingJobs = [], ...rest } = figures;
  return {
    id,
    name,
    version,
    isThis: id === serverId,
    isSilent: now - seenAt > SILENT_AFTER_MS,
    isReady: notReadyBecause === null,
    ...(notReadyBecause === null ? {} : { notReadyBecause }),
    startedAt: toIso(startedAt),
    seenAt: toIso(seenAt),
    ...rest,
    failingJobs: failingJobs.map(({ since, ...job }) => ({ ...job, since: toIso(since) })),
    ...(disk === null ? {} : { disk }),
  };
}

export const SystemDatabaseSchema = Type.Object(
  {
    version: Type.String(),
    bytes: Type.Integer(),
    connections: count("Of all servers and tools."),
    mostConnections: Type.Integer(),
    oldestTransactionMs: count("Age of the oldest open transaction; 0 without one."),
    startRefusals: Type.Array(Type.String(), {
      description: "For what a server would refuse to start on this database now.",
    }),
    startWarnings: Type.Array(Type.String(), { description: "What it would warn of." }),
    keys: Type.Object({
      masterKeyId: Type.String({ description: "The master key that seals the secrets." }),
      otherMasterKeyId: Type.Optional(
        Type.String({
          description: "During a rotation: the second one. End it by `florin reseal`.",
        }),
      ),
      dataKeySince: Type.Optional({
        ...DateTimeSchema,
        description: "The data key is as old as the database and is never changed.",
      }),
    }),
    migrations: Type.Array(
      Type.Object({ version: Type.Integer(), name: Type.String(), appliedAt: DateTimeSchema }),
      { description: "The newest first." },
    ),
  },
  { $id: "SystemDatabase" },
);

export const databaseExample = {
  version: "17.6",
  bytes: 812345678,
  connections: 16,
  mostConnections: 100,
  oldestTransactionMs: 0,
  startRefusals: [],
  startWarnings: [],
  keys: { masterKeyId: "5f0c2a9be47d1836", dataKeySince: "2026-10-01T08:00:00.000Z" },
  migrations: [
    { version: 65, name: "0065-single-sign-on.sql", appliedAt: "2026-11-20T08:00:00.000Z" },
  ],
};

export function databaseToWire(found: {
  readonly database: DatabaseFigures;
  readonly keys: MasterKeys;
  readonly migrations: readonly RanMigration[];
  readonly faults: { readonly refusals: readonly string[]; readonly warnings: readonly string[] };
}) {
  const { database, keys, migrations, faults } = found;
  const first = migrations.at(-1);
  return {
    ...database,
    startRefusals: faults.refusals,
    startWarnings: faults.warnings,
    keys: {
      masterKeyId: keys.id,
      ...(keys.otherId === null ? {} : { otherMasterKeyId: keys.otherId }),
      ...(first === undefined ? {} : { dataKeySince: toIso(first.appliedAt) }),
    },
    migrations: migrations.map(({ appliedAt, ...rest }) => ({
      ...rest,
      appliedAt: toIso(appliedAt),
    })),
  };
}

export const SystemJobSchema = Type.Object(
  {
    kind: Type.String(),
    count: count("Jobs that are to be done, now or later."),
    due: count("Those whose time has come."),
    overdue: count("Those whose time came more than a minute ago."),
    firstAt: { ...DateTimeSchema, description: "When the first of them is due." },
  },
  { $id: "SystemJob" },
);

export const jobExample = {
  kind: "submit-transfer",
  count: 12,
  due: 2,
  overdue: 0,
  firstAt: "2026-11-21T11:14:21.000Z",
};

export function jobToWire({ firstAt, ...counts }: JobCount) {
  return { ...counts, firstAt: toIso(firstAt) };
}

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
