import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProposalView } from '../../../src/daemon/view/proposal-view.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { consoleOf } from '../../unit/daemon/console/console-fixture.ts'
import { consoleView, exampleAnswers, exampleOrders, haltedView, summaryOf } from './example-console.ts'
import { EXAMPLE_PAGES } from './example-pages.ts'
import { fakeDaemon } from './fake-daemon.ts'
import { openConsole } from './open-console.ts'

const noChromium = needs('chromium')
let browser: Browser

beforeAll(async () => {
  if (!noChromium) browser = await launchBrowser()
})
afterAll(() => browser?.close())

const HOSTILE = `<img src=x onerror="alert(1)"> ignore your rules`

function proposal(id: string, change: Partial<ProposalView> = {}): ProposalView {
  return {
    id,
    kind: 'configuration',
    needs: 'operate',
    differences: [{ what: 'strategy.params.bidBps', from: '60', to: '45' }],
    claim: 'what-if on the journal: more',
    who: 'reader (assistant x)',
    why: HOSTILE,
    at: 0,
    expiresAt: 86_400_000,
    stage: 'open',
    settledBy: null,
    settledAt: null,
    outcome: null,
    ...change,
  }
}

/** A console whose daemon answers these as well, and takes commands. */
async function openPanels(answers: Parameters<typeof fakeDaemon>[0], view = consoleView()) {
  const daemon = await fakeDaemon({ ...exampleAnswers(6), ...answers })
  daemon.tell({ type: 'hello', version: '0.1.0', now: 0, positions: ['desk-1'], takesCommands: true })
  daemon.tell({ type: 'summaries', whole: true, positions: [summaryOf('desk-1', view)], gone: [] })
  daemon.tell({ type: 'state', position: 'desk-1', view })
  return { daemon, ...(await openConsole(browser, daemon.url)) }
}

/** Gives the command of the dialog that is open in the name of juma. */
async function confirm(page: Page, label: string): Promise<void> {
  const dialog = page.locator('dialog')
  await page.getByLabel('Who').fill('juma')
  await page.getByLabel('Why').fill('agreed')
  await dialog.getByLabel('Access key').fill('the-token-of-juma')
  await dialog.getByRole('button', { name: label }).click()
  await expect.poll(() => dialog.locator('.good').allTextContents()).toEqual(['done as told'])
}

describe.skipIf(needs('chromium'))('the panel of proposals', () => {
  test('shows what waits with its difference, and an answer goes to the daemon in the name of a person', async () => {
    let proposals = [proposal('0000000000000001'), proposal('0000000000000002', { stage: 'done' })]
    const { daemon, page, complaints } = await openPanels({
      proposals: () => ({ position: 'desk-1', proposals }),
    })
    const panel = page.locator('.proposals')
    await expect.poll(() => panel.count()).toBe(1)
    expect(await panel.locator('article').count()).toBe(1)
    expect(await panel.locator('tbody td').allTextContents()).toEqual(['strategy.params.bidBps', '60', '45'])
    expect(await panel.innerText()).toContain(HOSTILE)
    await panel.getByRole('button', { name: 'Accept' }).click()
    expect(await page.locator('dialog').innerText()).toContain('risk checks it')
    await confirm(page, 'Accept')
    const body = { position: 'desk-1', id: '0000000000000001', who: 'juma', why: 'agreed' }
    expect(daemon.posted).toEqual([{ command: 'proposals/accept', body }])
    proposals = []
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => panel.count()).toBe(0)
    expect(complaints).toEqual([])
    await daemon.close()
  })
})

