// Writes docs/pictures/console-*.png, README's pictures, from the real thing: the daemon makes a market at the
// simulated venue for a while, and a browser looks at its console. `node scripts/screenshots.ts [--minutes 12]`
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions } from 'playwright-core'
import { startSandbox } from '../src/simulator/sandbox/server/server.ts'
import { openConsole } from '../test/e2e/console/open-console.ts'
import { positionFolder } from '../test/e2e/daemon/position-folder.ts'
import { endDaemons, runDaemon } from '../test/e2e/daemon/running-daemon.ts'
import { until } from '../test/e2e/daemon/until.ts'
import { launchBrowser } from '../test/support/launch-browser.ts'

const PICTURES = fileURLToPath(new URL('../docs/pictures', import.meta.url))
const MINUTE_MS = 60_000
const MAX_BYTES = 200_000
const FILLS = 12
/** An hour of the venue's a minute: a day's trading in a coffee break. */
const SPEED = 60
/** A Wednesday before the mid is published. */
const START = Date.UTC(2026, 10, 18, 6, 40)
const SEED = 11

const SHOTS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 1330 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 1330 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', deviceScaleFactor: 2 },
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '12' } } })
mkdirSync(PICTURES, { recursive: true })
const venue = await startSandbox({
  port: 0,
  seed: SEED,
  scenario: 'normal',
  retailFactor: 20,
  speed: SPEED,
  startMs: START,
})
const folder = positionFolder(venue.url, 'sandbox')
const config = folder.configure({
  venue: { requestsPerMinute: 60, publicUrl: venue.url },
  strategy: { use: 'inventory-skew', params: { halfSpreadBps: 55, maxSkewBps: 80, offBeyond: 0.9 } },
  risk: { maxMidAgeMs: 172_800_000 },
  quote: { minRequoteIntervalMs: 2_000 },
  pacing: {
    fillsIntervalMs: 5_000,
    rateIntervalMs: 5_000,
    balancesIntervalMs: 10_000,
    accountIntervalMs: 60_000,
    quoteCheckIntervalMs: 60_000,
  },
})
const daemon = runDaemon({ configs: [config] })
try {
  const url = `${await daemon.url()}/`
  await pause(Number(values.minutes) * MINUTE_MS)
  await until(`${FILLS} fills`, async () => (await daemon.state()).fills.total >= FILLS, {
    withinMs: 10 * MINUTE_MS,
  })
  await until('the books agree', async () => (await daemon.state()).reconciliation.state === 'reconciled')
  for (const [name, options] of Object.entries(SHOTS)) await shoot(name, url, options)
} finally {
  await endDaemons()
  await venue.close()
  folder.remove()
}

async function shoot(name: string, url: string, options: BrowserContextOptions): Promise<void> {
  const browser = await launchBrowser()
  const { page } = await openConsole(browser, url, { ...options, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'all', exact: true }).click()
  await page.waitForSelector('.chart canvas')
  await page.waitForTimeout(2_000)
  await page.evaluate('scrollTo(0, 0)')
  const path = join(PICTURES, `console-${name}.png`)
  await page.screenshot({ path })
  await browser.close()
  const { size } = statSync(path)
  if (size >= MAX_BYTES)
    throw new Error(`${path} has ${size} bytes; a picture in README has less than ${MAX_BYTES}`)
  process.stdout.write(`${path} ${size} bytes\n`)
}
