import type { PositionView, WithdrawalView } from '../../../view/position-view.ts'

type ActionName =
  | 'pause'
  | 'resume'
  | 'acceptMid'
  | 'halt'
  | 'activate'
  | 'deactivate'
  | 'cancelOrders'
  | 'stopSigning'
  | 'reload'

export type Action = {
  readonly name: ActionName
  readonly label: string
  /** What it does, before it is confirmed. */
  readonly effect: string
  readonly isGrave: boolean
}

const ALL: readonly Action[] = [
  {
    name: 'pause',
    label: 'Pause',
    effect: 'The quote is widened to the safe quote and stays there until someone resumes.',
    isGrave: false,
  },
  {
    name: 'resume',
    label: 'Resume',
    effect:
      'What a person has to lift is lifted, the strategy is asked again and its quote goes out, as far as risk allows it.',
    isGrave: false,
  },
  {
    name: 'acceptMid',
    label: 'Accept the mid',
    effect:
      'You vouch for the mid that waits: it replaces the one in force, the limits on its movement begin anew with it, and trading resumes.',
    isGrave: true,
  },
  {
    name: 'activate',
    label: 'Activate',
    effect: 'The capital goes from the wallet into the pool, and takers can trade against the quote.',
    isGrave: false,
  },
  {
    name: 'deactivate',
    label: 'Deactivate',
    effect: 'The quote is withdrawn and the capital comes back from the pool to the wallet.',
    isGrave: false,
  },
  {
    name: 'cancelOrders',
    label: 'Cancel orders',
    effect: 'Every outstanding signed order is cancelled on chain, whatever the gas costs.',
    isGrave: true,
  },
  {
    name: 'stopSigning',
    label: 'Stop signing',
    effect: 'No more orders are signed; those that are outstanding stay until they expire or are cancelled.',
    isGrave: true,
  },
  {
    name: 'reload',
    label: 'Reload',
    effect: 'The configuration file and the strategy are read again, all or nothing.',
    isGrave: false,
  },
  {
    name: 'halt',
    label: 'Halt',
    effect: 'Trading stops at once and stays stopped, also over a restart, until someone resumes.',
    isGrave: true,
  },
]

/** What can be done to a position as it is; risk has the last word in any case. */
export function actionsFor(view: PositionView): readonly Action[] {
  const isHalted = view.tradingState === 'HALTED'
  const isPooled = view.rfq === null
  const shown: { readonly [name in ActionName]: boolean } = {
    pause: !view.paused && !isHalted,
    resume: view.paused || view.tradingState !== 'ACTIVE' || view.strategy.suspended !== null,
    acceptMid: view.pendingMid !== null,
    activate: isPooled && view.isActive === false && !isHalted,
    deactivate: isPooled && view.isActive !== false,
    cancelOrders: !isPooled,
    stopSigning: !isPooled,
    reload: true,
    // A halt that the venue has not taken may be given again: it is carried out each time.
    halt: !isHalted || view.live.banner !== null,
  }
  return ALL.filter(({ name }) => shown[name])
}

/** By the command's name in the API. */
export type WithdrawalAction = Omit<Action, 'name'> & {
  readonly name: 'approveWithdrawal' | 'cancelWithdrawal'
}

const APPROVE: WithdrawalAction = {
  name: 'approveWithdrawal',
  label: 'Approve withdrawal',
  effect:
    'You agree to a withdrawal that another token requested. After the cool-off the tokens leave; until then everybody who may operate can cancel it. Your own request you cannot approve.',
  isGrave: true,
}
const CANCEL: WithdrawalAction = {
  name: 'cancelWithdrawal',
  label: 'Cancel withdrawal',
  effect: 'The withdrawal is cancelled before it leaves. Nothing is sent.',
  isGrave: false,
}

/** What can be done to a withdrawal: one that has left cannot be taken back. */
export function withdrawalActions({
  stage,
  heldAt,
}: Pick<WithdrawalView, 'stage' | 'heldAt'>): readonly WithdrawalAction[] {
  if (stage === 'waiting' || heldAt !== null) return [APPROVE, CANCEL]
  return stage === 'approved' ? [CANCEL] : []
}