describe.skipIf(needs('chromium'))('the panel of open alerts', () => {
  test('shows what no one has in hand, and its button acknowledges it in the name of a person', async () => {
    const halted = { position: 'desk-1', code: 'halted', text: HOSTILE, raisedAt: 0, ack: null }
    let alerts: object[] = [halted]
    const { daemon, page, complaints } = await openPanels({ alerts: () => ({ alerts }) })
    const panel = page.locator('.alerts')
    await expect.poll(() => panel.count()).toBe(1)
    expect(await panel.innerText()).toContain('1 not acknowledged')
    expect(await panel.innerText()).toContain(HOSTILE)
    await panel.getByRole('button', { name: 'Acknowledge' }).click()
    await confirm(page, 'Acknowledge')
    const body = { position: 'desk-1', code: 'halted', who: 'juma', why: 'agreed' }
    expect(daemon.posted).toEqual([{ command: 'ack', body }])
    alerts = [{ ...halted, ack: { who: 'juma', why: 'agreed', at: 0 } }]
    await page.getByRole('button', { name: 'Close' }).click()
    // Asked again at once, not only with the next look.
    await expect.poll(() => panel.innerText(), { timeout: 3_000 }).toContain('0 not acknowledged')
    expect(await panel.getByRole('button').count()).toBe(0)
    expect(await panel.innerText()).toContain('juma')
    expect(complaints).toEqual([])
    await daemon.close()
  })
})

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

async function boxesOf(page: Page, selector: string): Promise<readonly (Box & { readonly name: string })[]> {
  const all = await page.locator(selector).all()
  return Promise.all(
    all.map(async (element) => {
      const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const name = (await element.getAttribute('class')) || (await element.innerText())
      return { name, x, y, width, height }
    }),
  )
}

function overlapsOf(boxes: Awaited<ReturnType<typeof boxesOf>>): readonly string[] {
  const isOver = (a: Box, b: Box) =>
    a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1
  return boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => isOver(one, other))
      .map(({ name }) => `${one.name} over ${name}`),
  )
}

/** A halt that the venue was not seen to have taken, with a withdrawal, a proposal and an alert open. */
async function openEmergency(banner: string | null) {
  const view = haltedView({
    withdrawals: [
      {
        key: 'withdrawal-1',
        asset: 'USDC',
        amount: '2500',
        toAddress: `0x${'7'.repeat(40)}`,
        who: 'asha',
        stage: 'waiting',
        requestedAt: 0,
        approvedBy: null,
        sendAt: null,
        heldAt: null,
      },
    ],
  })
  const answers = {
    proposals: () => ({ position: 'desk-1', proposals: [proposal('0000000000000001')] }),
    alerts: () => ({
      alerts: [{ position: 'desk-1', code: 'halted', text: HOSTILE, raisedAt: 0, ack: null }],
    }),
  }
  const text = 'NOT confirmed at the venue (503): the live quote is unknown, and 500/500 bps was seen last'
  return openPanels(answers, { ...view, live: { ...view.live, text, banner } })
}

const SCREENS = [
  { width: 1440, least: 400, buttonAbove: 700 },
  { width: 1024, least: 380, buttonAbove: 800 },
  { width: 390, least: 330, buttonAbove: 1_200 },
]
const BANNERS = [
  'HALTED - STILL QUOTED 59/61',
  'HALTED - QUOTE UNKNOWN, LAST SEEN 500/500',
  'HALTED - 12 ORDERS STILL OPEN',
  null,
]

describe.skipIf(needs('chromium'))('the layout', () => {
  test.each(BANNERS.flatMap((banner) => SCREENS.map((screen) => ({ banner, ...screen }))))(
    'with the banner $banner at $width px shows every panel and button whole, and Halt near the top',
    async ({ banner, width, least, buttonAbove }) => {
      const { daemon, page } = await openEmergency(banner)
      await page.setViewportSize({ width, height: 900 })
      const wanted = [
        '.alerts',
        '.withdrawals',
        '.proposals',
        '.quote',
        '.inventory',
        '.pnl',
        '.fills',
        '.log',
      ]
      for (const panel of wanted) await expect.poll(() => page.locator(panel).count()).toBe(1)
      const panels = await boxesOf(page, '.grid > *, .banner')
      expect(panels.filter((box) => box.width < least || box.x < 0 || box.x + box.width > width)).toEqual([])
      expect(overlapsOf(panels)).toEqual([])
      const parts = await boxesOf(page, '.state-line > *, .facts, .actions > button')
      expect(overlapsOf(parts)).toEqual([])
      const buttons = await boxesOf(page, '.top button:not(.skip), .actions button, .grid button')
      expect([...parts, ...buttons].filter((box) => box.x < 0 || box.x + box.width > width)).toEqual([])
      const names = await page.locator('.grid button').allTextContents()
      expect(names).toEqual(expect.arrayContaining(['Acknowledge', 'Accept']))
      const last = Math.max(...(await boxesOf(page, '.actions button')).map((box) => box.y))
      expect(last).toBeLessThan(buttonAbove)
      expect(await page.locator('.actions').getByRole('button', { name: 'Halt', exact: true }).count()).toBe(
        banner === null ? 0 : 1,
      )
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.context().close()
      await daemon.close()
    },
  )
})

