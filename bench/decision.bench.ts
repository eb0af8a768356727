import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom, type Random } from '../src/base/random.ts'
import type { Ms } from '../src/base/time.ts'
import { createEngine, type Audit, type Engine } from '../src/core/engine/engine.ts'
import type { Effect } from '../src/core/engine/model/effect.ts'
import type { Event } from '../src/core/engine/model/event.ts'
import { inventoryShare } from '../src/core/engine/decision/inventory-share.ts'
import { buildRiskInput } from '../src/core/engine/decision/build-risk-input.ts'
import { position } from '../src/core/ledger/book/book.ts'
import { approve } from '../src/core/risk/approve.ts'
import { assess } from '../src/core/risk/assess.ts'
import { createPositionLoop } from '../src/daemon/runtime/position/position-loop.ts'
import { FIRST_DIGEST } from '../src/daemon/runtime/position/decision-digest.ts'
import { openStore } from '../src/store/journal/open-store.ts'
import type { LoadedStrategy, StrategyDefinition } from '../src/core/strategy/define-strategy.ts'
import { createLog } from '../src/daemon/telemetry/log/log.ts'
import { createMetrics } from '../src/daemon/telemetry/metrics/metrics.ts'
import { createObserver } from '../src/daemon/telemetry/observer.ts'
import { coreConfig } from '../test/support/core-config.ts'
import { createModelVenue, type ModelVenue } from './live/model-venue.ts'
import { spreadOfSamples, type SpreadOfSamples } from './harness/spread-of-samples.ts'
import { shortOr } from './harness/short.ts'
import { plainRowNs } from './plain/row-cost.ts'
import { createTransition } from '../src/core/engine/transition.ts'
import inventorySkew from '../strategies/inventory-skew.ts'

const WARM_UP = shortOr(200, 5_000)
const MEASURED = shortOr(1_000, 25_000)
const START: Ms = Date.UTC(2026, 8, 7, 6)
const US = 1_000
const TARGET_P99_US = 50
/** Seldom, so that it leaves the caches and the collector to the loop. */
const RISK_EVERY = 8

type Samples = {
  readonly decision: number[]
  readonly path: number[]
  readonly whole: number[]
  readonly strategy: number[]
  readonly risk: number[]
  readonly decisionByEvent: Map<string, number[]>
  readonly pathByEvent: Map<string, number[]>
}

/**
 * From an event to its effects on the live path: the daemon's own loop, journal worker and observer, with
 * inventory-skew. The venue is the model of the sandbox in the same process, so that the events are those
 * of a busy market (a new mid, a competitor's move or a few fills at nearly every look) and no socket is
 * measured. An effect is performed only once the journal has its event on disk, as live.
 *   decision  the core alone: engine.process, what mizani_decision_seconds shows
 *   path      from the event to its effects in hand: posting to the journal, decision, digest, projection
 *   whole     path, and the log lines and counters that tell of it
 *   strategy  the strategy's own answer       risk  gathering what risk looks at, all rules, the stamp
 */
