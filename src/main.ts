import process from 'node:process'

// This signal opens Node's debugger, through which every other program of the machine could then control this one. The
// launchers start Node with --disable-sigusr1; this listener is for a start of this file without them.
process.on('SIGUSR1', () => undefined)

// Stores, exports, tapes, logs: what this program writes is for its own user alone.
process.umask(0o077)

const { runProgram } = await import('./cli/program.ts')
await runProgram(process.argv)
