import type { Tone } from './table-row.ts'

/** How loud each state is; the same wherever a position is shown. */
export const STATE_TONE = { ACTIVE: 'good', REDUCING: 'warn', HALTED: 'bad' } as const satisfies Record<
  string,
  Tone
>
export const BOOKS_TONE = { complete: 'good', checking: 'warn', gap: 'bad' } as const satisfies Record<
  string,
  Tone
>
