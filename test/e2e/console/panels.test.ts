import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProposalView } from '../../../src/view/proposal-view.ts'
import { launchBrowser } from '../../support/launch-browser.ts'
import { needs } from '../../support/needs.ts'
import { consoleView, exampleAnswers, haltedView, summaryOf } from './example-console.ts'
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
  await dialog.getByLabel(/^Token/).fill('the-token-of-juma')
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
    expect(await page.locator('dialog').innerText()).toContain('risk decides')
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
  test('shows what nobody has in hand, and its button acknowledges it in the name of a person', async () => {
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

const NO_BOX = { x: 0, y: 0, width: 0, height: 0 }

describe.skipIf(needs('chromium'))('the layout', () => {
  test.each([
    [1440, 400],
    [1024, 380],
    [390, 330],
  ])(
    'at %i px every panel has at least %i px, none overlaps another, nothing is cut',
    async (width, least) => {
      const { daemon, page } = await openPanels(
        {
          proposals: () => ({ position: 'desk-1', proposals: [proposal('0000000000000001')] }),
          alerts: () => ({
            alerts: [{ position: 'desk-1', code: 'halted', text: HOSTILE, raisedAt: 0, ack: null }],
          }),
        },
        haltedView({
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
        }),
      )
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
      const boxes = await Promise.all(
        (await page.locator('.grid > *, .banner').all()).map(async (panel) => {
          const { x, y, width: wide, height } = (await panel.boundingBox()) ?? NO_BOX
          return { name: await panel.getAttribute('class'), x, y, wide, height }
        }),
      )
      expect(boxes.filter(({ x, wide }) => wide < least || x < 0 || x + wide > width)).toEqual([])
      const overlaps = boxes.flatMap((one, index) =>
        boxes
          .slice(index + 1)
          .filter(
            ({ x, y, wide, height }) =>
              one.x < x + wide - 1 &&
              x < one.x + one.wide - 1 &&
              one.y < y + height - 1 &&
              y < one.y + one.height - 1,
          )
          .map(({ name }) => `${one.name} over ${name}`),
      )
      expect(overlaps).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await daemon.close()
    },
  )
})
