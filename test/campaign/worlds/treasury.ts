import { HOUR_MS } from '../../../src/base/time.ts'
import { envelopeText } from '../../../src/treasury/approvals/envelope.ts'
import { REQUEST_KINDS } from '../../world/treasury/draw-venue.ts'
import { simulateTreasury, type TreasuryDayResult } from '../../world/treasury/simulate-treasury.ts'
import { TREASURY_FAULTS, TreasuryTrouble } from '../../world/treasury/trouble.ts'
import type { TreasuryBug } from '../../world/treasury/daemon.ts'
import {
  invariantsOf,
  type Canary,
  type DayResult,
  type FaultDay,
  type FaultWorld,
  type KeepJournal,
} from '../fault-world.ts'

const always = invariantsOf('test/world/treasury/watch.ts')
const ofTheDaemon = invariantsOf('test/world/treasury/daemon.ts')
const atTheEnd = invariantsOf('test/world/treasury/simulate-treasury.ts')

type TreasuryCanary = Canary & { readonly bug: TreasuryBug }

const CANARIES: readonly TreasuryCanary[] = [
  {
    name: 'sends-twice',
    breaks: 'once',
    does: 'sends every money call a second time under another key',
    finds: /took effect 2 times|the books have/,
    from: 2,
    needs: [],
    bug: { sendsTwice: true },
  },
  {
    name: 'loses-a-withdrawal',
    breaks: 'is-the-venue',
    does: 'ignores a payout that bounces',
    finds: /the books have|an intent never ends|is still in/,
    from: 2,
    needs: ['payout reverted or stuck'],
    bug: {
      event: (event) => (event.type === 'resourceSeen' && event.status === 'reverted' ? [] : [event]),
    },
  },
  {
    name: 'books-a-unit-more',
    breaks: 'is-the-venue',
    does: 'books one base unit more than an answer reports',
    finds: /the books have|residual/,
    from: 4,
    needs: [],
    bug: {
      event: (event) => [
        event.type === 'legAnswered' && event.received !== null
          ? { ...event, received: event.received + 1n }
          : event,
      ],
    },
  },
  {
    name: 'account-off-by-one',
    breaks: 'identity',
    does: 'loses a base unit of the treasury without an entry',
    finds: /the identity of the desk has a residual/,
    from: 2,
    needs: [],
    bug: {
      state({ books }) {
        const held = books.accounts['treasury'] as { USDC: bigint } | undefined
        if (held !== undefined && held.USDC > 0n) held.USDC -= 1n
      },
    },
  },
  {
    name: 'ignores-the-cap',
    breaks: 'cap',
    does: 'ignores the caps',
    finds: /left within a day, and the cap is/,
    from: 2,
    needs: [],
    bug: {
      config: (config) => ({
        ...config,
        policy: { ...config.policy, caps: [] },
      }),
    },
  },
  {
    name: 'sends-when-stopped',
    breaks: 'stopped',
    does: 'ignores the stop of the treasury',
    finds: /was sent after a person has stopped the treasury/,
    from: 3,
    needs: ['treasury stopped'],
    bug: {
      event: (event) => (event.type === 'ordered' && event.order.name === 'stop' ? [] : [event]),
    },
  },
  {
    name: 'journal-loses-its-end',
    breaks: 'folds',
    does: 'drops the last event of the journal at a restart',
    finds: /the fold of the journal is not the state that was lost/,
    needs: ['restart', 'process killed'],
    bug: { journal: (events) => events.slice(0, -1) },
  },
  {
    name: 'venue-makes-a-unit',
    breaks: 'conserves',
    does: 'adds a base unit at the venue with every money call',
    finds: /the venue has -?\d+ of USDC too many/,
    from: 2,
    needs: [],
    bug: { venue: ({ state }) => void (state.ours.wallet.USDC += 1n) },
  },
  {
    name: 'agrees-with-itself',
    breaks: 'agreed',
    does: 'treats every envelope as approved',
    finds: /is sent, and only \d+ agreed to it/,
    from: 2,
    needs: [],
    bug: {
      state({ intents }) {
        for (const intent of Object.values(intents)) intent.agreed = envelopeText(intent.envelope)
      },
    },
  },
  {
    name: 'spends-beyond-the-envelope',
    breaks: 'envelope',
    does: 'sends twice the approved amount',
    finds: /spends \d+, and its envelope allows \d+/,
    from: 2,
    needs: [],
    bug: {
      state({ intents }) {
        for (const { legs, envelope } of Object.values(intents))
          for (const leg of legs as { amount: bigint; readonly attempts: readonly unknown[] }[])
            if (leg.attempts.length === 0 && leg.amount <= envelope.mostSpent)
              leg.amount = 2n * envelope.mostSpent
      },
    },
  },
  {
    name: 'hears-no-end',
    breaks: 'ends',
    does: 'ignores the outcome of payouts and deposits',
    finds: /an intent never ends/,
    from: 2,
    needs: [],
    bug: { event: (event) => (event.type === 'resourceSeen' || event.type === 'webhookSeen' ? [] : [event]) },
  },
]

