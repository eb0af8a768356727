import type { PositionView } from '../../../view/position-view.ts'

export type ActionName = 'pause' | 'resume' | 'halt' | 'activate' | 'deactivate' | 'cancelOrders' | 'reload'

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
    effect: 'The quote is widened to the safe quote and stays there until somebody resumes.',
    isGrave: false,
  },
  {
    name: 'resume',
    label: 'Resume',
    effect: 'The strategy is asked again and its quote goes out, as far as risk allows it.',
    isGrave: false,
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
    name: 'reload',
    label: 'Reload',
    effect: 'The configuration file and the strategy are read again, all or nothing.',
    isGrave: false,
  },
  {
    name: 'halt',
    label: 'Halt',
    effect: 'Trading stops at once and stays stopped, also over a restart, until somebody resumes.',
    isGrave: true,
  },
]

/** What can be done to a position as it is; risk has the last word in any case. */
export function actionsFor(view: PositionView): readonly Action[] {
  const isHalted = view.tradingState === 'HALTED'
  const isPooled = view.rfq === null
  const shown: { readonly [name in ActionName]: boolean } = {
    pause: !view.paused && !isHalted,
    resume: view.paused || isHalted,
    activate: isPooled && view.isActive === false && !isHalted,
    deactivate: isPooled && view.isActive !== false,
    cancelOrders: !isPooled,
    reload: true,
    halt: !isHalted,
  }
  return ALL.filter(({ name }) => shown[name])
}
