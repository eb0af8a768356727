import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { err, invariant, ok, type Result } from '../../../base/result.ts'
import { loadConfig } from '../../../daemon/config/load/load-config.ts'
import { strategiesFolder } from '../../../daemon/runtime/position/strategy-registry.ts'
import { type PreparedScenario, prepareScenario } from '../../scenarios/draw/world.ts'
import type { Ground } from '../../sweep/search/run-search.ts'
import { type VariantChanges, numberVariants, variantChanges } from '../../sweep/variant.ts'
import { TOURNAMENT_WORKER } from '../tournament/plan-tournament.ts'
import { createThreadPool } from '../../../base/threads/pool.ts'
import type { Play, TournamentJob } from '../../tournament/job.ts'
import { playHere, type PlayPool, Progress } from '../../tournament/play-jobs.ts'
import { type KeptResults, openResults, resultKey } from '../../tournament/results/kept-results.ts'
import { HANGS } from '../apart/hang.ts'
import { version } from '../../../base/text/version.ts'
import type { Worlds } from './question.ts'
import type { Place } from './tape-ground.ts'
import { problemTexts } from './check-variants.ts'
import { worldMetrics } from './world-metrics.ts'

type ScenarioGrounds = { readonly grounds: readonly Ground[]; readonly close: () => Promise<void> }

/** First training seed of a tournament: its test seeds remain unseen. */
const FIRST_SEED = 1
/** A world is drawn once per job; the threads of a large machine find enough jobs in one generation. */
const PLAYS_A_JOB = 4

type Players = {
  readonly place: Pick<Place, 'options' | 'signal'>
  readonly worlds: Worlds
  readonly kept: KeptResults
  readonly pool: PlayPool
}

/**
 * Plays variants in simulated markets: all meet the same worlds, each with its own core, as in a tournament. Stores
 * results in the search's folder as they arrive. The error explains why the folder cannot be opened.
 */
export function openScenarioGrounds(
  place: Pick<Place, 'options' | 'signal'>,
  worlds: Worlds,
): Result<ScenarioGrounds, string> {
  if (worlds.scenarios.length === 0) return ok({ grounds: [], close: () => Promise.resolve() })
  const opened = openResults(place.options.out)
  if (!opened.ok) return opened
  const kept = opened.value
  const pool: PlayPool = createThreadPool(
    TOURNAMENT_WORKER,
    place.options.workers ?? availableParallelism(),
    HANGS,
  )
  return ok({
    grounds: worlds.scenarios.map((scenario) =>
      scenarioGround(prepareScenario(scenario, worlds.days), { place, worlds, kept, pool }),
    ),
    async close() {
      kept.close()
      await pool.close()
    },
  })
}

function scenarioGround(
  prepared: PreparedScenario,
  { place: { options, signal }, worlds, kept, pool }: Players,
): Ground {
  const configFile = resolve(options.config)
  const seeds = Array.from({ length: worlds.seeds }, (_, index) => FIRST_SEED + index)
  return {
    name: prepared.scenario.name,
    async measure(changes, observe) {
      const playsOf = await playsIn(prepared, configFile, changes, worlds)
      if (!playsOf.ok) return playsOf
      const jobs = seeds.flatMap((seed) =>
        inParts(playsOf.value(seed)).map((plays): TournamentJob => ({ configFile, prepared, seed, plays })),
      )
      const progress = new Progress(changes.length * seeds.length, ({ done }) =>
        observe(Math.floor(done / seeds.length)),
      )
      const played = await playHere(jobs, { kept, pool, progress, signal })
      if (!played.ok) return err(`${played.error}\n${kept.count()} results are kept in ${options.out}`)
      if (signal.aborted) return ok(null)
      const bySeed = seeds.map((seed) => playsOf.value(seed).map(({ key }) => kept.get(key)))
      return ok(
        changes.map((_, place) => {
          const results = bySeed.flatMap((row) => row[place] ?? [])
          invariant(results.length === seeds.length, 'every world of a variant was played')
          return worldMetrics(results, worlds.days)
        }),
      )
    },
  }
}

/** Returns the plays in a seed's world: the strategy of each variant's configuration, by the key of its result. */
async function playsIn(
  { scenario, days }: PreparedScenario,
  configFile: string,
  changes: readonly VariantChanges[],
  { feedTauBps }: Worlds,
): Promise<Result<(seed: number) => readonly Play[], string>> {
  const players: { readonly variant: Play['variant']; readonly sourceHash: string }[] = []
  for (const { label, changes: own } of numberVariants(changes).slice(1)) {
    const loaded = await loadConfig(configFile, process.env, {
      strategiesFolder: strategiesFolder(),
      offline: true,
      evaluatesHere: true,
      changes: variantChanges(own),
    })
    const entrant = label === '' ? 'the configuration as it is' : label
    if (!loaded.ok) return err(`${entrant}: ${problemTexts(loaded.error).join('\n')}`)
    const { use, params, sourceHash } = loaded.value.strategy
    const ways = { feedTauBps, refills: null, calibration: null, label: '' }
    players.push({ variant: { entrant, use, params: params as Params, ...ways }, sourceHash })
  }
  return ok((seed) =>
    players.map(({ variant, sourceHash }) => ({
      key: resultKey({ product: version, sourceHash }, { scenario, days, seed }, variant),
      variant,
      sourceHash,
    })),
  )
}

type Params = Play['variant']['params']

function inParts(plays: readonly Play[]): readonly (readonly Play[])[] {
  return Array.from({ length: Math.ceil(plays.length / PLAYS_A_JOB) }, (_, part) =>
    plays.slice(part * PLAYS_A_JOB, (part + 1) * PLAYS_A_JOB),
  )
}
