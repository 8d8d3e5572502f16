import Type from "typebox";
import { listUmaExchanges as listExchanges } from "../../../domain/uma/exchanges/uma-exchange.sql.ts";
import { wireUmaExchange } from "../../../wire/uma/uma-exchange.ts";
import { listAll } from "../../request/noun.ts";
import { byText } from "../../request/read-filters.ts";

const listUmaExchanges = listAll({
  path: "/uma/exchanges",
  tag: "UMA counterparties",
  capability: "settings.read",
  ...wireUmaExchange,
  id: "listUmaExchanges",
  summary: "List UMA exchanges",
  description:
    "Requests to and from other institutions and how they ended, of the last 30 days. Written about a second after the answer, and lost with a server that dies. Callers whose " +
    "signature did not hold are counted and not listed.",
  filters: {
    vaspDomain: byText(
      Type.Optional(Type.String({ minLength: 1, maxLength: 260, examples: ["bank.example"] })),
      "t.vasp_domain = lower(?::text)",
    ),
  },
  list: listExchanges,
});

export const umaExchangeOperations = [listUmaExchanges];
