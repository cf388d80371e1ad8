// What the runner and a tool say to each other: see ../protocol/protocol.go.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";

const names = ["sheet", "out", "workers", "mode", "patience", "chrome", "variant", "recipe"];
const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });

export const options = { ...values, workers: Number(values.workers) };

export const orders = readFileSync(options.sheet, "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((row) => {
    const [po, url] = row.split(",");
    return { po, url };
  });

const extract = readFileSync(new URL("../protocol/extract.js", import.meta.url), "utf8")
  .trim()
  .replace(/;$/, "");

/** The one evaluation of each page. */
export const extraction = `(${extract})(${values.patience})`;

/** Chrome's arguments: no pictures, and no sandbox, which these tools do not have for root. */
export const chromeArgs = ["--blink-settings=imagesEnabled=false", "--no-sandbox"];

/**
 * Brings home the documents of a page that was read, if they are wanted, and
 * writes its line. The cookies are those of the page, so a sign-in would count.
 */
export async function finish(page, cookies) {
  const { po, fields, documents } = page;
  if (options.mode === "documents" && documents.length > 0) {
    const headers = { cookie: (await cookies()).map(({ name, value }) => `${name}=${value}`).join("; ") };
    const folder = path.join(options.out, po);
    await mkdir(folder, { recursive: true });
    await Promise.all(documents.map((document) => save(document, path.join(folder, document.name), headers)));
  }
  process.stdout.write(JSON.stringify({ po, fields, documents }) + "\n");
}

async function save(document, file, headers) {
  const answer = await fetch(document.url, { headers });
  if (!answer.ok) throw new Error(`${document.url} was answered with status ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  await writeFile(file, bytes);
  document.file = file;
  document.bytes = bytes.length;
  document.sha256 = createHash("sha256").update(bytes).digest("hex");
}

/** Ends the process: an order that was not brought home makes the run void. */
export function fail(error) {
  console.error(error?.stack ?? String(error));
  process.exitCode = 1;
}
