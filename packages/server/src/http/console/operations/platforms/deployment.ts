/** The state of the deployment: its servers, its database, jobs and settings. The reads of all operators have one share of connections. */
import Type from "typebox";
import {
  countJobs,
  findDatabase,
  findMasterKeys,
  listMigrations,
  MOST_JOBS_COUNTED,
} from "../../../../domain/platforms/system/deployment.sql.ts";
import { listServers } from "../../../../domain/platforms/system/servers.sql.ts";
import {
  SystemSettingSchema,
  settingExample,
  wireSystemDatabase,
  wireSystemJob,
  wireSystemServer,
} from "../../../../wire/platforms/deployment.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

/** The name of the share of read connections that all operators use together. */
export const OPERATORS_SHARE = "operators";

const shared = {
  access: "PERSON",
  capability: "system.read",
  tag: "System",
  refusals: [],
} as const;

const listSystemServers = defineOperation({
  ...shared,
  id: "listSystemServers",
  ...route("GET /system/servers"),
  summary: "List the servers of the deployment",
  description:
    "Each server writes its figures every ten seconds. One that was killed is listed for a day.",
  answers: {
    200: {
      description: "The oldest first, 100 at most.",
      schema: Type.Object({ data: Type.Array(wireSystemServer.schema) }),
      example: { data: [wireSystemServer.example] },
    },
  },
  async handle(_request, { reads, clock, system: { serverId } }: Services) {
    const servers = await reads.withPermit(OPERATORS_SHARE, listServers);
    const now = clock.now();
    const data = servers.map((server) =>
      wireSystemServer.json({ ...server, ...server.figures }, { serverId, now }),
    );
    return { status: 200, body: `{"data":[${data.join(",")}]}` };
  },
});

const getSystemDatabase = defineOperation({
  ...shared,
  id: "getSystemDatabase",
  ...route("GET /system/database"),
  summary: "Get the state of the database",
  description: "The checks of a start are made once a minute at most.",
  answers: {
    200: shown(wireSystemDatabase, "Now."),
  },
  async handle(_request, { reads, system }: Services) {
    const [found, faults] = await Promise.all([
      reads.withPermit(OPERATORS_SHARE, async (cells) => ({
        ...(await findDatabase(cells)),
        keys: await findMasterKeys(cells),
        migrations: await listMigrations(cells),
      })),
      system.startFaults(),
    ]);
    return { status: 200, body: wireSystemDatabase.json({ ...found, faults }) };
  },
});

const listSystemJobs = defineOperation({
  ...shared,
  id: "listSystemJobs",
  ...route("GET /system/jobs"),
  summary: "Count the jobs that are to be done",
  description: "By kind, among the 10,000 that are due first; of all platforms together.",
  answers: {
    200: {
      description: "Those with overdue jobs first.",
      schema: Type.Object({
        data: Type.Array(wireSystemJob.schema),
        isComplete: Type.Boolean({ description: "False when there are more than were counted." }),
      }),
      example: { data: [wireSystemJob.example], isComplete: true },
    },
  },
  async handle(_request, { reads, clock }: Services) {
    const found = await reads.withPermit(OPERATORS_SHARE, (cells) => countJobs(cells, clock.now()));
    const counted = found.reduce((sum, { count }) => sum + count, 0);
    const isComplete = counted < MOST_JOBS_COUNTED;
    const data = found.map(wireSystemJob.json);
    return { status: 200, body: `{"data":[${data.join(",")}],"isComplete":${isComplete}}` };
  },
});

const listSystemSettings = defineOperation({
  ...shared,
  id: "listSystemSettings",
  ...route("GET /system/settings"),
  summary: "List the settings of this server",
  description: "Secrets are shown as set or not set.",
  answers: {
    200: {
      description: "All of them.",
      schema: Type.Object({ data: Type.Array(SystemSettingSchema) }),
      example: { data: [settingExample] },
    },
  },
  async handle(_request, { system }: Services) {
    return { status: 200, body: JSON.stringify({ data: system.settings() }) };
  },
});

export const deploymentOperations = [
  listSystemServers,
  getSystemDatabase,
  listSystemJobs,
  listSystemSettings,
];