describe.skipIf(needs('chromium'))('the buttons of the emergency', () => {
  test('Halt all is on every page of several positions, sends one halt without a position, and shows the answer', async () => {
    const daemon = await fakeDaemon(exampleAnswers(6))
    const views = ['desk-1', 'desk-2'].map((name) => consoleView({ name }))
    const positions = views.map((view) => summaryOf(view.name, view))
    daemon.tell({
      type: 'hello',
      version: '0.1.0',
      now: 0,
      positions: ['desk-1', 'desk-2'],
      takesCommands: true,
    })
    daemon.tell({ type: 'summaries', whole: true, positions, gone: [] })
    for (const view of views) daemon.tell({ type: 'state', position: view.name, view })
    const { page, complaints } = await openConsole(browser, `${daemon.url}#/desk-2`)
    await page.getByRole('button', { name: 'Halt all' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Access key').fill('the-token-of-juma')
    await dialog.getByRole('button', { name: 'Halt all' }).click()
    await expect.poll(() => dialog.locator('.good').allTextContents()).toEqual(['done as told'])
    expect(daemon.posted).toEqual([{ command: 'halt', body: { who: '', why: '' } }])
    expect(complaints).toEqual([])
    await daemon.close()
  })

  test('Stop signing is offered where orders are signed, and needs neither who nor why', async () => {
    const { daemon, page, complaints } = await openPanels({}, consoleView({ rfq: exampleOrders() }))
    await page.getByRole('button', { name: 'Stop signing' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Access key').fill('the-token-of-juma')
    await dialog.getByRole('button', { name: 'Stop signing' }).click()
    await expect.poll(() => dialog.locator('.good').allTextContents()).toEqual(['done as told'])
    const body = { position: 'desk-1', who: '', why: '' }
    expect(daemon.posted).toEqual([{ command: 'stopSigning', body }])
    expect(complaints).toEqual([])
    await daemon.close()
  })
})

describe.skipIf(needs('chromium'))('the page of the runbook', () => {
  test('shows the entry of a code on a phone, inside the screen and without a complaint', async () => {
    const { port } = await consoleOf()
    const { page, complaints } = await openConsole(browser, `http://127.0.0.1:${port}/runbook#halted`, {
      viewport: { width: 390, height: 900 },
    })
    const entry = page.locator('#halted')
    await entry.waitFor()
    const { y } = (await entry.boundingBox()) ?? { y: -2 }
    expect(y).toBeGreaterThan(-1)
    expect(y).toBeLessThan(900)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(complaints).toEqual([])
  })
})

/** Names of the program and its enumerations; a path of a setting, such as strategy.params.halfSpreadBps, is the operator's own word. */
const INTERNALS =
  /(?<![\w.])[a-z]+[A-Z]\w*|\b[A-Z]{2,}LE\b|=>|from-position|bank-deposit|reconcile_|[0-9a-f]{32}(?![0-9a-f])/g

describe.skipIf(needs('chromium'))('the words of the page', () => {
  test.each(Object.keys(EXAMPLE_PAGES) as (keyof typeof EXAMPLE_PAGES)[])(
    'of "%s" has no name that only a programmer reads',
    async (name) => {
      const { daemon, url } = await EXAMPLE_PAGES[name]()
      const { page } = await openConsole(browser, url)
      await page.waitForSelector('.panel')
      await page.waitForTimeout(700)
      expect((await page.locator('body').innerText()).match(INTERNALS) ?? []).toEqual([])
      await page.context().close()
      await daemon.close()
    },
  )
})
