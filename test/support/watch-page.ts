import type { Page } from 'playwright-core'

export type WatchedPage = {
  readonly page: Page
  /** What the browser complained of: messages, errors, dialogs, breaches of the policy. */
  readonly complaints: string[]
  /** Every address that the page asked for. */
  readonly requests: readonly string[]
}

/** Listens to a page before it goes anywhere. */
export async function watchPage(page: Page): Promise<WatchedPage> {
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
  return { page, complaints, requests }
}
