/** Reads members of a message by name. A member that is null counts as absent, because some libraries write null for what they leave out. */
import { type Ratio, ratio } from "../../money/ratio.ts";
import { type JsonMembers, JsonNumber, type MessageJson, parseMessage } from "./json-message.ts";
import { MessageFault, type MessageFaultCode } from "./message-fault.ts";

const PLAIN_WHOLE = /^(0|[1-9][0-9]*)$/;
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,3}))?$/;
const MOST_DIGITS = 30;
const LARGEST_EXPONENT = 30;
/** Control characters but for line ends and tabs, and characters that change the direction of text. */
const UNFIT = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/u;

export class Members {
  readonly #members: JsonMembers;
  readonly #code: MessageFaultCode;
  readonly #place: string;

  constructor(members: JsonMembers, code: MessageFaultCode, place = "") {
    this.#members = members;
    this.#code = code;
    this.#place = place;
  }

  /** The members of a body. */
  static of(bytes: Uint8Array, code: MessageFaultCode): Members {
    const parsed = parseMessage(bytes);
    if ("fault" in parsed) throw new MessageFault(code, parsed.fault);
    if (!(parsed.value instanceof Map))
      throw new MessageFault(code, "the body is not a JSON object");
    return new Members(parsed.value, code);
  }

  /** The same members, whose faults have another code. */
  withCode(code: MessageFaultCode): Members {
    return new Members(this.#members, code, this.#place);
  }

  names(): readonly string[] {
    return [...this.#members].filter(([, value]) => value !== null).map(([name]) => name);
  }

  has(name: string): boolean {
    return (this.#members.get(name) ?? null) !== null;
  }

  fault(name: string, what: string): MessageFault {
    return new MessageFault(this.#code, `${this.#place}${name} ${what}`);
  }

  #value(name: string): MessageJson | undefined {
    return this.#members.get(name) ?? undefined;
  }

  #required<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw this.fault(name, "is missing");
    return value;
  }

  optionalText(name: string, longest: number): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw this.fault(name, "is not text");
    if (value.length > longest) throw this.fault(name, `is longer than ${longest} characters`);
    if (UNFIT.test(value)) throw this.fault(name, "has a control character");
    return value;
  }

  text(name: string, longest: number): string {
    return this.#required(name, this.optionalText(name, longest));
  }

  optionalWhole(name: string, most: bigint): bigint | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : this.#wholeOf(name, value, most);
  }

  #wholeOf(name: string, value: MessageJson, most: bigint): bigint {
    const isWhole = value instanceof JsonNumber && PLAIN_WHOLE.test(value.digits);
    if (!isWhole) throw this.fault(name, "is not a whole number in plain digits");
    const whole = BigInt(value.digits);
    if (whole > most) throw this.fault(name, `is above ${most}`);
    return whole;
  }

  whole(name: string, most: bigint): bigint {
    return this.#required(name, this.optionalWhole(name, most));
  }

  /** A number above zero, exactly as its digits say. */
  multiplier(name: string): Ratio {
    const value = this.#required(name, this.#value(name));
    const [, whole, fraction = "", power = "0"] =
      value instanceof JsonNumber ? (DECIMAL.exec(value.digits) ?? []) : [];
    if (whole === undefined) throw this.fault(name, "is not a number above zero");
    const exponent = BigInt(power.replace("+", ""));
    const size = exponent < 0n ? -exponent : exponent;
    if (whole.length + fraction.length > MOST_DIGITS || size > LARGEST_EXPONENT)
      throw this.fault(name, `has more than ${MOST_DIGITS} digits`);
    const exact = ratio(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
    if (exact.numerator === 0n) throw this.fault(name, "is not a number above zero");
    const by = 10n ** size;
    return exponent < 0n
      ? ratio(exact.numerator, exact.denominator * by)
      : ratio(exact.numerator * by, exact.denominator);
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === "boolean") return value;
    throw this.fault(name, "is not true or false");
  }

  flag(name: string): boolean {
    return this.#required(name, this.optionalFlag(name));
  }

  optionalMembers(name: string): Members | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!(value instanceof Map)) throw this.fault(name, "is not an object");
    return new Members(value, this.#code, `${this.#place}${name}.`);
  }

  members(name: string): Members {
    return this.#required(name, this.optionalMembers(name));
  }

  optionalList(name: string, most: number): readonly MessageJson[] | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) throw this.fault(name, "is not a list");
    const list = value as readonly MessageJson[];
    if (list.length > most) throw this.fault(name, `has more than ${most} items`);
    return list;
  }

  /** The items of a list of objects; none when it is absent. */
  items(name: string, most: number): readonly Members[] {
    return (this.optionalList(name, most) ?? []).map((item, index) => {
      if (!(item instanceof Map)) throw this.fault(`${name}[${index}]`, "is not an object");
      return new Members(item, this.#code, `${this.#place}${name}[${index}].`);
    });
  }

  /** A whole number that is small enough for a count. */
  optionalCount(name: string, most: number): number | undefined {
    const whole = this.optionalWhole(name, BigInt(most));
    return whole === undefined ? undefined : Number.parseInt(whole.toString(), 10);
  }

  count(name: string, most: number): number {
    return this.#required(name, this.optionalCount(name, most));
  }

  wholes(name: string, most: number, largest: bigint): readonly bigint[] {
    const list = this.#required(name, this.optionalList(name, most));
    return list.map((item, index) => this.#wholeOf(`${name}[${index}]`, item, largest));
  }

  texts(name: string, most: number, longest: number): readonly string[] {
    return (this.optionalList(name, most) ?? []).map((item, index) => {
      const isFit = typeof item === "string" && item.length <= longest && !UNFIT.test(item);
      if (!isFit) throw this.fault(`${name}[${index}]`, "is not a short text");
      return item;
    });
  }

  /** Text, or the text of a number, true or false. */
  scalarText(name: string, longest: number): string {
    const value = this.#required(name, this.#value(name));
    if (value instanceof JsonNumber) return value.digits;
    if (typeof value === "boolean") return String(value);
    return this.text(name, longest);
  }
}
