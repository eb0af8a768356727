import { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import type { ProposedAction } from '../../../core/engine/model/proposal-state.ts'
import { ASSETS, parseTokens } from '../../../base/money/asset.ts'
import { proposalSchema } from '../../view/proposal-view.ts'
import type { Permission } from '../auth/permissions.ts'
import { CHANGES, COMMON_FIELDS, TEXT } from '../commands/command-bodies.ts'
import { TEXT_LIMIT } from '../commands/command-entry.ts'
import type { ProposalAsk } from '../position-port.ts'

const amount = z.string().max(TEXT_LIMIT).describe('Decimal text, whole tokens.')
const id = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'expected the id of a proposal, as GET /api/v1/proposals shows it')

/** The actions that can be proposed. */
const ACTION = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('configuration'), changes: CHANGES }),
  z.strictObject({
    kind: z.literal('withdrawal'),
    asset: z.enum(ASSETS),
    amount,
    toAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 0x and 40 hex digits'),
  }),
  z.strictObject({
    kind: z.literal('approval'),
    intent: z.string().regex(/^[0-9a-f]{8,64}$/, 'expected the id of an intent of the treasury'),
  }),
  z.strictObject({
    kind: z.literal('payout'),
    payee: TEXT,
    asset: z.enum(['NTZS', 'USDC', 'USDT']),
    amount,
  }),
])

const MOST_CLAIM_CHARACTERS = 1_500

export const PROPOSAL_BODIES = {
  propose: z.strictObject({
    ...COMMON_FIELDS,
    why: TEXT.describe('The reason, shown to the person who decides.'),
    claim: z
      .string()
      .max(MOST_CLAIM_CHARACTERS)
      .default('')
      .describe('The effect that the proposer expects, e.g. figures of a what-if.'),
    action: ACTION,
  }),
  answer: z.strictObject({ ...COMMON_FIELDS, id }),
} as const

/** The permission that accepting needs: that of the proposal's command. */
export const ACCEPT_NEEDS: Readonly<Record<ProposedAction['kind'], Permission>> = {
  configuration: 'operate',
  withdrawal: 'withdraw',
  approval: 'approve',
  payout: 'withdraw',
}

export const PROPOSAL_ANSWERS = {
  list: z.object({ position: z.string(), proposals: z.array(proposalSchema) }),
  answer: z.object({
    position: z.string(),
    accepted: z.boolean(),
    answer: z.string(),
    /** Of the proposal. */
    id: z.string(),
    exitCode: z.exactOptional(z.int()),
  }),
} as const

/** Returns the proposal of a validated body; the error names the field and a valid value. */
export function proposalOf({
  action,
  claim,
}: z.output<(typeof PROPOSAL_BODIES)['propose']>): Result<ProposalAsk, string> {
  if (action.kind === 'configuration' || action.kind === 'approval') return ok({ action, claim })
  const parsed = parseTokens(action.amount, action.asset)
  if (!parsed.ok) return err(`amount: ${parsed.error.message}`)
  if (parsed.value <= 0n) return err('amount: must be more than zero')
  return ok({ action: { ...action, amount: parsed.value }, claim })
}
