import { type Browser, chromium, type Page } from 'playwright-core';
import { patience } from './machine';
import { CHROMIUM, ensureTool } from './machine-tools';

/** The browser of the machine, installed by its package manager. */
const PROGRAM = '/usr/bin/chromium';
/** For it to start, and for a page to do what it is asked to. */
const PATIENCE_MS = 60_000;

/** What a page did that it should not have done. */
export interface Watched {
  page: Page;
  /** Errors on the console and in scripts, requests that failed or were refused by the policy. */
  problems: string[];
  /** Requests to any other origin. */
  foreign: string[];
}

/** Headless Chromium, without a profile and without talking to anybody by itself. */
export function openBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'];
  ensureTool(CHROMIUM);
  return chromium.launch({ executablePath: PROGRAM, args, timeout: patience(PATIENCE_MS) });
}

/** A fresh page that notes what goes wrong on it. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience(60_000));
  const page = await context.newPage();
  page.setDefaultTimeout(patience(PATIENCE_MS));
  const problems: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // What a page asked for and no longer needs once it is left or loaded anew.
    if (why !== 'net::ERR_ABORTED') problems.push(`${request.url()}: ${why}`);
  });
  page.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (protocol.startsWith('http') && to !== origin) foreign.push(request.url());
  });
  return { page, problems, foreign };
}
