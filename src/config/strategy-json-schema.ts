import { z } from 'zod'
import type { LoadedStrategy } from '../strategy/loaded-strategy.ts'

/**
 * What may be written as a strategy's parameters, as JSON Schema; null where it cannot be said as one. The
 * schema is the strategy's own, of whatever zod it brings.
 */
export function strategyJsonSchema({ definition }: LoadedStrategy): object | null {
  try {
    return z.toJSONSchema(definition.params, { io: 'input', unrepresentable: 'any' })
  } catch {
    return null
  }
}
