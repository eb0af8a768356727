import { dirname, join } from 'node:path'
import { z } from 'zod'
import {
  type LoadedFleet,
  loadFleet,
  type LoadFleetOptions,
  positionFiles,
} from '../../daemon/config/fleet/load-fleet.ts'
import { type Contact, readFleetContact } from '../../daemon/config/load/contact.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { formatProblems } from '../../daemon/config/source/problem.ts'
import { strategiesFolder } from '../../daemon/runtime/position/strategy-registry.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { printable } from '../../base/printable.ts'
import { fail, type Outcome, type OutputFormat, print, printWarning } from '../output/print.ts'
import { askDaemon } from './daemon-client.ts'

/** Number of concurrent commands; each is answered once it is in a journal. */
const AT_ONCE = 16

/**
 * Returns the positions of a fleet's files, including those with a broken or missing strategy. Returns null after
 * printing the problems and setting exit code 2.
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
    fail(voice, EXIT_CODE.usage, formatProblems(loaded.error), { problems: loaded.error })
    return null
  }
  for (const { loaded: one } of loaded.value.files)
    if (!one.ok) printWarning(printable(formatProblems(one.error)))
  return loaded.value
}

/** `send` returns null if no daemon answers; only then does `withoutDaemon` need a valid configuration. */
type FleetOperation = {
  readonly send: (contact: Contact) => Promise<Outcome | null>
  readonly withoutDaemon?: (config: LoadedConfig) => Promise<Outcome>
}

/**
 * Sends the same command to every position of a fleet, even if its file is invalid or incomplete here, because a
 * running daemon has its own copy. Prints one line each; the exit code is the first that is not 0.
 */
export async function operateFleet(
  folder: string,
  voice: OutputFormat,
  { send, withoutDaemon }: FleetOperation,
): Promise<void> {
  const contacts = fleetContacts(folder)
  const outcomes = await inGroups([...contacts, ...(await runningBeside(contacts))], async (contact) => ({
    contact,
    outcome: await send(contact),
  }))
  const unanswered = outcomes.flatMap(({ contact, outcome }) => (outcome === null ? [contact.file] : []))
  const answered = outcomes.flatMap(({ outcome }) => outcome ?? [])
  const fleet =
    answered.length > 0 && unanswered.length === 0 ? null : await loadFleetOrExplain(folder, voice)
  if (fleet === null && answered.length === 0) return
  const configs = fleet?.files.flatMap(({ file, loaded }) =>
    loaded.ok && unanswered.includes(file) ? [loaded.value] : [],
  )
  const all = [
    ...answered,
    ...(withoutDaemon === undefined ? [] : await inGroups(configs ?? [], withoutDaemon)),
  ]
  if (all.length === 0) {
    const answer = `${join(folder, '*.yaml')}: no file makes a position, so the command reached none`
    return fail(voice, EXIT_CODE.usage, answer)
  }
  const lines = all.map(({ position, answer }) => `${position}: ${printable(answer)}`)
  print(voice, lines.join('\n'), all)
  const failed = all.find(({ exitCode }) => exitCode !== EXIT_CODE.ok)
  process.exitCode = failed?.exitCode ?? EXIT_CODE.ok
}

/** Returns how to reach the daemon of each file; a file without a readable name is assumed to be of the position with its own name. */
export function fleetContacts(folder: string): readonly Contact[] {
  const names = positionFiles(folder)
  return (names.ok ? names.value : []).map((file) => readFleetContact(join(folder, file), process.env))
}

async function inGroups<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = []
  for (let at = 0; at < items.length; at += AT_ONCE)
    made.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(make))))
  return made
}

const listPage = z.object({
  positions: z.array(z.object({ name: z.string(), mode: z.string().nullable() })),
  next: z.number().nullable(),
})
const PAGE = 500

/** Returns running positions without a valid file, reached through another position's server and token. */
async function runningBeside(contacts: readonly Contact[]): Promise<readonly Contact[]> {
  const [any] = contacts
  if (any === undefined) return []
  const known = new Set(contacts.map(({ name }) => name))
  const beside: string[] = []
  for (let offset: number | null = 0; offset !== null;) {
    const path = `/api/v1/positions?sort=name&limit=${PAGE}&offset=${offset}`
    const answer = await askDaemon(any, 'GET', path)
    const page = listPage.safeParse(answer?.body)
    if (!page.success) return []
    // A file without a mode defines no position, and nothing runs there.
    const running = page.data.positions.filter(({ mode }) => mode !== null)
    beside.push(...running.map(({ name }) => name).filter((name) => !known.has(name)))
    offset = page.data.next
  }
  return beside.map((name) => ({
    ...any,
    name,
    file: join(dirname(any.file), `${name}.yaml`),
    storePath: any.storePath === null ? null : join(dirname(any.storePath), name),
  }))
}
