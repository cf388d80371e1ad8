import { Configuration, log, PuppeteerCrawler } from "@crawlee/puppeteer";
import { crawl } from "./crawlee.js";

await crawl(PuppeteerCrawler, Configuration, log, {
  headless: "shell",
  cookies: (page) => page.browserContext().cookies(),
});
