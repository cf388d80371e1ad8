import { Configuration, log, PlaywrightCrawler } from "@crawlee/playwright";
import { crawl } from "./crawlee.js";

await crawl(PlaywrightCrawler, Configuration, log, {
  headless: true,
  cookies: (page) => page.context().cookies(),
});
