import type { MessagePort } from 'node:worker_threads'
import { err, errorText, ok, type Result } from '../../base/result.ts'
import { drawWorld, type PreparedScenario } from '../scenarios/draw/world.ts'
import type { Participant, WorldResult } from '../scenarios/play/participant.ts'
import { playWorld } from '../scenarios/play/play-world.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { PolicyDifference } from './core/compare-policy.ts'
import type { EntrantVariant } from './entrant.ts'

/** A variant and the key under which its result in a world is stored. */
export type Play = {
  readonly key: string
  readonly variant: EntrantVariant
  /** The code that the key names. */
  readonly sourceHash: string
  /** Compares its spreads with those of its exact parameters. */
  readonly compares?: true
}

/** One world and all its plays: plain data for a thread. */
export type TournamentJob = {
  /** Paths of strategies are relative to this file. */
  readonly configFile: string
  readonly prepared: PreparedScenario
  readonly seed: number
  readonly plays: readonly Play[]
}

/** Result of a world, with the difference of the quotes from exact ones if it was requested. */
export type PlayedWorld = WorldResult & { readonly policy?: PolicyDifference }

/** A result under its key, and what it is of for a reader of the file: the key is a hash. Older results have no names. */
export type PlayResult = {
  readonly key: string
  readonly scenario?: string
  readonly seed?: number
  readonly strategy?: string
  /** The parameters of its grid; empty = no grid. */
  readonly label?: string
  readonly result: PlayedWorld
}

/** Returns the result of a play with the names of its scenario, seed and strategy. */
export function namedResult(
  { prepared, seed }: Pick<TournamentJob, 'prepared' | 'seed'>,
  { key, variant: { entrant, label } }: Pick<Play, 'key' | 'variant'>,
  result: PlayedWorld,
): PlayResult {
  return { key, scenario: prepared.scenario.name, seed, strategy: entrant, label, result }
}

/** The player of one world; `policy` is available afterwards. */
export type Player = { readonly decide: Participant; readonly policy: (() => PolicyDifference) | null }

/** Creates a player of a variant of a configuration file, with what its market states to it; the caller loads its code. */
export type ParticipantMaker = (
  play: Pick<Play, 'variant' | 'compares' | 'sourceHash'>,
  configFile: string,
  scenario: Scenario,
) => Promise<Result<Player, string>>

/** Plays one world with every variant of the job. The error names the variant. */
async function runJob(
  job: TournamentJob,
  participantOf: ParticipantMaker,
): Promise<Result<readonly PlayResult[], string>> {
  const { configFile, prepared, seed, plays } = job
  const world = drawWorld(prepared, seed)
  const results: PlayResult[] = []
  for (const play of plays) {
    const { variant } = play
    const where = `${variant.entrant} in ${prepared.scenario.name}, seed ${seed}`
    try {
      const participant = await participantOf(play, configFile, prepared.scenario)
      if (!participant.ok) return err(`${variant.entrant}: ${participant.error}`)
      const result = playWorld(world, participant.value.decide, {
        tauBps: variant.feedTauBps,
        refills: variant.refills,
      })
      if (!Number.isFinite(result.pnlUsd)) return err(`${where}: its result is not a number`)
      const { policy } = participant.value
      results.push(namedResult(job, play, policy === null ? result : { ...result, policy: policy() }))
    } catch (thrown) {
      return err(`${where}: ${errorText(thrown)}`)
    }
  }
  return ok(results)
}

/** Serves jobs in a worker thread, one after the other. */
export function serveTournament(port: MessagePort, participantOf: ParticipantMaker): void {
  port.on('message', (job: TournamentJob) => {
    void runJob(job, participantOf).then((answer) => port.postMessage(answer))
  })
}
