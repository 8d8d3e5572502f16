// The files of the console: the page, the scripts with their content in their names, and the style.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { announcerPlugin, messagesPlugin } from "./plugins.mjs";

const BASE = "/console/assets/";

/** The page and its assets, in the form that the writer of archives takes. */
export async function buildConsole({ root }) {
  const own = fileURLToPath(new URL("packages/console/", root));
  const output = await bundle(root, own);
  const [main, theme] = ["main", "theme"].map((name) => entryOf(output, name));
  const icon = await iconFile(own);
  const files = [...output.map(toFile), icon];
  const page = pageOf({
    icon: icon.path,
    theme: theme.fileName,
    script: main.fileName,
    // What a browser may fetch before it has read the script.
    preloads: main.imports,
    style: output.find(({ fileName }) => fileName.endsWith(".css"))?.fileName,
    title: JSON.parse(await readFile(`${own}messages/en-first.json`, "utf8"))["app.title"],
  });
  return [
    { path: "/console", type: "text/html; charset=utf-8", body: page, isHashed: false },
    ...files,
  ];
}

async function bundle(root, own) {
  const cli = fileURLToPath(new URL("packages/cli/src/proof/", root));
  const client = fileURLToPath(new URL("packages/client/src/", root));
  const { output } = await build({
    configFile: false,
    root: own,
    base: BASE,
    logLevel: "silent",
    publicDir: false,
    plugins: [
      messagesPlugin(),
      announcerPlugin(),
      react(),
      tailwindcss(),
      { ...optimizeLocales.vite({ locales: ["en-US"] }), enforce: "pre" },
    ],
    resolve: {
      alias: {
        "@florin/cli/proof": `${cli}check-proof.ts`,
        "@florin/cli/signature": `${cli}web-signature.ts`,
        "@florin/client/transport": `${client}transport.ts`,
        "@florin/client": `${client}index.ts`,
      },
    },
    build: {
      write: false,
      target: "es2022",
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // Compressed sizes are those of the archive.
      reportCompressedSize: false,
      rollupOptions: {
        input: { main: `${own}src/main.tsx`, theme: `${own}src/theme.ts` },
        output: {
          entryFileNames: "[name]-[hash].js",
          chunkFileNames: "[name]-[hash].js",
          assetFileNames: "[name]-[hash][extname]",
          codeSplitting: { groups: CHUNKS },
        },
      },
    },
  });
  return output;
}

const PARTS = /packages\/console\/src\/(std|text|api|ui|act|list|detail)\//;
/** Parts that one or two pages need. */
const SELDOM = /\/(act\/(freeze|shown-once|first-key)|text\/browser-word|list\/filter-link)\.tsx?$/;

function isPart(path) {
  return PARTS.test(path) && !SELDOM.test(path);
}

/** Few files for the first page; each further page is a small one of its own. What few pages need is a file of its own. */
const CHUNKS = [
  { name: "pdf", test: /node_modules\/pdfjs-dist\//, priority: 1 },
  { name: "qr", test: /node_modules\/qr\//, priority: 1 },
  { name: "texts", test: /florin-messages:en\.json$/, priority: 1 },
  { name: "widgets", test: /node_modules/ },
  { name: "parts", test: isPart },
];

const TYPES = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

function toFile({ fileName, type, code, source }) {
  const contentType = TYPES[fileName.split(".").at(-1)];
  if (contentType === undefined) throw new Error(`${fileName} has no known type`);
  return {
    path: BASE + fileName,
    type: contentType,
    body: type === "chunk" ? code : String(source),
    isHashed: true,
  };
}

async function iconFile(own) {
  const body = await readFile(`${own}look/icon.svg`, "utf8");
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 8);
  return { path: `${BASE}icon-${hash}.svg`, type: "image/svg+xml", body, isHashed: true };
}

function entryOf(output, name) {
  const entry = output.find((chunk) => chunk.isEntry && chunk.name === name);
  if (entry === undefined) throw new Error(`the build has no entry ${name}`);
  return entry;
}

/** The theme's script stands before the style and is not deferred, so the first paint has the right colours. */
function pageOf({ theme, script, preloads, style, title, icon }) {
  const links = preloads.map((name) => `<link rel="modulepreload" href="${BASE}${name}">`);
  return [
    '<!doctype html><html lang="en" class="light"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
    `<title>${title}</title><link rel="icon" type="image/svg+xml" href="${icon}">`,
    `<script src="${BASE}${theme}"></script>`,
    `<link rel="stylesheet" href="${BASE}${style}">`,
    ...links,
    `<script type="module" src="${BASE}${script}"></script>`,
    '</head><body><div id="root"></div></body></html>',
  ].join("");
}
