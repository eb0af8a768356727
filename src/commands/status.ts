import type { LoadedConfig } from '../config/loaded-config.ts'
import { EXIT_CODE } from './exit-code.ts'
import { leaveWithReader } from './leave-with-reader.ts'
import { loadOrExplain } from './load-or-explain.ts'
import { fail, say, type Voice } from './say.ts'
import { sayReadingError } from './reading-error.ts'
import { createScreen } from './screen.ts'
import { renderStatus } from './render-status.ts'
import { seePosition, type Seen, type Unseen } from './see-position.ts'

export type StatusOptions = Voice & { readonly config: string; readonly watch?: boolean }

const WATCH_MS = 1_000
const DEFAULT_WIDTH = 80

/** What the position is doing and why: as the running daemon says, otherwise as its store remembers. */
export async function status(options: StatusOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  leaveWithReader()
  await sayReadingError(options, async () => {
    if (options.watch === true) await watch(config, options)
    else show(await seePosition(config), options)
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
    const seen = await seePosition(config)
    if (voice.json === true) show(seen, voice)
    else if ('why' in seen) screen.note(seen.why)
    else if (seen.note !== null) screen.note(seen.note)
    else screen.show(seen.view)
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS))
  }
}