export default async function decisionBench(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'mizani-bench-'))
  const store = await openStore(folder)
  if (!store.ok) throw new Error(store.error.message)
  // Without it the driver would wait indefinitely for effects that the journal never releases.
  const failed = Promise.withResolvers<never>()
  store.value.onFailure((failure) => failed.reject(new Error(failure.message)))
  const samples: Samples = {
    decision: [],
    path: [],
    whole: [],
    strategy: [],
    risk: [],
    decisionByEvent: new Map(),
    pathByEvent: new Map(),
  }
  const strategy = timedStrategy(samples)
  const engine = createEngine({ strategyFor: () => strategy, calendar: () => false })
  const log = createLog({ position: 'bench', level: 'info', to: openSync(devNull, 'w') })
  const metrics = createMetrics('bench')
  const observe = createObserver(log, metrics)
  // When the loop began to tell what it had already decided; null = there was nothing to tell.
  let toldAt: number | null = null
  const venue = createModelVenue({
    seed: 7,
    startMs: START,
    requestsPerMinute: 1_000_000,
    publicRequestsPerMinute: 1_000_000,
  })
  const released: Effect[] = []
  let wake: () => void = () => undefined
  let now = START
  const loop = createPositionLoop({
    store: store.value,
    engine,
    clock: { now: () => now },
    // The driver below answers, in the order of virtual time; the loop's own waiting is not used.
    perform: (effect) => {
      released.push(effect)
      wake()
      return new Promise(() => undefined)
    },
    observe: (observation) => {
      toldAt ??= performance.now()
      observe(observation)
    },
    observeDecision: (seconds) => {
      metrics.decisionSeconds.observe(seconds)
      samples.decision.push(seconds * 1_000 * US)
    },
    heartbeat: { enter: () => undefined, leave: () => undefined },
    from: { seq: 0, digest: FIRST_DIGEST },
  })

  const give = (event: Event): Audit => {
    now = Math.max(now, event.t)
    toldAt = null
    const began = performance.now()
    const audit = loop.submit(event)
    const ended = performance.now()
    const path = ((toldAt ?? ended) - began) * US
    samples.whole.push((ended - began) * US)
    samples.path.push(path)
    keep(samples.pathByEvent, nameOf(event), path)
    keep(samples.decisionByEvent, nameOf(event), samples.decision.at(-1) ?? 0)
    if (samples.whole.length % RISK_EVERY === 0) measureRisk(engine, strategy, samples)
    return audit
  }
  const driven = drive({
    give,
    venue,
    released,
    now: () => now,
    idle: (resolve) => (wake = resolve),
    samples,
  })
  await Promise.race([driven, failed.promise])
  loop.stop()
  await store.value.close()
  rmSync(folder, { recursive: true, force: true })
  return report(samples, await plainRowNs())
}

type Driving = {
  readonly give: (event: Event) => Audit
  readonly venue: ModelVenue
  readonly released: Effect[]
  readonly now: () => Ms
  readonly idle: (wake: () => void) => void
  readonly samples: Samples
}

/** Lets virtual time go from effect to answer to tick; waits in real time only for the journal. */
async function drive({ give, venue, released, now, idle, samples }: Driving): Promise<void> {
  const stir = createStirring(venue)
  let emitted = 0
  let answered = 0
  const due: Event[] = []
  let wakeAt = Infinity
  const submit = (event: Event): void => {
    const audit = give(event)
    emitted += audit.effects.length
    wakeAt = audit.wakeAt
  }
  submit({
    type: 'started',
    t: START,
    version: 'bench',
    config: coreConfig({ strategy: { use: 'inventory-skew', params: {}, sourceHash: 'bench' } }),
  })
  let warm = false
  while (samples.whole.length < (warm ? MEASURED : WARM_UP)) {
    for (const effect of released.splice(0)) {
      stir(effect)
      due.push(venue.perform(effect, now()))
      answered += 1
    }
    due.sort((a, b) => a.t - b.t)
    if (due[0] !== undefined && due[0].t <= wakeAt) submit(due.shift() as Event)
    else if (emitted > answered) await new Promise<void>((resolve) => idle(resolve))
    // A clock tells whole milliseconds, and the journal keeps nothing else.
    else submit({ type: 'tick', t: Math.ceil(Math.max(now(), wakeAt)) })
    if (!warm && samples.whole.length >= WARM_UP) {
      warm = true
      for (const kept of Object.values(samples)) {
        if (kept instanceof Map) kept.clear()
        else kept.length = 0
      }
    }
  }
}

