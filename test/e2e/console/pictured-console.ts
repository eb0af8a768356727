import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startSandbox } from '../../../src/simulator/sandbox/server/server.ts'
import { positionFolder } from '../daemon/position-folder.ts'
import { endDaemons, runDaemon } from '../daemon/running-daemon.ts'
import { until } from '../daemon/until.ts'

const MINUTE_MS = 60_000
/** An hour of the venue's a minute: a day's trading in a coffee break. */
const SPEED = 60
/** A Wednesday before the mid is published. */
const START = Date.UTC(2026, 10, 18, 6, 40)
const SEED = 11

/** Makes a market at the simulated venue for some minutes, until there are that many fills and the books agree. */
export async function startPictured(minutes: number, fills: number) {
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
  const close = async () => {
    await endDaemons()
    await venue.close()
    folder.remove()
  }
  try {
    const url = `${await daemon.url()}/`
    await pause(minutes * MINUTE_MS)
    await until(`${fills} fills`, async () => (await daemon.state()).fills.total >= fills, {
      withinMs: 10 * MINUTE_MS,
    })
    await until('the books agree', async () => (await daemon.state()).reconciliation.state === 'reconciled')
    return { url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the headings of a page with the names of columns, figures and commands below each, as a screen reader names them; no values. */
export async function structureOf(page: Page): Promise<readonly string[]> {
  const tree = await page.locator('main').ariaSnapshot()
  const named = Array.from(
    tree.matchAll(/^ *- (heading|columnheader|term|button|group) "([^"]+)"/gm),
    ([, role = '', name = '']) => `${role} ${name.replaceAll(/[\d.,:+−-]+/g, '#')}`,
  )
  // How many rows there are depends on the minute of the picture.
  return [...new Set(named)].filter((line) => !line.startsWith('button Older'))
}
