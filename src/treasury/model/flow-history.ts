import { HOUR_MS, type Ms } from '../../base/time.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from './place.ts'

/** Eight weeks. */
export const FLOW_HOURS = 8 * 7 * 24

/**
 * The position's net flow by hour: takers' inflow (+) and outflow (-) in base units, without refills and payouts. Hours
 * without an entry after `since` had no flow.
 */
export type FlowHistory = {
  /** When the record began; null = nothing has been recorded. */
  readonly since: Ms | null
  /** In order of time, at most FLOW_HOURS; `at` is the start of the hour. */
  readonly hours: readonly FlowHour[]
}

type FlowHour = { readonly at: Ms; readonly flow: Readonly<Record<TreasuryAsset, bigint>> }

export const NO_FLOW: FlowHistory = { since: null, hours: [] }

/** Returns the history plus one reading. A reading older than the last hour counts to that hour. */
export function addFlow(
  history: FlowHistory,
  t: Ms,
  flow: Readonly<Record<TreasuryAsset, bigint>>,
): FlowHistory {
  const last = history.hours.at(-1)
  const at = Math.max(t - (t % HOUR_MS), last?.at ?? 0)
  const since = Math.max(history.since ?? t, at - (FLOW_HOURS - 1) * HOUR_MS)
  if (TREASURY_ASSETS.every((asset) => flow[asset] === 0n)) return { since, hours: history.hours }
  const isSame = last?.at === at
  const hour: FlowHour = { at, flow: isSame ? sum(last.flow, flow) : { ...flow } }
  const before = isSame ? history.hours.slice(0, -1) : history.hours
  return { since, hours: [...before.filter(({ at: start }) => start > at - FLOW_HOURS * HOUR_MS), hour] }
}

function sum(
  a: Readonly<Record<TreasuryAsset, bigint>>,
  b: Readonly<Record<TreasuryAsset, bigint>>,
): Record<TreasuryAsset, bigint> {
  return { NTZS: a.NTZS + b.NTZS, USDC: a.USDC + b.USDC, USDT: a.USDT + b.USDT }
}

/** Returns the net flow of a token in each whole hour from the first recorded to the last before `now`. */
export function hourlyFlow(history: FlowHistory, asset: TreasuryAsset, now: Ms): HourlySeries {
  const end = now - (now % HOUR_MS)
  if (history.since === null) return { start: end, values: [] }
  const oldest = end - FLOW_HOURS * HOUR_MS
  // The record began within an hour, which is therefore incomplete.
  const start = Math.max(Math.ceil(history.since / HOUR_MS) * HOUR_MS, oldest)
  const values = Array.from({ length: Math.max(0, Math.round((end - start) / HOUR_MS)) }, () => 0)
  for (const { at, flow } of history.hours) {
    const index = Math.round((at - start) / HOUR_MS)
    if (index >= 0 && index < values.length) values[index] = Number(flow[asset])
  }
  return { start: Math.min(start, end), values }
}

/** Value i belongs to the hour that starts at `start` + i hours. Doubles, only for statistics. */
export type HourlySeries = { readonly start: Ms; readonly values: readonly number[] }
