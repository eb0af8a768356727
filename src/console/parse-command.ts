import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { parseAmount } from '../money/amount.ts'
import { ASSETS } from '../money/asset.ts'
import type { ConsoleCommand } from './position-port.ts'

export const COMMANDS = [
  'pause',
  'resume',
  'halt',
  'activate',
  'deactivate',
  'withdraw',
  'cancelOrders',
  'reload',
] as const satisfies readonly ConsoleCommand['name'][]
export type CommandName = (typeof COMMANDS)[number]

/** What a POST asks for, and of which position; null = not said. */
export type CommandOrder = {
  readonly command: ConsoleCommand
  readonly position: string | null
  readonly who: string
  readonly why: string
}

const MAX_TEXT = 500
const MAX_SALTS = 1_000
const text = z.string().trim().min(1).max(MAX_TEXT)
const common = {
  position: text.optional(),
  who: text.default('http'),
  why: text.default('no reason given'),
}
const plain = z.strictObject(common)
const resume = z.strictObject({ ...common, book: z.enum(['adjustment', 'deposit', 'withdrawal']).optional() })
const withdraw = z.strictObject({
  ...common,
  asset: z.enum(ASSETS),
  /** Decimal text, whole tokens: a JSON number would not be exact. */
  amount: z.string().max(MAX_TEXT),
  toAddress: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'an address of 0x and 40 hex digits would be right'),
})

const cancelOrders = z.strictObject({
  ...common,
  /** Orders are named by their salts, in decimal; null or nothing = all that are owed. */
  salts: z
    .array(z.string().regex(/^\d{1,78}$/, 'a decimal salt would be right'))
    .min(1)
    .max(MAX_SALTS)
    .nullable()
    .default(null),
})

/** Reads the body of `POST /api/v1/<name>`; the error says in one sentence what would be right. */
export function parseCommand(name: CommandName, body: unknown): Result<CommandOrder, string> {
  const given = body ?? {}
  if (name === 'withdraw') return parseWithdraw(given)
  if (name === 'resume') {
    const parsed = resume.safeParse(given)
    if (!parsed.success) return err(sentenceOf(parsed.error))
    const { book } = parsed.data
    return ok(order(book === undefined ? { name } : { name, book }, parsed.data))
  }
  if (name === 'cancelOrders') {
    const parsed = cancelOrders.safeParse(given)
    if (!parsed.success) return err(sentenceOf(parsed.error))
    const salts = parsed.data.salts?.map(BigInt) ?? null
    return ok(order({ name, salts }, parsed.data))
  }
  const parsed = plain.safeParse(given)
  return parsed.success ? ok(order({ name }, parsed.data)) : err(sentenceOf(parsed.error))
}

function parseWithdraw(body: unknown): Result<CommandOrder, string> {
  const parsed = withdraw.safeParse(body)
  if (!parsed.success) return err(sentenceOf(parsed.error))
  const { asset, toAddress } = parsed.data
  const amount = parseAmount(parsed.data.amount, asset)
  if (!amount.ok) return err(`amount: ${amount.error.message}`)
  if (amount.value <= 0n) return err('amount: more than zero would be right')
  return ok(order({ name: 'withdraw', asset, amount: amount.value, toAddress }, parsed.data))
}

function order(command: ConsoleCommand, said: z.output<typeof plain>): CommandOrder {
  return { command, position: said.position ?? null, who: said.who, why: said.why }
}

function sentenceOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}
