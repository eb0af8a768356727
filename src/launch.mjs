/**
 * The way in from npm scripts: plain JavaScript, so that a Node too old for `.ts` files still runs it
 * and a person reads one line instead of a syntax error. npm puts node_modules/.bin first, and `npm ci`
 * brings a Node there; another Node than that one is refused here.
 */
// Before anything is loaded: this signal would open the debugger to every other program of the machine.
process.on('SIGUSR1', () => undefined)

// `npx` does not pass SIGTERM on: it ends itself and its shell, and the daemon would go on trading without either.
if (process.env.npm_lifecycle_event === 'npx' && process.env.npm_lifecycle_script?.includes('mizani')) {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

const NEEDED = 24
const BROUGHT_ALONG = ['linux-x64', 'linux-arm64']

const version = process.versions.node
const platform = `${process.platform}-${process.arch}`

if (Number(version.split('.')[0]) >= NEEDED) {
  await cacheCompiledCode()
  await import('./main.ts')
} else {
  const remedy = BROUGHT_ALONG.includes(platform)
    ? 'run `npm ci`, which brings Node ' + NEEDED + ' along, then start it as `npx mizani ...`'
    : 'install Node ' +
      NEEDED +
      ' or newer (`npm ci` brings one along only on ' +
      BROUGHT_ALONG.join(' and ') +
      ')'
  console.error(`mizani needs Node ${NEEDED} and this is Node ${version} on ${platform}: ${remedy}.`)
  process.exitCode = 2
}

/**
 * Stripping types and compiling is most of a start; what one start has compiled the next one reads. The folder belongs to
 * the packages of this checkout: Node's own is in the folder for temporary files, where another user may be first.
 * Node compares each entry with its source and with its own version, and compiles again what differs or is damaged.
 */
async function cacheCompiledCode() {
  const { constants, enableCompileCache } = await import('node:module')
  const { fileURLToPath } = await import('node:url')
  if (process.env.NODE_COMPILE_CACHE !== undefined) return
  const folder = fileURLToPath(new URL('../node_modules/.cache/mizani/compiled', import.meta.url))
  const { ENABLED, ALREADY_ENABLED } = constants.compileCacheStatus
  const { status } = enableCompileCache(folder)
  // Worker threads take it from the environment only.
  if (status === ENABLED || status === ALREADY_ENABLED) process.env.NODE_COMPILE_CACHE = folder
}
