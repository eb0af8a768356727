/**
 * `mizani export | head` is no failure: when whoever reads stdout has gone, the process ends without a
 * word. Not for the daemon, which has a position to look after.
 */
export function leaveWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    process.stderr.write(`stdout cannot be written (${error.code ?? error.message})\n`)
    process.exit(1)
  })
}
