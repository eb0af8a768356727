import type { Contact } from '../../daemon/config/load/contact.ts'
import { ACK_PATH, type AckAnswer, type AckRequest } from '../../daemon/guard/protocol/acknowledge.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import type { Outcome } from '../output/print.ts'
import { clientOf } from './ask.ts'
import { readGuardedConfig } from '../../daemon/guard/process/guarded-configs.ts'

const TIMEOUT_MS = 5_000

/**
 * Acknowledges open alerts of this position's guard: one by its code, or all (null). Returns null if no guard answers, or
 * the configuration has no guard.
 */
export async function acknowledgeAtGuard(
  { file, name }: Contact,
  { code, who, why }: Pick<AckRequest, 'code' | 'who' | 'why'>,
): Promise<Outcome | null> {
  const guarded = readGuardedConfig(file, process.env)
  const client = guarded.ok ? clientOf(guarded.value) : null
  if (client === null) return null
  const position = name ?? file
  const common = { command: 'ack', position, via: 'guard' } as const
  try {
    const request: AckRequest = { positions: [position], code, who, why }
    const answer = await client.ask('POST', ACK_PATH, request, TIMEOUT_MS)
    if (!answer.ok) return null
    const { status, body } = answer.value
    if (status !== 200)
      return {
        ...common,
        exitCode: EXIT_CODE.refused,
        answer: `the guard answers ${status}: ${errorOf(body)}`,
      }
    const [own] = (body as AckAnswer).positions
    return own === undefined ? null : { ...common, ...resultOf(own, code) }
  } finally {
    client.close()
  }
}

function resultOf(
  { acknowledged, open }: AckAnswer['positions'][number],
  code: string | null,
): Pick<Outcome, 'exitCode' | 'answer'> {
  const all = open.join(', ')
  if (acknowledged.length > 0)
    return { exitCode: EXIT_CODE.ok, answer: `acknowledged at the guard: ${acknowledged.join(', ')}` }
  if (code !== null && !open.includes(code))
    return {
      exitCode: EXIT_CODE.refused,
      answer: `no alert ${code} is open at the guard; open: ${all || 'none'}`,
    }
  const answer = open.length === 0 ? 'no alert of the guard is open' : `acknowledged before: ${all}`
  return { exitCode: EXIT_CODE.ok, answer }
}

function errorOf(body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: unknown }
  return typeof error === 'string' ? error : 'no reason'
}
