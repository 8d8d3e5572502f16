/**
 * The `florin` command: reads arguments and runs a command. A command's code is loaded when it is called, so that `--version` and
 * `--help` do not load the server.
 */
import { Command } from "commander";
import { VERSION } from "./boot/version.ts";
import { outliveReaders, printError } from "./commands/print.ts";
import { Bug } from "./std/assert.ts";
import { messageOf, StartRefused } from "./std/errors.ts";

const settings = async () => (await import("./config.ts")).readConfig();

const program = new Command("florin")
  .description("Self-hosted money-movement platform.")
  .version(VERSION)
  // Before the first command, which inherits it. A wrong word exits with 2, as it does in the developers' program.
  .exitOverride(({ code, exitCode }) => {
    process.exit(code === "commander.unknownCommand" ? 2 : exitCode);
  });

program
  .command("start")
  .description("Start the server.")
  .action(async () => (await import("./commands/start.ts")).startFromShell(await settings()));
program
  .command("migrate")
  .description("Bring the database's schema up to date.")
  .option(
    "--distribute",
    "then distribute the tables by platform over the nodes of a Citus cluster; all servers must be stopped",
    false,
  )
  .option("--shards <count>", "how many shards each table gets (default: 32)")
  .action(async (options) => {
    const { migrateFromShell } = await import("./commands/migrate.ts");
    await migrateFromShell(await settings(), options);
  });
program
  .command("verify")
  .description(
    "Check the books and the command log; exits with 1 at the first thing that does not add up.",
  )
  .action(async () => {
    const { verifyFromShell } = await import("./commands/verify.ts");
    process.exitCode = (await verifyFromShell(await settings())) ? 0 : 1;
  });
program
  .command("reseal")
  .description(
    "Seal every secret anew under MASTER_KEY, opening with MASTER_KEY_PREVIOUS what is older; can be run again.",
  )
  .action(async () => {
    const { resealFromShell } = await import("./commands/reseal.ts");
    await resealFromShell(await settings());
  });
program
  .command("reindex")
  .description("Build the search index again; searches find less meanwhile, and say so.")
  .option("--platform <id>", "PlatformConfig:<uuid>; all platforms when absent")
  .action(async (options) => {
    const { reindexFromShell } = await import("./commands/search/reindex.ts");
    await reindexFromShell(await settings(), options);
  });
program
  .command("config")
  .description("List all settings.")
  .action(async () =>
    (await import("./commands/show-settings.ts")).showSettingsFromShell(await settings()),
  );
const rail = program.command("rail").description("Rails of this deployment.");
rail
  .command("test")
  .description(
    "Check a connector against the rail protocol; exits with 1 when a check fails. Checks that move money run in its sandbox alone.",
  )
  .argument("<url>", "where the connector is")
  .requiredOption("--secret-file <file>", "holds the secret with which this side signs")
  .option(
    "--callback-secret-file <file>",
    "holds the secret with which the connector signs callbacks",
  )
  .option(
    "--listen <port>",
    "where callbacks are awaited: the connector must send them to this port",
  )
  .option("--currency <code>", "of the orders", "USD")
  .option("--wait <seconds>", "how long to wait for an order to end", "30")
  .option("--json", "print the checks as JSON", false)
  .action(async (url, options) => {
    const { testRailFromShell } = await import("./commands/rails/test-rail.ts");
    process.exitCode = (await testRailFromShell(url, options)) ? 0 : 1;
  });
rail
  .command("reconcile")
  .description(
    "Compare the books of every connection with its last statement; exits with 1 when something is unexplained. Amounts are in the smallest unit.",
  )
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .option("--json", "print the figures as JSON", false)
  .action(async (options) => {
    const { reconcileRailsFromShell } = await import("./commands/rails/reconcile-rails.ts");
    process.exitCode = (await reconcileRailsFromShell(await settings(), options)) ? 0 : 1;
  });
rail
  .command("restored")
  .description(
    "Pause every connection of a platform whose database was restored from a backup; run it before the server starts.",
  )
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .action(async (options) => {
    const { pauseRestoredRailsFromShell } = await import(
      "./commands/rails/pause-restored-rails.ts"
    );
    await pauseRestoredRailsFromShell(await settings(), options);
  });
