import type { ShapeRule } from './shape-rules.ts'

/** Files that a rule of shape does not fit, and why. One that is no longer needed fails the test. */
export const EXCEPTIONS: readonly {
  readonly path: string
  readonly rule: ShapeRule
  readonly because: string
}[] = [
  {
    path: 'src/core/strategy/kit.ts',
    rule: 'no-barrel',
    because: 'strategies import from #kit and from nowhere else',
  },
]