/** The treasury's core, policy and performer at the simulated venue with its partner API. */
export const TREASURY: FaultWorld = {
  name: 'treasury',
  about: 'the treasury: the real core, policy and performer at the partner API of the simulated venue',
  faults: TREASURY_FAULTS,
  invariants: [
    always('once', 'nothing takes effect twice, whatever is lost, repeated or killed'),
    always('conserves', 'no unit is made or lost at the venue'),
    always('agreed', 'what leaves is agreed to by as many people as the policy asks'),
    always('envelope', 'and within the envelope that they agreed to'),
    always('cap', 'and within the cap of the day'),
    always('stopped', 'a treasury that is stopped, held or unconfirmed sends nothing'),
    ofTheDaemon('identity', 'the identity of the desk has no residual'),
    ofTheDaemon('folds', 'a restart folds the journal to the state that was lost'),
    atTheEnd('ends', 'healed, every intent ends or is a claim that a person can resolve'),
    atTheEnd('is-the-venue', 'and place by place the books are those of the venue'),
  ],
  canaries: CANARIES,
  live,
}

async function live(
  { seed, without, hours, canary }: FaultDay,
  keepJournal?: KeepJournal,
): Promise<DayResult> {
  const trouble = new TreasuryTrouble(without)
  const planted = CANARIES.find(({ name }) => name === canary)
  const result = await simulateTreasury(seed, {
    trouble,
    lengthMs: hours * HOUR_MS,
    ...(planted !== undefined && { bug: planted.bug }),
    ...(keepJournal !== undefined && { onDaemon: (daemon) => keepJournal(() => daemon.journal()) }),
  })
  const { sendings, effects, restarts, settled, claims, reverted } = result
  const counted = { ...faultsAtVenue(result), ...trouble.counts }
  const present = TREASURY_FAULTS.filter((kind) => trouble.has(kind))
  return {
    faults: Object.fromEntries(present.map((kind) => [kind, counted[kind] ?? 0])),
    seen: {
      'money calls': sendings,
      'effects at the venue': effects,
      restarts,
      'intents settled': settled,
      'claims resolved': claims,
      'payouts that came back': reverted,
    },
  }
}

/** How often each kind befell a request, a webhook, a key, the position and the process. */
function faultsAtVenue({ venueFaults, killed, refused }: TreasuryDayResult): Record<string, number> {
  const times = (name: string) => venueFaults[`fault ${name}`] ?? 0
  const requests = Object.entries(REQUEST_KINDS).map(
    ([kind, faults]) => [kind, faults.reduce((sum, fault) => sum + times(fault), 0)] as const,
  )
  return {
    ...Object.fromEntries(requests),
    'webhook repeated': times('webhook repeated'),
    'webhook lost': times('webhook lost'),
    'webhook late': times('webhook late'),
    'webhook out of order': times('webhook displaced'),
    'webhook before the answer': times('webhook before its answer'),
    'idempotency key forgotten': times('key forgotten'),
    'position refuses': refused,
    'process killed': killed,
  }
}
