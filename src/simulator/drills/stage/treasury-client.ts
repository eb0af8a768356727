import { z } from 'zod'
import { openHttpClient } from '../../../base/http/client.ts'
import { type TreasuryView, treasuryViewSchema } from '../../../daemon/view/treasury-view.ts'

/** The treasury of a drilled daemon, as the two people of the drill reach it. */
export type TreasuryClient = {
  /** Its state, or null where it does not answer or has read nothing yet. */
  readonly view: () => Promise<TreasuryView | null>
  /** The first person orders a payout. Throws with the answer where it is refused. */
  readonly payOut: (payee: string, amount: string) => Promise<void>
  /** Both people agree to what waits for them, as far as each may. */
  readonly approve: (view: TreasuryView) => Promise<void>
  readonly close: () => Promise<void>
}

/** Who asks: the name of a token and the token. */
export type Person = { readonly name: string; readonly token: string }

const LIMITS = { timeoutMs: 10_000, maxBytes: 16_777_216, connections: 1 } as const
const WHY = 'a drill'
const answerSchema = z.object({ accepted: z.boolean().optional(), answer: z.string().optional() })

export function openTreasuryClient(origin: string, people: readonly [Person, Person]): TreasuryClient {
  const http = openHttpClient(LIMITS)
  const [first] = people
  async function order({ token }: Person, path: string, body: object): Promise<string | null> {
    const sent = await http.send({
      origin,
      method: 'POST',
      path: `/api/v1/treasury/${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!sent.ok) return sent.error.words
    const answer = answerSchema.safeParse(JSON.parse(sent.value.text))
    if (sent.value.status === 200 && answer.data?.accepted === true) return null
    return answer.data?.answer ?? sent.value.text
  }
  return {
    async view() {
      const headers = { authorization: `Bearer ${first.token}` }
      const sent = await http.send({ origin, method: 'GET', path: '/api/v1/treasury', headers, body: null })
      if (!sent.ok || sent.value.status !== 200) return null
      const view = treasuryViewSchema.safeParse(JSON.parse(sent.value.text))
      return view.success ? view.data : null
    },
    async payOut(payee, amount) {
      const refused = await order(first, 'payout', { payee, asset: 'NTZS', amount, why: WHY })
      if (refused !== null) throw new Error(`the treasury refused the payout: ${refused}`)
    },
    async approve({ intents }) {
      for (const { id, envelope, approval } of intents) {
        if (approval.missing === 0) continue
        for (const person of people)
          if (!approval.excluded.includes(person.name))
            await order(person, 'approve', { intent: id, envelope: envelope.text })
      }
    },
    close: () => http.close(),
  }
}
