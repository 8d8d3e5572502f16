/** Shapes of the client's functions, as the compiler sees them. */
import { fileURLToPath } from "node:url";
import {
  API,
  type Checker,
  type Project,
  type Signature,
  SymbolFlags,
  type Symbol as TsSymbol,
  type Type,
  TypeFlags,
} from "typescript/unstable/sync";
import { type Member, merged, type Shape, textOf } from "./shapes.ts";

export interface ClientCall {
  readonly name: string;
  readonly parameters: readonly (Member & { readonly name: string })[];
  readonly answer: Shape;
  /** The answer can be without content. */
  readonly canBeNothing: boolean;
}

export interface ClientTypes {
  readonly calls: readonly ClientCall[];
  readonly errorCode: Shape;
}

const CALL_SIGNATURE = 0;
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Every function of both clients, and the one that needs none. */
export function readClientTypes(): ClientTypes {
  const api = new API({ cwd: path("..") });
  try {
    const [project] = api
      .updateSnapshot({ openProjects: [path("../tsconfig.build.json")] })
      .getProjects();
    if (project === undefined) throw new Error("the client's project did not open");
    return readProject(project);
  } finally {
    api.close();
  }
}

function readProject(project: Project): ClientTypes {
  const { checker } = project;
  const client = exportsOf(project, "../src/client.ts");
  const types = exportsOf(project, "../src/types.ts");
  const read = typeReader(checker, checker.getDeclaredTypeOfSymbol(needed(types, "Page")));
  const made = (name: string) => {
    const signature = signatureOf(checker, typeOf(checker, needed(client, name)));
    return checker.getPropertiesOfType(defined(checker.getReturnTypeOfSignature(signature)));
  };
  const callOf = (name: string, symbol: TsSymbol) =>
    readCall(checker, read, { name, signature: signatureOf(checker, typeOf(checker, symbol)) });
  const grouped = made("createClient").flatMap((group) =>
    checker
      .getPropertiesOfType(typeOf(checker, group))
      .map((one) => callOf(`${group.name}.${one.name}`, one)),
  );
  const ofAgents = made("createAgentClient").map((one) => callOf(`agent.${one.name}`, one));
  const redeem = callOf("redeemDeviceCode", needed(client, "redeemDeviceCode"));
  const errorCode = needed(exportsOf(project, "../src/errors.ts"), "ErrorCode");
  return {
    calls: [...grouped, ...ofAgents, redeem],
    errorCode: read(checker.getDeclaredTypeOfSymbol(errorCode)),
  };
}

function readCall(
  checker: Checker,
  read: (type: Type) => Shape,
  call: { readonly name: string; readonly signature: Signature },
): ClientCall {
  const parameters = call.signature.getParameters().map((symbol) => {
    const type = typeOf(checker, symbol);
    return { name: symbol.name, isRequired: !isOptional(type), shape: read(type) };
  });
  const promise = defined(checker.getReturnTypeOfSignature(call.signature));
  const [answered] = promise.isTypeReference() ? checker.getTypeArguments(promise) : [];
  const answer = read(promise);
  const canBeNothing = answer.kind === "nothing" || isOptional(defined(answered));
  return { name: call.name, parameters, answer, canBeNothing };
}

