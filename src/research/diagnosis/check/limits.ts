import type { CoreConfig } from '../../../core/engine/model/config.ts'
import { type Asset, formatAmount, OWNED_TOKENS, unownedPairs } from '../../../base/money/asset.ts'
import type { CheckResult } from '../../../venue/check-result.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import {
  formatBand,
  formatRate,
  isWithinBand,
  type Rate,
  RATE_ONE,
  type RateBand,
  rateToNumber,
} from '../../../base/money/rate.ts'
import { openTape } from '../../../store/tape/folder/open-tape.ts'

/** Limits that bound a loss only if they are set. */
const LIMITS = [
  ['maxLossTzs', 'no loss halts this position'],
  ['maxDrawdownTzs', 'no drawdown halts this position'],
  ['maxFillPriceDeviationBps', 'no halt when the venue executes at worse prices than it quotes'],
  ['reviewAfter', 'no amount of execution requires a review'],
] as const satisfies readonly (readonly [keyof CoreConfig['risk'], string])[]

/** Checks for limits that are off, and quoted tokens that cannot be owned. Sends no request. */
export function checkLimits({ risk, quote }: CoreConfig): CheckResult[] {
  return [...limitFindings(risk), ...pairFindings(quote)]
}

function pairFindings({ pairs }: CoreConfig['quote']): CheckResult[] {
  const unowned = unownedPairs(pairs)
  if (unowned.length === 0) return []
  const detail = `quote.pairs ${pairs === null ? 'is null' : 'is longer than what can be owned'}: a fill in ${unowned.join(' or ')} can be neither booked nor withdrawn`
  return [{ name: 'pairs', status: 'warn', detail, hint: `set quote.pairs to [${OWNED_TOKENS.join(', ')}]` }]
}

function limitFindings(risk: CoreConfig['risk']): CheckResult[] {
  const off = LIMITS.filter(([name]) => (risk[name] ?? null) === null)
  if (off.length === 0) {
    return [
      {
        name: 'limits',
        status: 'ok',
        detail: 'loss, drawdown, fill price and review have numbers',
        hint: null,
      },
    ]
  }
  const detail = off.map(([name, what]) => `risk.${name} is null: ${what}`).join('; ')
  const hint = `give ${off.length === 1 ? 'it a number' : 'them numbers'}; config/live.example.yaml has examples`
  return [{ name: 'limits', status: 'warn', detail, hint }]
}

export type StatedBalances = { readonly [asset in Asset]?: bigint }

/** Checks for inventory limits that bind at once, as those in another unit do. */
export function checkInventory({ inventory }: CoreConfig, held: StatedBalances): CheckResult[] {
  return (Object.keys(held) as Asset[]).flatMap((asset) => {
    const amount = held[asset] ?? 0n
    const { min, max } = inventory.limits[asset] ?? { min: null, max: null }
    const isBelow = min !== null && amount < min
    const limit = isBelow ? min : max
    if (limit === null || (!isBelow && amount <= limit)) return []
    const [name, verb] = isBelow ? ['min', 'refills'] : ['max', 'drains']
    const detail = `inventory.limits.${asset}.${name} is ${formatAmount(limit)}, and the position holds ${formatAmount(amount)}: only the side that ${verb} it is quoted`
    const hint = 'limits are amounts of the token: 3000000 NTZS, 1500 USDC'
    return [{ name: 'inventory', status: 'warn' as const, detail, hint }]
  })
}

/** A loss limit below this share of what is held halts within the first moves. */
const LEAST_LOSS_SHARE = 0.001

/** Checks for a loss limit in another unit than shillings: it halts at once, or never. */
export function checkLossLimits({ risk }: CoreConfig, held: StatedBalances, mid: Rate | null): CheckResult[] {
  if (mid === null) return []
  const tokens = (asset: Asset) => Number(held[asset] ?? 0n) / 1e18
  const usd = tokens('NTZS') / rateToNumber(mid) + OWNED_TOKENS.reduce((sum, one) => sum + tokens(one), 0)
  return (['maxLossTzs', 'maxDrawdownTzs'] as const).flatMap((name) => {
    const limit = risk[name]
    if (limit === null || usd === 0) return []
    const limitUsd = Number(limit) / 1e36 / rateToNumber(mid)
    const isSmall = limitUsd < LEAST_LOSS_SHARE * usd
    if (!isSmall && limitUsd <= usd) return []
    const detail = `risk.${name} is worth ${limitUsd.toFixed(2)} USD, and the position ${usd.toFixed(0)}: ${isSmall ? 'it halts with the first loss' : 'it never halts'}`
    return [
      { name: 'limits', status: 'warn' as const, detail, hint: 'the limit is in shillings: 1000000 TZS' },
    ]
  })
}

