import { printableLines } from '../../../base/printable.ts'
import { existsSync } from 'node:fs'
import { readContact } from '../../../daemon/config/load/contact.ts'
import type { PositionView } from '../../../daemon/view/position-view.ts'
import { daemonView } from '../../operator/daemon-client.ts'
import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import {
  fail,
  exitWhenPipeCloses,
  printStoreError,
  type OutputFormat,
  printStyled,
} from '../../output/print.ts'
import { contactOrExplain, loadOrExplain } from '../../load-or-explain.ts'
import type { DaemonOptions } from '../../options.ts'
import { linesAbove, type ListedPosition, renderPositions, positionDocument } from './content.ts'
import { renderStatus } from './render.ts'
import { fleetContacts, loadFleetOrExplain } from '../../operator/operate-fleet.ts'
import { readOffline } from '../position.ts'
import { terminalFeatures } from '../../output/screen.ts'
import { watchStatus } from './watch.ts'

type StatusOptions = OutputFormat &
  Omit<DaemonOptions, 'config'> & {
    /** One position in full, or several as a list. */
    readonly config?: readonly string[]
    /** All positions of this folder. */
    readonly fleet?: string
    readonly watch?: boolean
  }

const DEFAULT_WIDTH = 80

/** Prints the state of positions with reasons, from their daemon or, without one, from their store. */
export async function status(options: StatusOptions): Promise<void> {
  if (options.store !== undefined || options.url !== undefined) return showRunning(options)
  const [file, ...more] = options.config ?? []
  if (file !== undefined && more.length === 0 && options.watch !== true && existsSync(file)) {
    // A running daemon answers even if its file has become invalid.
    const contact = readContact(file, process.env)
    const answer = contact.name === null ? null : await daemonView(contact)
    if (answer?.status === 200)
      return show(
        { name: contact.name ?? file, seen: { view: answer.body as PositionView, note: null } },
        options,
      )
  }
  if (options.fleet !== undefined && options.watch !== true) {
    exitWhenPipeCloses()
    return printStoreError(options, () => showFleet(options.fleet ?? '', options))
  }
  const configs = await configsOf(options)
  const [config, another] = configs ?? []
  if (configs === null || config === undefined) return
  exitWhenPipeCloses()
  await printStoreError(options, async () => {
    if (options.watch === true) await watchStatus(configs, options)
    else if (another === undefined) show(await listed(config), options)
    else showList(await Promise.all(configs.map(listed)), options)
  })
}

/** A daemon shows its positions even if their files are invalid; other positions need valid files, without the secrets. */
async function showFleet(folder: string, voice: OutputFormat): Promise<void> {
  const asked = await Promise.all(
    fleetContacts(folder).map(async (contact) => ({ contact, answer: await daemonView(contact) })),
  )
  const isShown = asked.map(({ answer }) => answer?.status === 200)
  const fleet =
    isShown.length > 0 && isShown.every(Boolean)
      ? null
      : await loadFleetOrExplain(folder, voice, { offline: true })
  if (fleet === null && !isShown.some(Boolean)) return
  const rows = asked.map(async ({ contact, answer }, at): Promise<readonly ListedPosition[]> => {
    if (isShown[at] === true) {
      const view = answer?.body as PositionView
      return [{ name: view.name, seen: { view, note: null } }]
    }
    const loaded = fleet?.files.find(({ file }) => file === contact.file)?.loaded
    return loaded?.ok === true ? [await listed(loaded.value)] : []
  })
  const positions = (await Promise.all(rows)).flat()
  if (positions.length > 0) showList(positions, voice)
}

/** Without a configuration, only a running daemon can be shown. */
async function showRunning({ config: _none, ...options }: StatusOptions): Promise<void> {
  const contact = await contactOrExplain(options)
  const answer = contact === null ? null : await daemonView(contact)
  const view = answer?.status === 200 ? (answer.body as PositionView) : null
  if (view !== null) return show({ name: view.name, seen: { view, note: null } }, options)
  const { message } = (answer?.body ?? {}) as { readonly message?: string }
  const why =
    message ?? 'no daemon answers, or several positions run there and --position NAME says which one'
  fail(options, EXIT_CODE.failed, `${contact?.file}: ${why}`)
}

/** Returns null after printing the problems; problems of single files of a fleet are warnings. */
async function configsOf(options: StatusOptions): Promise<readonly LoadedConfig[] | null> {
  if (options.fleet !== undefined) {
    const fleet = await loadFleetOrExplain(options.fleet, options, { offline: true })
    return fleet?.files.flatMap(({ loaded }) => (loaded.ok ? [loaded.value] : [])) ?? null
  }
  const configs: LoadedConfig[] = []
  for (const file of options.config ?? []) {
    const config = await loadOrExplain(file, options, { offline: true })
    if (config === null) return null
    configs.push(config)
  }
  return configs
}

function show(position: ListedPosition, voice: OutputFormat): void {
  const { seen } = position
  if ('why' in seen) return fail(voice, seen.exitCode, seen.why)
  const lines = renderStatus(seen.view, look(), seen.note === null)
  printStyled(
    voice,
    [...linesAbove(seen).map(printableLines), ...lines].join('\n'),
    positionDocument(position),
  )
}

/** A position that cannot be read shows the reason in its row, and sets the exit code. */
function showList(positions: readonly ListedPosition[], voice: OutputFormat): void {
  printStyled(voice, renderPositions(positions, look()).join('\n'), positions.map(positionDocument))
  if (positions.some(({ seen }) => 'why' in seen)) process.exitCode = EXIT_CODE.failed
}

async function listed(config: LoadedConfig): Promise<ListedPosition> {
  return { name: config.core.name, seen: await readOffline(config) }
}

function look(): { readonly width: number; readonly colour: boolean } {
  const { columns } = process.stdout
  const width = columns === undefined || columns < 1 ? DEFAULT_WIDTH : columns
  return { width, colour: terminalFeatures(process.stdout, process.env).colour }
}
