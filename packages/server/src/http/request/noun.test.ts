import Type from "typebox";
import { expect, it } from "vitest";
import type { ListQuery } from "../../tables/list-query.ts";
import { defineNoun, getOne, listAll } from "./noun.ts";
import type { Operation, OperationRequest, TokenPrincipal } from "./operation.ts";
import { createCursors } from "./paging.ts";
import { byId } from "./read-filters.ts";
import type { Services } from "./services.ts";

interface Box {
  readonly id: string;
}

const uuid = "019a4f00-0000-7000-8000-000000000001";
const box: Box = { id: uuid };
const boxes = defineNoun({
  path: "/boxes",
  tag: "Boxes",
  capability: "rails.read",
  schema: Type.Object({ id: Type.String() }),
  example: { id: "RailItem:1" },
  json: ({ id }: Box, platformId) => JSON.stringify({ id, platformId }),
});
const getBox = getOne({
  ...boxes,
  id: "getBox",
  summary: "Get a box",
  param: "boxId",
  kind: "RailItem",
  answer: "The box.",
  find: async (_reads, _platformId, id) => (id === uuid ? box : undefined),
  missing: "STATEMENT_NOT_FOUND",
});

const principal: TokenPrincipal = {
  platformId: "p",
  environment: "SANDBOX",
  tokenId: "t",
  permissions: new Set(["VIEW"]),
  people: [],
  personId: null,
};

function call(operation: Operation<Services>, asked: Partial<OperationRequest>) {
  const services = { reads: {}, cursors: createCursors(Buffer.alloc(32)) } as Services;
  const request: OperationRequest = {
    principal,
    params: {},
    query: {},
    body: undefined,
    judged: undefined,
    idempotency: undefined,
    headers: {},
    remoteAddress: "",
    requestId: "r",
    ...asked,
  };
  return operation.handle(request, services);
}

it("gets an object by the id in its path", async () => {
  expect(getBox).toMatchObject({ method: "GET", path: "/boxes/{boxId}", access: "VIEW" });
  expect(await call(getBox, { params: { boxId: `RailItem:${uuid}` } })).toEqual({
    status: 200,
    body: JSON.stringify({ id: uuid, platformId: "p" }),
  });
});

it.each(["RailItem:019a4f00-0000-7000-8000-000000000002", "Quote:1", "%"])(
  "refuses %s as the noun does",
  async (boxId) => {
    const code = "STATEMENT_NOT_FOUND";
    expect(getBox.refusals).toEqual([code]);
    await expect(call(getBox, { params: { boxId } })).rejects.toMatchObject({ code });
  },
);

it("lists what fulfils the conditions of the list and of its filters", async () => {
  const asked: ListQuery[] = [];
  const where = [{ sql: "t.deleted_at is null" }];
  const listBoxes = listAll({
    ...boxes,
    id: "listBoxes",
    summary: "List boxes",
    where,
    filters: { connectionId: byId("RailConnection", "t.connection_id") },
    list: async (_reads, query) => {
      asked.push(query);
      return { rows: [box], hasMore: false, totalCount: 1 };
    },
  });
  const answer = await call(listBoxes, {
    query: { connectionId: `RailConnection:${uuid}`, limit: 20 },
  });
  expect(asked).toEqual([
    {
      platformId: "p",
      after: undefined,
      limit: 20,
      conditions: [...where, { sql: "t.connection_id = ?::uuid", value: uuid }],
    },
  ]);
  const data = [{ id: uuid, platformId: "p" }];
  expect(JSON.parse(String(answer.body))).toEqual({ data, hasMore: false, totalCount: 1 });
  expect(listBoxes.query).toMatchObject({
    properties: { connectionId: {}, limit: {}, cursor: {} },
  });
});
