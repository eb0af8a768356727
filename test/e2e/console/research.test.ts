import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResearchAnswer, ResearchRun } from '../../../src/daemon/console/answers.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { openMarket, type Market } from '../daemon/open-market.ts'
import { endDaemons, HTTP_TOKEN, type RunningDaemon } from '../daemon/running-daemon.ts'
import { openConsole } from './open-console.ts'

const WEEK = fileURLToPath(new URL('../../../examples/week', import.meta.url))
const LONG = { timeout: 120_000, interval: 300 }

let market: Market
let daemon: RunningDaemon
let browser: Browser | undefined

beforeAll(async () => {
  market = await openMarket({}, { research: { tapes: [WEEK] } })
  daemon = market.start()
  await market.quoted(60, 70)
})

afterAll(async () => {
  await browser?.close()
  await endDaemons()
  await market?.close()
})

const research = async () => (await daemon.get('/api/v1/research')).body as ResearchAnswer
const newest = async (): Promise<ResearchRun | undefined> => (await research()).runs[0]
async function ended(): Promise<ResearchRun | undefined> {
  await expect.poll(async () => (await newest())?.state, LONG).not.toBe('running')
  return newest()
}
const reportOf = async (run: ResearchRun | undefined) =>
  fetch(`${await daemon.url()}/api/v1/research/${run?.id}/report`)

describe('research from the console of a running daemon', () => {
  test('backtests the listed tape in a child process and serves its report', async () => {
    expect((await research()).tapes).toEqual([WEEK])
    expect((await daemon.post('research', { kind: 'backtest', tape: `${WEEK}/..` })).status).toBe(400)
    const order = { kind: 'backtest', tape: WEEK, why: 'to see' }
    expect((await daemon.post('research', order, 'no-token-of-his')).status).toBe(401)
    expect(await daemon.post('research', order)).toMatchObject({ status: 200 })
    expect((await daemon.post('research', order)).status).toBe(409)
    expect(await ended()).toMatchObject({ state: 'finished', kind: 'backtest', problem: null })
    const report = await reportOf(await newest())
    expect(report.headers.get('content-security-policy')).toContain('sandbox allow-scripts')
    expect(await report.text()).toContain('</html>')
  })

  test('compares changed parameters over the journal of the position that trades', async () => {
    expect((await daemon.post('reload', { changes: { 'strategy.params.askBps': 75 } })).status).toBe(200)
    const changes = { 'strategy.params.bidBps': 90 }
    expect(await daemon.post('research', { kind: 'whatif', changes })).toMatchObject({ status: 200 })
    expect(await ended()).toMatchObject({ state: 'finished', tape: null, changes, problem: null })
    const text = await (await reportOf(await newest())).text()
    expect(text).toContain('90')
    expect(text).toContain('75')
  })

  test('shows the problem of a run that fails, and that reload cannot make its file valid for it', async () => {
    const changes = { 'strategy.params.bidBps': 'wide' }
    expect(await daemon.post('research', { kind: 'backtest', tape: WEEK, changes })).toMatchObject({
      status: 200,
    })
    const run = await ended()
    expect(run).toMatchObject({ state: 'failed' })
    expect(run?.problem).toContain('bidBps')
    expect((await reportOf(run)).status).toBe(404)
  })

  test('a cancelled run ends at once, and a daemon that is killed takes its run along and forgets it', async () => {
    await daemon.post('research', { kind: 'backtest', tape: WEEK })
    const id = (await newest())?.id
    expect((await daemon.post('research/cancel', { id })).status).toBe(200)
    expect(await ended()).toMatchObject({ state: 'cancelled', problem: 'cancelled by operator' })
    await daemon.post('research', { kind: 'backtest', tape: WEEK })
    const report = join(market.folder.store, 'console-reports', `${(await newest())?.id}.html`)
    await daemon.kill('SIGKILL')
    daemon = market.start()
    await expect.poll(async () => (await daemon.get('/api/v1/research')).status, LONG).toBe(200)
    expect((await research()).runs).toEqual([])
    expect(existsSync(report)).toBe(false)
  })

  test.skipIf(needs('chromium'))(
    'a person starts a backtest on the page and opens its report there',
    async () => {
      browser = await launchBrowser()
      const { page, complaints } = await openConsole(browser, `${await daemon.url()}/`, { token: HTTP_TOKEN })
      await page.getByRole('button', { name: 'Backtest' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Who').fill('anna')
      await dialog.getByLabel('Why').fill('to see')
      await dialog.getByRole('button', { name: 'Backtest' }).click()
      await dialog.getByText('the backtest runs').waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      const link = page.getByRole('link', { name: 'Report' })
      await link.waitFor({ timeout: LONG.timeout })
      const [report] = await Promise.all([page.context().waitForEvent('page'), link.click()])
      // The charts are drawn by the one script of the page, which the sandbox allows.
      await report.locator('canvas').first().waitFor()
      expect(await report.evaluate('window.origin')).toBe('null')
      expect(complaints).toEqual([])
    },
  )
})
