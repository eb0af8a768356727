import { measureTape } from '../tape/summary/summary.ts'
import { mergeTapes, type NamedTape } from '../tape/folder/merge-tapes.ts'
import { openTape } from '../tape/folder/open-tape.ts'
import { createProblemLog } from '../tape/model/problems.ts'
import { copyTape } from './copy-tape.ts'
import { EXIT_CODE } from './exit-code.ts'
import { fail, type Voice } from './say.ts'

export type TapeMergeOptions = Voice & { readonly out: string }

/** Writes several tapes as one; rows that are equal are written once. */
export async function tapeMerge(paths: readonly string[], options: TapeMergeOptions): Promise<void> {
  const tapes: NamedTape[] = []
  for (const path of paths) {
    const opened = openTape(path, { decisions: true })
    if (!opened.ok) return fail(options, EXIT_CODE.usage, opened.error)
    tapes.push({ path, source: opened.value })
  }
  const log = createProblemLog()
  let repeated = 0
  await copyTape(
    {
      rows: mergeTapes(tapes, log, () => void repeated++),
      total: paths.reduce((sum, path) => sum + measureTape(path).rows, 0),
      problems: () => [...tapes.flatMap(({ source }) => source.problems()), ...log.list()],
      repeated: () => repeated,
    },
    options.out,
    options,
  )
}
