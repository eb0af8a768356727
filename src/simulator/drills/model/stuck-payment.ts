import type { ConfigFile } from '../../../daemon/config/schema/schema.ts'

type Treasury = NonNullable<ConfigFile['treasury']>

/** The payment of a desk's treasury that a rail swallows: a refill of a token by its route, or a payout to a payee. */
export type StuckPayment =
  | { readonly kind: 'refill'; readonly asset: 'NTZS' | 'USDC' }
  | { readonly kind: 'payout'; readonly payee: string; readonly to: 'bank' | 'phone' }

/** Returns a payment that the desk's own policy allows: preferably a refill, because market making waits for it. Null = none. */
export function stuckPayment({ treasury }: Pick<ConfigFile, 'treasury'>): StuckPayment | null {
  if (treasury === null) return null
  const { routes } = treasury.policy
  if (routes.includes('bank-deposit') && isRefilled(treasury, 'NTZS'))
    return { kind: 'refill', asset: 'NTZS' }
  if (routes.includes('onramp') && treasury.phone !== null && isRefilled(treasury, 'USDC'))
    return { kind: 'refill', asset: 'USDC' }
  const payee = treasury.payees.find(({ address }) => address === undefined)
  if (payee === undefined || !routes.includes('payout')) return null
  return { kind: 'payout', payee: payee.name, to: payee.bank === undefined ? 'phone' : 'bank' }
}

function isRefilled({ policy }: Treasury, asset: 'NTZS' | 'USDC'): boolean {
  return (policy.bands[asset]?.refillBelow ?? 0n) > 0n
}

/** Returns why no rail of this desk can hang; null = one can. */
export function whyNoRail(config: Pick<ConfigFile, 'treasury'>): string | null {
  if (config.treasury === null)
    return 'the configuration has no section treasury: nothing of the desk moves over a payment rail'
  return stuckPayment(config) === null
    ? 'treasury.policy allows no refill by bank or phone (bands, routes) and no payout to a bank or phone: no payment rail is used'
    : null
}
