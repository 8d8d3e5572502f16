/** A host of rate documents. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface RatePage {
  readonly port: number;
  readonly url: string;
  /** What it answers. */
  status: number;
  body: string;
  readonly asked: IncomingHttpHeaders[];
  close(): Promise<void>;
}

export async function openRatePage(): Promise<RatePage> {
  const server = createServer((request, response) => {
    page.asked.push(request.headers);
    response.writeHead(page.status, { "content-length": Buffer.byteLength(page.body) });
    response.end(page.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const page: RatePage = {
    port,
    url: `http://127.0.0.1:${port}/rates`,
    status: 200,
    body: "{}",
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return page;
}

/** As the bank writes it. */
export function ecbDocument(day: string, rates: Readonly<Record<string, string>>): string {
  const cubes = Object.entries(rates).map(
    ([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">' +
    "<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>" +
    `<Cube><Cube time='${day}'>${cubes.join("")}</Cube></Cube></gesmes:Envelope>\n`
  );
}
