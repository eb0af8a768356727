import type { CampaignFolder, CampaignHead } from './kept.ts'
import { type KeptResult, keyOf, type Unit } from './plan.ts'
import type { CampaignPorts } from './run-campaign.ts'
import { isCanaryOf } from './summary.ts'

/** A campaign under way: what it is, what it has come to, and where that is kept. */
export type Work = {
  readonly head: CampaignHead
  readonly results: KeptResult[]
  readonly folder: CampaignFolder
}

const PROGRESS_EVERY_MS = 10_000

/** A bug that was found in another program proves nothing of this one. */
function isKnown(result: KeptResult, head: CampaignHead): boolean {
  return result.kind !== 'canary' || isCanaryOf(result, head)
}

/** The units that have no result yet, and what becomes of the results that come. */
export class Missing {
  readonly units: Unit[]
  readonly #all: readonly Unit[]
  readonly #work: Work
  readonly #ports: Pick<CampaignPorts, 'print' | 'now'>
  readonly #began: number
  #shownAt: number
  #done = 0
  #failed = 0

  constructor(all: readonly Unit[], work: Work, ports: Pick<CampaignPorts, 'print' | 'now'>) {
    const known = new Set(work.results.filter((one) => isKnown(one, work.head)).map(({ key }) => key))
    this.#all = all
    this.units = all.filter((unit) => !known.has(keyOf(unit)))
    this.#work = work
    this.#ports = ports
    this.#began = ports.now()
    this.#shownAt = this.#began
  }

  take(result: KeptResult): void {
    const { results, folder } = this.#work
    const { print } = this.#ports
    results.push(result)
    folder.add(result)
    this.#done += 1
    if (result.failure !== null) {
      this.#failed += 1
      print(`FAILED ${result.world} seed ${result.seed}: ${result.failure}`)
    }
    this.#showProgress()
  }

  #showProgress(): void {
    const now = this.#ports.now()
    if (now - this.#shownAt < PROGRESS_EVERY_MS) return
    this.#shownAt = now
    const before = this.#all.length - this.units.length
    const left = this.units.length - this.#done
    const minutes = Math.ceil((((now - this.#began) / this.#done) * left) / 60_000)
    const what = this.#all.every(({ kind }) => kind === 'kills') ? 'runs of kills' : 'units'
    this.#ports.print(
      `${before + this.#done}/${this.#all.length} ${what}, ${this.#failed} failed, some ${minutes} min left`,
    )
  }
}

/** Runs what has no result yet in this process, so many units at once. */
export async function runMissing(
  units: readonly Unit[],
  work: Work,
  { size, run, print, now, signal }: CampaignPorts,
): Promise<void> {
  const { commit, node } = work.head
  const missing = new Missing(units, work, { print, now })
  const waiting = [...missing.units]
  const workOn = async (): Promise<void> => {
    for (;;) {
      const next = signal.aborted ? undefined : waiting.shift()
      if (next === undefined) return
      const result = { ...(await run(next)), commit, node }
      // Ctrl-C reaches the processes of the terminal too: what they fail of then is no result.
      if (next.kind === 'kills' && result.failure !== null && signal.aborted) return
      missing.take(result)
    }
  }
  await Promise.all(Array.from({ length: size }, workOn))
}
