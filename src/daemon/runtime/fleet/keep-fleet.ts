import { backoffMs } from '../../../base/backoff.ts'
import { MINUTE_MS, SECOND_MS, type Ms } from '../../../base/time.ts'
import type { Result } from '../../../base/result.ts'
import { loadedConfigs, type LoadedFleet, type LoadFleetOptions } from '../../config/fleet/load-fleet.ts'
import { readFleetContact } from '../../config/load/contact.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import { type ConfigProblem, formatProblem } from '../../config/source/problem.ts'
import type { AbsentPosition } from '../host/shown-problems.ts'
import type { Host } from '../host/run-host.ts'
import { needsRestart } from '../worker/needs-restart.ts'

/** Why part of the fleet does not match its files. */
export type FleetProblem = {
  /** The folder as a whole, its defaults, or one file. */
  readonly about: 'folder' | 'defaults' | 'file'
  /** The position's name in lists; null = the whole fleet. */
  readonly name: string | null
  /** Includes file, line and column if a file is wrong. */
  readonly text: string
  /** The position that the problem keeps from running. */
  readonly absent?: AbsentPosition
}

export type FleetKeeper = {
  /** Updates the positions to the folder. `changed` = absolute paths; null = reads and tries everything again. */
  readonly look: (changed: ReadonlySet<string> | null) => Promise<void>
  /** Whether a timed action is due: a missing file, or a position that failed to start. */
  readonly isDue: () => boolean
  /** A position has ended for good. */
  readonly ended: (name: string, why: string) => void
  readonly fleet: () => LoadedFleet
  readonly running: () => readonly LoadedConfig[]
  readonly problems: () => readonly FleetProblem[]
}

export type FleetKeeperParts = {
  readonly host: Pick<Host, 'add' | 'remove' | 'reload'>
  readonly load: (
    options: Pick<LoadFleetOptions, 'running' | 'before'>,
  ) => Promise<Result<LoadedFleet, readonly ConfigProblem[]>>
  /** The fleet at the start of the process. */
  readonly first: LoadedFleet
  readonly onLog: (level: 'info' | 'warn' | 'error', message: string) => void
  readonly now?: () => Ms
}

/** A position is removed this long after its file disappeared: a save by rename removes a file for a moment. */
export const REMOVE_AFTER_MS = 2 * SECOND_MS
const RETRY = { firstMs: 30 * SECOND_MS, longestMs: 10 * MINUTE_MS }
/** Maximum number of concurrent stops and starts; more would compete for the same processors. */
const AT_ONCE = 16

type Failed = {
  readonly config: LoadedConfig
  readonly attempts: number
  readonly retryAt: Ms
  readonly why: string
}

type FleetRecord = {
  fleet: LoadedFleet
  /** By file, like all fields below. */
  readonly running: Map<string, LoadedConfig>
  readonly missingSince: Map<string, Ms>
  readonly failed: Map<string, Failed>
  /** Configurations that a position refused although the file is valid. */
  readonly declined: Map<string, { readonly config: LoadedConfig; readonly why: string }>
  /** Why the folder as a whole is not applied; null = applied. */
  whole: FleetProblem | null
}

/**
 * Keeps the positions of a fleet in line with its folder: starts, reloads, restarts and removes them. If a file is wrong, its position
 * continues with the previous configuration. If the folder is missing or has no positions, none is removed: an unmounted volume looks the
 * same as an order to close every position.
 */
export function createFleetKeeper(parts: FleetKeeperParts): FleetKeeper {
  const now = parts.now ?? Date.now
  const kept: FleetRecord = {
    fleet: parts.first,
    running: new Map(loadedConfigs(parts.first).map((config) => [config.file, config])),
    missingSince: new Map(),
    failed: new Map(),
    declined: new Map(),
    whole: null,
  }
  let turn: Promise<void> = Promise.resolve()
  return {
    look(changed) {
      turn = turn.then(() => look(parts, kept, changed, now))
      return turn
    },
    isDue: () =>
      [...kept.missingSince.values()].some((since) => now() - since >= REMOVE_AFTER_MS) ||
      [...kept.failed.values()].some(({ retryAt }) => now() >= retryAt),
    ended: (name, why) => markEnded(kept, name, why, now()),
    fleet: () => kept.fleet,
    running: () => [...kept.running.values()],
    problems: () => problemsOf(kept),
  }
}

async function look(
  parts: FleetKeeperParts,
  kept: FleetRecord,
  changed: ReadonlySet<string> | null,
  now: () => Ms,
): Promise<void> {
  const { fleet: before } = kept
  const running = { configs: [...kept.running.values()], process: before.process }
  const loaded = await parts.load({
    running,
    ...(changed === null ? {} : { before: { fleet: before, changed } }),
  })
  if (!loaded.ok) {
    kept.whole = wholeProblem(kept, loaded.error)
    return
  }
  if (loaded.value.files.length === 0 && kept.running.size > 0) {
    const text = `${before.folder} no longer has any positions; all ${kept.running.size} continue, because an unmounted folder looks the same: put the files back, or end the process to remove them`
    kept.whole = { about: 'folder', name: null, text }
    return
  }
  kept.whole = null
  kept.fleet = loaded.value
  if (changed === null) kept.declined.clear()
  const wasRemoved = await removeMissing(parts, kept, now)
  await inGroups(loadedConfigs(kept.fleet), (config) =>
    bringUp(parts, kept, config, { now, isAsked: changed === null }),
  )
  await forgetGone(parts, kept)
  // A file that conflicted with a removed position may be valid now.
  if (wasRemoved) await look(parts, kept, new Set(), now)
}

