import { answer } from '../../api/request.ts'
import { TOKENS } from '../../market/tokens.ts'
import { type PartnerAnswer, type PartnerRoute, refuse } from '../kit/request.ts'
import { SHILLING_UNITS } from '../kit/fields.ts'
import type { Partner, PartnerWorld } from '../model/partner.ts'

/** What the token's other holders have beside the simulated economy: it never moves. Whole shillings. */
const OTHER_HOLDERS_TZS = 5_000_000_000n

/** Whole shillings of the token on the chain: what was minted and not burned, and what a test takes away. */
function onChainSupply({ supply, settings }: PartnerWorld): bigint {
  return OTHER_HOLDERS_TZS + supply.mintedTzs - supply.burnedTzs + BigInt(settings.supplyDifferenceTzs)
}

/** The tracked balances, counted wallet by wallet and not from the mints and burns. Whole shillings. */
function trackedBalance({ venue }: PartnerWorld): { readonly tzs: bigint; readonly wallets: number } {
  const { fees, takers, reserve, external, providers } = venue
  let units = fees.NTZS + takers.NTZS + reserve.NTZS + external.NTZS
  let wallets = 0
  for (const { pool, wallet, opening } of providers) {
    units += pool.NTZS + wallet.NTZS - opening.NTZS
    wallets += 2
  }
  for (const [name, { NTZS }] of venue.accounts) {
    if (!name.startsWith('0x')) continue
    units += NTZS
    wallets += 1
  }
  return { tzs: OTHER_HOLDERS_TZS + units / SHILLING_UNITS, wallets }
}

/** GET /reconcile: the chain's supply against the tracked wallets, which takes longer the more there are. */
function reconcile({ world }: Partner): PartnerAnswer {
  const onChain = onChainSupply(world)
  const { tzs, wallets } = trackedBalance(world)
  const difference = onChain - tzs
  const body = {
    onChainSupplyTzs: Number(onChain),
    dbTotalBalanceTzs: Number(tzs),
    difference: Number(difference),
    isReconciled: difference === 0n,
    walletsChecked: wallets,
    contractAddress: TOKENS.NTZS.address,
    chain: TOKENS.NTZS.chain,
  }
  return answer(200, body, wallets * world.settings.reconcileMsAWallet)
}

/** GET /supply. The contract shows no body. */
function readSupply({ world }: Partner): PartnerAnswer {
  if (world.settings.outOfOrder.includes('token'))
    return refuse('token_paused', 'the token cannot be read while it is paused')
  return answer(200, {
    totalSupplyTzs: Number(onChainSupply(world)),
    contractAddress: TOKENS.NTZS.address,
    chain: TOKENS.NTZS.chain,
  })
}

export const PLATFORM_ROUTES: readonly PartnerRoute[] = [
  { method: 'GET', path: '/reconcile', capability: null, isIdempotent: false, answer: reconcile },
  { method: 'GET', path: '/supply', capability: null, isIdempotent: false, answer: readSupply },
]
