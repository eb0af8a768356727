import { z } from 'zod'
import { isRecord } from '../../../base/record.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { partnerEndpoint, param } from '../kit/endpoint.ts'
import { id, maybe, readFigure, shillings, words } from '../kit/read-answer.ts'

/** Whole shillings; `difference` is on-chain minus tracked; reconciled = its absolute value is below 1. */
const reconciliation = z
  .object({
    onChainSupplyTzs: shillings,
    dbTotalBalanceTzs: shillings,
    difference: shillings,
    isReconciled: z.boolean(),
    walletsChecked: maybe(z.number()),
    contractAddress: words,
    chain: words,
  })
  .readonly()

/** GET /reconcile: reads every wallet of the platform, so it is called only on a schedule. */
export const reconcile = partnerEndpoint({
  route: 'GET /reconcile',
  summary: 'Compares the supply on chain with the sum of the tracked wallets. Takes up to two minutes.',
  deadline: 'reconcile',
  params: z.strictObject({}),
  answer: reconciliation,
  command: { resource: 'platform', verb: 'reconcile', example: '' },
})

/** The contract does not define the shape: these are the names of such a figure in its other answers. */
const SUPPLY_FIELDS = ['supplyTzs', 'totalSupplyTzs', 'onChainSupplyTzs', 'totalSupply', 'supply', 'total']

type Supply = {
  /** Whole shillings in circulation, rounded down. */
  readonly supplyTzs: bigint
  /** The unparsed body. */
  readonly fields: Readonly<Record<string, unknown>>
}

function readSupply(body: unknown): Result<Supply, string> {
  const fields = isRecord(body) ? body : { supply: body }
  for (const name of SUPPLY_FIELDS) {
    const supplyTzs = readFigure(fields[name], 0, 'down')
    if (supplyTzs !== null) return ok({ supplyTzs, fields })
  }
  return err(`no figure in any of ${SUPPLY_FIELDS.join(', ')}`)
}

export const supply = partnerEndpoint({
  route: 'GET /supply',
  summary: 'Reads how many shillings of the token are in circulation.',
  params: z.strictObject({}),
  answer: readSupply,
  command: { resource: 'platform', verb: 'supply', example: '' },
})

const subWallet = z.object({ id, address: words, label: words }).readonly()

/**
 * POST /partners/sub-wallets. Payouts and payments pass its id as `subWalletId`; its caps are known only from refusals,
 * which contain `limit`, `requested` and `usedInPeriod`.
 */
export const createSubWallet = partnerEndpoint({
  route: 'POST /partners/sub-wallets',
  summary: 'Opens an agent float: a separate wallet with ceilings that the venue enforces.',
  needs: 'agent_float',
  params: z.strictObject({ label: param.text('what it is for') }),
  answer: subWallet,
  command: { resource: 'floats', verb: 'create', example: '--label treasury-bot' },
})
