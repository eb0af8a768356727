import { expect, test } from 'vitest'
import { SHARED_PATIENCE_MS } from '../../../../src/runtime/effects/emergency-widen.ts'
import { HOLD_TERMS } from '../../../../src/store/postgres/terms.ts'

test('a holder has given up and ended its safe quote before another may begin, while clocks run within 20 %', () => {
  const { giveUpMs, waitMs } = HOLD_TERMS
  const lastWriteEnds = giveUpMs + SHARED_PATIENCE_MS
  // The holder's clock is the slow one, the candidate's the fast one.
  const off = 0.199
  expect(lastWriteEnds / (1 - off)).toBeLessThan(waitMs / (1 + off))
})
