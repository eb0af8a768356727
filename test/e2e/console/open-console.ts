import type { Browser, BrowserContextOptions } from 'playwright-core'
import { watchPage, type WatchedPage } from '../../support/watch-page.ts'

export const WIDE = { width: 1600, height: 1000 }
export const PHONE = { width: 360, height: 780 }

/** Opens the console at an address, with a token where one is given; nothing that is not of that host gets through. */
export async function openConsole(
  browser: Browser,
  url: string,
  { token, ...options }: BrowserContextOptions & { readonly token?: string } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: WIDE, ...options })
  if (token !== undefined)
    // A page that is loaded again keeps the token that it has by then.
    await context.addInitScript(`sessionStorage['mizani-token'] ??= ${JSON.stringify(token)}`)
  const watched = await watchPage(await context.newPage())
  const { origin } = new URL(url)
  await watched.page.route(
    (asked) => asked.origin !== origin && asked.protocol !== 'data:',
    (route) => route.abort(),
  )
  await watched.page.goto(url)
  return watched
}
