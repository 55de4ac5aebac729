// Bundles tests/*.test.ts(x) and runs them with node's own runner; node 20 reads no TypeScript by itself.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const OUT = join(HERE, ".tests");
rmSync(OUT, { recursive: true, force: true });
const names = readdirSync(join(HERE, "tests")).filter((name) => /\.test\.tsx?$/.test(name));
await build({
  absWorkingDir: HERE, entryPoints: names.map((name) => `tests/${name}`), outdir: OUT, bundle: true, platform: "node",
  format: "esm", target: "node20", outExtension: { ".js": ".mjs" }, logLevel: "warning",
  jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
});
const made = readdirSync(OUT).filter((name) => name.endsWith(".mjs")).map((name) => join(OUT, name));
const run = spawnSync(process.execPath, ["--test", ...made], { stdio: "inherit" });
rmSync(OUT, { recursive: true, force: true });
process.exit(run.status ?? 1);
