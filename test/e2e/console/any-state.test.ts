import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryAnswer, NoticesAnswer } from '../../../src/daemon/console/answers.ts'
import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import type { ChallengerView } from '../../../src/daemon/view/challenger-view.ts'
import { exampleChallenger } from '../../unit/daemon/view/example-challenger.ts'
import { exampleRisk } from '../../unit/daemon/view/results/example-risk.ts'
import type { ScorecardView } from '../../../src/daemon/view/scorecard-view.ts'
import { emptyCard, exampleScorecard } from '../../unit/daemon/view/example-scorecard.ts'
import { needs } from '../../support/needs.ts'
import {
  consoleView,
  emptyView,
  exampleAnswers,
  exampleOrders,
  exampleWithdrawals,
  haltedView,
  summaryOf,
} from './example-console.ts'
import { fakeDaemon, type FakeDaemon } from './fake-daemon.ts'
import { openConsole, PHONE, WIDE } from './open-console.ts'
import { launchBrowser } from '../../support/launch-browser.ts'

// States that a sandbox does not get into within seconds, and text that no honest venue sends: told by a
// stand-in for the daemon's server, shown by the real page.

const noChromium = needs('chromium')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DAY_MS = 86_400_000
const HOSTILE = `</title></script><script>alert(1)</script><img src=x onerror="alert(2)">`

let browser: Browser
const daemons: FakeDaemon[] = []

beforeAll(async () => {
  if (!noChromium) browser = await launchBrowser()
})

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close()
  await Promise.all(daemons.splice(0).map((daemon) => daemon.close()))
})

afterAll(() => browser?.close())

/** A daemon with these positions; one whose view is null does not answer. */
async function daemonWith(
  views: Readonly<Record<string, PositionView | null>>,
  answers = exampleAnswers(),
): Promise<FakeDaemon> {
  const daemon = await fakeDaemon(answers)
  daemons.push(daemon)
  daemon.tell({ type: 'hello', version: '0.1.0', now: 0, positions: Object.keys(views), takesCommands: true })
  const positions = Object.entries(views).map(([name, view]) => summaryOf(name, view))
  daemon.tell({ type: 'summaries', whole: true, positions, gone: [] })
  for (const [position, view] of Object.entries(views)) {
    if (view === null) daemon.tell({ type: 'silent', position, why: 'its worker is starting again' })
    else daemon.tell({ type: 'state', position, view })
  }
  return daemon
}

const text = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map((one) => one.replaceAll(/\s+/g, ' ').trim())

