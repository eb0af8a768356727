import { answer, type Answer } from '../api/request.ts'
import { TOKENS } from '../market/tokens.ts'
import { SHILLING_UNITS } from './kit/fields.ts'
import { refuse } from './kit/request.ts'
import type { Partner, PartnerWorld } from './model/partner.ts'

/** The holdings of the token outside of the simulated economy, which never move. Whole shillings. */
const OTHER_HOLDERS_TZS = 5_000_000_000n

const CONTRACT = { contractAddress: TOKENS.NTZS.address, chain: TOKENS.NTZS.chain }

/** Whole shillings of the token on chain: minted less burned, plus the difference of the settings. */
function onChainSupply({ supply, settings }: PartnerWorld): bigint {
  return OTHER_HOLDERS_TZS + supply.mintedTzs - supply.burnedTzs + BigInt(settings.supplyDifferenceTzs)
}

/** The number of retries of a webhook without a 2xx answer, and the first pause, which then doubles. */
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

/** GET /reconcile: the chain's supply against the tracked wallets, with a delay for each wallet. */
export function getReconcile({ world }: Partner): Answer {
  const onChain = onChainSupply(world)
  const { tzs, wallets } = trackedBalance(world)
  const difference = onChain - tzs
  const body = {
    onChainSupplyTzs: onChain,
    dbTotalBalanceTzs: tzs,
    difference,
    isReconciled: difference === 0n,
    walletsChecked: wallets,
    ...CONTRACT,
  }
  return answer(200, body, wallets * world.settings.reconcileMsAWallet)
}

/** GET /supply. The contract shows no body. */
export function getSupply({ world }: Partner): Answer {
  if (world.settings.outOfOrder.includes('token'))
    refuse('token_paused', 'the token cannot be read while it is paused')
  return answer(200, { totalSupplyTzs: onChainSupply(world), ...CONTRACT })
}
