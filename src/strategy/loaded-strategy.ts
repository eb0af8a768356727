import type { StrategyDefinition } from './define-strategy.ts'

/** A strategy with validated parameters and the strategies it wraps, ready to be asked. */
export type LoadedStrategy = {
  readonly use: string
  readonly definition: StrategyDefinition<unknown, unknown>
  readonly params: unknown
  readonly inner: Readonly<Record<string, LoadedStrategy>>
  /** sha-256 over its source and the sources of what it wraps. */
  readonly sourceHash: string
}
