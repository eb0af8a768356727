import type { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { parseTokens } from '../../../base/money/asset.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import type { TreasuryOrder } from '../../../treasury/model/event.ts'
import type { TreasuryAsset } from '../../../treasury/model/place.ts'
import type { TREASURY_BODIES, TreasuryOrderPath } from './treasury-bodies.ts'

type Given = { readonly [Path in TreasuryOrderPath]: z.output<(typeof TREASURY_BODIES)[Path]> }
type Readers = {
  readonly [Path in TreasuryOrderPath]: (
    given: Given[Path],
    state: Readonly<TreasuryState>,
  ) => Result<TreasuryOrder, string>
}

const READERS: Readers = {
  resume: ({ why }) => ok({ name: 'resume', why }),
  'confirm-balances': ({ why }) => ok({ name: 'confirmBalances', why }),
  cancel: ({ intent, why }) => ok({ name: 'cancel', intent, why }),
  hold: ({ intent, why }) => ok({ name: 'hold', intent, why }),
  approve: ({ intent, envelope }) => ok({ name: 'approve', intent, envelope }),
  'confirm-payee': ({ payee, registeredName, why }) =>
    ok({ name: 'confirmPayee', payee, registeredName, why }),
  payout({ payee, asset, amount, why }) {
    const wanted = amountOf('amount', amount, asset)
    if (!wanted.ok) return wanted
    if (wanted.value <= 0n) return err('amount: must be more than zero')
    return ok({ name: 'payout', payee, asset, amount: wanted.value, why })
  },
  'resolve-claim'({ intent, as, received, why }, state) {
    const asset = claimAsset(state, intent, as)
    if (asset === null) return err(`intent: ${intent} has no open claim`)
    const amount = amountOf('received', received, asset)
    if (!amount.ok) return amount
    return ok({ name: 'resolveClaim', intent, as, received: amount.value, why })
  },
}

/** Returns the order of a validated body; the error names the field and a valid value. */
export function treasuryOrderOf(
  path: TreasuryOrderPath,
  body: unknown,
  state: Readonly<TreasuryState>,
): Result<TreasuryOrder, string> {
  const read = READERS[path] as (
    given: unknown,
    state: Readonly<TreasuryState>,
  ) => Result<TreasuryOrder, string>
  return read(body, state)
}

/** Returns the token in which `received` counts: for an arrival the received one, for a return the one that was sent. */
function claimAsset(
  { intents }: Readonly<TreasuryState>,
  id: string,
  as: Given['resolve-claim']['as'],
): TreasuryAsset | null {
  const leg = (Object.hasOwn(intents, id) ? intents[id] : undefined)?.legs.find(
    ({ stage }) => stage === 'claim',
  )
  if (leg === undefined) return null
  return as === 'arrived' ? leg.receiveAsset : leg.asset
}

function amountOf(field: string, text: string, asset: TreasuryAsset): Result<bigint, string> {
  const parsed = parseTokens(text, asset)
  return parsed.ok ? parsed : err(`${field}: ${parsed.error.message}`)
}
