import { z } from 'zod'
import type { Proposal } from '../../core/engine/model/proposal-state.ts'
import { ms, type Shown } from './fields.ts'

/** A proposal of GET /api/v1/proposals. All texts are from the proposer or quote the running configuration. */
export const proposalSchema = z.object({
  id: z.string(),
  kind: z.enum(['configuration', 'withdrawal', 'approval', 'payout']),
  /** The permission that accepting it needs. */
  needs: z.string(),
  /** The names of the tokens that may read it, and of those that may accept it; absent = unknown. */
  readers: z.array(z.string()).optional(),
  approvers: z.array(z.string()).optional(),
  differences: z.array(z.object({ what: z.string(), from: z.string(), to: z.string() })),
  claim: z.string(),
  who: z.string(),
  why: z.string(),
  at: ms,
  expiresAt: ms,
  stage: z.enum(['open', 'accepted', 'done', 'failed', 'rejected', 'expired']),
  settledBy: z.string().nullable(),
  settledAt: ms.nullable(),
  outcome: z.string().nullable(),
})
export type ProposalView = Shown<z.infer<typeof proposalSchema>>

/** `needs`: the permission that accepting it needs; `people`: the names of the tokens that may read it and that may accept it. */
export function proposalView(
  { action, differences, token: _inWho, ...one }: Proposal,
  needs: string,
  people: Required<Pick<ProposalView, 'readers' | 'approvers'>>,
): ProposalView {
  return { ...one, kind: action.kind, needs, ...people, differences }
}
