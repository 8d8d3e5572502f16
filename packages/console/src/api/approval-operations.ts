/** Console operations on orders that wait for approval, and on the policy that requires the approval. */
import type { Approval, ListApprovalsQuery, Page } from "@florin/client";
import type { Assertion } from "./passkey-json.ts";

/** An approval, with what the signed-in person may do about it now. */
export interface OwnApproval extends Approval {
  readonly mayDecide: boolean;
  /** Why the person may not decide, while the approval is PENDING. */
  readonly rule?: string;
  /** A person who may not approve may still be allowed to reject. */
  readonly mayReject: boolean;
  readonly mayCancel: boolean;
}

/** Amounts by currency, in the smallest unit. */
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
  /** Null for the policy of the workspace. */
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
