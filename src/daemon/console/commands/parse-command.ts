import type { z } from 'zod'
import { err, ok, type Result } from '../../../base/result.ts'
import { parseTokens } from '../../../base/money/asset.ts'
import { parseDifference } from '../../../base/money/difference.ts'
import { parseRate } from '../../../base/money/rate.ts'
import { COMMAND_BODIES, type StartName } from './command-bodies.ts'
import type { ConsoleCommand } from '../position-port.ts'

/** What a POST asks for, and of which position; null = not said. */
export type CommandOrder = {
  readonly command: ConsoleCommand
  readonly position: string | null
  /** What the sender calls himself; null = nothing. */
  readonly claims: string | null
  readonly why: string
}

type Said = {
  readonly position?: string | undefined
  readonly who?: string | undefined
  readonly why: string
}

/** The sender's token by its name, and his Idempotency-Key; null = none. */
type SentBy = { readonly by: string; readonly key: string | null }

const NO_KEY =
  'a withdrawal needs the header Idempotency-Key: with it the same request, sent again, is the same withdrawal'
const NO_EXPECT =
  'book needs expect, the difference that is booked, such as "5 NTZS, -1.5 USDC": GET /api/v1/state has it as reconciliation.difference'
const KEY = /^[\x21-\x7e]{1,200}$/

/** Reads the body of `POST /api/v1/<name>`; the error says in one sentence what would be right. */
export function parseCommand(
  name: StartName,
  body: unknown,
  { by, key }: SentBy,
): Result<CommandOrder, string> {
  const given = body ?? {}
  switch (name) {
    case 'withdraw':
      return read('withdraw', given, ({ asset, amount, toAddress }) => {
        const parsed = parseTokens(amount, asset)
        if (!parsed.ok) return err(`amount: ${parsed.error.message}`)
        if (parsed.value <= 0n) return err('amount: more than zero would be right')
        if (key === null) return err(NO_KEY)
        if (!KEY.test(key)) return err('Idempotency-Key: up to 200 visible characters would be right')
        return ok({ name, asset, amount: parsed.value, toAddress, key, by })
      })
    case 'approveWithdrawal':
      return read('approveWithdrawal', given, (said) => ok({ name, key: said.key, by }))
    case 'resume':
      return read('resume', given, ({ book, expect, reviewUntil, acceptMid }) => {
        if (book !== undefined && reviewUntil !== undefined)
          return err('book and reviewUntil: one of them at a time would be right')
        if (book !== undefined && expect === undefined) return err(NO_EXPECT)
        const difference = expect === undefined ? null : parseDifference(expect)
        if (difference?.ok === false) return err(`expect: ${difference.error}`)
        const named = acceptMid === undefined ? null : parseRate(acceptMid)
        if (named?.ok === false) return err(`acceptMid: ${named.error.message}`)
        return ok({
          name,
          ...(book !== undefined && { book }),
          ...(difference !== null && { expect: difference.value }),
          ...(reviewUntil !== undefined && { reviewUntil }),
          ...(named !== null && { acceptMid: named.value }),
        })
      })
    case 'ack':
      return read('ack', given, ({ code }) => ok({ name, code }))
    case 'reload':
      return read('reload', given, ({ changes, fromFile }) =>
        ok(changes === undefined && !fromFile ? { name } : { name, changes: changes ?? {}, fromFile }),
      )
    case 'activate':
      return read(name, given, () => ok({ name }))
  }
}

function read<Name extends StartName>(
  name: Name,
  body: unknown,
  command: (said: z.output<(typeof COMMAND_BODIES)[Name]>) => Result<ConsoleCommand, string>,
): Result<CommandOrder, string> {
  const parsed = COMMAND_BODIES[name].safeParse(body)
  if (!parsed.success) return err(sentenceOf(parsed.error))
  const made = command(parsed.data as z.output<(typeof COMMAND_BODIES)[Name]>)
  if (!made.ok) return made
  const { position, who, why }: Said = parsed.data
  return ok({ command: made.value, position: position ?? null, claims: who ?? null, why })
}

function sentenceOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
