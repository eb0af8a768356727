import { expect, test } from 'vitest'
import { createBooks } from '../../../../src/treasury/books/books.ts'
import type { TreasuryTransition } from '../../../../src/treasury/transition.ts'
import { correctedFigures, takeFigure } from '../../../../src/treasury/intents/provisional.ts'
import type { Leg, ProvisionalFigure } from '../../../../src/treasury/model/intent.ts'
import { TZS } from '../../../support/treasury-harness.ts'

const arrived: ProvisionalFigure = {
  what: 'arrived',
  place: 'treasury',
  asset: 'NTZS',
  booked: 1_000n * TZS,
  least: 900n * TZS,
  most: 1_100n * TZS,
}

function swapped() {
  const leg = { kind: 'swap', asset: 'USDC', receiveAsset: 'NTZS', received: arrived.booked } as Leg
  const state = { books: createBooks(), intents: { one: { id: 'one', legs: [leg] } } }
  const transition = { state, emit: () => undefined } as unknown as TreasuryTransition
  const take = (figure: ProvisionalFigure, difference: bigint) =>
    takeFigure(transition, { intent: 'one', leg, figure, difference })
  return { leg, take, corrected: () => correctedFigures(transition) }
}

test('a correction is remembered as it is booked since, and what undoes it is no correction', () => {
  const { leg, take, corrected } = swapped()
  take(arrived, 50n * TZS)
  const [one] = corrected()
  expect(one).toMatchObject({ difference: 50n * TZS, figure: { booked: 1_050n * TZS } })
  if (one === undefined) throw new Error('nothing is remembered')
  take(one.figure, -50n * TZS)
  expect(corrected()).toEqual([])
  expect(leg.received).toBe(arrived.booked)
})

test('the figure of a return that comes after is a correction of its own', () => {
  const { take, corrected } = swapped()
  take(arrived, 50n * TZS)
  take({ ...arrived, what: 'returned' }, -7n * TZS)
  expect(corrected()).toMatchObject([{ difference: -7n * TZS, figure: { what: 'returned' } }])
})