/** `page` is what stands behind a list of the client's. */
function typeReader(checker: Checker, page: Type): (type: Type) => Shape {
  const known = new Map<number, Shape>();
  const read = (type: Type): Shape => {
    const before = known.get(type.id);
    if (before !== undefined) return before;
    const shape = type.isUnionType() ? readUnion(type.getTypes()) : readOne(type);
    known.set(type.id, shape);
    return shape;
  };

  const readUnion = (types: readonly Type[]): Shape => {
    const has = (flag: TypeFlags) => types.some((type) => (type.flags & flag) !== 0);
    const none = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void;
    const rest = types.filter((type) => (type.flags & none) === 0);
    const nullable = has(TypeFlags.Null) ? { isNullable: true } : {};
    const shapes = rest.map(read);
    const list = shapes.find((shape) => shape.kind === "list");
    // A query takes one value or a list of them.
    if (list !== undefined) return { ...list, ...nullable };
    const [first] = shapes;
    if (first === undefined) return { kind: "nothing" };
    if (shapes.every((shape) => shape.kind === "text")) {
      const words = shapes.flatMap((shape) => (shape.kind === "text" ? shape.words : []));
      const isOpen = shapes.some((shape) => shape.kind === "text" && shape.isOpen);
      return { ...textOf(words, isOpen), ...nullable };
    }
    if (shapes.every((shape) => shape.kind === first.kind) && first.kind !== "object") {
      return { ...merged(shapes), ...nullable };
    }
    const whole: Shape = shapes.length === 1 ? first : { kind: "choice", variants: shapes };
    return { ...whole, ...nullable };
  };

  const readOne = (type: Type): Shape => {
    if (type.isStringLiteralType()) return textOf([type.value]);
    if ((type.flags & TypeFlags.String) !== 0) return textOf([]);
    if ((type.flags & TypeFlags.NumberLike) !== 0) return { kind: "number" };
    if ((type.flags & TypeFlags.BooleanLike) !== 0) return { kind: "boolean" };
    if ((type.flags & (TypeFlags.Void | TypeFlags.Undefined)) !== 0) return { kind: "nothing" };
    if ((type.flags & (TypeFlags.Unknown | TypeFlags.Any)) !== 0) return { kind: "anything" };
    if (type.isIntersectionType() && type.getTypes().some(isText)) return textOf([]);
    return readObject(type);
  };

  const argumentOf = (type: Type): Type =>
    defined(type.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined);

  const readObject = (type: Type): Shape => {
    const name = type.getSymbol()?.name;
    if (name === "Blob" || name === "File") return { kind: "file" };
    if (name === "Promise") return read(argumentOf(type));
    if (name === "PageList") {
      const data: Shape = { kind: "list", items: read(argumentOf(type)) };
      const members = { ...membersOf(page), data: { isRequired: true, shape: data } };
      return { kind: "object", members, isOpen: false };
    }
    if (checker.isArrayType(type)) return { kind: "list", items: read(argumentOf(type)) };
    const [index] = checker.getIndexInfosOfType(type);
    if (index !== undefined) return { kind: "record", values: read(index.valueType) };
    return { kind: "object", members: membersOf(type), isOpen: false };
  };

  const membersOf = (type: Type) =>
    Object.fromEntries(
      checker.getPropertiesOfType(type).map((symbol): [string, Member] => {
        const isRequired = (symbol.flags & SymbolFlags.Optional) === 0;
        return [symbol.name, { isRequired, shape: read(typeOf(checker, symbol)) }];
      }),
    );

  return read;
}

function isText(type: Type): boolean {
  return (type.flags & TypeFlags.String) !== 0;
}

function isOptional(type: Type): boolean {
  return (
    type.isUnionType() && type.getTypes().some((one) => (one.flags & TypeFlags.Undefined) !== 0)
  );
}

function exportsOf({ program, checker }: Project, name: string): readonly TsSymbol[] {
  const file = defined(program.getSourceFile(path(name)));
  return checker.getExportsOfModule(defined(checker.getSymbolAtLocation(file)));
}

function needed(symbols: readonly TsSymbol[], name: string): TsSymbol {
  return defined(symbols.find((symbol) => symbol.name === name));
}

function typeOf(checker: Checker, symbol: TsSymbol): Type {
  return defined(checker.getTypeOfSymbol(symbol));
}

function signatureOf(checker: Checker, type: Type): Signature {
  return defined(checker.getSignaturesOfType(type, CALL_SIGNATURE)[0]);
}

function defined<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the compiler does not know it");
  return value;
}
