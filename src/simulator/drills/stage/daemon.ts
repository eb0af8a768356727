import { ok, type Result } from '../../../base/result.ts'
import { openHttpClient } from '../../../base/http/client.ts'
import { type PositionView, viewSchema } from '../../../daemon/view/position-view.ts'
import { type DrilledProcess, type ProcessStart, startProcess } from './process.ts'
import { z } from 'zod'
import { type TreasuryView, treasuryViewSchema } from '../../../daemon/view/treasury-view.ts'

export type DaemonProcess = DrilledProcess & {
  /** Returns its state; null = no answer. */
  readonly view: () => Promise<PositionView | null>
  readonly treasury: TreasuryClient
}

const LIMITS = { timeoutMs: 2_000, maxBytes: 4_194_304, connections: 1 } as const

type DaemonStart = Pick<ProcessStart, 'command' | 'env' | 'onSpawn'> & {
  readonly token: string
  readonly people: readonly [Person, Person]
}

/** Starts the daemon as a separate process; the error is its output before it ended. */
export async function startDaemon({
  token,
  people,
  ...start
}: DaemonStart): Promise<Result<DaemonProcess, string>> {
  const started = await startProcess({ ...start, name: 'daemon', listening: 'listening' })
  if (!started.ok) return started
  const process = started.value
  const http = openHttpClient(LIMITS)
  const treasury = openTreasuryClient(process.url, people)
  return ok({
    ...process,
    treasury,
    async view() {
      const headers = { authorization: `Bearer ${token}` }
      const request = {
        origin: process.url,
        method: 'GET',
        path: '/api/v1/state',
        headers,
        body: null,
      } as const
      const answer = await http.send(request)
      if (!answer.ok || answer.value.status !== 200) return null
      const view = viewSchema.safeParse(JSON.parse(answer.value.text))
      return view.success ? view.data : null
    },
    async kill(signal) {
      await process.kill(signal)
      await Promise.all([http.close(), treasury.close()])
    },
  })
}

/** The treasury of a drilled daemon, as reached by the two people of the drill. */
type TreasuryClient = {
  /** Returns its state; null = no answer, or nothing read yet. */
  readonly view: () => Promise<TreasuryView | null>
  /** Orders a payout by the first person. Throws the answer if it is refused. */
  readonly payOut: (payee: string, amount: string) => Promise<void>
  /** Approves the pending intents with both people, within their permissions. Returns the refusals, each with its person. */
  readonly approve: (view: TreasuryView) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** The caller: a token and its name. */
export type Person = { readonly name: string; readonly token: string }

const TREASURY_LIMITS = { timeoutMs: 10_000, maxBytes: 16_777_216, connections: 1 } as const
const WHY = 'a drill'
const answerSchema = z.object({ accepted: z.boolean().optional(), answer: z.string().optional() })

function openTreasuryClient(origin: string, people: readonly [Person, Person]): TreasuryClient {
  const http = openHttpClient(TREASURY_LIMITS)
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
      const refusals: string[] = []
      for (const { id, envelope, approval } of intents) {
        let { missing } = approval
        for (const person of people) {
          if (missing === 0 || approval.excluded.includes(person.name)) continue
          const refused = await order(person, 'approve', { intent: id, envelope: envelope.text })
          if (refused === null) missing -= 1
          else refusals.push(`${person.name} cannot approve: ${refused}`)
        }
      }
      return refusals
    },
    close: () => http.close(),
  }
}
