import type { LoadedConfig } from '../config/loaded-config.ts'
import type { PositionView } from '../engine/position-view.ts'
import { inspectLock } from '../store/inspect-lock.ts'
import { openReader } from '../store/open-reader.ts'
import { daemonUrl, daemonView } from './ask-daemon.ts'
import { EXIT_CODE } from './exit-code.ts'
import { leaveWithReader } from './leave-with-reader.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { timeText } from './number-text.ts'
import { fail, say, type Voice } from './say.ts'
import { sayReadingError } from './reading-error.ts'
import { createScreen } from './screen.ts'
import { renderStatus } from './render-status.ts'
import { storedView } from './stored-view.ts'

export type StatusOptions = Voice & { readonly config: string; readonly watch?: boolean }

/** `note` says that the figures are the store's, and as of when; null = the daemon's own. */
type Seen = { readonly view: PositionView; readonly note: string | null }
type Unseen = { readonly exitCode: number; readonly why: string }

const WATCH_MS = 1_000
const DEFAULT_WIDTH = 80

/** What the position is doing and why: as the running daemon says, otherwise as its store remembers. */
export async function status(options: StatusOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  leaveWithReader()
  await sayReadingError(options, async () => {
    if (options.watch === true) await watch(config, options)
    else show(await look(config), options)
  })
}

function show(seen: Seen | Unseen, voice: Voice): void {
  if ('why' in seen) return fail(voice, seen.exitCode, seen.why)
  const { view, note } = seen
  const { columns, isTTY } = process.stdout
  const colour = isTTY && process.env['NO_COLOR'] === undefined
  const lines = renderStatus(view, { width: columns ?? DEFAULT_WIDTH, colour })
  const text = [...(note === null ? [] : [note]), ...lines].join('\n')
  say(voice, text, { ...view, running: note === null, ...(note === null ? {} : { note }) })
}

/** Until Ctrl-C: redrawn in place on a terminal, a line (or with --json a document) a second elsewhere. */
async function watch(config: LoadedConfig, voice: Voice): Promise<never> {
  const screen = createScreen(process.stdout)
  process.once('SIGINT', () => {
    screen.end()
    process.exit(EXIT_CODE.ok)
  })
  for (;;) {
    const seen = await look(config)
    if (voice.json === true) show(seen, voice)
    else if ('why' in seen) screen.note(seen.why)
    else if (seen.note !== null) screen.note(seen.note)
    else screen.show(seen.view)
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
  }
}

async function look(config: LoadedConfig): Promise<Seen | Unseen> {
  const answer = await daemonView(config)
  if (answer?.status === 200) return { view: answer.body as PositionView, note: null }
  if (answer?.status === 401 || answer?.status === 403) {
    const { message } = answer.body as { readonly message?: string }
    return {
      exitCode: EXIT_CODE.usage,
      why: `the daemon refuses to be read: ${message ?? 'check http.token'}`,
    }
  }
  const reader = openReader(config.store.path)
  if (!reader.ok)
    return {
      exitCode: EXIT_CODE.failed,
      why: `no daemon answers at ${daemonUrl(config)}, and ${reader.error.message}`,
    }
  try {
    const view = await storedView(config, reader.value)
    if (view === null)
      return { exitCode: EXIT_CODE.failed, why: `the store in ${config.store.path} has no events yet` }
    return { view, note: `${whoRuns(config)}, as of ${timeText(view.now)}` }
  } finally {
    reader.value.close()
  }
}

function whoRuns(config: LoadedConfig): string {
  const lock = inspectLock(config.store.path)
  if (!lock.ok || !lock.value.held) return 'not running'
  const { holder } = lock.value
  const who = holder === null ? 'a process' : `process ${holder.pid}`
  return `${who} has the store but does not answer at ${daemonUrl(config)}; from the store`
}
