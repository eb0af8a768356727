import type { TargetOrder } from '../../../src/core/rfq/build-order.ts'
import type { Step } from '../../property/rfq-steps.ts'
import { CONFIRMATIONS, TOKENS, type Fate } from '../../property/rfq-world.ts'
import type { Dice } from '../../world/dice.ts'

/** What goes wrong around a wallet that signs orders, each with the step that makes it happen. */
const FAULTY: Readonly<Record<string, (dice: Dice) => Step>> = {
  'order refused': () => fate('refused'),
  'order unanswered': () => fate('unknown'),
  'order void': () => fate('void'),
  'signer unsure': () => fate('unsure-signer'),
  'order lost on the way': () => fate('lost-outside'),
  'order lost inside': () => fate('lost-inside'),
  'transaction held back': (dice) => ({
    do: 'mine',
    blocks: dice.between(1, 4),
    holdsBack: dice.between(1, 15),
  }),
  'chain reorganised': (dice) => ({
    do: 'reorganise',
    depth: dice.between(1, CONFIRMATIONS),
    drops: dice.between(0, 7),
    longer: dice.between(0, 3),
    thenMs: dice.pick([0, 2_500]),
    fillsBefore: dice.happens(0.5),
  }),
  'node behind': () => ({ do: 'see', what: 'behind' }),
  'node on a dead branch': () => ({ do: 'see', what: 'abandoned' }),
  'node silent': () => ({ do: 'see', what: 'nothing' }),
  'node failing': () => ({ do: 'see', what: 'failure' }),
  crash: () => ({ do: 'restart', custody: 'on' }),
  'self-custody off': () => ({ do: 'restart', custody: 'off' }),
  'tokens moved': (dice) => ({ do: 'move', asset: dice.pick(TOKENS), percent: dice.between(-60, 60) }),
  'allowance changed': (dice) => ({ do: 'allow', asset: dice.pick(TOKENS), percent: dice.between(0, 150) }),
  'own withdrawal': (dice) => ({ do: 'withdraw', asset: dice.pick(TOKENS), percent: dice.between(1, 60) }),
  'cancelled by hand': (dice) => ({ do: 'cancel', which: dice.happens(0.3) ? null : dice.between(0, 99) }),
  'halted by hand': () => ({ do: 'halt' }),
  'explained too soon': () => ({ do: 'explain' }),
}

export const CUSTODY_FAULTS: readonly string[] = Object.keys(FAULTY)

function fate(to: Fate): Step {
  return { do: 'fate', fate: to }
}

/** The chances that, after some time, something goes wrong, and that a person sets everything right. */
const WRONG = 0.25
const RIGHT = 0.15

/** The next things to happen, and which of them is a fault. */
export function drawStep(
  dice: Dice,
  without: readonly string[],
): { readonly step: Step; readonly fault: string | null } {
  const roll = dice.next()
  if (roll < WRONG) {
    const fault = dice.pick(CUSTODY_FAULTS)
    const step = FAULTY[fault]?.(dice)
    if (step !== undefined && !without.includes(fault)) return { step, fault }
  } else if (roll < WRONG + RIGHT) return { step: { do: 'settle' }, fault: null }
  else if (roll < 0.6) return { step: { do: 'want', wishes: drawWishes(dice) }, fault: null }
  const part = dice.happens(0.5) ? 1 : dice.between(1, 99) / 100
  return {
    step: { do: 'fill', which: dice.between(0, 99), part, thenMs: dice.pick([0, 0, 2_500]) },
    fault: null,
  }
}

function drawWishes(dice: Dice): readonly TargetOrder[] {
  return Array.from({ length: dice.between(1, 8) }, () => ({
    side: dice.pick(['bid', 'ask'] as const),
    stable: dice.pick(['USDC', 'USDT'] as const),
    usd: dice.between(1, 700),
    tzsPerUsd: dice.between(24_500, 25_500) / 10,
  }))
}
