/**
 * The settlement layers of a connector's description. A layer or an asset that cannot be read is left out with its fault; the others are
 * taken, and so is the rest of the description.
 */
import type {
  SettlementAsset,
  SettlementLayer,
} from "../../../domain/rails/connections/settlement.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { limitsIn } from "./connector-capabilities.ts";
import { plainText } from "./connector-messages.ts";

export interface ReadSettlement {
  readonly layers: readonly SettlementLayer[];
  /** `path: sentence` of each layer and asset that was left out. */
  readonly leftOut: readonly string[];
}

const MOST_LAYERS = 10;
const MOST_ASSETS = 50;
const MOST_DECIMALS = 18;
const LONGEST_IDENTIFIER = 200;
const LAYER = /^[a-z0-9.-]{1,40}$/;
const CURRENCY = /^[A-Z0-9]{2,10}$/;
const LONGEST_SECONDS = 30 * 86_400;

type Note = (member: string, message: string) => void;

export function readSettlement(told: unknown): ReadSettlement {
  const leftOut: string[] = [];
  if (!Array.isArray(told) || told.length === 0 || told.length > MOST_LAYERS)
    return { layers: [], leftOut: [`settlement: must be a list of 1 to ${MOST_LAYERS} layers`] };
  const layers: SettlementLayer[] = [];
  for (const [index, value] of told.entries()) {
    const note: Note = (member, message) =>
      leftOut.push(`settlement[${index}]${member}: ${message}`);
    const layer = readLayer(isJsonObject(value) ? value : {}, note);
    if (layer === undefined) continue;
    if (layers.some((other) => other.layer === layer.layer)) note(".layer", "is listed twice");
    else layers.push(layer);
  }
  return { layers, leftOut };
}

function readLayer(told: JsonObject, note: Note): SettlementLayer | undefined {
  const { layer, send, receive, assets, invoiceSeconds } = told;
  const { exactAmounts = false, partialPayments = false } = told;
  const { min, max } = isJsonObject(invoiceSeconds) ? invoiceSeconds : {};
  if (typeof layer !== "string" || !LAYER.test(layer))
    return refused(note, ".layer", "must be 1 to 40 of a-z, 0-9, dots and hyphens");
  if (typeof send !== "boolean" || typeof receive !== "boolean")
    return refused(note, "", "send and receive must be true or false");
  if (typeof exactAmounts !== "boolean" || typeof partialPayments !== "boolean")
    return refused(note, "", "exactAmounts and partialPayments must be true or false");
  if (!isSeconds(min) || !isSeconds(max) || min > max)
    return refused(note, ".invoiceSeconds", "needs min and max, in whole seconds up to 30 days");
  const read = readAssets(assets, note);
  if (read.length === 0) return undefined;
  return {
    layer,
    send,
    receive,
    assets: read,
    invoiceSeconds: { min, max },
    exactAmounts,
    partialPayments,
  };
}

function refused(note: Note, member: string, message: string): undefined {
  note(member, message);
}

function readAssets(told: unknown, note: Note): readonly SettlementAsset[] {
  if (!Array.isArray(told) || told.length === 0 || told.length > MOST_ASSETS) {
    note(".assets", `must be a list of 1 to ${MOST_ASSETS}`);
    return [];
  }
  const assets: SettlementAsset[] = [];
  for (const [index, value] of told.entries()) {
    const noteAsset: Note = (member, message) => note(`.assets[${index}]${member}`, message);
    const asset = readAsset(isJsonObject(value) ? value : {}, noteAsset);
    if (asset === undefined) continue;
    if (assets.some(({ identifier }) => identifier === asset.identifier))
      noteAsset(".identifier", "is listed twice");
    else assets.push(asset);
  }
  return assets;
}

function readAsset(told: JsonObject, note: Note): SettlementAsset | undefined {
  const { identifier, currency, decimals } = told;
  if (typeof identifier !== "string" || plainText(identifier, LONGEST_IDENTIFIER) !== identifier)
    return refused(note, ".identifier", `must be a text of 1 to ${LONGEST_IDENTIFIER} characters`);
  if (typeof currency !== "string" || !CURRENCY.test(currency))
    return refused(note, ".currency", "must be a code of 2 to 10 capitals and digits");
  if (!isWhole(decimals) || decimals > MOST_DECIMALS)
    return refused(note, ".decimals", `must be a whole number up to ${MOST_DECIMALS}`);
  const limits = limitsIn(told, note);
  return limits && { identifier, currency, decimals, ...limits };
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isSeconds(value: unknown): value is number {
  return isWhole(value) && value >= 1 && value <= LONGEST_SECONDS;
}
