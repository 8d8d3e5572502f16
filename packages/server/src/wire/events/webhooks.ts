/** Every event with the schema of its `data`, an example, and the meaning of each answer. */

import Type, { type TSchema } from "typebox";
import { type EventType, eventCatalogue, eventTypes } from "../../domain/event-catalogue.ts";
import { CustomerInfoSchema, FieldNamesSchema } from "../customers/customer-info.ts";
import { AskedTransactionSchema } from "../payments/transaction.ts";
import { eventContents, eventExample } from "./event-contents.ts";

export interface WebhookNote {
  readonly type: string;
  readonly meaning: string;
  /** The schema of `data`. */
  readonly data: TSchema;
  /** The example of a whole body. */
  readonly example: object;
  /** Meanings of answers that only this event has, by status. */
  readonly answers?: Readonly<Record<string, WebhookAnswerNote>>;
}

export interface WebhookAnswerNote {
  readonly description: string;
  readonly schema?: TSchema;
  readonly example?: object;
}

/** The answers to the approval request of a UMA payment; for any other payment the event is information only. */
const decisions: Readonly<Record<string, WebhookAnswerNote>> = {
  "200": {
    description:
      "Of a UMA payment: it is taken. What was asked of the receiver, at least what is mandatory, is answered with it.",
    schema: Type.Object({ receiverCustomerInfo: Type.Optional(CustomerInfoSchema) }),
    example: { receiverCustomerInfo: { NATIONALITY: "US" } },
  },
  "202": {
    description:
      "Of a UMA payment: the decision follows by `POST /transactions/{transactionId}/approve` or `reject`, within five " +
      "seconds of the question. So it is with 409.",
  },
  "403": {
    description: "Of a UMA payment: it is turned away. `reason`, or else `message`, is kept.",
    schema: Type.Object({
      reason: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
    }),
    example: { code: "REJECTED_BY_PLATFORM", reason: "RESTRICTED_JURISDICTION" },
  },
  "422": {
    description: "For a UMA payment: it fails, and the sender learns which fields are required.",
    schema: Type.Object({ requiredFields: FieldNamesSchema }),
    example: { requiredFields: ["TAX_ID"] },
  },
  default: {
    description:
      "With any other answer, or none within five seconds, a UMA payment fails. The question is put once.",
  },
};

const special: Partial<Record<EventType, Partial<WebhookNote>>> = {
  "INCOMING_PAYMENT.PENDING": { data: AskedTransactionSchema, answers: decisions },
};

export const webhookNotes: readonly WebhookNote[] = eventTypes.map((type) => ({
  type,
  meaning: eventCatalogue[type].meaning,
  data: eventContents[eventCatalogue[type].data].schema,
  example: eventExample(type),
  ...special[type],
}));
