/** Operations of the console about orders that wait for other people, and about the policy that lets them wait. */
import type { Approval, ListApprovalsQuery, Page } from "@florin/client";
import type { Assertion } from "./passkey-json.ts";

/** An approval, with what the person who is signed in may do about it now. */
export interface OwnApproval extends Approval {
  readonly mayDecide: boolean;
  /** Why not, while it is PENDING. */
  readonly rule?: string;
  /** A person who may not agree may still be one who may refuse. */
  readonly mayReject: boolean;
  readonly mayCancel: boolean;
}

/** By currency, in the smallest unit. */
export type PolicyAmounts = Readonly<Record<string, number>>;
export type Waits = boolean | "WITH_TWO_OWNERS";

export interface PolicyRule {
  readonly waits: Waits;
  readonly above?: PolicyAmounts;
  readonly twoAbove?: PolicyAmounts;
  readonly isFixed: boolean;
  readonly hasAmounts: boolean;
}

export interface ApprovalPolicy {
  /** Null for that of the workspace. */
  readonly platformId: string | null;
  readonly rules: Readonly<Record<string, PolicyRule>>;
}

type Change = Partial<Pick<PolicyRule, "waits" | "above" | "twoAbove">>;

export interface ApprovalOperations {
  readonly listWorkspaceApprovals: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["workspace", "approvals"];
      readonly isList?: true;
      readonly query?: ListApprovalsQuery & { readonly shown?: string };
    };
    readonly answer: Page<OwnApproval>;
  };
  readonly getWorkspaceApproval: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["workspace", "approvals", string];
    };
    readonly answer: OwnApproval;
  };
  readonly decideApproval: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["workspace", "approvals", string, "decide"];
      readonly body: {
        readonly outcome: "APPROVED" | "REJECTED";
        readonly note?: string;
        readonly assertion?: Assertion;
      };
    };
    readonly answer: Approval;
  };
  readonly cancelApproval: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["workspace", "approvals", string, "cancel"];
    };
    readonly answer: Approval;
  };
  readonly listPolicies: {
    readonly call: { readonly method: "GET"; readonly path: readonly ["workspace", "policies"] };
    readonly answer: { readonly data: readonly ApprovalPolicy[] };
  };
  readonly setPolicy: {
    readonly call: {
      readonly method: "PUT";
      readonly path: readonly ["workspace", "policies"];
      readonly body: {
        readonly platformId: string | null;
        readonly rules: Readonly<Record<string, Change>>;
      };
    };
    readonly answer: ApprovalPolicy;
  };
}
