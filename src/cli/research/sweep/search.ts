import { tapeIdentities } from '../../../research/jobs/sweep/tape-ground.ts'
import { readQuestion, type SearchRequest } from '../../../research/jobs/sweep/question.ts'
import { searchFront } from '../../../research/jobs/sweep/search-front.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { loadOrExplain } from '../../load-or-explain.ts'
import { fail, print } from '../../output/print.ts'
import { showWork } from '../../output/progress.ts'
import { renderFront } from './render.ts'
import { joinOther, type SweepOptions } from './sweep.ts'

export type SearchOptions = SweepOptions & SearchRequest

/** Searches for the front of several objectives over tapes and simulated markets, and writes it as JSON and as a page. */
export async function search(options: SearchOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options, { offline: true, strategy: 'try' })
  if (config === null) return
  const asked = readQuestion(options, config)
  if (!asked.ok) return fail(options, EXIT_CODE.usage, asked.error)
  const [tape] = asked.value.tapes
  if (options.join === true && tape !== undefined) return joinOther(options, tape.path)
  const identities = await tapeIdentities(asked.value.tapes)
  if (!identities.ok) return fail(options, EXIT_CODE.usage, identities.error)
  const ended = await showWork('variants', (observe, signal) =>
    searchFront({ options, config, signal, identities: identities.value }, asked.value, observe),
  )
  if (!ended.ok) return fail(options, EXIT_CODE.failed, ended.error)
  if (ended.value === null)
    return fail(options, EXIT_CODE.failed, 'interrupted; the same command resumes the remaining work', {
      out: options.out,
    })
  print(options, renderFront(ended.value, options.out, asked.value.tapes.length > 0), ended.value)
}
