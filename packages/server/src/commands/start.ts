import { type App, startApp } from "../app.ts";
import type { NewPlatform } from "../boot/first-platform.ts";
import { passkeysLeftBehind } from "../boot/people/passkey-hosts.ts";
import { uncheckedRails } from "../boot/system/unchecked-rails.ts";
import type { Config } from "../config.ts";
import { messageOf, StartRefused } from "../std/errors.ts";
import { print, printError, wasPrinted } from "./print.ts";

/** `florin start`: a signal during the start stops what was started. */
export async function startFromShell(config: Config): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort(new StartRefused("told to stop"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const app = await startApp(config, {
    signal,
    onDatabaseLost: (error) => {
      printError(`florin: the database cannot be brought back: ${messageOf(error)}`);
      process.exit(1);
    },
  }).catch((error: unknown) => {
    if (signal.aborted && error === signal.reason) process.exit(0);
    throw error;
  });
  await tell(app);
  if (signal.aborted) end(app);
  else {
    print(`florin ready at ${app.baseUrl}/2025-10-13`);
    signal.addEventListener("abort", () => end(app));
    // Compiled now, so that the first calls do not wait for it.
    await app.compileSchemas();
  }
}

/** Prints the new credentials even when the server is already stopping, because they are shown once. */
async function tell(app: App): Promise<void> {
  const url = `${app.baseUrl}/2025-10-13`;
  if (app.created !== undefined) await tellOfPlatform(app, app.created, url);
  // The person who opens this link becomes the first owner.
  if (app.startLink !== undefined) print(`console  ${app.startLink}`);
  const { reads } = app.store.database;
  for (const line of await passkeysLeftBehind(reads, app.baseUrl)) print(line);
  const unchecked = await uncheckedRails(reads);
  if (unchecked !== undefined) print(unchecked);
}

async function tellOfPlatform(app: App, created: NewPlatform, url: string): Promise<void> {
  const { clientId, clientSecret, webhookPublicKey, sandboxUmaDomain } = created;
  print("A sandbox platform was created. Its secret is shown once:\n");
  print(`  clientId      ${clientId}\n  clientSecret  ${clientSecret}\n`);
  if (sandboxUmaDomain !== null) {
    print(`UMA addresses to try: $success.usd@${sandboxUmaDomain} and others at that domain.\n`);
  }
  print(`Its webhooks are signed; this key verifies them:\n\n${webhookPublicKey}`);
  print(`Try it:\n\n  curl -u ${clientId}:${clientSecret} ${url}/config\n`);
  print(`Guides and reference: ${app.baseUrl}/docs\n`);
  // If the deletion fails, the next start prints the credentials once more.
  if (await wasPrinted()) await app.createdWasShown().catch(() => undefined);
}

function end(app: App): void {
  app.close().then(
    () => process.exit(0),
    (error) => {
      printError(`florin: stopping failed: ${messageOf(error)}`);
      process.exit(1);
    },
  );
}
