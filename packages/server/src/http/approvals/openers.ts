/** What carrying an order out takes: the order of an operation, read from its content. */
import type { Approval } from "../../domain/people/approvals/approval.ts";
import type { OpenedOrder } from "../../domain/people/approvals/decide-approval.ts";
import type { ApprovalPlace } from "../../domain/people/approvals/eligible-people.ts";
import type { Person } from "../../domain/people/person.ts";
import type { Environment } from "../../domain/platform.ts";
import type { Command } from "../../engine/command.ts";
import type { JsonObject } from "../../std/json.ts";
import type { Services } from "../request/services.ts";

export interface Order extends Omit<OpenedOrder, "content"> {
  /** Secrets of what it makes. They are in the answer to the decision that carries it out alone. */
  readonly issued?: object;
}

export interface OrderPlace {
  readonly platformId: string;
  readonly approval: Approval;
  readonly environment: Environment;
  readonly place: ApprovalPlace;
  /** The person whose agreement carries it out. */
  readonly person?: Pick<Person, "id"> | undefined;
}

export type Opener = (
  content: JsonObject,
  services: Services,
  place: OrderPlace,
) => Order | Promise<Order>;

export function running<Input, Output>(
  command: Command<Input, Output>,
  input: Input,
  resultOf: (output: Output) => string,
): Order {
  return {
    needs: (world) => command.needs(world, input),
    carryOut: (world) => resultOf(command.decide(world, input)),
  };
}

interface Carried<Input, Output> {
  readonly command: Command<Input, Output>;
  readonly resultOf: (output: Output) => string;
}

/** The order of an operation whose content is what its input is read from. */
export function opening<Content, Input, Output>(
  { command, resultOf }: Carried<Input, Output>,
  inputOf: (content: Content, services: Services, approval: Approval) => Input,
): Opener {
  return (content, services, { approval }) =>
    running(command, inputOf(content as unknown as Content, services, approval), resultOf);
}
