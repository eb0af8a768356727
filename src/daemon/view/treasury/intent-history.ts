import { z } from 'zod'
import type { Attempt, ClaimEvidence, Intent, RegisteredName } from '../../../treasury/model/intent.ts'
import { ms, type Shown } from '../fields.ts'
import { registeredWords } from './payee-words.ts'
import { moneySchema, moneyText } from './treasury-fields.ts'

/** One sending of a step: the evidence that an operator of the venue needs to find it. */
export const attemptSchema = z.object({
  n: z.int(),
  key: z.string(),
  body: z.string(),
  /** The chain's height before it was sent; null = no chain is configured. */
  block: z.string().nullable(),
  preparedAt: ms,
  sendings: z.int(),
  firstSentAt: ms.nullable(),
  lastSentAt: ms.nullable(),
  outcome: z.enum(['unsent', 'sending', 'silent', 'answered', 'refused']),
  words: z.string().nullable(),
})
type AttemptView = Shown<z.infer<typeof attemptSchema>>

/** The evidence that the finders saw for a claim; it proves nothing, and the operator decides. */
export const evidenceSchema = z.object({
  by: z.enum(['chain', 'webhook', 'list', 'balances', 'answer']),
  at: ms,
  /** The outcome that it supports, as a value for `resolve-claim`, and the whole tokens that arrived or came back. */
  suggests: z.enum(['arrived', 'returned']),
  amount: moneySchema,
  reference: z.string().nullable(),
  words: z.string(),
})
type EvidenceView = Shown<z.infer<typeof evidenceSchema>>

/** The history of an intent, oldest first; `step` is the number of the leg from 1, null = the whole intent. */
export const timelineSchema = z.array(
  z.object({
    at: ms,
    step: z.int().nullable(),
    what: z.enum(['planned', 'looked up', 'approved', 'sent', 'sent again', 'ended']),
    text: z.string(),
  }),
)
type TimelineView = Shown<z.infer<typeof timelineSchema>>

export function attemptView(attempt: Attempt): AttemptView {
  const { n, key, body, block, preparedAt, sendings, firstSentAt, lastSentAt, outcome, words } = attempt
  const shownBlock = block === null ? null : block.toString()
  return { n, key, body, block: shownBlock, preparedAt, sendings, firstSentAt, lastSentAt, outcome, words }
}

export function evidenceView({ amount, asset, ...evidence }: ClaimEvidence): EvidenceView {
  return { ...evidence, amount: moneyText(amount, asset) }
}

function nameText({ name, note }: RegisteredName): string {
  return registeredWords({ name, note, at: 0, changedFrom: null }).words
}

export function intentTimelineOf({ plannedAt, orderedBy, naming, approvals, legs }: Intent): TimelineView {
  const planned = orderedBy === null ? 'planned by the policy' : `ordered by ${orderedBy}`
  const rows: TimelineView[number][] = [
    { at: plannedAt, step: null, what: 'planned', text: planned },
    ...(naming?.answer == null
      ? []
      : [{ at: naming.answer.at, step: null, what: 'looked up' as const, text: nameText(naming.answer) }]),
    ...approvals.map(({ by, at }) => ({
      at,
      step: null,
      what: 'approved' as const,
      text: `approved by ${by}`,
    })),
  ]
  legs.forEach(({ kind, from, to, sentAt, endedAt, stage, why, attempts }, index) => {
    const step = index + 1
    const way = `${kind} from ${from} to ${to}`
    if (sentAt !== null) rows.push({ at: sentAt, step, what: 'sent', text: way })
    for (const { lastSentAt, firstSentAt, sendings } of attempts)
      if (lastSentAt !== null && lastSentAt !== firstSentAt)
        rows.push({ at: lastSentAt, step, what: 'sent again', text: `${way}, ${sendings} times in all` })
    if (endedAt !== null) rows.push({ at: endedAt, step, what: 'ended', text: `${stage}: ${why}` })
  })
  return rows.toSorted((a, b) => a.at - b.at)
}
