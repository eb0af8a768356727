import { expect, test } from 'vitest'
import { simulateTreasury } from '../../../world/treasury/simulate-treasury.ts'
import { TreasuryTrouble } from '../../../world/treasury/trouble.ts'

/** A day on which two of three lots of a refill arrive and their answers are lost. */
const SEED = 301
const WITHOUT = [
  'request lost',
  'rate limit',
  'webhook out of order',
  'webhook before the answer',
  'idempotency key forgotten',
  'answer doubled',
]

test('two claims of one intent that a person resolves as arrived are two deposits for the position, so that the books agree', async () => {
  const { claims } = await simulateTreasury(SEED, { trouble: new TreasuryTrouble(WITHOUT) })
  expect(claims).toBeGreaterThanOrEqual(2)
}, 600_000)
