import { drawNormal, seededRandom } from '../../base/random.ts'
import type { Ms } from '../../base/time.ts'
import { DECIMALS, type Amounts, type Asset } from '../../money/asset.ts'
import { drawArrival } from './draws.ts'
import type { CompetitorParams } from './scenario.ts'
import type { CompetitorOpening, Source } from './world.ts'

/** How much of its last mood a competitor keeps from one quote to the next. */
const PERSISTENCE = 0.7

/**
 * Another provider: its half-spread wanders around its base and leans to one side for a while, as if its
 * inventory did; now and then one side is off.
 */
export function createCompetitor(
  params: CompetitorParams,
  seed: number,
  start: Ms,
): { readonly opening: CompetitorOpening; readonly source: Source } {
  const random = seededRandom(seed, `competitor ${params.name}`)
  const reach = (params.maxBps - params.minBps) / 4
  let width = 0
  let lean = 0
  const clamp = (bps: number): number => Math.round(Math.min(params.maxBps, Math.max(params.minBps, bps)))
  const quote = (): { bidBps: number | null; askBps: number | null } => {
    const fresh = Math.sqrt(1 - PERSISTENCE * PERSISTENCE) * reach
    width = PERSISTENCE * width + fresh * drawNormal(random)
    lean = PERSISTENCE * lean + fresh * drawNormal(random)
    const isOneSided = random() < params.oneSidedShare
    return {
      bidBps: isOneSided && lean < 0 ? null : clamp(params.baseBps + width - lean),
      askBps: isOneSided && lean >= 0 ? null : clamp(params.baseBps + width + lean),
    }
  }
  const opening = { name: params.name, ...quote(), amounts: amountsOf(params) }
  let at = drawArrival(random, start, params.requotesPerDay)
  const source: Source = {
    peekAt: () => at,
    next() {
      const step = { at, type: 'competitorQuote' as const, name: params.name, ...quote() }
      at = drawArrival(random, at, params.requotesPerDay)
      return step
    },
  }
  return { opening, source }
}

function amountsOf(params: CompetitorParams): Amounts {
  const whole = (amount: number, asset: Asset): bigint => BigInt(amount) * 10n ** BigInt(DECIMALS[asset])
  return {
    NTZS: whole(params.ntzs, 'NTZS'),
    USDC: whole(params.usdc, 'USDC'),
    USDT: whole(params.usdt, 'USDT'),
    'USDT.bnb': 0n,
  }
}
