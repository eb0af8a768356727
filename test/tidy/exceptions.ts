import type { ShapeRule } from './shape-rules.ts'

/** Files that a rule of shape does not fit, and why. One that is no longer needed fails the test. */
export const EXCEPTIONS: readonly {
  readonly path: string
  readonly rule: ShapeRule
  readonly because: string
}[] = [
  {
    path: 'src/base/codec.ts',
    rule: 'one-idea',
    because: 'encodeJson and decodeJson are the two halves of one codec',
  },
  { path: 'src/base/time.ts', rule: 'one-idea', because: 'the words of time: a type and its round numbers' },
  {
    path: 'src/money/payout.ts',
    rule: 'one-idea',
    because: 'the two sides of a payout and its fee, read together',
  },
  {
    path: 'src/strategy/kit.ts',
    rule: 'one-idea',
    because: 'the one door for strategies, named for what it is',
  },
  {
    path: 'src/strategy/kit.ts',
    rule: 'no-barrel',
    because: 'strategies import from #kit and from nowhere else',
  },
  {
    path: 'src/console/api-types.ts',
    rule: 'one-idea',
    because: 'what page and server say to each other, read as one page',
  },
]
