import { z } from 'zod'
import type { Proposal } from '../engine/proposals/state.ts'
import { ms, type Shown } from './fields.ts'

/** A proposal as people and scripts see it: GET /api/v1/proposals. All texts are the proposer's or quote what is in force. */
export const proposalSchema = z.object({
  id: z.string(),
  kind: z.enum(['configuration', 'withdrawal', 'approval', 'payout']),
  /** What a token must be allowed to do to accept it. */
  needs: z.string(),
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

/** `needs`: what a token must be allowed to do to accept it. */
export function proposalView({ action, differences, ...one }: Proposal, needs: string): ProposalView {
  return { ...one, kind: action.kind, needs, differences }
}
