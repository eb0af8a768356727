import { schemaTextOf } from '../confinement/evaluate-strategy.ts'
import type { LoadedStrategy } from '../strategy/define-strategy.ts'

/** What may be written as a strategy's parameters, as JSON Schema; null where it cannot be said as one. */
export function strategyJsonSchema({ definition }: LoadedStrategy): object | null {
  try {
    const schema: unknown = JSON.parse(schemaTextOf(definition) ?? 'null')
    return typeof schema === 'object' ? schema : null
  } catch {
    return null
  }
}