const platform = program.command("platform").description("Platforms of this deployment.");
platform
  .command("create")
  .description("Create a platform and print its first token once.")
  .requiredOption("--name <name>", "its name")
  .requiredOption("--environment <environment>", "sandbox or production")
  .requiredOption("--uma-domain <domain>", "the domain of its UMA addresses")
  .option("--workspace <id>", "Workspace:<uuid> whose people see it; a new one when absent")
  .option("--regulated", "a regulated financial institution: its customers count as checked", false)
  .action(async (options) => {
    const { createPlatformFromShell } = await import("./commands/create-platform.ts");
    await createPlatformFromShell(await settings(), options);
  });
platform
  .command("list")
  .description("List the platforms of this deployment.")
  .action(async () => {
    const { listPlatformsFromShell } = await import("./commands/list-platforms.ts");
    await listPlatformsFromShell(await settings());
  });
platform
  .command("set")
  .description(
    "Change what only the operator may: the UMA domain in production, and who decides verifications.",
  )
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .option("--uma-domain <domain>", "the domain of its UMA addresses from now on")
  .option("--reviewers <who>", "workspace or operator: who decides its verifications")
  .action(async (options) => {
    const { setPlatformFromShell } = await import("./commands/set-platform.ts");
    await setPlatformFromShell(await settings(), options);
  });
platform
  .command("release-domain")
  .description("Give a UMA domain back that a platform had, so that another one can have it.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--domain <domain>", "a former UMA domain of the platform")
  .option("--confirm", "also when addresses there are in use", false)
  .action(async (options) => {
    const { releaseDomainFromShell } = await import("./commands/release-domain.ts");
    await releaseDomainFromShell(await settings(), options);
  });
const uma = program
  .command("uma")
  .description("UMA domains and keys of this deployment, and other institutions.");
uma
  .command("check")
  .description(
    "Check from outside whether the public paths of a UMA domain lead here, or what another institution publishes; exits with 1 when there is a fault.",
  )
  .argument("<domain>", "a UMA domain of a platform, or of another institution")
  .option("--json", "print what was found as JSON", false)
  .action(async (domain, options) => {
    const { checkDomainFromShell } = await import("./commands/uma/check-domain.ts");
    process.exitCode = (await checkDomainFromShell(await settings(), domain, options)) ? 0 : 1;
  });
uma
  .command("routing")
  .description("Print the blocks by which nginx, HAProxy or Caddy route a UMA domain here.")
  .argument("<domain>", "the domain")
  .action(async (domain) => {
    const { showRoutingFromShell } = await import("./commands/uma/show-routing.ts");
    showRoutingFromShell(await settings(), domain);
  });
uma
  .command("keys")
  .description(
    "Print the keys of the platform that has a UMA domain, with the days that they last.",
  )
  .argument("<domain>", "a UMA domain of a platform")
  .action(async (domain) => {
    const { listKeysFromShell } = await import("./commands/uma/uma-keys.ts");
    await listKeysFromShell(await settings(), domain);
  });
uma
  .command("rotate")
  .description(
    "Make a new UMA key, which takes over in an hour, or at once from a compromised one.",
  )
  .argument("<domain>", "a UMA domain of the platform")
  .requiredOption("--use <use>", "signing or encryption")
  .option("--compromised", "another party may have the private part of the present key", false)
  .action(async (domain, options) => {
    const { rotateKeyFromShell } = await import("./commands/uma/uma-keys.ts");
    await rotateKeyFromShell(await settings(), domain, options);
  });
uma
  .command("block")
  .description("Block another institution.")
  .argument("<domain>", "the domain of its UMA addresses")
  .option("--all-platforms", "at every platform of this deployment", false)
  .action(async (domain, options) => {
    const { blockDomainFromShell } = await import("./commands/uma/block-domain.ts");
    await blockDomainFromShell(await settings(), domain, options);
  });
const people = program.command("people").description("People of the console and their roles.");
const ofWorkspace = [
  "--workspace <id>",
  "Workspace:<uuid>; needed where there are several",
] as const;
people
  .command("list")
  .description("List the people of a workspace, or of all.")
  .option("--workspace <id>", "Workspace:<uuid>")
  .action(async (options) => {
    const { listPeopleFromShell } = await import("./commands/people/people.ts");
    await listPeopleFromShell(await settings(), options);
  });
