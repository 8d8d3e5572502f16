/**
 * The text of a mail with a one-time code. A platform's name and logo are escaped in HTML, and lose line ends and marks that
 * change the direction of text. The code is only in the body, because subjects are logged by mail servers.
 */
import type { OtpMail } from "../../domain/wallets/credentials/otp-mail.port.ts";
import { escapeHtml } from "../../std/html.ts";
import { parseUrl } from "../../std/url.ts";
import { oneLine } from "./one-line.ts";

export interface OtpMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const LOGO = { width: 340, height: 124 } as const;

export function otpMessage({ code, expiresInSeconds, config }: OtpMail): OtpMessage {
  const appName = oneLine(config?.appName ?? "");
  const purpose = appName === "" ? "Your one-time code" : `Your one-time code for ${appName}`;
  const validity = `It can be used once, within ${durationText(expiresInSeconds)}.`;
  const warning = "Do not share it. If you did not ask for it, ignore this mail.";
  const logo = logoImage(config?.logoUrl, appName);
  return {
    subject: purpose,
    text: `${purpose}:\n\n    ${code}\n\n${validity}\n${warning}\n`,
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(purpose)}</title></head>` +
      `<body style="font-family:sans-serif">${logo}<p>${escapeHtml(purpose)}:</p>` +
      `<p style="font-size:2em;letter-spacing:0.2em"><strong>${escapeHtml(code)}</strong></p>` +
      `<p>${escapeHtml(validity)}<br>${escapeHtml(warning)}</p></body></html>`,
  };
}

/** Rounded down, so that a code never expires before the stated time. */
function durationText(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.floor(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function logoImage(logoUrl: string | undefined, appName: string): string {
  const url = logoUrl === undefined ? undefined : parseUrl(logoUrl);
  if (url?.protocol !== "https:") return "";
  const { width, height } = LOGO;
  return `<p><img src="${escapeHtml(url.href)}" width="${width}" height="${height}" alt="${escapeHtml(appName)}"></p>`;
}
