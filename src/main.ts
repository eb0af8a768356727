import process from 'node:process'

// This signal opens Node's debugger, to which every other program of the machine could then say what to do. The
// launchers start Node with --disable-sigusr1; this is for whoever starts this file by itself.
process.on('SIGUSR1', () => undefined)

// Stores, exports, tapes, logs: what this program writes is for its own user alone.
process.umask(0o077)

const { buildProgram } = await import('./commands/program.ts')
await buildProgram().parseAsync(process.argv)
