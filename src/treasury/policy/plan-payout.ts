import { err, ok, type Result } from '../../base/result.ts'
import { formatTokens } from '../../base/money/asset.ts'
import type { Payee } from '../model/config.ts'
import type { IntentRule } from '../model/intent.ts'
import { TREASURY_ASSETS, type TreasuryAsset } from '../model/place.ts'
import { chooseRoute } from './choose-route.ts'
import type { Need } from './needs.ts'
import type { PlanInput, PlannedIntent, RejectedRoute } from '../model/plan-types.ts'
import { mostFee } from './routes/estimate.ts'
import { unreadRail, type Draft } from './routes/feasibility.ts'
import { PAYOUT_BELOW } from './routes/lots.ts'
import { PAYOUT_ROUTES } from './routes/payout-routes.ts'
import { wholeUnits } from './units.ts'

/** A payout that a person ordered: base units of a token to a configured payee. */
type PayoutOrder = { readonly payee: string; readonly asset: TreasuryAsset; readonly amount: bigint }

type Choice = { readonly draft: Draft | null; readonly rejected: readonly RejectedRoute[] }

/** Returns the intent of an ordered payout, or why no route can carry it. */
export function planPayout(input: PlanInput, order: PayoutOrder): Result<PlannedIntent, string> {
  const { asset, amount } = order
  const payee = input.config.payees.find(({ name }) => name === order.payee)
  if (payee === undefined) return err(`${order.payee} is not among treasury.payees`)
  if (amount <= 0n) return err('the amount of a payout must be more than zero')
  if (input.quote.isHalted) return err('the book is halted: nothing starts')
  const unread = unreadRail(input, asset)
  if (unread !== null) return err(unread)
  const first = input.firstPayout(payee.name, asset)
  if (first !== null && amount !== first && (asset === 'NTZS' || payee.to.kind === 'address'))
    return err(
      `${payee.name} has never been paid: a first payout of ${formatTokens(first, asset)} ${asset} comes before any other amount`,
    )
  if (wholeUnits(amount, asset) !== amount)
    return err(`${formatTokens(amount, asset)} ${asset} are not whole shillings, and rails pay only those`)
  const { draft, rejected } = choose(input, 'payout', payee, asset, amount)
  if (draft === null) return err(rejected.map(({ route, why }) => `${route}: ${why}`).join('; '))
  const why = `a payout of ${formatTokens(amount, asset)} ${asset} to ${payee.name} was ordered`
  return ok({ ...draft, rule: 'payout', asset, direction: 'out', worth: null, why })
}

/** Plans the skim when it is due: the excess over the target of each token above its band goes to `profitsTo`. */
export function planSkim(
  input: PlanInput,
  needs: Readonly<Record<TreasuryAsset, Need>>,
  refills: readonly PlannedIntent[],
): { readonly steps: readonly PlannedIntent[]; readonly rejected: readonly RejectedRoute[] } {
  const { config, isSkimDue } = input
  const payee = config.payees.find(({ name }) => name === config.policy.profitsTo)
  const steps: PlannedIntent[] = []
  const rejected: RejectedRoute[] = []
  if (!isSkimDue || payee === undefined) return { steps, rejected }
  for (const asset of TREASURY_ASSETS) {
    const { band, total } = needs[asset]
    if (band === null || total <= band.skimAbove) continue
    const excess = total - band.target
    const obstacle = skimObstacle(input, asset, excess, refills)
    if (obstacle !== null) {
      for (const [route] of PAYOUT_ROUTES)
        rejected.push({ rule: 'skim', route, asset, direction: 'out', why: obstacle })
      continue
    }
    const choice = choose(input, 'skim', payee, asset, withoutFees(payee, asset, excess))
    rejected.push(...choice.rejected)
    if (choice.draft === null) continue
    const why = `${formatTokens(total, asset)} ${asset} are above ${formatTokens(band.skimAbove, asset)}: what exceeds the target of ${formatTokens(band.target, asset)} goes to ${payee.name}`
    steps.push({ ...choice.draft, rule: 'skim', asset, direction: 'out', worth: null, why })
  }
  return { steps, rejected }
}

function skimObstacle(
  input: PlanInput,
  asset: TreasuryAsset,
  excess: bigint,
  refills: readonly PlannedIntent[],
): string | null {
  if (input.quote.isHalted) return 'the book is halted: nothing starts'
  const smallest = input.config.policy.smallest[asset]
  if (excess < smallest)
    return `${formatTokens(excess, asset)} ${asset} are less than ${formatTokens(smallest, asset)} ${asset}, the smallest movement`
  const isMoving = [...input.active, ...refills].some(
    (one) => one.asset === asset || ('spendAsset' in one && one.spendAsset === asset),
  )
  return isMoving ? `an intent already moves ${asset}` : unreadRail(input, asset)
}

/** Returns the payout that, including its fees, does not exceed the excess. */
function withoutFees(payee: Payee, asset: TreasuryAsset, excess: bigint): bigint {
  if (asset !== 'NTZS' || payee.to.kind === 'address') return excess
  const payments = excess / PAYOUT_BELOW + 2n
  const net = excess - payments * mostFee('payout', 0n) - mostFee('payout', excess)
  return net > 0n ? wholeUnits(net, asset) : 0n
}

function choose(
  input: PlanInput,
  rule: IntentRule,
  payee: Payee,
  asset: TreasuryAsset,
  amount: bigint,
): Choice {
  const wish = { payee, asset, amount }
  const wanted = { rule, asset, direction: 'out', delayCost: () => 0n } as const
  const { best, rejected } = chooseRoute(input, PAYOUT_ROUTES, wish, wanted)
  return { draft: best, rejected }
}
