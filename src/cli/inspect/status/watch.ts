import type { LoadedConfig } from '../../../daemon/config/load/loaded-config.ts'
import { EXIT_CODE } from '../../../base/exit-code.ts'
import { type ListedPosition, positionDocument, positionsContent, statusContent } from './content.ts'
import { print, type OutputFormat } from '../../output/print.ts'
import { createScreen, type ScreenContent } from '../../output/screen.ts'
import { readOffline } from '../position.ts'
import { ESCAPE, listenForKeys } from '../../output/keys.ts'
import { tableRow } from '../../output/tables.ts'

const POLL_MS = 1_000
/** Each poll reads the whole store, which does not change without a daemon. */
const STORE_POLL_MS = 5_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const KEYS = { interrupt: '\u0003', end: '\u0004', suspend: '\u001A', escape: ESCAPE } as const

/**
 * Shows the status until Ctrl-C or q: on the terminal's alternate page, or as a line (with --json a document) every
 * few seconds if there is no terminal. Several positions are a list, and a digit opens one of them.
 */
export async function watchStatus(configs: readonly LoadedConfig[], voice: OutputFormat): Promise<never> {
  const screen = createScreen(process.stdout, { ownPage: true })
  let open: number | null = configs.length === 1 ? 0 : null
  let seen: readonly ListedPosition[] = []
  const draw = (): void => {
    if (seen.length > 0 && voice.json !== true) screen.show(pictureOf(seen, open))
  }
  const leave = (): void => process.exit(EXIT_CODE.ok)
  for (const signal of SIGNALS) process.once(signal, leave)
  const onKey = (key: string): void => {
    if (key === 'q' || key === 'Q' || key === KEYS.interrupt || key === KEYS.end) leave()
    else if (key === KEYS.suspend) suspend()
    else if (configs.length > 1) {
      if (key === KEYS.escape || key === '0') open = null
      else if (configs[Number(key) - 1] !== undefined) open = Number(key) - 1
      draw()
    }
  }
  let keys = listenForKeys(process.stdin, onKey)
  function suspend(): void {
    screen.end()
    keys.stop()
    // Stops the whole job, like the terminal itself, because npm and the shell wait for us.
    process.kill(0, 'SIGTSTP')
    setTimeout(() => {
      keys = listenForKeys(process.stdin, onKey)
      draw()
    }, 50)
  }
  try {
    for (;;) {
      seen = await Promise.all(
        configs.map(async (config) => ({ name: config.core.name, seen: await readOffline(config) })),
      )
      if (voice.json === true) for (const one of seen) print(voice, '', positionDocument(one))
      else draw()
      const isStored = seen.every((one) => 'why' in one.seen || one.seen.note !== null)
      await new Promise((resolve) => setTimeout(resolve, isStored ? STORE_POLL_MS : POLL_MS))
    }
  } finally {
    screen.end()
    keys.stop()
  }
}

/** On a terminal the last line lists the keys. */
function pictureOf(positions: readonly ListedPosition[], open: number | null): ScreenContent {
  const one = open === null ? undefined : positions[open]
  const picture = one === undefined ? positionsContent(positions) : statusContent(one.seen)
  const isList = positions.length > 1
  const hint = !isList
    ? 'q leaves'
    : one === undefined
      ? 'a digit opens one, q leaves'
      : '0 shows all, q leaves'
  return {
    lines: (look) => [...picture.lines(look), ...tableRow('', [{ text: hint, tone: 'dim' }], look)],
    line: picture.line,
  }
}
