import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { until } from '../daemon/until.ts'
import { freePort } from '../../support/free-port.ts'
import { scratchCheckout, type Background, type ScratchCheckout } from '../docs/scratch-checkout.ts'
import { openConsole } from './open-console.ts'

const noChromium = needs('chromium')
const SOON = { timeout: 30_000 }

/** A demonstration whose usual ports are taken chooses free ones, which no other test's demonstration chooses too. */
const USUAL_PORTS = [8_787, 8_788]
const block = (port: number) =>
  createServer((socket) => socket.on('error', () => undefined))
    .on('error', () => undefined)
    .listen(port, '127.0.0.1')

let browser: Browser
let checkout: ScratchCheckout
let demo: Background
let url = ''

beforeAll(async () => {
  if (noChromium) return
  checkout = scratchCheckout()
  // Other tests run on the ports of the demonstration.
  const config = checkout.read('config/sandbox.yaml').replaceAll('9464', String(await freePort()))
  checkout.write('config/sandbox.yaml', config)
  const blockers = USUAL_PORTS.map(block)
  demo = await checkout.start('npm start -- --fresh', /sign in {2}http/)
  for (const blocker of blockers) blocker.close()
  browser = await launchBrowser()
  url = /console {2}(\S+)/.exec(demo.output())?.[1] ?? ''
})

afterAll(async () => {
  await browser?.close()
  await demo?.interrupt()
  await checkout?.remove()
})

const printedLink = () => /sign in {2}(\S+)/.exec(demo.output())?.[1] ?? ''
const keyOf = (link: string) => link.split('#key=')[1] ?? ''
const configFile = () => /--config (\S+)/.exec(demo.output())?.[1] ?? ''
const keptToken = (page: Page) => page.evaluate<string>(`sessionStorage['mizani-token'] ?? ''`)

async function shown(): Promise<PositionView> {
  return (await (await fetch(`${url}/api/v1/state`)).json()) as PositionView
}

/** Opens the dialog of a button, fills in what it asks, sends it, and returns the daemon's answer. */
async function press(page: Page, button: string): Promise<string> {
  await page.locator('.actions').getByRole('button', { name: button, exact: true }).click(SOON)
  const dialog = page.locator('dialog[open]')
  await dialog.waitFor(SOON)
  for (const label of ['Who', 'Why']) {
    const field = dialog.getByLabel(label)
    if ((await field.count()) > 0) await field.fill('amina')
  }
  await dialog.locator('button.primary').click()
  // A stop that the venue does not show within its answer is not yet good; what follows waits for the state.
  const outcome = dialog.locator('.outcome p')
  await outcome.waitFor({ timeout: 60_000 })
  const text = await outcome.innerText()
  await dialog.getByRole('button', { name: 'Close' }).click()
  return text
}

describe.skipIf(needs('chromium'))('the address that npm start prints', () => {
  test('signs a browser in once, and then every button of the demonstration does what it says', async () => {
    const link = printedLink()
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}$/)
    const { page, requests, complaints } = await openConsole(browser, link)
    await expect.poll(() => keptToken(page), SOON).toMatch(/^[0-9a-f]{64}$/)
    expect(page.url()).toBe(`${url}/`)
    expect(await page.evaluate<string>('document.cookie')).toBe('')
    expect(await page.context().cookies()).toEqual([])
    expect(requests.filter((asked) => asked.includes('key='))).toEqual([])
    const token = await keptToken(page)
    expect(demo.output()).not.toContain(token)

    await page.getByRole('button', { name: 'Parameters', exact: true }).click(SOON)
    const dialog = page.locator('dialog[open]')
    await dialog.getByLabel('halfSpreadBps').fill('61')
    await dialog.getByRole('button', { name: 'What if?' }).click()
    await dialog.locator('.preview tbody tr').first().waitFor(SOON)
    await dialog.getByRole('button', { name: 'Back' }).click()

    await press(page, 'Reload')
    await press(page, 'Pause')
    await until('it is paused', async () => (await shown()).paused)
    await press(page, 'Resume')
    await until('it is resumed', async () => !(await shown()).paused)
    await press(page, 'Deactivate')
    await until('it is out', async () => (await shown()).isActive === false)
    await press(page, 'Activate')
    await until('it is back', async () => (await shown()).isActive === true)
    await press(page, 'Halt')
    await until('it is halted', async () => (await shown()).tradingState === 'HALTED')
    await press(page, 'Resume')
    await until('it trades', async () => (await shown()).tradingState !== 'HALTED')
    expect(complaints.filter((words) => !words.startsWith('policy: connect-src'))).toEqual([])

    const again = await openConsole(browser, link)
    await again.page.getByText('was used before').waitFor(SOON)
    expect(again.page.url()).toBe(`${url}/`)
    expect(await keptToken(again.page)).toBe('')
  }, 240_000)

  test('is printed anew by `mizani console`, also for a page that is open, and is in no log and no store', async () => {
    const command = `npx mizani console --config ${configFile()}`
    const first = await checkout.run(command)
    expect([first.code, first.out]).toEqual([0, expect.stringMatching(/^http\S+#key=[\w-]{43}\n$/)])
    const { page } = await openConsole(browser, `${url}/`)
    await page.waitForSelector('.quote', SOON)
    await page.goto(first.out.trim())
    await expect.poll(() => keptToken(page), SOON).toMatch(/^[0-9a-f]{64}$/)
    expect(page.url()).toBe(`${url}/`)
    const second = await checkout.run(`${command} --json`)
    const unused = (JSON.parse(second.out) as { url: string }).url

    const folder = dirname(configFile())
    const kept = ['mizani.log', 'store/mizani.db', 'store/mizani.db-wal'].map((name) =>
      readFileSync(join(folder, name), 'latin1'),
    )
    kept.push(await (await fetch(`${url}/metrics`)).text())
    for (const link of [printedLink(), first.out.trim(), unused])
      for (const text of kept) expect(text.includes(keyOf(link))).toBe(false)
  }, 120_000)
})
