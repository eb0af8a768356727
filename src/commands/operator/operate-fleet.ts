import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type LoadedFleet, loadFleet, type LoadFleetOptions } from '../../config/fleet/load-fleet.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type ConfigProblem, formatProblem } from '../../config/source/problem.ts'
import { strategiesFolder } from '../../runtime/position/strategy-registry.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { printable } from '../../base/printable.ts'
import { fail, type Outcome, type OutputFormat, print, printWarning } from '../output/print.ts'
import { askDaemon } from './daemon-client.ts'
import { contactOf } from './find-daemon.ts'

/** Commands at a time: each of them is answered once a journal has it. */
const AT_ONCE = 16

/**
 * The positions that the files of a fleet make, or null after its problems were printed and exit code 2 set. A position
 * whose strategy is broken or missing is one of them.
 */
export async function loadFleetOrExplain(
  folder: string,
  voice: OutputFormat,
  options: Partial<Pick<LoadFleetOptions, 'offline' | 'probeLimitMs'>> = {},
): Promise<LoadedFleet | null> {
  const loaded = await loadFleet(folder, process.env, {
    strategiesFolder: strategiesFolder(),
    probeLimitMs: null,
    ...options,
  })
  if (!loaded.ok) {
    fail(voice, EXIT_CODE.usage, textOf(loaded.error), { problems: loaded.error })
    return null
  }
  for (const { loaded: one } of loaded.value.files) if (!one.ok) printWarning(printable(textOf(one.error)))
  return loaded.value
}

/**
 * Gives every position of a fleet the same command. A position whose file is broken by now runs on as it was: the
 * daemon names it, and it gets the command too. Prints one line each; the exit code is the first that is not 0.
 */
export async function operateFleet(
  folder: string,
  voice: OutputFormat,
  carryOut: (config: LoadedConfig) => Promise<Outcome>,
): Promise<void> {
  const fleet = await loadFleetOrExplain(folder, voice)
  if (fleet === null) return
  const configs = fleet.files.flatMap(({ loaded }) => (loaded.ok ? [loaded.value] : []))
  const all = [...configs, ...(await runningBeside(configs))]
  if (all.length === 0) {
    const answer = `${join(folder, '*.yaml')}: no file makes a position, so the command reached none`
    return fail(voice, EXIT_CODE.usage, answer)
  }
  const outcomes: Outcome[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    outcomes.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(carryOut))))
  const lines = outcomes.map(({ position, answer }) => `${position}: ${printable(answer)}`)
  print(voice, lines.join('\n'), outcomes)
  const failed = outcomes.find(({ exitCode }) => exitCode !== EXIT_CODE.ok)
  process.exitCode = failed?.exitCode ?? EXIT_CODE.ok
}

const listPage = z.object({
  positions: z.array(z.object({ name: z.string(), mode: z.string().nullable() })),
  next: z.number().nullable(),
})
const PAGE = 500

/** Positions of the running daemon that no file makes just now, reached through another one's server and token. */
async function runningBeside(configs: readonly LoadedConfig[]): Promise<readonly LoadedConfig[]> {
  const [any] = configs
  if (any === undefined) return []
  const known = new Set(configs.map(({ core }) => core.name))
  const beside: string[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const path = `/api/v1/positions?sort=name&limit=${PAGE}&offset=${offset}`
    const answer = await askDaemon(contactOf(any), 'GET', path)
    const page = listPage.safeParse(answer?.body)
    if (!page.success) return []
    // Without a mode it is a file that makes no position, and nothing runs there.
    const running = page.data.positions.filter(({ mode }) => mode !== null)
    beside.push(...running.map(({ name }) => name).filter((name) => !known.has(name)))
    offset = page.data.next
  }
  return beside.map((name) => ({
    ...any,
    core: { ...any.core, name },
    file: join(dirname(any.file), `${name}.yaml`),
    store: storeBeside(any.store, name),
  }))
}

function storeBeside(store: LoadedConfig['store'], name: string): LoadedConfig['store'] {
  const path = join(dirname(store.path), name)
  const { place } = store
  return {
    ...store,
    path,
    place: typeof place === 'string' ? path : { ...place, position: name, folder: path },
  }
}

function textOf(problems: readonly ConfigProblem[]): string {
  return problems.map(formatProblem).join('\n')
}
