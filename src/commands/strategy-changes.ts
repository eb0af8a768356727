import { err, ok, type Result } from '../base/result.ts'
import type { Changes } from '../config/with-changes.ts'

/**
 * What `--strategy NAME --params JSON` change of a configuration: another strategy with these parameters
 * and no others; without a name these parameters of the one that is there.
 */
export function strategyChanges(
  strategy: string | undefined,
  params: string | undefined,
): Result<Changes, string> {
  const parsed = params === undefined ? ok({}) : readParams(params)
  if (!parsed.ok) return parsed
  if (strategy !== undefined) {
    return ok({ 'strategy.use': strategy, 'strategy.params': parsed.value })
  }
  return ok(
    Object.fromEntries(
      Object.entries(parsed.value).map(([name, value]) => [`strategy.params.${name}`, value]),
    ),
  )
}

function readParams(text: string): Result<Readonly<Record<string, unknown>>, string> {
  const wanted = 'a JSON object such as \'{"halfSpreadBps":50}\' would be right'
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return err(`--params is not JSON; ${wanted}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return err(`--params is not a JSON object; ${wanted}`)
  }
  return ok(parsed as Readonly<Record<string, unknown>>)
}
