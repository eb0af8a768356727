import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { approvalSettings } from '../../../core/engine/decision/decide.ts'
import { type Move, nextMove } from '../../../core/quoting/next-move.ts'
import { approve } from '../../../core/risk/approve.ts'
import type { Approval, ApprovalSettings } from '../../../core/risk/approval.ts'
import { openLatch } from '../../../core/risk/latch.ts'
import type { RuleBreach } from '../../../core/risk/rule-breach.ts'
import type { StrategyQuote } from '../../../core/strategy/define-strategy.ts'
import { shareOf, type Situation } from './situation.ts'
import type { SituationRead } from './read-situation.ts'

/** Decision on a target: risk's approval with its rules, and whether a write would follow. */
type Decided = {
  readonly approval: Approval
  /** The rules in force at the position's last decision; empty without a state. */
  readonly rules: readonly RuleBreach[]
  /** Null without a state to compare with. */
  readonly move: Move | null
}

/** Result of `mizani explain` for one moment. */
export type Explanation = SituationRead & {
  readonly strategy: string
  readonly wanted: StrategyQuote
  readonly decided: Decided
}

/** Passes a target through risk and the quoter like the core. */
export function decideOn(
  wanted: StrategyQuote,
  { situation, state }: Omit<SituationRead, 'from'>,
  config: LoadedConfig,
): Decided {
  const { core } = config
  const rules = state?.decision?.findings ?? []
  const settings =
    state === null ? settingsOf(config, situation) : approvalSettings({ state: { ...state, config: core } })
  const approval = approve(wanted, rules, state?.latch ?? openLatch(), shareOf(situation).imbalance, settings)
  const now = Date.parse(situation.now)
  const move = state === null ? null : nextMove(state.quoting, approval.target, now, core.quote)
  return { approval, rules, move }
}

/** Returns risk's approval of a target with no rule breached and nothing latched. */
export function approvedAlone(wanted: StrategyQuote, situation: Situation, config: LoadedConfig): Approval {
  return approve(wanted, [], openLatch(), shareOf(situation).imbalance, settingsOf(config, situation))
}

function settingsOf({ core }: LoadedConfig, { mid }: Situation): ApprovalSettings {
  return {
    safeBps: core.quote.safeBps,
    whenBothOff: core.quote.whenBothOff,
    onHalt: core.risk.onHalt,
    mayDeactivate: core.activation === 'auto',
    orders: core.rfq === null ? null : { mid, minEdgeBps: core.rfq.minEdgeBps },
  }
}
