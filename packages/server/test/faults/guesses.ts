/** Servers with a production platform whose wallets are unlocked by codes that a real mail server receives. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClientKey } from "@florin/client/wallet";
import { present } from "../../src/std/assert.ts";
import { basic } from "../kit/basic.ts";
import { endMailServers, startMailServer } from "../kit/mail-server.ts";
import { mailedCode } from "../kit/real-wallets.ts";
import { createTestDatabase, type TestDatabase } from "../kit/test-database.ts";
import { eventually } from "./eventually.ts";
import { type Call, type Reachable, type Reply, send } from "./history.ts";
import { MASTER_KEY } from "./rig.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "./server-process.ts";

export interface GuessRig {
  readonly database: TestDatabase;
  readonly servers: readonly ServerProcess[];
  /** Creates a credential and waits for the mail with its code. */
  newCode(): Promise<MailedCode>;
  /** Tries a code; rejects when the server dies before it answers. */
  guess(server: Reachable, mailed: MailedCode, otp: string): Promise<Reply>;
  tries(mailed: MailedCode): Promise<number>;
  close(): Promise<void>;
}

export interface MailedCode {
  readonly credentialId: string;
  readonly code: string;
}

const FLORIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export async function startGuessRig(count: number): Promise<GuessRig> {
  const mail = await startMailServer();
  const database = await createTestDatabase();
  const env = {
    DATABASE_URL: database.url,
    MASTER_KEY,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "codes@florin.example",
  };
  const servers: ServerProcess[] = [];
  for (let index = 0; index < count; index++) servers.push(await startServerProcess({ env }));
  const [first] = servers as [ServerProcess];
  const authorization = await productionPlatform(env);
  const { clientPublicKey } = await createClientKey();
  const expectReply = async (status: number, call: Call) => {
    const reply = await send(first, { ...call, authorization });
    if (reply.status !== status) throw new Error(`${call.path}: ${reply.status} ${reply.text}`);
    return JSON.parse(reply.text);
  };
  let people = 0;
  return {
    database,
    servers,
    async newCode() {
      people += 1;
      const email = `person.${people}@mail.example`;
      const person = { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USDB"] };
      const customer = await expectReply(201, { method: "POST", path: "/customers", body: person });
      const wallets = `/customers/internal-accounts?customerId=${customer.id}&type=EMBEDDED_WALLET`;
      const accountId = (await expectReply(200, { method: "GET", path: wallets })).data[0].id;
      const body = { type: "EMAIL_OTP", accountId, email };
      const { id } = await expectReply(201, { method: "POST", path: "/auth/credentials", body });
      const hasMail = () => mail.received.some(({ to }) => to.includes(email)) || undefined;
      await eventually(`a mail to ${email}`, hasMail);
      return { credentialId: id, code: mailedCode(mail, email) };
    },
    guess(server, { credentialId }, otp) {
      const path = `/auth/credentials/${credentialId}/verify`;
      const body = { type: "EMAIL_OTP", otp, clientPublicKey };
      return send(server, { method: "POST", path, body, authorization });
    },
    async tries({ credentialId }) {
      const statement =
        "select (code ->> 'tries')::int4 as tries from wallet_credentials where id = $1";
      const { rows } = await database.asSuperuser((client) =>
        client.query<{ tries: number }>(statement, [credentialId.split(":")[1]]),
      );
      return present(rows[0], "the credential").tries;
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await database.drop();
      await endMailServers();
      const [bug] = servers.flatMap(bugsIn);
      if (bug !== undefined) throw new Error(`a server met a bug: ${bug}`);
    },
  };
}

/** Creates the platform with the operator's command; returns the credentials of its first token. */
async function productionPlatform(env: Readonly<Record<string, string>>): Promise<string> {
  const wish = ["--name", "shop", "--environment", "production", "--uma-domain", "shop.test"];
  const program = [FLORIN, "platform", "create", ...wish];
  const PATH = present(process.env.PATH, "a path to programs");
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    env: { PATH, LOG_LEVEL: "warn", ...env },
  });
  const shown = (name: string) =>
    present(new RegExp(`^${name}\\s+(\\S+)$`, "m").exec(stdout)?.[1], name);
  return basic(shown("clientId"), shown("clientSecret"));
}

export function wrongCodes({ code }: MailedCode, count: number): readonly string[] {
  const candidates = Array.from({ length: count + 1 }, (_, index) =>
    String(index).padStart(6, "0"),
  );
  return candidates.filter((candidate) => candidate !== code).slice(0, count);
}
