// Sources in web/ → the files that the package serves (src/holdfast/surfaces/web/static), byte for byte the same each
// time. `--check` writes nothing and says whether what is there is what the sources give.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, "../src/holdfast/surfaces/web/static");
const MOST_FIRST = 60_000; // bytes gzipped, of what a browser fetches before it shows anything
const MOST_ALL = 250_000; // of everything there is
const NO_SOURCES = new Set(["node_modules", ".tests", "__pycache__"]);
const NOT_BUILT = new Set(["tests", "test.mjs", "api_types.py", "api_types.ts", "README.md"]); // no byte of the build depends on these
const MEDIA = {
  html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8",
  svg: "image/svg+xml", txt: "text/plain; charset=utf-8",
};

const sha = (data) => createHash("sha256").update(data).digest("hex");
const gz = (data) => gzipSync(data, { level: 9 });

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NO_SOURCES.has(entry.name) && !NOT_BUILT.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

function licences(inputs) {
  const packages = new Set();
  for (const path of inputs) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) packages.add(found[1]);
  }
  return [...packages].sort().map((name) => {
    const folder = join(HERE, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version}\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : "MIT"}\n`;
  }).join("\n----\n\n");
}

function firstOf(outputs, entry) {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const found of outputs[name].imports) if (found.kind === "import-statement") visit(found.path);
  };
  visit(entry);
  return seen;
}

async function made() {
  const result = await build({
    absWorkingDir: HERE, entryPoints: { app: "src/app.tsx" }, outdir: "out", bundle: true, splitting: true,
    format: "esm", target: "es2022", minify: true, write: false, metafile: true, charset: "utf8",
    legalComments: "none", jsx: "automatic", jsxImportSource: "preact",
    entryNames: "[name]-[hash]", chunkNames: "part-[hash]",
  });
  const { outputs } = result.metafile;
  const script = Object.keys(outputs).find((name) => outputs[name].entryPoint === "src/app.tsx");
  const style = outputs[script].cssBundle;
  const first = firstOf(outputs, script).add(style);
  const files = new Map();
  const firsts = new Set(["index.html"]);
  const put = (name, data, early = false) => {
    files.set(name, Buffer.from(data));
    if (early) firsts.add(name);
  };
  for (const file of result.outputFiles) {
    const name = relative(HERE, file.path).replaceAll("\\", "/");
    put(name.replace(/^out\//, "assets/"), file.contents, first.has(name));
  }
  const iconData = readFileSync(join(HERE, "html/icon.svg"));
  const icon = `assets/icon-${sha(iconData).slice(0, 8).toUpperCase()}.svg`;
  put(icon, iconData);
  const at = (name) => "/" + name.replace(/^out\//, "assets/");
  const preload = [...first].filter((name) => name !== script && name !== style).sort()
    .map((name) => `<link rel="modulepreload" href="${at(name)}">\n`).join("");
  const filled = (name) => readFileSync(join(HERE, "html", name), "utf8")
    .replaceAll("{icon}", "/" + icon).replaceAll("{style}", at(style)).replaceAll("{script}", at(script))
    .replaceAll("{preload}", preload);
  put("index.html", filled("index.html"), true);
  put("refused.html", filled("refused.html"));
  put("licences.txt", licences(Object.keys(result.metafile.inputs)));
  return { files, firsts };
}

function manifestOf({ files, firsts }) {
  const table = {};
  for (const name of [...files.keys()].sort()) {
    const data = files.get(name);
    table[name] = {
      sha256: sha(data), bytes: data.length, gzip_bytes: gz(data).length,
      media: MEDIA[name.split(".").pop()], first: firsts.has(name),
    };
  }
  const sources = {};
  for (const path of filesBelow(HERE)) sources["web/" + relative(HERE, path).replaceAll("\\", "/")] = sha(readFileSync(path));
  return { files: table, sources };
}

function write(files, manifest) {
  rmSync(OUT, { recursive: true, force: true });
  for (const [name, data] of files) {
    mkdirSync(dirname(join(OUT, name)), { recursive: true });
    writeFileSync(join(OUT, name), data);
    if (name.startsWith("assets/")) writeFileSync(join(OUT, name + ".gz"), gz(data));
  }
  writeFileSync(join(OUT, "manifest.json"), JSON.stringify(manifest, null, 1) + "\n");
}

/** What is on disk and is not what the sources give; another zlib may pack otherwise, so packed files are unpacked. */
function differences(files, manifest) {
  const wrong = [];
  const read = (name) => (existsSync(join(OUT, name)) ? readFileSync(join(OUT, name)) : null);
  for (const [name, data] of files) {
    if (!read(name)?.equals(data)) wrong.push(name);
    else if (name.startsWith("assets/") && !gunzipSync(read(name + ".gz") ?? gz("")).equals(data)) wrong.push(name + ".gz");
  }
  const known = JSON.parse(read("manifest.json") ?? "{}");
  if (JSON.stringify(known.sources) !== JSON.stringify(manifest.sources)) wrong.push("manifest.json");
  const there = existsSync(OUT) ? filesBelow(OUT).map((path) => relative(OUT, path)) : [];
  const meant = new Set([...files.keys(), ...[...files.keys()].map((name) => name + ".gz"), "manifest.json"]);
  return [...wrong, ...there.filter((name) => !meant.has(name))];
}

const result = await made();
const manifest = manifestOf(result);
const sum = (rows) => rows.reduce((total, row) => total + row.gzip_bytes, 0);
const shipped = Object.entries(manifest.files).filter(([name]) => name.startsWith("assets/") || name === "index.html");
const firstBytes = sum(shipped.filter(([, row]) => row.first).map(([, row]) => row));
const allBytes = sum(shipped.map(([, row]) => row));
console.log(`first load ${(firstBytes / 1000).toFixed(1)} kB, all ${(allBytes / 1000).toFixed(1)} kB (gzip)`);
if (firstBytes > MOST_FIRST || allBytes > MOST_ALL) {
  console.error(`That is more than ${MOST_FIRST / 1000} or ${MOST_ALL / 1000} kB.`);
  process.exit(1);
}
if (process.argv.includes("--check")) {
  const wrong = differences(result.files, manifest);
  if (wrong.length) {
    console.error(`Not what web/ gives: ${wrong.join(", ")}. Run \`make web\`.`);
    process.exit(1);
  }
} else {
  write(result.files, manifest);
  if (process.argv.includes("--list")) for (const [name, row] of shipped) console.log(row.gzip_bytes, name, statSync(join(OUT, name)).size);
}
