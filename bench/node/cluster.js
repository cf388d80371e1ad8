// puppeteer-cluster in each of its three modes, without its monitor and retries.
import { Cluster } from "puppeteer-cluster";
import { chromeArgs, extraction, fail, finish, options, orders } from "./protocol.js";

const cluster = await Cluster.launch({
  concurrency: {
    page: Cluster.CONCURRENCY_PAGE,
    context: Cluster.CONCURRENCY_CONTEXT,
    browser: Cluster.CONCURRENCY_BROWSER,
  }[options.variant],
  maxConcurrency: options.workers,
  retryLimit: 0,
  puppeteerOptions: {
    executablePath: options.chrome,
    headless: "shell",
    args: chromeArgs,
    pipe: true,
    defaultViewport: null,
  },
});
cluster.on("taskerror", fail);
await cluster.task(async ({ page, data: order }) => {
  await page.goto(order.url, { waitUntil: "domcontentloaded" });
  await finish(await page.evaluate(extraction), () => page.browserContext().cookies());
});
for (const order of orders) cluster.queue(order);
await cluster.idle();
await cluster.close();