/** A market that never rests: before most looks at it something has happened. */
function createStirring({ model }: ModelVenue): (effect: Effect) => void {
  const random = seededRandom(7, 'bench')
  return (effect) => {
    if (effect.type === 'readRate' && random() < 0.5)
      model.inject({ jump: { bps: Math.round(random() * 40 - 20) } })
    if (effect.type === 'readBestQuote' && random() < 0.5) {
      const bps = 60 + Math.floor(random() * 40)
      model.inject({ competitor: { name: 'rufiji', bidBps: bps, askBps: bps } })
    }
    if (effect.type === 'readFills' && random() < 0.3) {
      for (let more = true; more; more = random() < 0.3) takeSomething(model, random)
    }
  }
}

/** 20 to 220 dollars, either way. */
function takeSomething(model: ModelVenue['model'], random: Random): void {
  const cents = 2_000 + Math.floor(random() * 20_000)
  if (random() < 0.5) model.swap({ from: 'USDC', to: 'NTZS', amountIn: BigInt(cents) * 10_000n })
  else model.swap({ from: 'NTZS', to: 'USDC', amountIn: BigInt(cents) * 25n * 10n ** 18n })
}

/** inventory-skew with a stop-watch around its answer. */
function timedStrategy(samples: Samples): LoadedStrategy {
  const definition = inventorySkew as StrategyDefinition<unknown, unknown>
  return {
    use: 'inventory-skew',
    params: definition.params.parse({ halfSpreadBps: 45, maxSkewBps: 80, offBeyond: 0.9 }),
    inner: {},
    sourceHash: 'bench',
    definition: {
      ...definition,
      quote: (...given) => {
        const began = performance.now()
        const quote = definition.quote(...given)
        samples.strategy.push((performance.now() - began) * US)
        return quote
      },
    },
  }
}

/** The same state once more through risk alone; it changes nothing. */
function measureRisk(engine: Engine, strategy: LoadedStrategy, samples: Samples): void {
  const state = engine.state()
  if (state === null) return
  const { config } = state
  const fixed = { calendar: () => false, polling: 'engine', observes: true } as const
  const transition = createTransition(state, strategy, fixed)
  const began = performance.now()
  const { mid } = state.market
  const share = mid === null ? null : inventoryShare(position(state.book), mid, config.inventory.target)
  const input = buildRiskInput(state, transition.now, share)
  const findings = assess(input, config.risk, config.inventory.limits)
  const settings = { ...config.quote, onHalt: config.risk.onHalt, orders: null, mayDeactivate: true }
  approve(state.strategy.wanted, findings, state.latch, input.inventoryImbalance, settings)
  samples.risk.push((performance.now() - began) * US)
}

function keep(by: Map<string, number[]>, kind: string, microseconds: number): void {
  const list = by.get(kind)
  if (list === undefined) by.set(kind, [microseconds])
  else list.push(microseconds)
}

function nameOf(event: Event): string {
  if (event.type !== 'fills') return event.type
  return event.fills.length === 0
    ? 'fills, none new'
    : event.fills.length === 1
      ? 'fills, one new'
      : 'fills, several new'
}

function report(samples: Samples, plainNs: number): Record<string, unknown> {
  const path = spreadOfSamples(samples.path)
  const decision = spreadOfSamples(samples.decision)
  return {
    unit: 'microseconds',
    targetP99: TARGET_P99_US,
    met: path.p99 < TARGET_P99_US,
    decision,
    path,
    whole: spreadOfSamples(samples.whole),
    strategy: spreadOfSamples(samples.strategy),
    risk: spreadOfSamples(samples.risk),
    decisionByEvent: spreadsOf(samples.decisionByEvent),
    pathByEvent: spreadsOf(samples.pathByEvent),
    /** A row of the plain loop by a decision at the median, which others' work on the machine moves least. */
    ratios: { decision: Number((plainNs / US / decision.p50).toPrecision(3)) },
  }
}

function spreadsOf(by: ReadonlyMap<string, readonly number[]>): Record<string, SpreadOfSamples> {
  return Object.fromEntries([...by].map(([kind, list]) => [kind, spreadOfSamples(list)]))
}
