import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { PositionFolder } from '../daemon/position-folder.ts'
import { API_KEY, type RunningDaemon } from '../daemon/running-daemon.ts'
import { openCustodyDesk, openDesk, type CustodyDesk, type Desk } from './open-desk.ts'

/** A desk, what goes wrong there once everything runs, and the alerts that must fire for it. */
export type Trouble = {
  readonly desk: Desk
  /** Resolves at once, or keeps on making trouble until it is stopped. */
  readonly begin: (daemon: RunningDaemon, stop: AbortSignal) => Promise<void>
  readonly fires: readonly string[]
  /** What may fire as well: consequences that come or do not within the seconds of a test. */
  readonly mayFire: readonly string[]
}

const EVERYTHING = (chance: Readonly<Record<string, number>>) => ({ routes: [{ route: '*', chance }] })
const THREE_DAYS_MS = 3 * 86_400_000

/** Ten milliseconds and more of every decision: it reads the mid, so that each new one asks it again. */
const SLOW_STRATEGY = `import { defineStrategy, z } from '#kit'
export default defineStrategy({
  name: 'slow',
  params: z.strictObject({}),
  init: () => null,
  quote: ({ mid }) => {
    let sum = mid > 0 ? 1 : 0
    for (let step = 0; step < 3e7; step++) sum += step % 7
    return { bidBps: 60, askBps: 70, reasons: [String(sum)] }
  },
})
`

/** Fired in test/e2e/fleet/alerts.test.ts, because the daemon of these desks runs no fleet. */
export const OF_A_FLEET = [
  'MizaniFleetFiles',
  'MizaniFleetLimit',
  'MizaniFleetLimitNear',
  'MizaniPositionsMissing',
] as const

/**
 * Of a treasury, which these desks have not: promtool plays each in test/e2e/prometheus/alert-rules.test.ts, over series
 * whose names and labels are those of the daemon.
 */
export const OF_A_TREASURY = [
  'MizaniTreasuryApprovalWaiting',
  'MizaniTreasuryClaimOpen',
  'MizaniTreasuryIntentStuck',
  'MizaniTreasuryLow',
  'MizaniTreasuryResidual',
  'MizaniTreasuryRouteRests',
  'MizaniTreasuryRunsDry',
  'MizaniTreasurySupply',
  'MizaniTreasuryWebhookForged',
] as const

/** Of memory that grows for hours: promtool plays it, as those of a treasury. */
export const OF_HOURS = ['MizaniMemoryGrows'] as const

/** Every desk with its trouble; the first of them has none. */
export async function openTroubles(): Promise<readonly Trouble[]> {
  const none = async () => undefined
  return Promise.all([
    openDesk('calm').then((desk) => ({ desk, begin: none, fires: [], mayFire: [] })),
    robbed(),
    stopped(),
    tired(),
    midless(),
    revoked(),
    failing(),
    throttled(),
    meddled(),
    losing(),
    machine(),
    custody(),
  ])
}

/** Money is gone, which halts at once; no one can be told, for the hook is an address that there is not. */
async function robbed(): Promise<Trouble> {
  const desk = await openDesk('robbed', () => ({
    risk: { unexplainedGraceMs: 0, onHalt: 'safe' },
    notify: { webhook: { url: '!env MIZANI_TEST_HOOK', hmacKey: '!env MIZANI_TEST_HOOK_KEY' } },
  }))
  return {
    desk,
    begin: async () => desk.venue.model.inject({ steal: { asset: 'USDC', amount: '5', from: 'pool' } }),
    fires: [
      'MizaniHalted',
      'MizaniBooksIncomplete',
      'MizaniUnexplainedBalance',
      'MizaniNotificationsFailing',
    ],
    // Funds that leave are notified of as someone else's hand too.
    mayFire: ['MizaniAlertRaised'],
  }
}

async function stopped(): Promise<Trouble> {
  const desk = await openDesk('stopped')
  const begin: Trouble['begin'] = async (daemon) => {
    await daemon.post('deactivate', { position: desk.name, why: 'a test', now: true })
  }
  return { desk, begin, fires: ['MizaniQuotingStopped'], mayFire: [] }
}

/** At a limit from the start; then its venue goes three days ahead without a new mid. */
async function tired(): Promise<Trouble> {
  const limits = { NTZS: { min: '40000000', max: null } }
  const desk = await openDesk('tired', () => ({ inventory: { limits } }))
  const begin: Trouble['begin'] = async () => {
    await control(desk, 'advance', { ms: THREE_DAYS_MS })
  }
  const fires = [
    'MizaniInventoryAtLimit',
    'MizaniSideOffLong',
    'MizaniReducing',
    'MizaniMidOld',
    'MizaniClockOff',
  ]
  return { desk, begin, fires, mayFire: [] }
}

async function midless(): Promise<Trouble> {
  const routes = ['GET /rate', 'GET /swap/rate'].map((route) => ({ route, chance: { '500': 1 } }))
  const desk = await openDesk('midless', () => ({}), { faults: { routes } })
  const mayFire = ['MizaniVenueFailing', 'MizaniReducing', 'MizaniQuoteUnknown', 'MizaniQuotingStopped']
  return { desk, begin: async () => undefined, fires: ['MizaniMidUnknown'], mayFire }
}

async function revoked(): Promise<Trouble> {
  const desk = await openDesk('revoked')
  const begin = async () => {
    desk.venue.model.options.apiKey = 'mm_rotated'
  }
  return {
    desk,
    begin,
    fires: ['MizaniKeyRefused', 'MizaniStillQuoted'],
    mayFire: ['MizaniHalted', 'MizaniQuoteUnknown', 'MizaniAlertRaised'],
  }
}

