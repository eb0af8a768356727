import { err, ok, type Result } from '../../../base/result.ts'
import type { PreviewAnswer } from '../../console/answers.ts'
import type { ParameterChanges } from '../../console/commands/command-entry.ts'
import type { ProposalAsk } from '../../console/position-port.ts'
import type { CoreConfig } from '../../../core/engine/model/config.ts'
import {
  type ProposalOrder,
  MOST_OPEN,
  MOST_OPEN_OF_TOKEN,
  type ProposedAction,
  type ProposedDifference,
} from '../../../core/engine/model/proposal-state.ts'
import { formatTokens } from '../../../base/money/asset.ts'
import type { TreasuryState } from '../../../treasury/state.ts'
import { plain } from './parameters.ts'

/** The current state that a proposal is compared with. */
export type ProposalGrounds = {
  readonly openProposals: number
  /** Whether the proposing token has reached its limit of open proposals. */
  readonly isBoxFull: boolean
  /** Returns the quote under these changes without applying them. */
  readonly preview: (changes: ParameterChanges) => Promise<PreviewAnswer | 'busy'>
  readonly running: () => CoreConfig
  /** Returns the configuration that a reload with these changes would run, including other edits of the file. */
  readonly configUnder: (changes: ParameterChanges) => Promise<Result<CoreConfig, string>>
  /** Null = no treasury runs. */
  readonly treasury: Readonly<TreasuryState> | null
}

type Prepared = Omit<Extract<ProposalOrder, { readonly name: 'add' }>, 'name' | 'id' | 'token'>

/** Maximum length of a value in a difference: a person must see the whole value to decide. */
const MOST_CHARACTERS = 300
/** Maximum number of differences that a person can compare. */
const MOST_DIFFERENCES = 40

/**
 * Returns the proposal with the differences to show, computed from the settings in force rather than from the proposer's words. The error
 * is a sentence: why the proposal could not be executed.
 */
export async function prepareProposal(
  { action, claim }: ProposalAsk,
  grounds: ProposalGrounds,
): Promise<Result<Prepared, string>> {
  // The core enforces the limits too; checked here, a flood is refused before anything is computed or journalled.
  if (grounds.openProposals >= MOST_OPEN)
    return err(`${MOST_OPEN} proposals are open already; propose again when a person has settled some`)
  if (grounds.isBoxFull)
    return err(
      `${MOST_OPEN_OF_TOKEN} proposals of this token are open already; propose again when a person has settled one`,
    )
  const prepared = await withDifferences(action, grounds)
  return prepared.ok ? ok({ ...prepared.value, claim }) : prepared
}

type Shown = { readonly action: ProposedAction; readonly differences: readonly ProposedDifference[] }

async function withDifferences(
  action: ProposalAsk['action'],
  { preview, running, configUnder, treasury }: ProposalGrounds,
): Promise<Result<Shown, string>> {
  switch (action.kind) {
    case 'configuration': {
      if (Object.keys(action.changes).length === 0) return err('changes: expected at least one setting')
      const tried = await preview(action.changes)
      if (tried === 'busy') return err('another preview is running: propose this again in a second')
      if (tried.problem !== null || tried.after === null)
        return err(`it could not be reloaded: ${tried.problem ?? 'no answer'}`)
      const after = await configUnder(action.changes)
      if (!after.ok) return err(`it could not be reloaded: ${after.error}`)
      const settings = settingDifferences(running(), after.value)
      if (!settings.ok) return settings
      const quote = { what: 'quote now, bid/ask bps', from: bpsOf(tried.before), to: bpsOf(tried.after) }
      return ok({ action, differences: [...settings.value, quote] })
    }
    case 'withdrawal': {
      const { asset, amount, toAddress } = action
      const to = `${formatTokens(amount, asset)} ${asset} to ${toAddress}`
      return ok({ action, differences: [{ what: 'withdrawal', from: 'nothing leaves', to }] })
    }
    case 'approval': {
      const intent = treasury === null ? undefined : ownIntent(treasury, action.intent)
      if (intent === undefined) return err(`the treasury has no intent ${action.intent}`)
      if (intent.endedAt !== null) return err(`the intent ${action.intent} has ended: ${intent.stage}`)
      if (!intent.needsApproval && !intent.isHeld) return err(`the intent ${action.intent} needs no approval`)
      const { envelopeText } = await import('../../../treasury/approvals/envelope.ts')
      const envelope = envelopeText(intent.envelope)
      const differences = [{ what: `approval of intent ${action.intent}`, from: intent.why, to: envelope }]
      return ok({ action: { ...action, envelope }, differences })
    }
    case 'payout': {
      const { payee, asset, amount } = action
      if (treasury === null) return err('no treasury runs for this position')
      const to = `${formatTokens(amount, asset)} ${asset} to payee ${payee}`
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

/** Returns every setting that a reload would change, value by value, whether or not the proposer named it. The error is a sentence. */
function settingDifferences(
  running: CoreConfig,
  after: CoreConfig,
): Result<readonly ProposedDifference[], string> {
  const [from, to] = [leavesOf(plain(running)), leavesOf(plain(after))]
  const paths = [...new Set([...from.keys(), ...to.keys()])]
  const changed = paths.filter((path) => from.get(path) !== to.get(path))
  if (changed.length === 0) return err('it would not change the running configuration')
  if (changed.length > MOST_DIFFERENCES)
    return err(
      `it would change ${changed.length} settings; a proposal may change at most ${MOST_DIFFERENCES}`,
    )
  const shown = changed.map((what) => ({
    what,
    from: from.get(what) ?? 'nothing',
    to: to.get(what) ?? 'nothing',
  }))
  const long = shown.find(
    ({ from: old, to: next }) => old.length > MOST_CHARACTERS || next.length > MOST_CHARACTERS,
  )
  return long === undefined
    ? ok(shown)
    : err(`${long.what} is too long to be shown in full (more than ${MOST_CHARACTERS} characters)`)
}

/** Returns values by dotted path, as JSON; a list is one value. */
function leavesOf(
  value: unknown,
  path = '',
  leaves = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isBranch || Object.keys(value).length === 0) return leaves.set(path, JSON.stringify(value))
  for (const [key, below] of Object.entries(value))
    leavesOf(below, path === '' ? key : `${path}.${key}`, leaves)
  return leaves
}