async function graveViolations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  return page.evaluate<
    string[]
  >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`)
}

function withChallenger(challenger: ChallengerView): PositionView {
  return { ...consoleView(), challenger }
}

function withScorecard(scorecard: (now: number) => ScorecardView): PositionView {
  const view = consoleView()
  return { ...view, scorecard: scorecard(view.now) }
}

const STATES: readonly (readonly [string, Readonly<Record<string, PositionView | null>>])[] = [
  ['trading', { 'desk-1': consoleView() }],
  ['halted', { 'desk-1': haltedView() }],
  ['new, with an empty store', { 'desk-1': emptyView() }],
  [
    'asked for withdrawals, with a mid that waits',
    {
      'desk-1': consoleView({
        tradingState: 'REDUCING',
        reasons: ['mid-step: the mid stepped 200 bps'],
        pendingMid: '2652.25',
        withdrawals: exampleWithdrawals(),
      }),
    },
  ],
  ['outside of its band', { 'desk-1': withScorecard((now) => exampleScorecard(now)) }],
  [
    'without a scorecard yet, whose comparison failed',
    { 'desk-1': withScorecard((at) => ({ at, card: null, outsideSince: null, problem: HOSTILE })) },
  ],
  [
    'compared with a week without takers in reach',
    { 'desk-1': withScorecard((at) => exampleScorecard(at, { card: emptyCard(at), outsideSince: null })) },
  ],
  ['with a measured risk', { 'desk-1': { ...consoleView(), risk: exampleRisk(consoleView().now) } }],
  [
    'with a risk that is unknown',
    { 'desk-1': { ...consoleView(), risk: { at: null, measured: null, problem: HOSTILE } } },
  ],
  ['beside a challenger', { 'desk-1': withChallenger(exampleChallenger(consoleView().now)) }],
  [
    'beside a challenger that was suspended before it was compared',
    {
      'desk-1': withChallenger(
        exampleChallenger(consoleView().now, {
          use: './strategies/a-challenger-with-a-very-long-name-of-the-morning-desk.ts',
          compared: null,
          suspended: { since: consoleView().now - 60_000, why: HOSTILE },
        }),
      ),
    },
  ],
  ['in self-custody', { 'desk-1': consoleView({ rfq: exampleOrders() }) }],
  [
    'in a dry run of a strategy with a long name',
    {
      'desk-1': consoleView({
        mode: 'dry-run',
        strategy: {
          use: './strategies/my-own-inventory-skew-of-the-morning-desk.ts',
          params: {},
          suspended: null,
        },
      }),
    },
  ],
  [
    'one of several',
    {
      'desk-1': consoleView(),
      'desk-2': haltedView(),
      'desk-3': consoleView({ paused: true }),
      'desk-4': null,
    },
  ],
]

describe.skipIf(needs('chromium'))('the page', () => {
  test.each(STATES)(
    'of a position that is %s has no serious fault of accessibility, fits and complains of nothing',
    async (_name, views) => {
      const daemon = await daemonWith(views, exampleAnswers(6))
      const { page, complaints } = await openConsole(browser, daemon.url, {
        viewport: PHONE,
        reducedMotion: 'reduce',
      })
      await page.waitForSelector('.panel')
      // Opened on the narrow one, which is the harder one to fit, and then made wide.
      for (const [viewport, colorScheme] of [
        [PHONE, 'light'],
        [WIDE, 'dark'],
      ] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.waitForTimeout(200)
        expect(await graveViolations(page)).toEqual([])
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width)
        expect(await page.locator('body').innerText()).not.toMatch(/NaN|Infinity|undefined|null/)
        expect(complaints).toEqual([])
      }
    },
  )

  test('has no serious fault of accessibility in the other light either, nor with a dialog open', async () => {
    const daemon = await daemonWith({ 'desk-1': consoleView() }, exampleAnswers(6))
    for (const [viewport, colorScheme] of [
      [WIDE, 'light'],
      [PHONE, 'dark'],
    ] as const) {
      const { page } = await openConsole(browser, daemon.url, {
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
      })
      await page.getByRole('button', { name: 'Parameters' }).click()
      await page.waitForSelector('dialog .fields')
      expect(await graveViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      expect(await graveViolations(page)).toEqual([])
    }
  })

  test('shows hostile names, ids, reasons, events and parameters as the text that they are', async () => {
    const { fills, notices } = exampleAnswers() as {
      fills: { fills: object[] }
      notices: { notices: object[] }
    }
    const answers = {
      ...exampleAnswers(),
      fills: {
        fills: [{ ...fills.fills[0], id: HOSTILE, inAsset: HOSTILE, formula: HOSTILE, txHash: HOSTILE }],
        next: null,
      },
      notices: { notices: [{ ...notices.notices[0], kind: HOSTILE, text: HOSTILE }], next: null },
      parameters: { use: HOSTILE, params: { [HOSTILE]: HOSTILE }, schema: null, changed: [], changeable: [] },
    }
    const view = consoleView({
      tradingState: 'HALTED',
      reasons: [HOSTILE, `${HOSTILE} again`],
      version: HOSTILE,
      feeModel: HOSTILE,
      mid: HOSTILE,
      strategy: { use: HOSTILE, params: {}, suspended: null },
      quote: { ...consoleView().quote, because: [HOSTILE] },
    })
    const daemon = await daemonWith({ [HOSTILE]: view, other: consoleView() }, answers)
    const { page, complaints } = await openConsole(browser, daemon.url)
    await page.getByRole('link', { name: HOSTILE }).first().click()
    await expect.poll(() => text(page, '.events .text')).toEqual([HOSTILE])
    expect(await text(page, '.banner .name')).toEqual([HOSTILE])
    expect(await text(page, '.banner .why p')).toEqual([HOSTILE])
    expect(await text(page, '.fills .id')).toEqual([HOSTILE])
    await page.getByRole('button', { name: 'Parameters' }).click()
    expect(await page.locator('dialog').innerText()).toContain(HOSTILE)
    expect(await page.locator('img, script:not([src]), [onerror]').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('says of several positions which is in trouble, and leads to each', async () => {
    const daemon = await daemonWith({
      'desk-1': consoleView(),
      'desk-2': haltedView({ name: 'desk-2' }),
      'desk-3': null,
    })
    const { page } = await openConsole(browser, daemon.url)
    await expect.poll(() => text(page, '.list .state b')).toEqual(['HALTED', 'SILENT', 'ACTIVE'])
    await expect.poll(() => page.title()).toBe('HALTED desk-2 · mizani')
    await page.getByRole('link', { name: 'desk-2' }).last().click()
    await expect.poll(() => text(page, '.banner h1 b')).toEqual(['HALTED'])
    daemon.tell({ type: 'state', position: 'desk-2', view: consoleView({ name: 'desk-2' }) })
    await expect.poll(() => text(page, '.banner h1 b')).toEqual(['ACTIVE'])
    await expect
      .poll(() => text(page, '.unseen[role=status]'))
      .toEqual(['desk-2 is ACTIVE. Quoting both sides.'])
    await page.goBack()
    await page.waitForSelector('.list')
  })

  const confirm = async (page: Page, button: string, token = true) => {
    await page.getByLabel('Who').fill('juma')
    await page.getByLabel('Why').fill('seen with the bank')
    if (token) await page.locator('dialog').getByLabel('Access key').fill('the-token-of-juma')
    await page.locator('dialog').getByRole('button', { name: button }).click()
    await expect.poll(() => text(page, 'dialog .good')).toEqual(['done as told'])
    await page.getByRole('button', { name: 'Close' }).click()
  }

  test('adopts a mid that waits only as a person typed it, with both mids in sight', async () => {
    const view = consoleView({
      tradingState: 'REDUCING',
      reasons: ['mid-step: 200 bps'],
      pendingMid: '2652.25',
    })
    const daemon = await daemonWith({ 'desk-1': view })
    const { page, complaints } = await openConsole(browser, daemon.url)
    await page.getByRole('button', { name: 'Accept the mid' }).click()
    expect(await text(page, 'dialog dd')).toEqual(['2601.5', '2652.25'])
    const field = page.getByLabel(/The mid that you vouch for/)
    expect(await field.inputValue()).toBe('')
    await field.fill(' 2652.25 ')
    await confirm(page, 'Accept the mid')
    expect(daemon.posted).toEqual([
      {
        command: 'resume',
        body: { position: 'desk-1', acceptMid: '2652.25', who: 'juma', why: 'seen with the bank' },
      },
    ])
    daemon.tell({ type: 'state', position: 'desk-1', view: consoleView() })
    await expect.poll(() => page.getByRole('button', { name: 'Accept the mid' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('approves and cancels the withdrawal of its row, and offers neither for one that has left', async () => {
    const daemon = await daemonWith({ 'desk-1': consoleView({ withdrawals: exampleWithdrawals() }) })
    const { page, complaints } = await openConsole(browser, daemon.url)
    const rows = page.locator('.withdrawals tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    const buttons = async (row: number) => rows.nth(row).getByRole('button').allTextContents()
    expect([await buttons(0), await buttons(1), await buttons(2)]).toEqual([
      ['Approve withdrawal', 'Cancel withdrawal'],
      ['Cancel withdrawal'],
      [],
    ])
    await rows.nth(0).getByRole('button', { name: 'Approve withdrawal' }).click()
    expect(await page.locator('dialog').innerText()).toContain(
      `1200.5 USDC to ${exampleWithdrawals()[0]?.toAddress}`,
    )
    await confirm(page, 'Approve withdrawal')
    await rows.nth(1).getByRole('button', { name: 'Cancel withdrawal' }).click()
    await confirm(page, 'Cancel withdrawal', false)
    const said = { position: 'desk-1', who: 'juma', why: 'seen with the bank' }
    expect(daemon.posted).toEqual([
      { command: 'approveWithdrawal', body: { ...said, key: 'key-1' } },
      { command: 'cancelWithdrawal', body: { ...said, key: 'key-2' } },
    ])
    expect(complaints).toEqual([])
  })

  test('zooms by drag and by button, and asks for what is shown', async () => {
    const daemon = await daemonWith({ 'desk-1': consoleView() })
    const { page, requests } = await openConsole(browser, daemon.url)
    const asked = () => {
      const last = requests.findLast((url) => url.includes('history') && url.includes('points=600')) ?? ''
      const { searchParams } = new URL(last)
      return Number(searchParams.get('to')) - Number(searchParams.get('from'))
    }
    await page.waitForSelector('.u-over')
    expect(asked()).toBe(3_600_000)
    await page.locator('.u-over').first().scrollIntoViewIfNeeded()
    const box = await page.locator('.u-over').first().boundingBox()
    if (box === null) throw new Error('no chart')
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width * 0.25, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.75, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => Math.round(asked() / 60_000)).toBe(30)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    // A range begins at the first datum, which is an hour old.
    await page.getByRole('button', { name: '7d' }).click()
    await expect.poll(asked).toBe(3_600_000)
  })

  test('has the events of a time without a connection in its log once it is back', async () => {
    const { notices: all } = exampleAnswers(30)['notices'] as NoticesAnswer
    let newest = 8
    const daemon = await daemonWith(
      { 'desk-1': consoleView() },
      { ...exampleAnswers(), notices: () => ({ notices: all.slice(newest), next: null }) },
    )
    const { page } = await openConsole(browser, daemon.url)
    const shown = () =>
      page.locator('.events time').evaluateAll((times) => times.map((time) => time.dateTime))
    await expect.poll(shown).toHaveLength(22)
    await daemon.cut()
    newest = 0
    await daemon.revive()
    await expect.poll(shown, { timeout: 15_000 }).toEqual(all.map(({ t }) => new Date(t).toISOString()))
  })

  test("takes as today's what came after the last total before midnight, though it is hours older", async () => {
    const view = consoleView()
    const midnight = Math.floor(view.now / DAY_MS) * DAY_MS
    const known = { t: midnight - 5 * 3_600_000, usd: 40 }
    const { history, ...answers } = exampleAnswers()
    const daemon = await daemonWith(
      { 'desk-1': view },
      {
        ...answers,
        history: (query: URLSearchParams) => {
          const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
          if (to !== midnight) return history
          const seen = known.t >= from ? known.usd : null
          return {
            ...(history as HistoryAnswer),
            pnl: { ...(history as HistoryAnswer).pnl, totalUsd: [null, seen] },
          }
        },
      },
    )
    const { page } = await openConsole(browser, daemon.url)
    await expect.poll(() => text(page, '.big div:first-child dd')).toEqual(['+9.26 $'])
  })

  test('pages back through the fills, and a new fill takes nothing away that was paged to', async () => {
    const { fills: all } = exampleAnswers(60)['fills'] as { fills: readonly { readonly id: string }[] }
    let newest = 20
    const daemon = await daemonWith(
      { 'desk-1': consoleView() },
      {
        ...exampleAnswers(),
        fills: (query: URLSearchParams) => {
          const from = query.get('after') === null ? newest : Number(query.get('after'))
          const to = Math.min(all.length, from + Number(query.get('limit')))
          return { fills: all.slice(from, to), next: to === all.length ? null : String(to) }
        },
      },
    )
    const { page } = await openConsole(browser, daemon.url)
    const shown = () => text(page, '.fills .id')
    await expect.poll(shown).toHaveLength(25)
    await page.getByRole('button', { name: 'Older fills' }).click()
    await expect.poll(shown).toEqual(all.slice(20).map(({ id }) => id))
    newest = 18
    const view = consoleView()
    daemon.tell({
      type: 'state',
      position: 'desk-1',
      view: { ...view, fills: { ...view.fills, total: 216 } },
    })
    await expect.poll(shown).toEqual(all.slice(18).map(({ id }) => id))
  })

  test('asks for the token where reading needs one, and keeps it for the tab only', async () => {
    const daemon = await fakeDaemon(exampleAnswers(), { token: 'the-token' })
    daemons.push(daemon)
    daemon.tell({ type: 'hello', version: '0.1.0', now: 0, positions: ['desk-1'], takesCommands: true })
    daemon.tell({ type: 'state', position: 'desk-1', view: consoleView() })
    const { page, requests } = await openConsole(browser, daemon.url)
    await page.getByLabel('Access key', { exact: true }).fill('the-token')
    await page.getByRole('button', { name: 'Keep for this tab' }).click()
    await expect.poll(() => text(page, '.banner h1 b')).toEqual(['ACTIVE'])
    expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, ''])
    expect(requests.filter((url) => url.includes('the-token'))).toEqual([])
  })
})
