/** The sandbox's receivers: those of the table of counterparties, at the asking platform's sandbox domain. */
import { findCounterparty } from "../../domain/uma/counterparties.ts";
import type { ReceiverSource } from "../../domain/uma/receiver.port.ts";

const MOST_MINOR = 100_000_000_000n;

export const simulatedReceivers: ReceiverSource = {
  async find(umaAddress, { environment, sandboxUmaDomain }) {
    if (environment !== "SANDBOX") return undefined;
    const counterparty = findCounterparty(umaAddress, sandboxUmaDomain);
    if (counterparty === undefined) return undefined;
    const { currency, outcome, information } = counterparty;
    return {
      umaAddress,
      currencies: [{ currency, minMinor: 1n, maxMinor: MOST_MINOR }],
      requiredPayerFields: [
        { name: "FULL_NAME", mandatory: false },
        { name: "BIRTH_DATE", mandatory: false },
        { name: "NATIONALITY", mandatory: false },
      ],
      counterpartyInformation: information,
      home: { kind: "sandbox", outcome },
    };
  },
};
