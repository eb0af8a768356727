import { boundCost, readSooner } from '../model/advice.ts'
import type { Drill } from '../drill.ts'
import { holdsSafeQuote, IN_HAND, isInHand, whyNotAtAll } from './safety.ts'

const DOWN_MS = 30_000
/** How far the market moves while no one can change the quote. */
const MOVE_BPS = 100
const USUAL_CYCLES = 5

/** The LP API resets every connection for half a minute, and takers go on at the quote that stands. */
export function venueDown(): Drill {
  let isBack = false
  return {
    name: 'venue-down',
    what: `the venue's API is down for ${DOWN_MS / 1_000} s while the market moves by ${MOVE_BPS} bps and takers go on`,
    safeMeans: `after its return ${IN_HAND}`,
    whyNot: whyNotAtAll,
    faultMs: () => DOWN_MS,
    mustBeNoticed: true,
    async strike({ stage: { market } }) {
      const chance = { 'reset-before': 1 } as const
      await market.inject({
        faults: { routes: ['GET *', 'PATCH *', 'POST *'].map((route) => ({ route, chance })) },
      })
      market.moveTruth(MOVE_BPS)
    },
    async goOn(course) {
      const { market } = course.stage
      if (!isBack && course.sinceMs >= DOWN_MS) {
        isBack = true
        await market.inject({ faults: { routes: [] } })
        await market.publishTruth()
      }
      await market.exploit(course.takerUsd)
    },
    isSafe: async (course) => isBack && (await isInHand(course)),
    advise: (position, failure) => {
      if (failure.kind === 'cost') return boundCost(position, failure)
      if (failure.kind === 'safety')
        return {
          settings: readSooner(position, failure),
          why: 'reads fills and balances sooner after the return',
        }
      const { errorCyclesThreshold } = position.config.risk
      const fewer =
        errorCyclesThreshold > USUAL_CYCLES ? USUAL_CYCLES : Math.max(1, Math.floor(errorCyclesThreshold / 2))
      return {
        settings: [{ path: 'risk.errorCyclesThreshold', value: fewer }],
        why: 'reports sooner that nothing is answered',
      }
    },
  }
}

/** The venue answers 401 to the key: no one who has it can change anything any longer. */
export function keyLost(): Drill {
  return {
    name: 'key-lost',
    what: 'the venue rejects the key (401) while the quote stands',
    safeMeans:
      'the daemon has halted and a critical notification has arrived: without a key only the venue can take the quote down',
    whyNot: whyNotAtAll,
    mustBeNoticed: true,
    strike: ({ stage }) => stage.market.inject({ faults: { keyRejected: true } }),
    goOn: ({ stage, takerUsd }) => stage.market.exploit(takerUsd),
    async isSafe({ stage }) {
      const view = await stage.view()
      return (
        view?.tradingState === 'HALTED' && stage.receiver.told.some(({ severity }) => severity === 'critical')
      )
    },
    isDown: holdsSafeQuote,
    advise: (position, failure) =>
      failure.kind === 'cost'
        ? boundCost(position, failure)
        : {
            settings: readSooner(position, failure),
            why: 'makes a request sooner that shows the rejected key; a critical notification waits for no group',
          },
  }
}
