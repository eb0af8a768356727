import { z } from 'zod'
import { ok, type Result } from '../../../base/result.ts'
import { withShortLists } from '../answer-text.ts'
import { readTool, type Tool } from '../tool.ts'
import { positionName } from './daemon-tools.ts'

const moment = z.iso.datetime({ offset: true }).optional()
const window = {
  from: moment.describe('Start of the window, ISO 8601; the whole tape by default.'),
  to: moment.describe('End of the window, exclusive.'),
}
const seed = z.int().min(0).max(2_147_483_647).optional().describe('Seed of all random draws.')
const anyValues = z.record(z.string().min(1).max(200), z.unknown())

/** New values by dotted path, in the form of a reload. */
export const changes = anyValues.describe(
  'New values by dotted path, e.g. {"strategy.params.halfSpreadBps": 55}; get_parameters lists what may be set.',
)

async function shortened(done: Promise<Result<unknown, string>>): Promise<Result<unknown, string>> {
  const result = await done
  return result.ok ? ok(withShortLists(result.value)) : result
}

/** Tools that compute outside the daemon and send, write or change nothing. */
export const RESEARCH_TOOLS: readonly Tool[] = [
  readTool(
    'explain_quote',
    'Explain the quote',
    'The latest quote of a position term by term, with the rules and clamps that bounded it, from its store.',
    z.strictObject({ position: positionName }),
    ({ research }, asked) => shortened(research.explain(asked.position)),
  ),
  readTool(
    'run_backtest',
    'Backtest',
    'Simulates a configuration over its tape with the core and the rules of the daemon: PnL with its confidence interval. Takes up to two minutes; one at a time.',
    z.strictObject({
      position: positionName,
      strategy: z
        .string()
        .regex(/^[a-z][a-z0-9-]{0,60}$/, 'expected the name of a shipped strategy')
        .optional()
        .describe('A shipped strategy instead of the configured one.'),
      params: anyValues
        .optional()
        .describe('Its parameters; without strategy they override the configured ones.'),
      fills: z.enum(['recorded', 'thinned', 'routed', 'simulated']).optional().describe('The fill model.'),
      seed,
      ...window,
    }),
    ({ research }, asked) => shortened(research.backtest(asked)),
  ),
  readTool(
    'what_if',
    'What if',
    'Runs the market data of the journal twice, with the configuration that ran and with your changes, against the same takers. Takes up to two minutes; one at a time.',
    z.strictObject({ position: positionName, changes, seed, ...window }),
    ({ research }, asked) => shortened(research.whatIf(asked)),
  ),
  readTool(
    'get_tournament',
    'Tournament results',
    'Results of a tournament of strategies against simulated markets: standings by scenario, paired differences.',
    z.strictObject({
      scenario: z
        .string()
        .max(100)
        .optional()
        .describe('One scenario whole; without it the standings in short.'),
    }),
    async ({ research }, { scenario }): Promise<Result<unknown, string>> => {
      const read = research.tournament()
      return read.ok ? ok(tournamentPart(read.value, scenario)) : read
    },
  ),
]

/** A result written by `mizani tournament`: a table of all scenarios, or one of them in full. */
const RESULT = z.looseObject({
  product: z.string(),
  scenarios: z.array(
    z.looseObject({
      name: z.string(),
      standings: z.array(
        z.looseObject({
          strategy: z.string(),
          pnl: z.unknown(),
          drawdown: z.unknown(),
          fillsADay: z.unknown(),
        }),
      ),
    }),
  ),
})

function tournamentPart(value: unknown, scenario: string | undefined): unknown {
  const result = RESULT.safeParse(value)
  if (!result.success) return { problem: 'the file is not a result of this version of `mizani tournament`' }
  const { product, scenarios } = result.data
  if (scenario !== undefined) {
    const found = scenarios.find(({ name }) => name === scenario)
    return found ?? { problem: 'no such scenario', scenarios: scenarios.map(({ name }) => name) }
  }
  return {
    product,
    scenarios: scenarios.map(({ name, standings }) => ({
      name,
      standings: standings.map(({ strategy, pnl, drawdown, fillsADay }) => ({
        strategy,
        pnl,
        drawdown,
        fillsADay,
      })),
    })),
  }
}
