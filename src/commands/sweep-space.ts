import { z } from 'zod'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'

type Bounds = { readonly minimum?: number; readonly maximum?: number }

/**
 * Where `--random` draws from when nobody says it: every number above 0 among the strategy's parameters from
 * half of what it is to twice that, as far as the strategy allows. JSON as `--space` takes it; null = the
 * strategy has no such parameter.
 */
export function sweepSpace({ params, definition }: LoadedStrategy): string | null {
  const bounds = boundsOf(definition.params)
  const ranges = Object.entries(params as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    if (typeof value !== 'number' || value <= 0) return []
    const { minimum = -Infinity, maximum = Infinity } = bounds[name] ?? {}
    const [from, to] = [Math.max(value / 2, minimum), Math.min(value * 2, maximum)]
    return from < to ? [[name, [from, to]] as const] : []
  })
  return ranges.length === 0 ? null : JSON.stringify(Object.fromEntries(ranges))
}

/** What the strategy's schema says of each parameter; nothing where it cannot be written down. */
function boundsOf(schema: z.ZodType): Readonly<Record<string, Bounds>> {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return (properties ?? {}) as Readonly<Record<string, Bounds>>
}
