/** The `florin` command: reads arguments, starts and stops, prints for people. */
import { Command } from "commander";
import { type App, startApp } from "./app.ts";
import { loadGivenKey } from "./boot/open-database.ts";
import { VERSION } from "./boot/version.ts";
import { createPlatformFromShell } from "./commands/create-platform.ts";
import { migrateFromShell } from "./commands/migrate.ts";
import { outliveReaders, print, printError, wasPrinted } from "./commands/print.ts";
import { releaseDomainFromShell } from "./commands/release-domain.ts";
import { replayWebhooksFromShell } from "./commands/replay-webhooks.ts";
import { resealFromShell } from "./commands/reseal.ts";
import { reviewFromShell } from "./commands/review-verification.ts";
import { setPlatformFromShell } from "./commands/set-platform.ts";
import { listVerificationsFromShell, papersFromShell } from "./commands/show-verifications.ts";
import { verifyFromShell } from "./commands/verify.ts";
import { describeSettings, readConfig } from "./config.ts";
import { Bug } from "./std/assert.ts";
import { messageOf, StartRefused } from "./std/errors.ts";

const program = new Command("florin")
  .description("Self-hosted money-movement platform.")
  .version(VERSION);

program.command("start").description("Start the server.").action(start);
program
  .command("migrate")
  .description("Bring the database's schema up to date.")
  .action(() => migrateFromShell(readConfig()));
program
  .command("verify")
  .description(
    "Check the books and the command log; exits with 1 at the first thing that does not add up.",
  )
  .action(async () => {
    process.exitCode = (await verifyFromShell(readConfig())) ? 0 : 1;
  });
program
  .command("reseal")
  .description(
    "Seal every secret anew under MASTER_KEY, opening with MASTER_KEY_PREVIOUS what is older; can be run again.",
  )
  .action(() => resealFromShell(readConfig()));
program.command("config").description("List all settings.").action(showSettings);
const platform = program.command("platform").description("Platforms of this deployment.");
platform
  .command("create")
  .description("Create a platform and print its first token once.")
  .requiredOption("--name <name>", "its name")
  .requiredOption("--environment <environment>", "sandbox or production")
  .requiredOption("--uma-domain <domain>", "the domain of its UMA addresses")
  .option("--regulated", "a regulated financial institution: its customers count as checked", false)
  .action((options) => createPlatformFromShell(readConfig(), options));
platform
  .command("set")
  .description("Give a platform another UMA domain; in production only this can.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--uma-domain <domain>", "the domain of its UMA addresses from now on")
  .action((options) => setPlatformFromShell(readConfig(), options));
platform
  .command("release-domain")
  .description("Give a UMA domain back that a platform had, so that another one can have it.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--domain <domain>", "a former UMA domain of the platform")
  .option("--confirm", "also when addresses there are in use", false)
  .action((options) => releaseDomainFromShell(readConfig(), options));
const verification = program.command("verification").description("Verifications of customers.");
verification
  .command("list")
  .description("List the verifications that are open.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .action((options) => listVerificationsFromShell(readConfig(), options));
verification
  .command("papers")
  .description("Write the documents that a verification is judged by to files.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--verification <id>", "Verification:<uuid>")
  .requiredOption("--to <directory>", "where the files go; made when it is not there")
  .action((options) => papersFromShell(readConfig(), options));
verification
  .command("decide")
  .description("Decide a verification that waits for a person.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--verification <id>", "Verification:<uuid>")
  .requiredOption("--outcome <outcome>", "approved or rejected")
  .action((options) => reviewFromShell(readConfig(), options));
program
  .command("webhooks")
  .description("Events that platforms receive.")
  .command("replay")
  .description("Make events due again that were given up.")
  .requiredOption("--platform <id>", "whose events")
  .option("--since <moment>", "only those that happened then or later, like 2025-10-13T09:30:00Z")
  .option("--event <id>", "only this one, by the id in its body")
  .option("--limit <count>", "at most so many, the oldest first", "10000")
  .action((options) => replayWebhooksFromShell(readConfig(), options));

outliveReaders();
try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof StartRefused) printError(`florin: ${error.message}`);
  else printError(`florin: ${error instanceof Bug ? "a bug: " : ""}${messageOf(error)}`);
  process.exit(1);
}

/** A signal during the start stops what was started. */
async function start(): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort(new StartRefused("told to stop"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const app = await startApp(readConfig(), {
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
  }
}

/** Prints the new credentials even when the server is already stopping, because they are shown once. */
async function tell(app: App): Promise<void> {
  const url = `${app.baseUrl}/2025-10-13`;
  if (app.created === undefined) return;
  const { clientId, clientSecret, webhookPublicKey, sandboxUmaDomain } = app.created;
  print("A sandbox platform was created. Its secret is shown once:\n");
  print(`  clientId      ${clientId}\n  clientSecret  ${clientSecret}\n`);
  if (sandboxUmaDomain !== null) {
    print(`UMA addresses to try: $success.usd@${sandboxUmaDomain} and others at that domain.\n`);
  }
  print(`Its webhooks are signed; this key verifies them:\n\n${webhookPublicKey}`);
  print(`Try it:\n\n  curl -u ${clientId}:${clientSecret} ${url}/config\n`);
  // At worst the next start prints them once more.
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

/** Validates the settings as a start does. */
async function showSettings(): Promise<void> {
  await loadGivenKey(readConfig());
  for (const { name, meaning, fallback, value } of describeSettings()) {
    print(`${name}=${value}\n    ${meaning} Default: ${fallback}`);
  }
}
