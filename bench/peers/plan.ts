import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Installed } from './install.ts'
import type { Program } from './run-engine.ts'
import type { PeerTape } from './tapes.ts'
import type { TapeChoice, TapeKind } from '../tape/draw-tape.ts'

export const TAPE_NAMES = ['still, .5 %', 'still, 1 %', 'walk, .5 %', 'walk, 1 %', 'year'] as const
export type TapeName = (typeof TAPE_NAMES)[number]

/** One line of the comparison: a program for a tape. */
export type Engine = {
  readonly name: string
  readonly tapes: readonly TapeName[]
  /** Part of the mids that it gets: less for engines that would take minutes, and whose time is linear in the rows. */
  readonly share: number
  /** Whether it is the whole command, which reads the tape from Parquet and prints its own document. */
  readonly isCommand: boolean
  /** In every round; otherwise once, for what takes long and is no peer of speed. */
  readonly isRepeated: boolean
  readonly program: (tape: PeerTape) => Program
}

const ALL = ['still, .5 %', 'still, 1 %', 'walk, .5 %', 'walk, 1 %'] as const
const HALF = ['still, .5 %', 'walk, .5 %'] as const
/** Runs in one process, of which the last one counts: a million rows of a still tape are over before V8 has compiled. */
type Runs = Readonly<Record<TapeKind, number>>
const WARM: Runs = { still: 5, walk: 2 }
const FIRST: Runs = { still: 1, walk: 1 }
const NODE = process.execPath
const ROOT = join(import.meta.dirname, '../..')
export const LAUNCHER = join(ROOT, 'src/launch.mjs')

/** The tapes of the comparison: a million mids at the venue's pace, and a year of mids a minute apart. */
export function choiceOfTape(name: TapeName, mids: number): TapeChoice {
  if (name === 'year') return { kind: 'walk', mids: Math.round(mids / 2), takerEvery: null, stepMs: 60_000 }
  const kind = name.startsWith('still') ? 'still' : 'walk'
  return { kind, mids, takerEvery: name.endsWith('.5 %') ? 200 : 100, stepMs: 6_000 }
}

/** Ours, and those of the peers that are installed. */
export function enginesOf({ python, crate }: Installed, config: string): readonly Engine[] {
  const engine = {
    tapes: ALL,
    share: 1,
    isCommand: false,
    isRepeated: true,
  } as const
  const ours = (runs: Runs, quoting: string) => (tape: PeerTape) => ({
    program: NODE,
    words: [
      join(import.meta.dirname, 'mizani.ts'),
      JSON.stringify(tape.choice),
      String(runs[tape.choice.kind]),
      quoting,
    ],
  })
  const inPython =
    (program: string, file: string, ...more: string[]) =>
    (tape: PeerTape) => ({
      program,
      words: [join(import.meta.dirname, 'python', file), tape.folder, ...more],
    })
  const engines: Engine[] = [
    { ...engine, name: 'mizani, warm', program: ours(WARM, 'steady') },
    { ...engine, name: 'mizani, first run', tapes: HALF, program: ours(FIRST, 'steady') },
    {
      ...engine,
      name: 'mizani, quote follows the mid',
      tapes: ['walk, .5 %'],
      isRepeated: false,
      program: ours(WARM, 'following'),
    },
    {
      ...engine,
      name: '`mizani backtest`',
      tapes: [...HALF, 'year'],
      isCommand: true,
      program: commandOf(config),
    },
  ]
  if (crate !== null) {
    const program = (tape: PeerTape) => ({
      program: crate,
      words: [tape.folder, String(tape.choice.stepMs)],
    })
    engines.push({ ...engine, name: 'hftbacktest, crate', program })
  }
  if (python !== null) {
    const slow = { ...engine, share: 0.1 }
    engines.push(
      { ...engine, name: 'hftbacktest, numba', program: inPython(python, 'hftbacktest_numba.py') },
      { ...slow, name: 'NautilusTrader', program: inPython(python, 'nautilus.py') },
      {
        ...slow,
        name: 'NautilusTrader, account frozen',
        tapes: HALF,
        isRepeated: false,
        program: inPython(python, 'nautilus.py', 'frozen'),
      },
      {
        ...slow,
        name: 'backtesting.py',
        tapes: HALF,
        isRepeated: false,
        program: inPython(python, 'backtesting_bars.py'),
      },
    )
  }
  return engines
}

function commandOf(config: string): Engine['program'] {
  return ({ parquet }) => {
    if (parquet === null) throw new Error('the command reads a tape, and none was written for it')
    const words = ['backtest', '--json', '--config', config, '--tape', parquet]
    return { program: NODE, words: ['--disable-sigusr1', LAUNCHER, ...words] }
  }
}

/** The configuration of the command: as the daemon has it by default, with the limits of `runTape`. */
export function writeConfig(scratch: string): string {
  const file = join(scratch, 'peers.yaml')
  const strategy = join(ROOT, 'bench/tape/lot-skew.ts')
  writeFileSync(
    file,
    `name: peers
venue: { baseUrl: http://127.0.0.1:8787, apiKey: !env MIZANI_API_KEY, protocolFeeBps: 0 }
strategy: { use: ${JSON.stringify(strategy)} }
risk:
  priceCorridor: { min: '2000', max: '3300' }
  maxMidStepBps: 150
  maxMidMoveBpsPerHour: 900
  maxMidMoveBpsPerDay: 2500
  maxLossTzs: '15000000'
  maxDrawdownTzs: '30000000'
`,
  )
  return file
}
