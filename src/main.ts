import process from 'node:process'

// This signal opens Node's debugger, through which every other program of the machine could then control this one. The
// launchers start Node with --disable-sigusr1; this listener is for a start of this file without them.
process.on('SIGUSR1', () => undefined)

// Stores, exports, tapes, logs: what this program writes is for its own user alone.
process.umask(0o077)

/**
 * glibc reads these as a process starts, so the commands that run for months start once more with them. By default it keeps an
 * arena for each thread and raises both thresholds with the blocks it frees, which costs a daemon 15 to 35 MiB.
 */
const GLIBC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }
const [program = '', ...args] = process.argv
if (
  process.platform === 'linux' &&
  ['start', 'run', 'fleet', 'record'].includes(args[1] ?? '') &&
  process.env['MALLOC_ARENA_MAX'] === undefined
)
  process.execve?.(program, [program, ...process.execArgv, ...args], { ...process.env, ...GLIBC })

const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv)
