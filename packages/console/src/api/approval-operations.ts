/** Console operations on orders that wait for approval, and on the policy that requires the approval. */
import type { Approval, ListApprovalsQuery, Page, Transaction } from "@florin/client";
import type { Assertion } from "./passkey-json.ts";

type Party = NonNullable<NonNullable<Transaction["parties"]>["from"]>;

/** An approval, or an order of an agent that waits or waited, with what the signed-in person may do about it now. */
export interface OwnApproval extends Omit<Approval, "kind" | "contentDigest"> {
  readonly kind: Approval["kind"] | "AGENT_ORDER";
  readonly mayDecide: boolean;
  /** Why the person may not decide, while the approval is PENDING. */
  readonly rule?: string;
  /** A person who may not approve may still be allowed to reject. */
  readonly mayReject: boolean;
  readonly mayCancel: boolean;
  /** What is asked for, in a few words. */
  readonly title: string;
  /** With its currency. Absent for orders without one, and for those of earlier versions. */
  readonly amount?: string;
  /** In a list. */
  readonly parties?: Partial<Record<"from" | "to" | "by", Party>>;
}

/** A fact of an order, as the passkey signs it. It has either `value` or `personal`. */
export interface ShownFact {
  readonly key: string;
  readonly group: "ORDER" | "PAYEE" | "FROM" | "CHANGE" | "WHY";
  readonly label: string;
  readonly value?: string;
  readonly personal?: string;
  readonly before?: string;
  readonly personalBefore?: string;
  readonly id?: string;
}

export interface Shown {
  readonly title: string;
  readonly at: string;
  readonly facts: readonly ShownFact[];
  readonly warnings: readonly { readonly key: string; readonly text: string }[];
  /** Sent back with an agreement; only for a person who may decide. */
  readonly sealed?: string;
}

export interface ApprovalComment {
  readonly id: string;
  readonly author: { readonly id: string; readonly name: string };
  readonly comment: string;
  readonly createdAt: string;
}

export interface DetailedApproval extends OwnApproval {
  readonly shown: Shown;
  readonly comments: readonly ApprovalComment[];
  readonly mayComment: boolean;
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
      readonly query?: Omit<ListApprovalsQuery, "kind"> & {
        readonly kind?: string;
        readonly shown?: string;
      };
    };
    readonly answer: Page<OwnApproval>;
  };
  readonly getWorkspaceApproval: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["workspace", "approvals", string];
    };
    readonly answer: DetailedApproval;
  };
  readonly decideApproval: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["workspace", "approvals", string, "decide"];
      readonly body: {
        readonly outcome: "APPROVED" | "REJECTED";
        readonly note?: string;
        readonly shown?: string;
        readonly assertion?: Assertion;
      };
    };
    readonly answer: Approval;
  };
  readonly getShownAgentAction: {
    readonly call: {
      readonly method: "GET";
      readonly path: readonly ["agents", string, "actions", string, "shown"];
    };
    readonly answer: Shown;
  };
  readonly commentApproval: {
    readonly call: {
      readonly method: "POST";
      readonly path: readonly ["workspace", "approvals", string, "comments"];
      readonly body: { readonly comment: string };
    };
    readonly answer: ApprovalComment;
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