people
  .command("start-link")
  .description("Print a link that makes the first owner of a workspace; good for a day, once.")
  .option(...ofWorkspace)
  .action(async (options) => {
    const { startLinkFromShell } = await import("./commands/people/people.ts");
    await startLinkFromShell(await settings(), options);
  });
people
  .command("invite")
  .description("Print a link for a new person; good for a week, once.")
  .requiredOption("--email <address>", "whom the link is for")
  .requiredOption("--name <name>", "the person's name")
  .requiredOption("--roles <list>", "with commas between them, on every platform of the workspace")
  .option(...ofWorkspace)
  .action(async (options) => {
    const { inviteFromShell } = await import("./commands/people/people.ts");
    await inviteFromShell(await settings(), options);
  });
people
  .command("recover")
  .description("Print a link by which a person makes a new passkey; it ends the old ones.")
  .requiredOption("--email <address>", "whose passkeys are lost")
  .option(...ofWorkspace)
  .action(async (options) => {
    const { recoverFromShell } = await import("./commands/people/people.ts");
    await recoverFromShell(await settings(), options);
  });
people
  .command("operator")
  .description("Let a person see to the deployment, or no longer.")
  .requiredOption("--email <address>", "the person")
  .option("--grant", "from now on")
  .option("--revoke", "no longer")
  .option(...ofWorkspace)
  .action(async (options) => {
    const { operatorFromShell } = await import("./commands/people/people.ts");
    await operatorFromShell(await settings(), options);
  });
program
  .command("token")
  .description("API tokens of platforms.")
  .command("create")
  .description("Create a token, as for a platform that has lost all of its own, and print it once.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .option("--name <name>", "its name", "made by the operator")
  .option("--permissions <list>", "with commas between them", "VIEW,TRANSACT,MANAGE")
  .action(async (options) => {
    const { createTokenFromShell } = await import("./commands/create-token.ts");
    await createTokenFromShell(await settings(), options);
  });
const verification = program.command("verification").description("Verifications of customers.");
verification
  .command("list")
  .description("List the verifications that are open.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .action(async (options) => {
    const { listVerificationsFromShell } = await import("./commands/show-verifications.ts");
    await listVerificationsFromShell(await settings(), options);
  });
verification
  .command("papers")
  .description("Write the documents that a verification is judged by to files.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--verification <id>", "Verification:<uuid>")
  .requiredOption("--to <directory>", "where the files go; made when it is not there")
  .action(async (options) => {
    const { papersFromShell } = await import("./commands/show-verifications.ts");
    await papersFromShell(await settings(), options);
  });
verification
  .command("decide")
  .description("Decide a verification that waits for a person.")
  .requiredOption("--platform <id>", "PlatformConfig:<uuid>")
  .requiredOption("--verification <id>", "Verification:<uuid>")
  .requiredOption("--outcome <outcome>", "approved or rejected")
  .requiredOption("--by <name>", "the person who decides")
  .option("--note <text>", "why, kept with the verification")
  .action(async (options) => {
    const { reviewFromShell } = await import("./commands/review-verification.ts");
    await reviewFromShell(await settings(), options);
  });
const webhooks = program.command("webhooks").description("Events that platforms receive.");

webhooks
  .command("replay")
  .description("Make events due again that were given up.")
  .requiredOption("--platform <id>", "whose events")
  .option("--since <moment>", "only those that happened then or later, like 2025-10-13T09:30:00Z")
  .option("--event <id>", "only this one, by the id in its body")
  .option("--limit <count>", "at most so many, the oldest first", "10000")
  .action(async (options) => {
    const { replayWebhooksFromShell } = await import("./commands/replay-webhooks.ts");
    await replayWebhooksFromShell(await settings(), options);
  });

webhooks
  .command("rotate-key")
  .description("Give a platform's default webhook endpoint a new key, and print it.")
  .requiredOption("--platform <id>", "whose key")
  .option("--overlap-hours <count>", "how long both keys sign; 0 where a key has leaked", "24")
  .action(async (options) => {
    const { rotateWebhookKeyFromShell } = await import("./commands/rotate-webhook-key.ts");
    await rotateWebhookKeyFromShell(await settings(), options);
  });

outliveReaders();
try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof StartRefused) printError(`florin: ${error.message}`);
  else printError(`florin: ${error instanceof Bug ? "a bug: " : ""}${messageOf(error)}`);
  process.exit(1);
}
