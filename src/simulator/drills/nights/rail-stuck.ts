import { setTimeout as pause } from 'node:timers/promises'
import type { TreasuryView } from '../../../daemon/view/treasury-view.ts'
import { shorter } from '../model/advice.ts'
import { type DrilledPosition, hasGuard } from '../model/drilled-position.ts'
import type { Course, Drill } from '../drill.ts'
import { stuckPayment, whyNoRail } from '../model/stuck-payment.ts'
import type { Stage } from '../stage/stage.ts'
import { holdsSafeQuote, isInHand, night, tradeBothSides } from './safety.ts'

/** The alerts that report a late payment. */
const NOTICED_BY = ['treasury-intent-late', 'treasury-claim-open', 'treasury-intent-failed'] as const
const SENT_WITHIN_MS = 60_000
/** The daemon returns this long before the payment is late, so that it detects the moment. */
const BEFORE_MS = 8_000
const POLL_MS = 200
/** An amount above the venue's minimum, in whole shillings. */
const PAYOUT_TZS = '100000'

/** The rail of the treasury takes a payment, never ends it, and no webhook reports it. */
export function railStuck(): Drill {
  /** Payments that the venue accepted before the night began. */
  let taken: readonly string[] = []
  return night({
    what: 'a payment rail of the treasury takes a refill or a payout and never ends it, without a webhook; the daemon is killed and restarted before it is late',
    safeMeans:
      'counted from when 19 of 20 have arrived: people know which payment hangs, nothing was sent a second time after another reading of the balances, and the position quotes with reconciled books, or at the safe quote',
    whyUnplayable: ({ config }) => whyNoRail(config),
    stage: { hasHangingRails: true },
    faultMs: watchedMs,
    noticedBy: () => NOTICED_BY,
    async prepare(stage) {
      await send(stage)
      taken = stage.market.partner.openPayments()
    },
    async disrupt({ stage }) {
      const { at, now } = lateAt(await treasuryOf(stage))
      await stage.passTime(Math.max(0, at - now - BEFORE_MS))
      while ((await treasuryOf(stage)).now < at) await pause(POLL_MS)
    },
    async eachSecond(course) {
      await tradeBothSides(course)
      const again = course.stage.market.partner.openPayments().filter((id) => !taken.includes(id))
      if (again.length > 0) throw new Error('the treasury sent another payment while the first one hangs')
    },
    async isSafe(course) {
      const { stage, sinceMs } = course
      const isTold = stage.receiver.told.some(({ code }) => NOTICED_BY.some((one) => one === code))
      return isTold && sinceMs >= watchedMs(stage.position) && (await isUndisturbed(course))
    },
    advise: adviseNotifying,
  })
}

/** The market making continues, or has ended by its limits; the books of the treasury account for every unit. */
async function isUndisturbed(course: Course): Promise<boolean> {
  const view = await course.stage.daemon().treasury.view()
  if (view === null || (view.identity !== null && Number(view.identity.tzs.residual) !== 0)) return false
  return (await isInHand(course)) || (hasGuard(course.stage.position) && (await holdsSafeQuote(course)))
}

/** People must receive the warning about a late payment within the time that the desk allows. */
const adviseNotifying: Drill['advise'] = (position, failure) => {
  const { notify } = position.config
  const channels = (['telegram', 'slack', 'webhook'] as const).filter((name) => notify[name] !== null)
  const [deaf] = channels
  if (deaf !== undefined && channels.every((name) => notify[name]?.minSeverity === 'critical'))
    return {
      settings: [{ path: `notify.${deaf}.minSeverity`, value: 'warning' }],
      why: 'lets the warning about a late payment through',
    }
  if (notify.groupMs >= failure.allowed)
    return {
      settings: [{ path: 'notify.groupMs', value: Math.floor(failure.allowed / 2) }],
      why: 'sends a warning in time: groups of them wait for this long',
    }
  return {
    settings: [shorter(position, failure, 'treasury.pollEveryMs', 15_000)],
    why: 'shows sooner that a payment is late; treasury.policy.leadTimeMs sets when a refill counts as late',
  }
}

/** Returns the time of one reading of the balances and of the plan that follows. */
function watchedMs({ config }: DrilledPosition): number {
  return Math.min(30_000, 2_000 + (config.treasury?.pollEveryMs ?? 0))
}

/** Waits until the venue has accepted the payment; people order and approve it as the policy requires. */
async function send(stage: Stage): Promise<void> {
  const payment = stuckPayment(stage.position.config)
  let isOrdered = payment?.kind !== 'payout'
  let refusals: readonly string[] = []
  const until = performance.now() + SENT_WITHIN_MS
  while (performance.now() < until) {
    const desk = stage.daemon().treasury
    const view = await desk.view()
    if (view !== null && view.holdings.at !== null) {
      if (!isOrdered && payment?.kind === 'payout') {
        await desk.payOut(payment.payee, PAYOUT_TZS)
        isOrdered = true
      }
      if (isTaken(stage, view)) return
      refusals = await desk.approve(view)
      await coolOff(stage)
    }
    await pause(POLL_MS)
  }
  throw new Error(
    `the treasury sent no payment within ${SENT_WITHIN_MS / 1_000} s: ${whyNothing(await treasuryOf(stage), refusals)}`,
  )
}

/** The venue has answered every leg of the payment in flight. */
function isTaken({ market }: Stage, { intents }: TreasuryView): boolean {
  const stages = intents.flatMap(({ legs }) => legs.map(({ stage }) => stage))
  const isUnderWay = stages.some((stage) => stage === 'known' || stage === 'in_transit')
  return isUnderWay && !stages.includes('sending') && market.partner.openPayments().length > 0
}

/** Waits for the cool-off after a decision by one person. */
async function coolOff(stage: Stage): Promise<void> {
  const { intents, now } = await treasuryOf(stage)
  const waits = intents.map(({ approval }) => (approval.missing === 0 ? approval.notBefore - now : 0))
  const longest = Math.max(0, ...waits)
  if (longest > 0) await stage.passTime(longest)
}

/** Returns when 19 of 20 payments of this kind have arrived, and the current time on the same clock. */
function lateAt({ intents, now }: TreasuryView): { readonly at: number; readonly now: number } {
  return { at: Math.max(...intents.map(({ expected }) => expected.latestAt)), now }
}

function whyNothing({ obstacle, plan, refusedSteps }: TreasuryView, refusals: readonly string[]): string {
  const rejected = plan?.rejected.map(({ route, why }) => `${route}: ${why}`) ?? []
  const steps = refusedSteps.map(({ why }) => why)
  const reasons = [obstacle, ...refusals, ...steps, ...rejected].filter((why) => why !== null)
  return reasons.length === 0 ? 'no reason is shown' : reasons.join('; ')
}

async function treasuryOf(stage: Stage): Promise<TreasuryView> {
  const until = performance.now() + SENT_WITHIN_MS
  while (performance.now() < until) {
    const view = await stage.daemon().treasury.view()
    if (view !== null) return view
    await pause(POLL_MS)
  }
  throw new Error('the treasury does not answer')
}
