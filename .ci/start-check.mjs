/**
 * Runs `npm start` as a newcomer does, without a terminal. It must report a fill in time and keep running;
 * Ctrl-C (SIGINT to the whole process group, as a terminal sends it) must end it in time with exit code 0 and a summary of
 * fills and PnL. The options set the three times for a machine that has other work. Plain JavaScript, so that it runs on Node 20.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const SOME_FILLS = /\bfills?\b[^\d\n]{0,12}[1-9]\d*|\b[1-9]\d* (new )?fills?\b/i

const { values } = parseArgs({
  options: {
    'first-fill-ms': { type: 'string', default: '30000' },
    'keep-running-ms': { type: 'string', default: '25000' },
    'exit-ms': { type: 'string', default: '15000' },
  },
})
const firstFillLimitMs = Number(values['first-fill-ms'])
const keepRunningMs = Number(values['keep-running-ms'])
const exitLimitMs = Number(values['exit-ms'])

const startedAt = Date.now()
const child = spawn('npm', ['start'], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
const exited = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })))
let output = ''
child.on('error', (error) => fail(`npm start could not be started: ${error.message}`))
if (child.pid === undefined) fail('npm start could not be started')
for (const stream of [child.stdout, child.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => {
    output += text
    process.stdout.write(text)
  })
}

const ended = await Promise.race([waitForFill(), exited])
if (ended !== undefined) fail(`npm start ended before Ctrl-C: ${JSON.stringify(ended)}`)
const firstFillMs = Date.now() - startedAt
const early = await Promise.race([pause(Math.max(0, keepRunningMs - firstFillMs)), exited])
if (early !== undefined) fail(`npm start ended before Ctrl-C: ${JSON.stringify(early)}`)

const printedBefore = output.length
process.kill(-Number(child.pid), 'SIGINT')
const outcome = await Promise.race([exited, pause(exitLimitMs)])
if (outcome === undefined) fail(`still running ${exitLimitMs / 1000} s after Ctrl-C`)
if (outcome.code !== 0) fail(`Ctrl-C ended it with ${JSON.stringify(outcome)} instead of exit code 0`)
const summary = output.slice(printedBefore)
if (!/\bfills?\b/i.test(summary) || !/\bpnl\b/i.test(summary))
  fail('Ctrl-C ended it without a summary of fills and PnL')
console.log(
  `npm start: a fill was reported after ${(firstFillMs / 1000).toFixed(1)} s, and Ctrl-C ended it with a summary`,
)

async function waitForFill() {
  while (!SOME_FILLS.test(output)) {
    if (Date.now() - startedAt > firstFillLimitMs)
      fail(`no fill reported within ${firstFillLimitMs / 1000} s`)
    await pause(100)
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Leaves nothing of the process group behind. */
function fail(message) {
  console.error(`npm start: ${message}`)
  try {
    process.kill(-Number(child.pid), 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
  process.exit(1)
}
