import type { Asset, TokenAmount } from '../../money/asset.ts'
import type { Transition } from '../transition.ts'
import type { WithdrawalRequest } from '../model/withdrawal-state.ts'

/** What is known of a withdrawal; one that a person sent without a key has none. */
type Moved = { readonly asset: Asset; readonly amount: TokenAmount } & Partial<
  Pick<WithdrawalRequest, 'key' | 'toAddress' | 'who' | 'sendAt'>
>

/** Observes that a withdrawal has come to a stage, so that the books show what was under way at any moment. */
export function noteMove(
  { emit, now }: Pick<Transition, 'emit' | 'now'>,
  { key, asset, amount, toAddress, who, sendAt }: Moved,
  stage: WithdrawalRequest['stage'],
): void {
  emit({
    type: 'withdrawalMoved',
    t: now,
    key: key ?? null,
    asset,
    amount,
    toAddress: toAddress ?? null,
    who: who ?? null,
    sendAt: sendAt ?? null,
    stage,
  })
}
