/**
 * An act that may wait for other people to agree, and how the agreed content is carried out. The content is validated again when it is
 * opened: a content that does not fit the schema ends the approval FAILED, and nothing is carried out.
 */
import type { Static, TSchema } from "typebox";
import type { Approval } from "../../domain/people/approvals/approval.ts";
import type { OpenedOrder } from "../../domain/people/approvals/decide-approval.ts";
import type { ApprovalPlace } from "../../domain/people/approvals/eligible-people.ts";
import type { HoldableOrder } from "../../domain/people/approvals/hold-order.ts";
import type { Person } from "../../domain/people/person.ts";
import type { Environment } from "../../domain/platform.ts";
import { Refusal } from "../../engine/refusal.ts";
import { assert, present } from "../../std/assert.ts";
import type { JsonObject } from "../../std/json.ts";
import { type CompileSchema, createValidator, refuse } from "../../validation/validation.ts";
import type { Services } from "../request/services.ts";
import { replacedInCommit } from "./replaced.ts";

export interface Order extends Omit<OpenedOrder, "content"> {
  /** Secrets that the act creates. Only the answer to the decision that carries out the act contains them. */
  readonly issued?: object;
}

/** The facts and services with which an order is opened. `Needs` are the services that its act uses. */
export interface OrderPlace<Needs = Services> {
  readonly services: Needs;
  readonly platformId: string;
  readonly approval: Approval;
  readonly environment: Environment;
  readonly place: ApprovalPlace;
  /** The person whose approval carries out the order. */
  readonly person?: Pick<Person, "id"> | undefined;
}

export interface Act<Needs = Services> extends Pick<Named, "kind" | "otherKind" | "act"> {
  readonly content: TSchema;
  /** Refuses a stored content that does not fit the schema. */
  decode(
    stored: JsonObject,
    compile: CompileSchema,
  ): (at: OrderPlace<Needs>) => Order | Promise<Order>;
}

type Named = HoldableOrder<never, never>;
type Carried<Input, Output> = Pick<HoldableOrder<Input, Output>, "command" | "resultOf">;

/** Defines an act whose stored content is converted to the input of its command. */
export function act<Content extends TSchema, Input, Output, Needs = Services>(
  order: Pick<Named, "kind" | "otherKind" | "act"> & Carried<Input, Output>,
  content: Content,
  inputOf: (content: Static<Content>, at: OrderPlace<Needs>) => Input | Promise<Input>,
): Act<Needs> {
  return actThat(order, content, async (decoded: Static<Content>, at: OrderPlace<Needs>) =>
    running(order, await inputOf(decoded, at)),
  );
}

export function actThat<Content extends TSchema, Needs = Services>(
  { kind, otherKind, act }: Pick<Named, "kind" | "otherKind" | "act">,
  content: Content,
  open: (content: Static<Content>, at: OrderPlace<Needs>) => Order | Promise<Order>,
): Act<Needs> {
  return {
    kind,
    ...(otherKind === undefined ? {} : { otherKind }),
    act,
    content,
    decode(stored, compile) {
      const decoded = decodedBy(content, stored, compile);
      return (at) => open(decoded, at);
    },
  };
}

/** Decodes a copy: the validator adds defaults, and the stored content must keep the digest that people signed. */
function decodedBy<Content extends TSchema>(
  schema: Content,
  stored: JsonObject,
  compile: CompileSchema,
): Static<Content> {
  const copy: unknown = structuredClone(stored);
  const faults = createValidator(schema, compile).faultsOf(copy);
  if (faults !== undefined) refuse(faults);
  return copy as Static<Content>;
}

export function running<Input, Output>(
  { command, resultOf }: Carried<Input, Output>,
  input: Input,
): Order {
  return {
    needs: (world) => command.needs(world, input),
    carryOut: (world) => resultOf(command.decide(world, input)),
  };
}

/**
 * Opens the order of an approval. A refusal during the opening, such as of an address that no longer exists, becomes the result of carrying
 * it out. An act that is missing in `acts`, or whose kinds do not include that of the approval, is a bug.
 */
export async function openOrder<Needs extends { readonly compile: CompileSchema }>(
  acts: ReadonlyMap<string, Act<Needs>>,
  content: JsonObject,
  at: OrderPlace<Needs>,
): Promise<Order & { readonly content: JsonObject }> {
  const { approval, services, platformId, environment } = at;
  const replaced = replacedInCommit(approval, { content, platformId, environment });
  const { kind, otherKind, decode } = present(
    acts.get(approval.act),
    `how to carry out ${approval.act}`,
  );
  assert([kind, otherKind].includes(approval.kind), `${approval.act} is of ${approval.kind}`);
  try {
    const open = decode(content, services.compile);
    return { content, ...(await open(at)), ...replaced };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const carryOut = () => {
      throw thrown;
    };
    return { content, needs: () => [], carryOut, ...replaced };
  }
}
