import type { PartnerClient } from '../client.ts'
import { type Capability } from '../kit/endpoint.ts'
import type { PartnerOutcome } from '../outcome.ts'
import { randomKey } from '../send.ts'

export type Probed = {
  readonly capability: Capability
  /** Null = unknown. */
  readonly has: boolean | null
  /** The code of the refusal; null = not refused. */
  readonly code: string | null
  readonly words: string
}

/** The id of no resource. */
const NOBODY = '00000000-0000-4000-8000-000000000000'
const EMPTY = '{}'

/**
 * Returns the key's capabilities, from answers to harmless requests: reads of a resource that does not exist, and empty
 * bodies. `ramp` is the outcome of an earlier read.
 */
export async function probeCapabilities(
  client: PartnerClient,
  ramp: PartnerOutcome<unknown>,
): Promise<readonly Probed[]> {
  const empty = (endpoint: 'createTransfer' | 'swap') =>
    client.transmit({ endpoint, key: randomKey(), body: EMPTY })
  const platform = { amountTzs: 5_000n, fromTreasury: true, phoneNumber: '255700000000' }
  const outcomes: readonly (readonly [Capability, PartnerOutcome<unknown>])[] = [
    ['collections', await client.readDeposit({ id: NOBODY })],
    ['disbursements', await client.readWithdrawal({ id: NOBODY })],
    ['transfers', await empty('createTransfer')],
    ['treasury', await client.quoteWithdrawal(platform)],
    ['wallets', await client.readUser({ id: NOBODY })],
    ['swap', await empty('swap')],
    ['ramp', ramp],
    ['commerce', await client.merchantWallet({ merchantId: NOBODY })],
  ]
  const float: Probed = {
    capability: 'agent_float',
    has: null,
    code: null,
    words: 'not tried: the only route that needs it opens a wallet',
  }
  return [...outcomes.map(([capability, outcome]) => probed(capability, outcome)), float]
}

/** These codes refuse the key; every other refusal means that the key may make the request. */
const NOT_HELD = ['capability_required', 'treasury_not_provisioned']

function probed(capability: Capability, outcome: PartnerOutcome<unknown>): Probed {
  if (outcome.kind === 'answered') return { capability, has: true, code: null, words: 'held' }
  if (outcome.kind === 'unknown') return { capability, has: null, code: null, words: outcome.words }
  const { code, status, words } = outcome
  if (NOT_HELD.includes(code)) return { capability, has: false, code, words }
  if (code === 'kyb_required') return { capability, has: false, code, words }
  if (code === 'not_available_in_test_mode') return { capability, has: null, code, words }
  if (status === 429 || status >= 500) return { capability, has: null, code, words }
  return { capability, has: true, code, words: 'held' }
}