/** Removes positions whose files have been missing long enough. */
async function removeMissing(parts: FleetKeeperParts, kept: FleetRecord, now: () => Ms): Promise<boolean> {
  const files = new Set(kept.fleet.files.map(({ file }) => file))
  const gone: LoadedConfig[] = []
  for (const [file, config] of kept.running) {
    if (files.has(file)) kept.missingSince.delete(file)
    else {
      const since = kept.missingSince.get(file) ?? now()
      kept.missingSince.set(file, since)
      if (now() - since >= REMOVE_AFTER_MS) gone.push(config)
    }
  }
  await inGroups(gone, async (config) => {
    parts.onLog('warn', `${config.file} was removed: ${await parts.host.remove(config.core.name)}`)
    kept.running.delete(config.file)
    kept.missingSince.delete(config.file)
  })
  return gone.length > 0
}

/** Starts, reloads or restarts one position if its configuration differs from the running one. */
async function bringUp(
  parts: FleetKeeperParts,
  kept: FleetRecord,
  config: LoadedConfig,
  { now, isAsked }: { readonly now: () => Ms; readonly isAsked: boolean },
): Promise<void> {
  const { file } = config
  const present = kept.running.get(file)
  if (present === config) return
  if (present === undefined) {
    const failed = kept.failed.get(file)
    const waits = failed?.config === config && now() < failed.retryAt && !isAsked
    return waits ? undefined : start(parts, kept, config, now())
  }
  if (kept.declined.get(file)?.config === config) return
  const fixed = needsRestart(present, config)
  if (fixed.length > 0) {
    const line = await parts.host.remove(present.core.name)
    kept.running.delete(file)
    parts.onLog('warn', `${file}: ${fixed.join(', ')} changed, so the position restarts: ${line}`)
    return start(parts, kept, config, now())
  }
  const [answer] = await parts.host.reload(present.core.name, config)
  if (answer?.accepted === true) {
    kept.running.set(file, config)
    kept.declined.delete(file)
  } else if (answer !== undefined) kept.declined.set(file, { config, why: answer.answer })
}

async function start(
  parts: FleetKeeperParts,
  kept: FleetRecord,
  config: LoadedConfig,
  now: Ms,
): Promise<void> {
  const failure = await parts.host.add(config)
  if (failure !== null) return markFailed(kept, config, failure.message, now)
  kept.failed.delete(config.file)
  kept.running.set(config.file, config)
  parts.onLog('info', `${config.core.name} of ${config.file} runs`)
}

function markEnded(kept: FleetRecord, name: string, why: string, now: Ms): void {
  const config = [...kept.running.values()].find(({ core }) => core.name === name)
  if (config === undefined) return
  kept.running.delete(config.file)
  markFailed(kept, config, why, now)
}

function markFailed(kept: FleetRecord, config: LoadedConfig, why: string, now: Ms): void {
  const attempts = (kept.failed.get(config.file)?.attempts ?? 0) + 1
  const retryAt = now + backoffMs(attempts, RETRY.firstMs, RETRY.longestMs)
  kept.failed.set(config.file, { config, attempts, retryAt, why })
}

/** Drops the state of files that no longer exist. */
async function forgetGone(
  { host }: FleetKeeperParts,
  { fleet, failed, declined, running }: FleetRecord,
): Promise<void> {
  const files = new Set(fleet.files.map(({ file }) => file))
  for (const [file, { config }] of failed) {
    if (files.has(file)) continue
    failed.delete(file)
    await host.remove(config.core.name)
  }
  for (const file of declined.keys()) if (!running.has(file)) declined.delete(file)
}

function wholeProblem({ fleet, running }: FleetRecord, problems: readonly ConfigProblem[]): FleetProblem {
  const about = problems[0]?.file === fleet.folder ? 'folder' : 'defaults'
  const goOn = `all ${running.size} positions continue unchanged`
  return { about, name: null, text: `${problems.map(formatProblem).join('\n')}\n${goOn}` }
}

function problemsOf({ fleet, whole, running, failed, declined }: FleetRecord): readonly FleetProblem[] {
  const problems: FleetProblem[] = whole === null ? [] : [whole]
  for (const { file, loaded } of fleet.files) {
    if (loaded.ok) continue
    const text = loaded.error.map(formatProblem).join('\n')
    const known = running.get(file) ?? failed.get(file)?.config
    if (known !== undefined) problems.push({ about: 'file', name: known.core.name, text })
    else problems.push({ about: 'file', name: nameOf(file), text, ...absentOf(file) })
  }
  for (const { config, why } of failed.values())
    problems.push({ about: 'file', name: config.core.name, text: `${config.file}: does not run: ${why}` })
  for (const [file, { config, why }] of declined)
    problems.push({
      about: 'file',
      name: running.get(file)?.core.name ?? config.core.name,
      text: `${file}: ${why}`,
    })
  return problems
}

function absentOf(file: string): Pick<FleetProblem, 'absent'> {
  const { name, storePath: store } = readFleetContact(file, process.env)
  return name === null || store === null ? {} : { absent: { name, store } }
}

/** A file without a valid position is listed under its file name. */
function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '')
}

async function inGroups<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE)
    await Promise.all(items.slice(at, at + AT_ONCE).map(work))
}
