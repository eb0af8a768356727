import { HOUR_MS } from '../../../src/base/time.ts'
import type { VenueResponse } from '../../../src/simulator/sandbox/api/request.ts'
import { interpret } from '../../../src/venue/interpret.ts'
import { checkAnswer, ROUTES } from '../../property/venue/any-answer.ts'
import { createDice, type Dice } from '../../world/dice.ts'
import { drawWorld } from '../../world/draw-world.ts'
import { simulate } from '../../world/simulate.ts'
import { violated } from '../../world/step.ts'
import { simulateTreasury } from '../../world/treasury/simulate-treasury.ts'
import { TREASURY_FAULTS, TreasuryTrouble } from '../../world/treasury/trouble.ts'
import { Counts } from '../fault-world.ts'
import { OFF_BALANCE } from '../worlds/pool-bugs.ts'
import { openStatus, spoilBody, spoilStatus, spoilText } from './spoil.ts'

/** Answers of one batch. */
export const BATCH = 1_000
/** Of an hour of a position and of a treasury so many answers are spoilt: with more of them nothing else would happen. */
const SPOILT = 0.3
const CORE_HOURS = 1
const TREASURY_HOURS = 6

/** Bugs of a reader that a batch has to find. */
export const FUZZ_BUGS = ['throws', 'wrong-unit', 'books-off-balance', 'sends-twice'] as const
export type FuzzBug = (typeof FUZZ_BUGS)[number]

/**
 * Fuzzes a batch: answers to a position's core in a running day, to a treasury with its partner API, and then, until there are
 * enough, through the translations of all endpoints of the venue, those of orders too. Rejects where something throws, reads a strange amount, or books it.
 */
export async function fuzzBatch(
  seed: number,
  bug: FuzzBug | null = null,
): Promise<Readonly<Record<string, number>>> {
  const dice = createDice(seed, 'fuzz')
  const counts = new Counts()
  fuzzCore(seed, dice, counts, bug)
  await fuzzTreasury(seed, dice, counts, bug)
  const done = Object.values(counts.all).reduce((sum, count) => sum + count, 0)
  for (let answer = done; answer < BATCH; answer++) fuzzTranslation(dice, counts, bug)
  return counts.all
}

/** The translation and the core behind it, in an hour of a position without faults of its own. */
function fuzzCore(seed: number, dice: Dice, counts: Counts, bug: FuzzBug | null): void {
  const drawn = drawWorld(seed)
  const spoil = (response: VenueResponse): VenueResponse => {
    if (!dice.happens(SPOILT)) return response
    counts.add('answers to the core')
    if (dice.happens(0.1))
      return { ...response, rawBody: spoilText(JSON.stringify(response.body ?? null), dice) }
    return {
      ...response,
      body: spoilBody(response.body, dice),
      status: dice.happens(0.9) ? 200 : spoilStatus(dice),
    }
  }
  simulate(
    { ...drawn, lengthMs: CORE_HOURS * HOUR_MS + drawn.quietMs },
    { spoil, ...(bug === 'books-off-balance' && { bug: OFF_BALANCE }) },
  )
}

async function fuzzTreasury(seed: number, dice: Dice, counts: Counts, bug: FuzzBug | null): Promise<void> {
  await simulateTreasury(seed, {
    trouble: new TreasuryTrouble(TREASURY_FAULTS),
    lengthMs: TREASURY_HOURS * HOUR_MS,
    heals: false,
    bug: {
      sendsTwice: bug === 'sends-twice',
      spoil(text, status) {
        if (!dice.happens(SPOILT)) return { text, status }
        counts.add('answers to the treasury')
        return { text: spoilPartnerText(text, dice), status: dice.happens(0.9) ? status : openStatus(dice) }
      },
    },
  })
}

function spoilPartnerText(text: string, dice: Dice): string {
  const isJson = /^[[{]/.test(text)
  return isJson && dice.happens(0.9)
    ? JSON.stringify(spoilBody(JSON.parse(text), dice))
    : spoilText(text, dice)
}

function fuzzTranslation(dice: Dice, counts: Counts, bug: FuzzBug | null): void {
  const { call: callOf, good } = dice.pick(ROUTES)
  const call = callOf()
  const body = spoilBody(dice.pick(good), dice)
  const sent = dice.happens(0.5) ? body : spoilIfRaw(JSON.stringify(body), dice)
  const status = spoilStatus(dice)
  counts.add(`answers of ${call.route}`)
  const read = interpret(call, { status, headers: {}, body: sent, receivedAt: 0 })
  if (bug === 'throws' && !read.ok) throw new TypeError(`thrown while ${call.route} is read`)
  if (!read.ok) {
    if (!call.isWrite && read.error.outcome !== 'failed')
      violated(`a read of ${call.route} is ${read.error.outcome}`)
    return
  }
  checkAnswer(
    bug === 'wrong-unit' && read.value.type === 'balances'
      ? { ...read.value, amounts: { USDC: 1 as never } }
      : read.value,
  )
}

function spoilIfRaw(text: string | undefined, dice: Dice): string {
  const whole = text ?? ''
  return dice.happens(0.2) ? spoilText(whole, dice) : whole
}
