import { expect, test } from 'vitest'
import { longLifeWarning } from '../../../../../src/daemon/runtime/effects/wallet-signer.ts'

test('orders that may live longer than two minutes are warned of, with what sealed cancels are replaced by', () => {
  expect(longLifeWarning({ maxLifeMs: 120_000 })).toBeNull()
  expect(longLifeWarning({ maxLifeMs: 120_001 })).toMatch(/rfq\.maxLifeMs.*no longer exist.*rfq cancel-all/)
})
