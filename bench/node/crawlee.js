// What both of Crawlee's crawlers are told: no fingerprints, no sessions, no
// storage on disk, no retries, and as many pages at once as there are workers, each
// taking up its next order at once.
import { chromeArgs, extraction, fail, finish, options, orders } from "./protocol.js";

export async function crawl(Crawler, Configuration, log, { headless, cookies }) {
  log.setLevel(log.LEVELS.OFF);
  const crawler = new Crawler(
    {
      minConcurrency: options.workers,
      maxConcurrency: options.workers,
      maxRequestRetries: 0,
      autoscaledPoolOptions: { maybeRunIntervalSecs: 0.02 },
      useSessionPool: false,
      persistCookiesPerSession: false,
      launchContext: { launchOptions: { executablePath: options.chrome, headless, args: chromeArgs } },
      browserPoolOptions: {
        useFingerprints: false,
        maxOpenPagesPerBrowser: options.workers,
        retireBrowserAfterPageCount: 1e6,
      },
      statisticsOptions: { saveErrorSnapshots: false },
      preNavigationHooks: [
        (_, gotoOptions) => {
          gotoOptions.waitUntil = "domcontentloaded";
        },
      ],
      requestHandler: async ({ page }) => finish(await page.evaluate(extraction), () => cookies(page)),
      failedRequestHandler: (_, error) => fail(error),
    },
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
  await crawler.run(orders.map(({ url }) => ({ url, uniqueKey: url })));
  // A timer of Crawlee's, for browsers that do not close, would hold it for 5 s more.
  process.exit();
}
