import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'

// `npm run repeat-check -- [--times N] [--busy N] [--log FILE] [COMMAND...]`: runs a check (.ci/run unless given) N times and
// appends a line to a file outside the tree for each: time, commit, command, busy processes, cores, seconds, exit code, the
// line with the count, and the names of the failures. A later call continues the same file.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '1' },
    busy: { type: 'string', default: '0' },
    log: { type: 'string', default: join(homedir(), '.cache/mizani/checks.tsv') },
  },
})
const command = positionals.length === 0 ? ['bash', '.ci/run'] : positionals
mkdirSync(dirname(values.log), { recursive: true })

const commit = spawnSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).stdout.trim()
let isRed = false
for (let run = 0; run < Number(values.times); run += 1) {
  const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  const began = performance.now()
  const { code, output } = await runOnce()
  for (const child of busy) child.kill('SIGKILL')
  const [count = ''] = output.match(/^.*\d+ passed.*$/gm)?.slice(-1) ?? []
  const [seconds] = output.match(/(?<=^the check took )\d+/m) ?? [
    Math.round((performance.now() - began) / 1_000),
  ]
  const failures = [...new Set(output.match(/^( FAIL .*|  (step|npm run|test\/).*)$/gm) ?? [])]
  const cells = [new Date().toISOString(), commit, command.join(' '), `${busy.length} busy`]
  cells.push(
    `${availableParallelism()} cores`,
    `${seconds} s`,
    `exit ${code}`,
    count.trim(),
    failures.join(' | '),
  )
  appendFileSync(values.log, `${cells.join('\t')}\n`)
  isRed ||= code !== 0
}
process.exitCode = isRed ? 1 : 0

/** The output without colours; it is shown as it comes. */
async function runOnce() {
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
      process.stdout.write(text)
    })
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output: stripVTControlCharacters(output) }
}
