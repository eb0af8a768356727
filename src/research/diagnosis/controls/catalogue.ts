import { SECOND_MS } from '../../../base/time.ts'
import { placeText } from '../../../store/place.ts'
import { ageText } from '../../../base/text/times.ts'
import { type Control, type ListedControl, listed, ofBps, ofUsd, RULES } from './control.ts'
import { PRE_TRADE } from './pre-trade.ts'

const POST_TRADE: readonly ListedControl[] = [
  {
    name: 'kill: off at once, and only a person lifts it',
    rules: ['RTS 6 12(1)'],
    value: ({ core: { risk } }) => `mizani halt; then ${risk.onHalt}`,
    test: ['test/e2e/halted-stays.test.ts', 'HALTED stays until a person lifts it'],
    drills: ['venue-down', 'key-lost', 'daemon-killed', 'guard-restarted'],
  },
  {
    name: 'dead-man guard: the quote does not outlive the daemon',
    rules: ['RTS 6 12(1)', 'RTS 6 14'],
    besideSecrets: true,
    value: ({ guard }) =>
      guard === null
        ? null
        : listed({
            'safe quote after': `${guard.terms.waitMs / SECOND_MS} s`,
            'worse side off':
              guard.closeSideAfterMs === null ? null : `${ageText(guard.closeSideAfterMs)} later`,
            'out of the market':
              guard.deactivateAfterMs === null ? null : `${ageText(guard.deactivateAfterMs)} later`,
          }),
    test: [
      'test/unit/daemon/guard/position/ladder.test.ts',
      'is the safe quote at once, the worse side off after 60 s, and out of the market after 15 min',
    ],
    drills: ['daemon-killed', 'guard-restarted', 'zombie-write'],
  },
  {
    name: 'reconciliation with the venue',
    rules: ['RTS 6 17'],
    value: ({ core: { risk, pacing } }) =>
      `every ${ageText(pacing.balancesIntervalMs)}, halted after ${ageText(risk.unexplainedGraceMs)} of a break, or ${ageText(risk.maxUnreadableMs ?? 0)} of figures that cannot be read`,
    test: [
      RULES,
      'a reconciliation break requires the safe quote at once and halts when the difference lasts for the grace',
    ],
    drills: ['leak', 'foreign-withdrawal', 'chain-reorganised'],
  },
  {
    name: 'executions away from the quote',
    rules: ['RTS 6 16', '15c3-5(c)(2)(iv)'],
    value: ({ core: { risk } }) => ofBps(risk.maxFillPriceDeviationBps),
    test: [
      'test/unit/core/engine/safeguards/check-fill-price.test.ts',
      'by 1,100 bps halts at once, with no rate answer at all',
    ],
    drills: ['mid-lies'],
  },
  {
    name: 'alert within 5 s of what shows an event',
    rules: ['RTS 6 16(5)', '15c3-5(c)(2)(iv)'],
    besideSecrets: true,
    value: ({ notify }) =>
      notify === null
        ? null
        : Object.entries({ telegram: notify.telegram, slack: notify.slack, webhook: notify.webhook })
            .flatMap(([name, channel]) => (channel === null ? [] : [name]))
            .join(', '),
    test: [
      'test/unit/core/engine/foreign-hand.test.ts',
      'are reported within 5 s of the answer that shows it, with the safe quote, and halt with the second reading',
    ],
    drills: ['foreign-withdrawal', 'venue-down'],
  },
]

const GOVERNANCE: readonly ListedControl[] = [
  {
    name: 'conformance with the venue, in an environment apart',
    rules: ['RTS 6 6', 'RTS 6 7'],
    value: () => 'mizani sandbox, the simulated venue; mizani conformance, the behaviour of the real one',
    test: [
      'test/e2e/conformance.test.ts',
      'a strange venue is learned from the journal, a simulated one like it does the same, and a change is sent with before and after',
    ],
  },
  {
    name: 'stress with twice the messages and twice the volume of the last six months',
    rules: ['RTS 6 10'],
    value: () => 'mizani drill --only double-peak, with the peak of your own journal',
    test: [
      'test/unit/simulator/drills/model/peak.test.ts',
      'the peak is the minute of the last six months with the most fills, and the one with the most dollars',
    ],
    drills: ['double-peak'],
  },
  {
    name: 'withdrawals need two people',
    rules: ['RTS 6 18', '15c3-5(c)(2)(iii)'],
    value: ({ withdraw }) => {
      if (!withdraw.enabled) return 'withdrawals are off'
      const above = ofUsd(withdraw.approvalAboveUsd)
      return above === null ? null : `above ${above}`
    },
    test: [
      'test/unit/core/engine/withdrawals/withdrawal-approval.test.ts',
      'leaves only after another token approved it and the cool-off has passed, and each step is announced',
    ],
    drills: ['foreign-withdrawal'],
  },
  {
    name: 'who did what, in a chain of hashes',
    rules: ['RTS 6 5(7)', 'RTS 6 11', 'RTS 6 12(3)'],
    besideSecrets: true,
    value: ({ http }) => (http.tokens.length === 0 ? null : `${http.tokens.length} operators in http.tokens`),
    test: [
      'test/unit/store/tables/operator-actions.test.ts',
      'holds, continues over a restart, and ends in a head that every action moves',
    ],
  },
  {
    name: 'books that an outsider verifies',
    rules: ['RTS 6 9', '15c3-5(e)'],
    value: ({ close }) => `mizani close, a day in ${close.timezone}`,
    test: [
      'test/unit/research/close/verify/verify-folder.test.ts',
      'does not hold with one altered bit in any byte of any file',
    ],
  },
  {
    name: 'business continuity',
    rules: ['RTS 6 14'],
    value: ({ store }) => `journal and snapshots in ${placeText(store.place)}`,
    test: [
      'test/unit/store/journal/open-store.test.ts',
      'what was durable is there after a restart: latest snapshot, journal after it, suspensions',
    ],
    drills: ['restore', 'daemon-killed', 'disk-full', 'clock-jump', 'zombie-write', 'rail-stuck'],
  },
]

/** Every control, in the report's order. */
export const CONTROLS: readonly Control[] = Object.entries({
  'pre-trade': PRE_TRADE,
  'post-trade': POST_TRADE,
  governance: GOVERNANCE,
} as const).flatMap(([when, controls]) =>
  controls.map((control) => ({ drills: [], ...control, when: when as Control['when'] })),
)
