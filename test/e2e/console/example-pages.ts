import type { PositionView } from '../../../src/daemon/view/position-view.ts'
import { buildTreasuryView } from '../../../src/daemon/view/treasury-view.ts'
import { TreasuryHarness } from '../../support/treasury-harness.ts'
import { exampleChallenger } from '../../unit/daemon/view/example-challenger.ts'
import { exampleRisk } from '../../unit/daemon/view/results/example-risk.ts'
import { exampleScorecard } from '../../unit/daemon/view/example-scorecard.ts'
import { busyTreasury } from './busy-treasury.ts'
import {
  consoleView,
  emptyView,
  exampleAnswers,
  exampleOrders,
  exampleWithdrawals,
  fleetOf,
  haltedView,
  summaryOf,
} from './example-console.ts'
import { fakeDaemon, type FakeDaemon } from './fake-daemon.ts'

const POSITION = 'desk-1'
const WHY = 'trading is stopped until a person resumes: the ledger and the venue differ by 12.5 USDC for 61 s'

/** Every page of the console, each in a state that shows all of its panels. */
export const EXAMPLE_PAGES = {
  trading: () => daemonOf(everyPanel()),
  halted: () => daemonOf(haltedView({ withdrawals: exampleWithdrawals() }), waitingAnswers()),
  'self-custody': () => daemonOf(consoleView({ rfq: exampleOrders() })),
  new: () => daemonOf(emptyView()),
  fleet: () => fleetDaemon(),
  treasury: () => treasuryDaemon(busyTreasury()),
  'new treasury': () => treasuryDaemon(new TreasuryHarness()),
} satisfies Readonly<Record<string, () => Promise<ExamplePage>>>

type ExamplePage = { readonly daemon: FakeDaemon; readonly url: string }

function everyPanel(): PositionView {
  const view = consoleView()
  const results = { scorecard: exampleScorecard(view.now), challenger: exampleChallenger(view.now) }
  return { ...view, ...results, risk: exampleRisk(view.now) }
}

async function daemonOf(view: PositionView, answers: object = {}, path = ''): Promise<ExamplePage> {
  const daemon = await fakeDaemon({ ...exampleAnswers(), ...answers })
  daemon.tell({ type: 'hello', version: '0.1.0', now: 0, positions: [POSITION], takesCommands: true })
  daemon.tell({ type: 'summaries', whole: true, positions: [summaryOf(POSITION, view)], gone: [] })
  daemon.tell({ type: 'state', position: POSITION, view })
  return { daemon, url: `${daemon.url}#/${POSITION}${path}` }
}

/** An alert and a proposal that wait for a person. */
function waitingAnswers(): object {
  const alert = {
    position: POSITION,
    code: 'halted',
    text: WHY,
    raisedAt: 0,
    repeats: 3,
    escalated: 1,
    ack: null,
  }
  const proposal = {
    id: '0000000000000001',
    kind: 'configuration',
    needs: 'operate',
    differences: [{ what: 'strategy.params.halfSpreadBps', from: '60', to: '45' }],
    claim: 'what-if on the journal: +12.40 USD over seven days',
    who: 'reader (assistant x)',
    why: 'the competition quotes 55 on most of the last seven days',
    at: 0,
    expiresAt: 86_400_000,
    stage: 'open',
    settledBy: null,
    settledAt: null,
    outcome: null,
  }
  return { alerts: { alerts: [alert] }, proposals: { position: POSITION, proposals: [proposal] } }
}

async function fleetDaemon(): Promise<ExamplePage> {
  const daemon = await fakeDaemon(exampleAnswers())
  const positions = fleetOf(60)
  const names = positions.map(({ name }) => name)
  daemon.tell({ type: 'hello', version: '0.1.0', now: 0, positions: names, takesCommands: true })
  daemon.tell({ type: 'summaries', whole: true, positions, gone: [] })
  return { daemon, url: daemon.url }
}

function treasuryDaemon({ reading: { state, plan, now } }: TreasuryHarness): Promise<ExamplePage> {
  const view = buildTreasuryView(state, plan, now)
  const treasury = { position: POSITION, approvers: ['anna', 'bertha'], webhooks: null, ...view }
  return daemonOf(consoleView(), { treasury }, '/treasury')
}
