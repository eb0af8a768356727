import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { peersTable } from './figures/peers-table.ts'
import { installPeers } from './peers/install.ts'
import { choiceOfTape, enginesOf, writeConfig, type Engine, type TapeName } from './peers/plan.ts'
import { runOnOneCore } from './peers/run-engine.ts'
import { engineRunOf, summarise, type Sample } from './peers/summarise.ts'
import { preparePeerTape, type PeerTape } from './peers/tapes.ts'
import { findTools, missingTools } from './peers/tools.ts'
import { isShort, shortOr } from './harness/short.ts'
import { drawTape } from './tape/draw-tape.ts'

const MIDS = shortOr(20_000, 1_000_000)
const ROUNDS = shortOr(1, 3)
/** Kept between runs: what is installed and written once is there the next time. */
const SCRATCH = process.env['MIZANI_PEERS_SCRATCH'] ?? join(tmpdir(), 'mizani-peers')

/**
 * The backtester beside its peers: one tape, one strategy, one core, engines in turns, medians. Every engine's fills and
 * money are compared with a recomputation in whole numbers. The long form installs the peers into the scratch folder;
 * the short one measures those that are there. What is missing is named, and the rest is measured.
 */
export default async function peersBench(): Promise<Record<string, unknown>> {
  const tools = findTools()
  const installed = installPeers(SCRATCH, tools, !isShort())
  const missing = [...missingTools(tools)]
  for (const [name, program] of Object.entries(installed))
    if (program === null && tools[name === 'crate' ? 'cargo' : 'python'] !== null)
      missing.push(`The peers in ${name} are not installed: the long form, \`npm run bench -- peers\`, does.`)
  const engines = enginesOf(installed, writeConfig(SCRATCH))
  const samples: Sample[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const engine of engines) {
      if (round > 0 && !engine.isRepeated) continue
      for (const tapeName of engine.tapes.filter(isMeasured))
        samples.push(await sample(engine, tapeName, tools.taskset))
    }
  }
  const figures = { ...summarise(samples), missing }
  process.stderr.write(`\n${peersTable(figures)}\n\n`)
  const wrong = figures.lines.find(({ engine, isExact }) => engine.includes('mizani') && !isExact)
  if (wrong !== undefined) throw new Error(`${wrong.engine} is not exact on ${wrong.tape}: ${wrong.judged}`)
  return figures
}

/** The tapes with twice the fills are there for the cost of one fill more, of which a short run shows nothing. */
function isMeasured(tapeName: TapeName): boolean {
  return !isShort() || !tapeName.endsWith(', 1 %')
}

const tapes = new Map<string, { readonly tape: PeerTape; readonly lastMid: number }>()

async function sample(engine: Engine, tapeName: TapeName, taskset: string | null): Promise<Sample> {
  const { tape, lastMid } = await tapeOf(tapeName, Math.round(MIDS * engine.share), engine.isCommand)
  const process_ = runOnOneCore(engine.program(tape), taskset)
  const run = engineRunOf(process_, engine.isCommand)
  process.stderr.write(`  ${engine.name}, ${tapeName}: ${run.cpuSeconds.toFixed(3)} s of processor time\n`)
  return { engine, tapeName, tape, lastMid, run, process: process_ }
}

async function tapeOf(
  name: TapeName,
  mids: number,
  needsParquet: boolean,
): Promise<{ readonly tape: PeerTape; readonly lastMid: number }> {
  const key = `${name} ${mids} ${needsParquet}`
  let known = tapes.get(key)
  if (known === undefined) {
    const choice = choiceOfTape(name, mids)
    known = {
      tape: await preparePeerTape(SCRATCH, choice, needsParquet),
      lastMid: drawTape(choice).mids.at(-1) ?? 0,
    }
    tapes.set(key, known)
  }
  return known
}
