/** Every path of the server with its methods, by which a call of another method is told what the path takes. */
import { type ConsoleOptions, consolePaths } from "../console/console-server.ts";
import { type HostedPage, takesForm } from "../hosted/hosted-page.ts";
import type { PageRoute } from "../reference/pages.ts";
import { type Operation, versionPath } from "../request/operation.ts";
import { umaRoutedPaths } from "../uma/uma-paths.ts";
import { type RoutedPath, routedMethods } from "./paths.ts";

export const MCP_PATH: RoutedPath = { methods: ["POST"], path: "/mcp" };

interface Routed<C> {
  readonly operations: readonly Operation<C>[];
  readonly console?: ConsoleOptions<C> | undefined;
  readonly hosted?: { readonly pages: readonly HostedPage<C>[] };
  readonly uma?: object;
}

export function pathsOf<C>(
  { operations, console: ofPeople, hosted, uma }: Routed<C>,
  pages: readonly PageRoute[],
  hasMcp: boolean,
): readonly RoutedPath[] {
  return [
    ...operations.map(toRoutedPath),
    ...consolePaths(ofPeople, operations),
    ...pages.map(toPagePath),
    ...(hosted?.pages ?? []).map(toHostedPath),
    ...(hasMcp ? [MCP_PATH] : []),
    ...(uma === undefined ? [] : umaRoutedPaths),
  ];
}

function toRoutedPath<C>({ method, path }: Operation<C>): RoutedPath {
  return { methods: routedMethods(method), path: versionPath + path };
}

function toHostedPath<C>(page: HostedPage<C>): RoutedPath {
  return { methods: takesForm(page) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"], path: page.path };
}

function toPagePath({ path }: PageRoute): RoutedPath {
  return { methods: ["GET", "HEAD"], path };
}
