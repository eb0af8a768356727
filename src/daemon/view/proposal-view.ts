import { z } from 'zod'
import type { Proposal } from '../../core/engine/model/proposal-state.ts'
import { ms, type Shown } from './fields.ts'

/** A proposal as people and scripts see it: GET /api/v1/proposals. All texts are the proposer's or quote what is in force. */
export const proposalSchema = z.object({
  id: z.string(),
  kind: z.enum(['configuration', 'withdrawal', 'approval', 'payout']),
  /** What a token must be allowed to do to accept it. */
  needs: z.string(),
  /** The names of the tokens that may read it, and of those that may accept it; absent = not known. */
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

/** `needs`: what a token must be allowed to do to accept it; `people`: who reads it and who may accept it, by the names of tokens. */
export function proposalView(
  { action, differences, token: _inWho, ...one }: Proposal,
  needs: string,
  people: Required<Pick<ProposalView, 'readers' | 'approvers'>>,
): ProposalView {
  return { ...one, kind: action.kind, needs, ...people, differences }
}