/** A proposal leaves this margin beyond the lowest and highest known mid. */
const ROOM_PERCENT = 10n
const ROUND = 10n * RATE_ONE
/** A corridor that allows a mid this far from the current one hardly bounds anything. */
const WIDE = 1.5
/** A corridor that ends this near to the mid closes a side without any devaluation. */
const NARROW = 1.02
/** Reads at most this many rates, because the operator waits for the check. */
const MAX_RATES = 5_000_000

/** Checks that the corridor is set, contains the present mid and is narrow; proposes one if it is missing. */
export async function checkCorridor(config: LoadedConfig, mid: Rate | null): Promise<CheckResult> {
  const { risk, mode, rfq } = config.core
  const corridor = risk.priceCorridor
  if (corridor !== null) return present(corridor, mid)
  const path = config.backtest.tape ?? config.record.path
  const seen = path === null ? null : await midsOf(path)
  const isNeeded = mode === 'live' || rfq !== null
  const detail = `risk.priceCorridor is missing: ${isNeeded ? '`run` refuses to start without it' : 'mode live and rfq need it'}`
  return { name: 'corridor', status: isNeeded ? 'fail' : 'warn', detail, hint: proposal(mid, seen) }
}

function present(corridor: RateBand, mid: Rate | null): CheckResult {
  const name = 'corridor'
  const band = `${formatBand(corridor)} TZS per USD`
  if (mid === null) return { name, status: 'ok', detail: `${band}; no mid to compare it with`, hint: null }
  const now = `the venue's mid is ${formatRate(mid)}`
  if (!isWithinBand(corridor, mid)) {
    const hint =
      'compare the mid with another source before you move the corridor: nothing is quoted until then'
    return { name, status: 'fail', detail: `${now}, outside ${band}`, hint }
  }
  const [low, high] = [rateToNumber(corridor.min), rateToNumber(corridor.max)]
  const at = rateToNumber(mid)
  if (low > at / NARROW || high < at * NARROW) {
    const hint = `a move of less than 2 % closes a side, and the corridor changes by restart only; ${proposal(mid, null)}`
    return { name, status: 'warn', detail: `${band} ends within 2 % of the mid; ${now}`, hint }
  }
  if (low >= at / WIDE && high <= at * WIDE)
    return { name, status: 'ok', detail: `${band}; ${now}`, hint: null }
  const hint = `the corridor is wide: a false mid within it can cost half of the inventory; ${proposal(mid, null)}`
  return { name, status: 'warn', detail: `${band}; ${now}`, hint }
}

function proposal(mid: Rate | null, seen: RateBand | null): string {
  const known = [...(mid === null ? [] : [mid]), ...(seen === null ? [] : [seen.min, seen.max])]
  if (known.length === 0)
    return 'there is no venue mid or tape for a proposal: take 10 % either side of the published rate'
  const low = known.reduce((a, b) => (b < a ? b : a))
  const high = known.reduce((a, b) => (b > a ? b : a))
  const min = ((low * (100n - ROOM_PERCENT)) / 100n / ROUND) * ROUND
  const max = (((high * (100n + ROOM_PERCENT)) / 100n + ROUND - 1n) / ROUND) * ROUND
  const from = [
    ...(mid === null ? [] : [`the present mid (${formatRate(mid)})`]),
    ...(seen === null ? [] : [`the mids of the tape (${formatBand(seen)})`]),
  ].join(' and ')
  return `risk: { priceCorridor: { min: '${formatRate(min)}', max: '${formatRate(max)}' } } leaves ${ROOM_PERCENT} % around ${from}; compare with another source first`
}

/** Returns the lowest and highest mid of a tape; null = none, or unreadable. */
async function midsOf(path: string): Promise<RateBand | null> {
  const tape = openTape(path)
  if (!tape.ok) return null
  let band: { min: Rate; max: Rate } | null = null
  let rates = 0
  for await (const batch of tape.value.batches()) {
    for (const mid of batch.rates.mids) {
      if (band === null) band = { min: mid, max: mid }
      else if (mid < band.min) band.min = mid
      else if (mid > band.max) band.max = mid
    }
    rates += batch.rates.length
    if (rates > MAX_RATES) break
  }
  return band
}
