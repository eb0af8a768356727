import type { Browser, BrowserContextOptions } from 'playwright-core'
import { watchPage, type WatchedPage } from '../../support/watch-page.ts'

export const WIDE = { width: 1600, height: 1000 }
export const PHONE = { width: 360, height: 780 }

/** Opens the console at an address; nothing that is not of that host gets through. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: WIDE, ...options })
  const watched = await watchPage(await context.newPage())
  const { origin } = new URL(url)
  await watched.page.route(
    (asked) => asked.origin !== origin && asked.protocol !== 'data:',
    (route) => route.abort(),
  )
  await watched.page.goto(url)
  return watched
}
