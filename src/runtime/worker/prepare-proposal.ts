import { err, ok, type Result } from '../../base/result.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { PreviewAnswer } from '../../console/api/answers.ts'
import type { Changes, ProposalAsk } from '../../console/position-port.ts'
import type { ProposalOrder } from '../../engine/model/event.ts'
import { MOST_OPEN, type ProposedAction, type ProposedDifference } from '../../engine/proposals/state.ts'
import { formatAmount } from '../../money/asset.ts'
import { envelopeText } from '../../treasury/approvals/envelope.ts'
import type { TreasuryState } from '../../treasury/core/state.ts'
import { valueAt } from './parameters.ts'

/** What a proposal is compared with. */
export type ProposalGrounds = {
  readonly openProposals: number
  /** What would stand under these changes; changes nothing. */
  readonly preview: (changes: Changes) => Promise<PreviewAnswer>
  readonly config: () => LoadedConfig
  /** Null = none runs. */
  readonly treasury: Readonly<TreasuryState> | null
}

type Prepared = Omit<Extract<ProposalOrder, { readonly name: 'add' }>, 'name' | 'id'>

/** Of one value in a difference. */
const MOST_CHARACTERS = 300

/**
 * A proposal with the differences that a person is shown, made from what is in force and not from the proposer's words. The
 * error is a sentence: why nobody could carry it out as it is.
 */
export async function prepareProposal(
  { action, claim }: ProposalAsk,
  grounds: ProposalGrounds,
): Promise<Result<Prepared, string>> {
  // The core counts them too; here a flood is refused before anything is computed or journalled.
  if (grounds.openProposals >= MOST_OPEN)
    return err(`${MOST_OPEN} proposals wait already, and no more are taken until a person has settled some`)
  const prepared = await withDifferences(action, grounds)
  return prepared.ok ? ok({ ...prepared.value, claim }) : prepared
}

type Shown = { readonly action: ProposedAction; readonly differences: readonly ProposedDifference[] }

async function withDifferences(
  action: ProposalAsk['action'],
  { preview, config, treasury }: ProposalGrounds,
): Promise<Result<Shown, string>> {
  switch (action.kind) {
    case 'configuration': {
      const paths = Object.keys(action.changes)
      if (paths.length === 0) return err('changes: at least one setting would be right')
      const current = config()
      const tried = await preview(action.changes)
      if (tried.problem !== null || tried.after === null)
        return err(`it could not be reloaded: ${tried.problem ?? 'no answer'}`)
      const settings = paths.map((path) => ({
        what: path,
        from: shown(valueAt(current, path)),
        to: shown(action.changes[path]),
      }))
      const quote = { what: 'quote now, bid/ask bps', from: bpsOf(tried.before), to: bpsOf(tried.after) }
      return ok({ action, differences: [...settings, quote] })
    }
    case 'withdrawal': {
      const { asset, amount, toAddress } = action
      const to = `${formatAmount(amount, asset)} ${asset} to ${toAddress}`
      return ok({ action, differences: [{ what: 'withdrawal', from: 'nothing leaves', to }] })
    }
    case 'approval': {
      const intent = treasury === null ? undefined : ownIntent(treasury, action.intent)
      if (intent === undefined) return err(`the treasury has no intent ${action.intent}`)
      if (intent.endedAt !== null) return err(`the intent ${action.intent} has ended: ${intent.stage}`)
      if (!intent.needsApproval && !intent.isHeld) return err(`the intent ${action.intent} needs no approval`)
      const envelope = envelopeText(intent.envelope)
      const differences = [{ what: `approval of intent ${action.intent}`, from: intent.why, to: envelope }]
      return ok({ action: { ...action, envelope }, differences })
    }
    case 'payout': {
      const { payee, asset, amount } = action
      if (treasury === null) return err('this position has no treasury that runs')
      const to = `${formatAmount(amount, asset)} ${asset} to payee ${payee}`
      return ok({ action, differences: [{ what: 'payout', from: 'nothing leaves', to }] })
    }
  }
}

function ownIntent({ intents }: Readonly<TreasuryState>, id: string) {
  return Object.hasOwn(intents, id) ? intents[id] : undefined
}

function bpsOf({ bidBps, askBps }: PreviewAnswer['before']): string {
  return `${bidBps ?? 'off'}/${askBps ?? 'off'}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`
}
