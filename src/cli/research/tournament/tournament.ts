import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { SECOND_MS } from '../../../base/time.ts'
import { runTournament, type TournamentEnd } from '../../../research/tournament/run-tournament.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { fail, print, type OutputFormat } from '../../output/print.ts'
import { showWork } from '../../output/progress.ts'
import { wroteOrExplained } from '../../output/write-file.ts'
import { HANGS } from '../../../research/jobs/apart/hang.ts'
import { tournamentPage } from '../../../research/report/pages/tournament-page.ts'
import {
  planTournament,
  TOURNAMENT_WORKER,
  type TournamentRequest,
} from '../../../research/jobs/tournament/plan-tournament.ts'
import { ablationCsv, regretCsv, renderRegret, renderTournament } from './render.ts'

export type TournamentOptions = OutputFormat &
  TournamentRequest & {
    readonly workers?: number
    readonly queue?: string
    readonly leaseSeconds: number
    readonly out: string
  }

/** Plays strategies against simulated markets and compares them seed by seed. */
export async function tournament(options: TournamentOptions, hangs = HANGS): Promise<void> {
  if (options.workers === 0 && options.queue === undefined)
    return fail(options, EXIT_CODE.usage, '--workers 0 needs --queue, with workers elsewhere')
  const plan = await planTournament(options)
  if (!plan.ok) return fail(options, EXIT_CODE.usage, plan.error)
  const ended = await showWork('plays', (observe, signal) =>
    runTournament({
      plan: plan.value,
      out: options.out,
      worker: TOURNAMENT_WORKER,
      workers: options.workers ?? availableParallelism(),
      hangs,
      queue:
        options.queue === undefined
          ? null
          : { url: options.queue, leaseMs: options.leaseSeconds * SECOND_MS },
      observe,
      signal,
    }),
  )
  if (!ended.ok) return fail(options, EXIT_CODE.failed, ended.error)
  await finish(options, ended.value)
}

async function finish(options: TournamentOptions, end: TournamentEnd): Promise<void> {
  const { out } = options
  if (end.kind === 'left') {
    const { done, total } = end.progress
    const left = `interrupted with ${done} of ${total} plays done; the same command resumes with the others`
    return fail(options, EXIT_CODE.failed, left, { ...end.progress, out })
  }
  const { result } = end
  mkdirSync(out, { recursive: true })
  const files = {
    'result.json': `${JSON.stringify(result, null, 1)}\n`,
    ...('cells' in result ? { 'regret.csv': regretCsv(result) } : { 'report.html': tournamentPage(result) }),
    ...('ablation' in result &&
      result.ablation !== undefined && { 'ablation.csv': ablationCsv(result.ablation) }),
  }
  for (const [name, text] of Object.entries(files))
    if (!(await wroteOrExplained(options, join(out, name), text))) return
  print(options, 'cells' in result ? renderRegret(result, out) : renderTournament(result, out), result)
}
