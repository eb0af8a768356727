import { DAY_MS, SECOND_MS } from '../../../base/time.ts'
import type { TreasuryFigures } from '../../view/treasury/treasury-figures.ts'
import { setOrClear } from './optional-gauge.ts'
import { createTreasuryMetrics, type TreasuryMetrics } from './treasury-metrics.ts'

/** Every outcome is shown from the start: of a series that begins with its first refusal no rule could see an increase. */
export const WEBHOOK_REFUSALS = [
  'forged',
  'stale',
  'headers',
  'flood',
  'size',
  'broken',
  'method',
] as const satisfies readonly (keyof NonNullable<TreasuryFigures['webhooks']>['refused'])[]

/** The metrics of a treasury as of one reading, made anew for each scrape: what is not known has no series. */
export function measureTreasury(figures: TreasuryFigures): TreasuryMetrics {
  const metrics = createTreasuryMetrics()
  setPlaces(metrics, figures)
  setIntents(metrics, figures)
  setTrust(metrics, figures)
  const { webhooks, rails, calendarDaysLeft } = figures
  for (const { route, failures, isRested } of rails) {
    metrics.railFailures.set({ route }, failures)
    metrics.railRested.set({ route }, Number(isRested))
  }
  metrics.calendarLeftSeconds.set((calendarDaysLeft * DAY_MS) / SECOND_MS)
  if (webhooks === null) return metrics
  for (const outcome of ['kept', 'repeated', 'lost'] as const)
    metrics.webhooks.inc({ outcome }, webhooks[outcome])
  for (const outcome of WEBHOOK_REFUSALS) metrics.webhooks.inc({ outcome }, webhooks.refused[outcome] ?? 0)
  return metrics
}

function setPlaces(metrics: TreasuryMetrics, { readingAgeSeconds, onHand, tokens }: TreasuryFigures): void {
  setOrClear(metrics.readingAgeSeconds, readingAgeSeconds)
  for (const { place, token, held } of onHand) metrics.onHand.set({ place, token }, held)
  for (const { token, inTransit, reserved, claimed, counted, band, dryInSeconds } of tokens) {
    metrics.inTransit.set({ token }, inTransit)
    metrics.reserved.set({ token }, reserved)
    metrics.claimed.set({ token }, claimed)
    if (counted !== null) metrics.counted.set({ token }, counted)
    if (dryInSeconds !== null) metrics.dryInSeconds.set({ token }, dryInSeconds)
    if (band === null) continue
    metrics.band.set({ token, bound: 'refill_below' }, band.refillBelow)
    metrics.band.set({ token, bound: 'target' }, band.target)
    metrics.band.set({ token, bound: 'skim_above' }, band.skimAbove)
  }
}

function setIntents(metrics: TreasuryMetrics, figures: TreasuryFigures): void {
  const { isStopped, openByStage, late, claims, approvals } = figures
  metrics.stopped.set(Number(isStopped))
  for (const [stage, count] of Object.entries(openByStage)) metrics.intents.set({ stage }, count)
  metrics.late.set(late)
  metrics.claims.set(claims)
  metrics.approvals.set(approvals.waiting)
  setOrClear(metrics.approvalAgeSeconds, approvals.oldestSeconds)
}

function setTrust(metrics: TreasuryMetrics, { residualTzs, supply, exit }: TreasuryFigures): void {
  setOrClear(metrics.residualTzs, residualTzs)
  metrics.supplyAlarm.set(Number(supply.isAlarm))
  setOrClear(metrics.supplyDifference, supply.differenceTzs)
  setOrClear(metrics.reconciledAgeSeconds, supply.reconciledAgeSeconds)
  setOrClear(metrics.supplyAgeSeconds, supply.ageSeconds)
  if (exit === null) return
  metrics.exitShare.set(exit.share)
  metrics.exitTzs.set({ part: 'at_hand' }, exit.tzs.atHand)
  metrics.exitTzs.set({ part: 'from_pool' }, exit.tzs.fromPool)
  metrics.exitTzs.set({ part: 'waiting' }, exit.tzs.waiting)
}
