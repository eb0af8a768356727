import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export type OpenedConsole = {
  readonly page: Page
  /** What the browser complained of: messages, errors, dialogs, breaches of the policy. */
  readonly complaints: string[]
  /** Every address that the page asked for. */
  readonly requests: readonly string[]
}

export const WIDE = { width: 1600, height: 1000 }
export const PHONE = { width: 360, height: 780 }

/** Opens the console at an address; nothing that is not of that host gets through. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenedConsole> {
  const context = await browser.newContext({ viewport: WIDE, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => requests.push(request.url()))
  await page.exposeFunction('reportBreach', (directive: string) => complaints.push(`policy: ${directive}`))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => reportBreach(event.violatedDirective))`,
  )
  const { origin } = new URL(url)
  await page.route(
    (asked) => asked.origin !== origin && asked.protocol !== 'data:',
    (route) => route.abort(),
  )
  await page.goto(url)
  return { page, complaints, requests }
}