async function failing(): Promise<Trouble> {
  const desk = await openDesk('failing')
  return {
    desk,
    begin: async () => desk.venue.model.inject({ faults: EVERYTHING({ '500': 1 }) }),
    fires: ['MizaniVenueFailing', 'MizaniQuoteUnknown', 'MizaniAlertRaised'],
    mayFire: ['MizaniReducing', 'MizaniBooksIncomplete'],
  }
}

async function throttled(): Promise<Trouble> {
  const desk = await openDesk('throttled')
  return {
    desk,
    begin: async () => desk.venue.model.inject({ faults: EVERYTHING({ '429': 1 }) }),
    fires: ['MizaniRateLimited', 'MizaniBudgetUsedUp'],
    mayFire: ['MizaniReducing', 'MizaniQuoteUnknown'],
  }
}

/** Someone else with the same key sets another spread, again and again. */
async function meddled(): Promise<Trouble> {
  // Put back each time; what latches is quoted safely and repairs nothing more.
  const desk = await openDesk('meddled', () => ({
    pacing: { quoteCheckIntervalMs: 100 },
    risk: { foreignWrites: 'repair' },
  }))
  const begin: Trouble['begin'] = async (_daemon, stop) => {
    while (!stop.aborted) {
      await fetch(`${desk.venue.url}/api/v1/mm/spread`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ bidBps: 222, askBps: 333, quoteBid: true, quoteAsk: true }),
      })
      await pause(100)
    }
  }
  return { desk, begin, fires: ['MizaniRepairsOften'], mayFire: ['MizaniQuoteUnknown'] }
}

/** The mid moves against us after each fill and before we learn of it, and falls by a tenth first. */
async function losing(): Promise<Trouble> {
  // Whatever would stop such trading is off: the alerts are about trading that continues.
  const off = { maxMidStepBps: null, maxMidMoveBpsPerHour: null, maxMidMoveBpsPerDay: null }
  const desk = await openDesk('losing', () => ({ risk: { ...off, maxFillPriceDeviationBps: null } }), {
    faults: { fills: { late: 1, lateMeanMs: 400 } },
  })
  const { model } = desk.venue
  const begin: Trouble['begin'] = async (_daemon, stop) => {
    model.inject({ jump: { bps: -1_000 } })
    for (let round = 0; !stop.aborted; round++) {
      const buysDollars = round % 2 === 0
      if (buysDollars) model.swap({ from: 'NTZS', to: 'USDC', amountIn: 200_000n * 10n ** 18n })
      else model.swap({ from: 'USDC', to: 'NTZS', amountIn: 80_000_000n })
      model.inject({ jump: { bps: buysDollars ? 400 : -385 } })
      await pause(1_500)
    }
  }
  // Where the balances arrive before the row, four per cent against us is a loss that no fill at today's mid could make.
  const mayFire = [
    'MizaniBooksIncomplete',
    'MizaniUnexplainedBalance',
    'MizaniReducing',
    'MizaniAlertRaised',
    'MizaniHalted',
  ]
  return { desk, begin, fires: ['MizaniLosing', 'MizaniDrawdown'], mayFire }
}

/** A strategy that computes too much, a tape where a file is in the way, and a small disk for the store. */
async function machine(): Promise<Trouble> {
  const desk = await openDesk('machine', (folder) => ({
    strategy: { use: folder.write('slow.ts', SLOW_STRATEGY), params: {} },
    record: { path: fileInTheWay(folder) },
  }))
  const isSmall = mountSmall(desk.folder.store)
  const close = async () => {
    if (isSmall) execFileSync('umount', ['-l', desk.folder.store])
    await desk.close()
  }
  return {
    desk: { ...desk, close },
    begin: async (_daemon, stop) => {
      // Something to decide upon, several times a second.
      while (!stop.aborted) {
        desk.venue.model.inject({ jump: { bps: 1 } })
        await pause(400)
      }
    },
    fires: ['MizaniDecidesSlowly', 'MizaniNotRecording', ...(isSmall ? ['MizaniDiskNearlyFull'] : [])],
    // Whose decisions take so long may fall behind with its looks at the venue too.
    mayFire: ['MizaniReducing'],
  }
}

function fileInTheWay({ write }: PositionFolder): string {
  return write('tape', 'not a folder')
}

/** False where this user may not mount: few containers may. */
function mountSmall(store: string): boolean {
  mkdirSync(store)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', store], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The venue cannot read the chain for some orders; then an allowance is taken away, and the chain stands still. */
async function custody(): Promise<Trouble> {
  const desk: CustodyDesk = await openCustodyDesk('custody', { faults: { chainUnavailable: true } })
  const { chain } = desk
  const begin = async () => {
    // An order is tried every five seconds; one of them has to be refused before the eyes of Prometheus.
    await pause(7_000)
    await chain.tokens.approve('NTZS', chain.accounts.maker.address, chain.exchange, 0n)
    await chain.rpc('evm_setIntervalMining', [0])
  }
  const fires = ['MizaniOrderRejected', 'MizaniPromiseOverBalance', 'MizaniChainLag']
  return { desk, begin, fires, mayFire: ['MizaniBooksIncomplete', 'MizaniQuotingStopped'] }
}

async function control({ venue }: Desk, what: 'advance' | 'inject', body: object): Promise<void> {
  const answer = await fetch(`${venue.url}/sandbox/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
