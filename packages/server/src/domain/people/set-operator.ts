import type { Command } from "../../engine/command.ts";
import { type Person, people, requireThere } from "./person.ts";

export interface SetOperatorInput {
  readonly personId: string;
  readonly isOperator: boolean;
}

/** Makes a person an operator of the deployment, or ends that. Refuses an unknown or removed person. */
export const setOperator: Command<SetOperatorInput, Person> = {
  name: "set-operator",
  needs: (_world, { personId }) => [people.ref(personId)],
  decide(world, { personId, isOperator }) {
    const person = requireThere(world.find(people.ref(personId)));
    return world.put(people, { ...person, isOperator, updatedAt: world.at });
  },
};
