/** Reads a platform's answer to the question about an incoming payment. */
import {
  type CustomerInfo,
  type CustomerInfoField,
  customerInfoFields,
  isCustomerInfoField,
  LONGEST_ANSWER,
} from "../../domain/customers/customer-info.ts";
import { LONGEST_REASON } from "../../domain/uma/payment-approval.ts";
import type { ApprovalAnswer } from "../../domain/uma/record-approval-answer.ts";
import { isJsonObject } from "../../std/json.ts";
import { isBadText } from "../../validation/json-body.ts";
import type { PostAnswer } from "../../webhooks/post-event.ts";

/** `deferred`: the platform answered 202 and will call approve or reject. */
export type HeardAnswer = ApprovalAnswer | { readonly kind: "deferred" };

/** Whether the status alone defers the decision: 202, or 409 from a platform that already has the event. The platform will call. */
export function isDeferral(status: number): boolean {
  return status === 202 || status === 409;
}

/**
 * Reads the answer by its status. Any 2xx but 202 accepts the payment if the whole answer arrived. 409, from a platform that already has
 * the event, decides nothing.
 */
export function toHeardAnswer(
  answer: Pick<PostAnswer, "status" | "body" | "bodyComplete" | "isSilent">,
): HeardAnswer {
  const { status } = answer;
  if (status === undefined) return { kind: answer.isSilent ? "none" : "unusable" };
  if (isDeferral(status)) return { kind: "deferred" };
  switch (status) {
    case 403:
      return { kind: "rejected", reason: toReason(parsed(answer.body)) };
    case 422:
      return { kind: "needs-more", requiredFields: toFieldNames(parsed(answer.body)) };
    default:
      return status >= 200 && status < 300 && answer.bodyComplete
        ? { kind: "approved", receiverCustomerInfo: toCustomerInfo(parsed(answer.body)) }
        : { kind: "unusable" };
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none for any other text. */
function parsed(text: string): Members {
  try {
    return toMembers(JSON.parse(text));
  } catch {
    return {};
  }
}

function toMembers(value: unknown): Members {
  return isJsonObject(value) ? value : {};
}

/** The known fields whose answer is a text within the length limit, as in a call of approve. */
function toCustomerInfo({ receiverCustomerInfo }: Members): CustomerInfo {
  const answers = toMembers(receiverCustomerInfo);
  const info: Partial<Record<CustomerInfoField, string>> = {};
  for (const name of customerInfoFields) {
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined;
    const isSound = typeof answer === "string" && !isBadText(answer);
    if (isSound && answer.length <= LONGEST_ANSWER) info[name] = answer;
  }
  return info;
}

function toFieldNames({ requiredFields }: Members): readonly string[] {
  if (!Array.isArray(requiredFields)) return [];
  const names = requiredFields.filter((name) => typeof name === "string");
  return [...new Set(names.filter(isCustomerInfoField))];
}

/** Characters that no text column holds, and what would break a line of a log. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

/** `reason`, or else `message`, cut to the stored length. */
function toReason({ reason, message }: Members): string | null {
  const text = [reason, message].find((each) => typeof each === "string" && each !== "");
  if (typeof text !== "string") return null;
  return [...text.replaceAll(UNPRINTABLE, " ")].slice(0, LONGEST_REASON).join("");
}
