import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { RISK_RULE_NAMES } from '../../alerts/risk-rules.ts'

export type DecisionMetrics = {
  readonly tradingState: Gauge<'state'>
  readonly decisionSeconds: Histogram
  readonly riskRefusals: Counter<'rule'>
  readonly buildInfo: Gauge<'version'>
}

const MICROSECOND = 1e-6
const DECISION_BUCKETS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000,
].map((microseconds) => Number((microseconds * MICROSECOND).toPrecision(6)))

/** What the core decides, how fast, and what risk says to it. */
export function decisionMetrics(registry: Registry): DecisionMetrics {
  const registers = [registry]
  const riskRefusals = new Counter({
    name: 'mizani_risk_refusals_total',
    help: 'Times that a rule of risk refused or changed what was wanted, by rule.',
    labelNames: ['rule'],
    registers,
  })
  for (const rule of RISK_RULE_NAMES) riskRefusals.inc({ rule }, 0)
  return {
    riskRefusals,
    tradingState: new Gauge({
      name: 'mizani_trading_state',
      help: '1 for the state that holds, 0 for the others: ACTIVE, REDUCING (only the side that brings the inventory back), HALTED (latched until an operator resumes).',
      labelNames: ['state'],
      registers,
    }),
    decisionSeconds: new Histogram({
      name: 'mizani_decision_seconds',
      help: 'From an event to its effects inside the core, the journal not waited for.',
      buckets: DECISION_BUCKETS,
      registers,
    }),
    buildInfo: new Gauge({
      name: 'mizani_build_info',
      help: 'Always 1; the label says which version runs.',
      labelNames: ['version'],
      registers,
    }),
  }
}
