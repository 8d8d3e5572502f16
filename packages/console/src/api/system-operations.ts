/** Console operations on the deployment, and on a platform's long-running work. */
import type { Page } from "@florin/client";
import type { ObjectName } from "./names.ts";

export interface SystemServer {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly isThis: boolean;
  readonly isSilent: boolean;
  readonly isReady: boolean;
  readonly notReadyBecause?: string;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly lanes: number;
  readonly queued: number;
  readonly commits: { readonly count: number; readonly p50Ms: number; readonly p99Ms: number };
  readonly connections: number;
  readonly jobsUnderway: number;
  readonly failingJobs?: readonly {
    readonly id: string;
    readonly platformId: string;
    readonly kind: string;
    readonly failures: number;
    readonly since: string;
    readonly error: string;
  }[];
  readonly disk?: { readonly freeBytes: number; readonly totalBytes: number };
}

export interface SystemDatabase {
  readonly version: string;
  readonly bytes: number;
  readonly connections: number;
  readonly mostConnections: number;
  readonly oldestTransactionMs: number;
  readonly startRefusals: readonly string[];
  readonly startWarnings: readonly string[];
  readonly keys: {
    readonly masterKeyId: string;
    readonly otherMasterKeyId?: string;
    readonly dataKeySince?: string;
  };
  readonly migrations: readonly {
    readonly version: number;
    readonly name: string;
    readonly appliedAt: string;
  }[];
}

export interface SystemJob {
  readonly kind: string;
  readonly count: number;
  readonly due: number;
  readonly overdue: number;
  readonly firstAt: string;
}

export interface SystemSetting {
  readonly name: string;
  readonly meaning: string;
  readonly value: string;
  readonly isSet: boolean;
}

export interface SystemWorkspace {
  readonly id: string;
  readonly name: string;
  readonly platforms: number;
  readonly hasOwner: boolean;
  readonly commands: number;
  readonly createdAt: string;
}

export interface SystemPlatform {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly environment: string;
  readonly umaDomain: string;
  readonly reviewers: string;
  readonly commands: number;
  readonly events: number;
  readonly undelivered?: number;
  readonly clockAheadMs: number;
  readonly createdAt: string;
}

export interface VerifyRun {
  readonly id: string;
  readonly state: string;
  readonly requestedBy: string;
  readonly done: number;
  readonly total: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly ok?: boolean;
  readonly counts: {
    readonly platforms: number;
    readonly workspaces: number;
    readonly commands: number;
    readonly entries: number;
    readonly events: number;
    readonly accounts: number;
  };
  readonly problemCount: number;
  readonly problems: readonly {
    readonly platformId: string;
    readonly table: string;
    readonly row: string;
  }[];
  readonly failure?: string;
}

export interface LongWork {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly done: number;
  readonly total?: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly resultId?: string;
  readonly isCancellable: boolean;
}

interface CreatedPlatform {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Paging {
  readonly limit?: number;
  readonly cursor?: string;
}

type Get<Path extends readonly unknown[], Answer, Rest = object> = {
  readonly call: { readonly method: "GET"; readonly path: Path } & Rest;
  readonly answer: Answer;
};
type Post<Path extends readonly unknown[], Answer, Rest = object> = {
  readonly call: { readonly method: "POST"; readonly path: Path } & Rest;
  readonly answer: Answer;
};
type PageOf<Path extends readonly unknown[], Row> = Get<
  Path,
  Page<Row>,
  { readonly isList?: true; readonly query?: Paging }
>;

export interface SystemOperations {
  readonly listSystemServers: Get<
    readonly ["system", "servers"],
    { readonly data: readonly SystemServer[] }
  >;
  readonly getSystemDatabase: Get<readonly ["system", "database"], SystemDatabase>;
  readonly listSystemJobs: Get<
    readonly ["system", "jobs"],
    { readonly data: readonly SystemJob[]; readonly isComplete: boolean }
  >;
  readonly listSystemSettings: Get<
    readonly ["system", "settings"],
    { readonly data: readonly SystemSetting[] }
  >;
  readonly listSystemWorkspaces: PageOf<readonly ["system", "workspaces"], SystemWorkspace>;
  readonly listSystemPlatforms: PageOf<readonly ["system", "platforms"], SystemPlatform>;
  readonly listVerifyRuns: Get<
    readonly ["system", "verify"],
    { readonly data: readonly VerifyRun[] }
  >;
  readonly startVerify: Post<readonly ["system", "verify"], VerifyRun>;
  readonly cancelVerify: Post<readonly ["system", "verify", string, "cancel"], VerifyRun>;
  readonly createWorkspace: Post<
    readonly ["system", "workspaces"],
    { readonly id: string; readonly startUrl: string },
    { readonly body: { readonly name: string } }
  >;
  readonly createWorkspacePlatform: Post<
    readonly ["workspace", "platforms"],
    CreatedPlatform,
    { readonly body: { readonly name: string; readonly umaDomain: string } }
  >;
  readonly createSystemPlatform: Post<
    readonly ["system", "platforms"],
    CreatedPlatform,
    {
      readonly body: {
        readonly workspaceId: string;
        readonly environment: string;
        readonly name: string;
        readonly umaDomain: string;
      };
    }
  >;
  readonly listObjectNames: Get<
    readonly ["names"],
    { readonly data: readonly ObjectName[] },
    { readonly query: { readonly ids: readonly string[] } }
  >;
  readonly listLongWork: Get<readonly ["jobs"], { readonly data: readonly LongWork[] }>;
}
