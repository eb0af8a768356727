import type { Effect } from '../../../src/core/engine/model/effect.ts'
import type { Event } from '../../../src/core/engine/model/event.ts'
import type { EngineState } from '../../../src/core/engine/model/state.ts'
import type { Observation } from '../../../src/core/engine/model/observation.ts'
import { settledPnl } from '../../../src/core/ledger/book/book.ts'
import { TOKEN_UNIT } from '../../../src/base/money/asset.ts'
import { RATE_ONE } from '../../../src/base/money/rate.ts'
import type { PlantedBug } from '../../world/daemon.ts'
import type { Canary } from '../fault-world.ts'

type PoolCanary = Canary & { readonly plant: () => PlantedBug }

const mutable = <T>(value: T): { -readonly [K in keyof T]: T[K] } => value

/** Changes every effect of a kind. */
function effects<T extends Effect['type']>(
  type: T,
  change: (effect: Extract<Effect, { type: T }>, state: EngineState) => Effect,
): PlantedBug {
  return {
    audit: (audit, state) => ({
      ...audit,
      effects: audit.effects.map((effect) =>
        effect.type === type ? change(effect as Extract<Effect, { type: T }>, state) : effect,
      ),
    }),
  }
}

function fills(change: (event: Extract<Event, { type: 'fills' }>) => Event): PlantedBug {
  return { event: (event) => (event.type === 'fills' && event.fills.length > 0 ? change(event) : event) }
}

/** Does something to the state after each event. */
function state(act: (state: EngineState, observations: readonly Observation[]) => void): PlantedBug {
  return {
    audit(audit, state) {
      act(state, audit.observations)
      return audit
    },
  }
}

const posts = (observations: readonly Observation[]) =>
  observations.some(({ type }) => type === 'entryPosted')

/** A settlement whose legs differ by one base unit. */
export const OFF_BALANCE: PlantedBug = {
  audit: (audit) => ({
    ...audit,
    observations: audit.observations.map((one) =>
      one.type === 'entryPosted' && one.entry.kind === 'fill'
        ? { ...one, entry: { ...one.entry, postings: oneMore(one.entry.postings) } }
        : one,
    ),
  }),
}

