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
    fail(voice, EXIT_CODE.usage, formatProblems(loaded.error), { problems: loaded.error })
    return null
  }
  for (const { loaded: one } of loaded.value.files)
    if (!one.ok) printWarning(printable(formatProblems(one.error)))
  return loaded.value
}

/** `send` returns null where no daemon answers; only then `withoutDaemon` needs a whole configuration. */
type FleetOperation = {
  readonly send: (contact: Contact) => Promise<Outcome | null>
  readonly withoutDaemon?: (config: LoadedConfig) => Promise<Outcome>
}

/**
 * Gives every position of a fleet the same command, whatever is wrong with its file or not set here: a running daemon has its own.
 * Prints one line each; the exit code is the first that is not 0.
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
    // Without a mode it is a file that makes no position, and nothing runs there.
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
