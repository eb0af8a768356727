import type { PositionView, WithdrawalView } from '../../../view/position-view.ts'
import type { Button } from '../../commands/command-entry.ts'
import { type ButtonName, OPERATOR_COMMANDS } from '../../commands/operator-commands.ts'

/** Accepting a mid is a resume that names it. */
type ActionName = Exclude<ButtonName, WithdrawalActionName> | 'acceptMid'

export type Action = Button & { readonly name: ActionName }

const ACCEPT_MID: Button = {
  label: 'Accept the mid',
  effect:
    'You vouch for the waiting mid: it replaces the current one, the limits on its movement start from it, and trading resumes.',
  isGrave: true,
}

function buttonOf(name: ActionName | WithdrawalActionName): Button {
  return name === 'acceptMid' ? ACCEPT_MID : OPERATOR_COMMANDS[name].button
}

/** Returns the actions available in the position's current state; risk decides in any case. */
export function actionsFor(view: PositionView): readonly Action[] {
  const isHalted = view.tradingState === 'HALTED'
  const isPooled = view.rfq === null
  // In the order of the buttons.
  const isShown: { readonly [Name in ActionName]: boolean } = {
    pause: !view.paused && !isHalted,
    resume: view.paused || view.tradingState !== 'ACTIVE' || view.strategy.suspended !== null,
    acceptMid: view.pendingMid !== null,
    // A dry run refuses it.
    activate: isPooled && view.isActive === false && !isHalted && view.mode === 'live',
    deactivate: isPooled && view.isActive !== false,
    cancelOrders: !isPooled,
    stopSigning: !isPooled,
    reload: true,
    // A halt that the venue has not confirmed may be sent again: it is executed each time.
    halt: !isHalted || view.live.banner !== null,
  }
  const names = Object.keys(isShown) as readonly ActionName[]
  return names.filter((name) => isShown[name]).map((name) => ({ name, ...buttonOf(name) }))
}

type WithdrawalActionName = Extract<ButtonName, 'approveWithdrawal' | 'cancelWithdrawal'>
/** By the command's name in the API. */
export type WithdrawalAction = Button & { readonly name: WithdrawalActionName }

const APPROVE: WithdrawalAction = { name: 'approveWithdrawal', ...buttonOf('approveWithdrawal') }
const CANCEL: WithdrawalAction = { name: 'cancelWithdrawal', ...buttonOf('cancelWithdrawal') }

/** Returns the actions for a withdrawal: one that was sent cannot be cancelled. */
export function withdrawalActions({
  stage,
  heldAt,
}: Pick<WithdrawalView, 'stage' | 'heldAt'>): readonly WithdrawalAction[] {
  if (stage === 'waiting' || heldAt !== null) return [APPROVE, CANCEL]
  return stage === 'approved' ? [CANCEL] : []
}

/** Returns the difference that a resumption may book; empty = none, or the venue's balances are still being compared. */
export function bookableGap({ reconciliation: { state, difference } }: PositionView): string {
  if (state === 'pending') return ''
  return Object.entries(difference)
    .map(([asset, amount]) => `${amount} ${asset}`)
    .join(', ')
}
