import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ResearchPort } from '../../daemon/assistant/ports.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { MINUTE_MS, type Ms } from '../../base/time.ts'
import { checkChanges } from '../../daemon/config/load/changes.ts'
import type { ApartCommand, ApartOptions } from '../apart-commands.ts'
import { collectApart } from '../apart/collect-apart.ts'
import type { NamedPosition } from './positions.ts'

const WITHIN_MS = 2 * MINUTE_MS
const MOST_RESULT_BYTES = 64 * 1_024 * 1_024

/** Files that the operator allows the server to read, in addition to the configurations and their stores. */
export type ResearchFiles = {
  /** A tape; absent = `backtest.tape` of the configuration. */
  readonly tape?: string | undefined
  /** The folder of a tournament's results. */
  readonly tournament?: string | undefined
}

/**
 * Runs offline commands for an assistant, which names positions, strategies and values but never a file. Runs one at
 * a time, so that requests cannot starve a daemon that trades on the same machine.
 */
export function createResearch(positions: readonly NamedPosition[], files: ResearchFiles): ResearchPort {
  let isBusy = false

  async function run<Name extends ApartCommand>(
    command: Name,
    name: string | undefined,
    optionsOf: (position: NamedPosition) => Result<ApartOptions[Name], string>,
  ): Promise<Result<unknown, string>> {
    const position = positionOf(positions, name)
    if (!position.ok) return position
    const options = optionsOf(position.value)
    if (!options.ok) return options
    if (isBusy) return err('another computation is running; wait for it and try again')
    isBusy = true
    try {
      return await collectApart(command, options.value, WITHIN_MS)
    } finally {
      isBusy = false
    }
  }

  return {
    explain: (name) =>
      run('explain', name, ({ file: config, store }) =>
        store.ok ? ok({ config, store: store.value }) : store,
      ),
    async backtest({ position, params, from, to, ...asked }) {
      const allowed = checkChanges(params === undefined ? {} : { 'strategy.params': params })
      if (!allowed.ok) return allowed
      return run('backtest', position, ({ file: config }) =>
        ok({
          config,
          ...(files.tape !== undefined && { tape: files.tape }),
          ...(params !== undefined && { params: JSON.stringify(params) }),
          ...given(asked),
          ...windowOf(from, to),
          variants: 1,
          replicates: 0,
        }),
      )
    },
    async whatIf({ position, changes, from, to, ...asked }) {
      const allowed = checkChanges(changes)
      if (!allowed.ok) return allowed
      return run('whatif', position, ({ file: config, store }) => {
        if (!store.ok) return store
        return ok({ config, store: store.value, changes, ...given(asked), ...windowOf(from, to) })
      })
    },
    tournament: () => readTournament(files.tournament),
  }
}

/** Returns the options without those that were not given. */
function given(options: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function windowOf(from: string | undefined, to: string | undefined): { from?: Ms; to?: Ms } {
  return {
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  }
}

function positionOf(
  positions: readonly NamedPosition[],
  name: string | undefined,
): Result<NamedPosition, string> {
  const [only] = positions
  if (name === undefined && only !== undefined && positions.length === 1) return ok(only)
  const found = positions.find((one) => one.name === name)
  if (found !== undefined) return ok(found)
  const names = positions.slice(0, 20).map((one) => one.name)
  return err(`position: expected one of ${names.join(', ')}${positions.length > 20 ? ', ...' : ''}`)
}

function readTournament(folder: string | undefined): Result<unknown, string> {
  if (folder === undefined)
    return err('no results are shown: `mizani mcp --tournament FOLDER` names the folder of a tournament')
  const file = join(folder, 'result.json')
  try {
    if (statSync(file).size > MOST_RESULT_BYTES) return err(`the result in ${file} is larger than 64 MB`)
    return ok(JSON.parse(readFileSync(file, 'utf8')) as unknown)
  } catch (thrown) {
    const code = (thrown as { code?: string }).code ?? 'not JSON'
    return err(`the result of the tournament cannot be read (${code}); is one complete in that folder?`)
  }
}
