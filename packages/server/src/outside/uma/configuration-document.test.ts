import { expect, it } from "vitest";
import { fetchConfiguration, readConfiguration } from "./configuration-document.ts";
import type { VaspReply } from "./vasp-client.ts";

const read = (text: string) => readConfiguration(Buffer.from(text));

it("has a name and the versions", () => {
  expect(read('{"name":" Example VASP ","uma_major_versions":[0,1]}')).toEqual({
    kind: "document",
    name: "Example VASP",
    majorVersions: [0n, 1n],
  });
});

it("may say nothing", () => {
  for (const text of ["{}", '{"name":null}', '{"name":" "}', '{"other":1}'])
    expect(read(text)).toEqual({ kind: "document", name: undefined, majorVersions: [] });
});

it.each([
  "",
  "[]",
  "<html>",
  '{"name":1}',
  '{"name":{}}',
  '{"name":"a\\u0000"}',
  '{"name":"a\\u202eb"}',
  `{"name":"${"x".repeat(1_001)}"}`,
  '{"uma_major_versions":1}',
  '{"uma_major_versions":["1"]}',
  '{"uma_major_versions":[1.5]}',
  '{"uma_major_versions":[-1]}',
  '{"uma_major_versions":[1e9]}',
  `{"uma_major_versions":[${"1,".repeat(100)}1]}`,
  '{"name":"a","name":"b"}',
])("is refused: %s", (text) => {
  expect(read(text).kind).toBe("fault");
});

it("is asked for at the host of the domain alone, and failures are values", async () => {
  const urls: string[] = [];
  const asking = (reply: VaspReply) => ({
    async call({ url }: { readonly url: string }) {
      urls.push(url);
      return reply;
    },
  });
  const good = asking({ kind: "answer", status: 200, body: '{"name":"A"}' });
  expect(await fetchConfiguration(good, "vasp.example:8443")).toMatchObject({ name: "A" });
  for (const domain of ["vasp.example/x", "a@vasp.example", "127.1", "vasp.example:443"])
    expect((await fetchConfiguration(good, domain)).kind).toBe("fault");
  expect(urls).toEqual(["https://vasp.example:8443/.well-known/uma-configuration"]);
  const missing = asking({ kind: "answer", status: 404, body: "{}" });
  expect(await fetchConfiguration(missing, "vasp.example")).toEqual({
    kind: "fault",
    reason: "the host answered 404",
  });
  const failed = asking({ kind: "failed", reason: "timeout" });
  expect(await fetchConfiguration(failed, "vasp.example")).toMatchObject({ reason: "timeout" });
});