export const POOL_CANARIES: readonly PoolCanary[] = [
  {
    name: 'fill-dropped',
    breaks: 'no-false-alarm',
    does: 'drops one fill of each answer before the core receives it',
    finds: /a gap that is none/,
    from: 2,
    needs: [],
    plant: () => fills((event) => ({ ...event, fills: event.fills.slice(1) })),
  },
  {
    name: 'fill-off-by-one',
    breaks: 'is-the-book',
    does: 'reads the payout of every fill as one token unit more',
    finds: /complete, but the ledger's|a gap that is none|in the end the ledger's/,
    from: 5,
    needs: [],
    plant: () =>
      fills((event) => ({
        ...event,
        fills: event.fills.map((fill) => ({
          ...fill,
          amountOut: fill.amountOut + TOKEN_UNIT[fill.outAsset],
        })),
      })),
  },
  {
    name: 'fill-posted-twice',
    breaks: 'posts-once',
    does: 'posts every fill twice',
    finds: /was posted at event \d+ and again/,
    from: 2,
    needs: [],
    plant: () => ({
      audit: (audit) => ({
        ...audit,
        observations: audit.observations.flatMap((one): readonly Observation[] =>
          one.type === 'fillPosted' ? [one, one] : [one],
        ),
      }),
    }),
  },
  {
    name: 'settlement-misprised',
    breaks: 'conserves',
    does: 'posts a settlement whose legs differ by one base unit',
    finds: /makes -?1 of/,
    from: 2,
    needs: [],
    plant: () => OFF_BALANCE,
  },
  {
    name: 'profit-off-by-one',
    breaks: 'identities',
    does: 'counts one base unit of costs too much with every entry',
    finds: /identities are off/,
    needs: [],
    plant: () =>
      state(({ book }, seen) => {
        if (posts(seen)) mutable(settledPnl(book).tzs).costs += 1n
      }),
  },
  {
    name: 'spread-out-of-range',
    breaks: 'legal-spreads',
    does: 'sends a spread of 501 bps',
    finds: /a PATCH of 501/,
    needs: [],
    plant: () => effects('setQuote', (effect) => ({ ...effect, spread: { ...effect.spread, bidBps: 501 } })),
  },
  {
    name: 'withdraws-unasked',
    breaks: 'wanted-writes',
    does: 'withdraws after an activation',
    finds: /a withdrawal that no one has asked for/,
    from: 2,
    needs: [],
    plant: () =>
      effects('activate', ({ id }) => ({ type: 'withdraw', id, asset: 'USDC', amount: 1n, toAddress: '0x' })),
  },
  {
    name: 'quotes-while-halted',
    breaks: 'halted-is-safe',
    does: 'quotes 60 bps in every trading state',
    finds: /halted, and a PATCH of 60/,
    needs: ['operator commands', 'theft'],
    plant: () =>
      effects('setQuote', (effect) => ({ ...effect, spread: { ...effect.spread, bidBps: 60, askBps: 60 } })),
  },
  {
    name: 'mid-outside-corridor',
    breaks: 'corridor',
    does: 'follows a mid of one shilling',
    finds: /is in force outside the corridor/,
    needs: [],
    plant: () => state(({ market }) => void (mutable(market).mid = RATE_ONE)),
  },
  {
    name: 'believes-unconfirmed',
    breaks: 'known-is-true',
    does: 'records a bid that differs by one bps from the confirmed bid',
    finds: /confirmed \d+\/\d+, the venue quotes/,
    from: 2,
    needs: [],
    plant: () =>
      state(({ quoting }) => {
        const { confirmed, status } = quoting
        if (confirmed !== null && status === 'confirmed')
          mutable(quoting).confirmed = {
            ...confirmed,
            bidBps: confirmed.bidBps === 500 ? 499 : confirmed.bidBps + 1,
          }
      }),
  },
  {
    name: 'trades-unproven',
    breaks: 'unproven-is-idle',
    does: 'continues to trade while the books are not reconciled',
    finds: /ACTIVE after \d+ ms of answers/,
    needs: ['theft'],
    plant: () =>
      state(({ reconciliation, decision, latch }) => {
        if (reconciliation.state === 'reconciled' || decision === null) return
        mutable(decision).tradingState = 'ACTIVE'
        mutable(latch).halted = null
      }),
  },
  {
    name: 'asks-too-often',
    breaks: 'key-limit',
    does: 'sends every read four times',
    finds: /requests in a minute, the venue allows/,
    from: 2,
    needs: [],
    plant: () => ({
      audit: (audit) => ({ ...audit, effects: audit.effects.flatMap((one) => [one, one, one, one]) }),
    }),
  },
  {
    name: 'never-wakes',
    breaks: 'wakes',
    does: 'requests no tick',
    finds: /the core sleeps/,
    needs: [],
    plant: () => ({ audit: (audit) => ({ ...audit, wakeAt: Infinity }) }),
  },
  {
    name: 'decides-unjournalled',
    breaks: 'replays',
    does: 'decides with a mid that is not in the journal',
    finds: /the replay of the journal decides otherwise/,
    needs: [],
    plant: () => ({
      unjournalled: (event) =>
        event.type === 'rate' && event.mid !== null ? { ...event, mid: event.mid + RATE_ONE } : event,
    }),
  },
  {
    name: 'never-sends',
    breaks: 'converges',
    does: 'sends no quote',
    finds: /after the quiet the quote is|not in the market|no one has decided|were decided for/,
    from: 2,
    needs: [],
    plant: () => ({
      audit: (audit) => ({ ...audit, effects: audit.effects.filter(({ type }) => type !== 'setQuote') }),
    }),
  },
]

function oneMore<P extends { readonly amount: bigint }>(postings: readonly P[]): readonly P[] {
  return postings.map((posting, index) =>
    index === 0 ? { ...posting, amount: posting.amount + 1n } : posting,
  )
}
