import { EXIT_CODE } from '../../../base/exit-code.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ms } from '../../../base/time.ts'
import type { LoadedConfig } from '../../config/load/loaded-config.ts'
import type { OperatorAnswer } from '../../console/position-port.ts'
import { isStop } from '../../console/commands/operator-commands.ts'
import type { StopCommand } from '../../../core/engine/model/event.ts'
import { reasonsOf } from '../../view/position-view.ts'
import { stopText, stopView } from '../../view/stop-view.ts'
import { ENDED, type RunningPosition } from '../position/run-position.ts'
import type { RunningTreasury } from '../treasury/run-treasury.ts'
import type { PositionCalls } from './messages.ts'

type Commanded = {
  readonly config: LoadedConfig
  readonly position: Pick<RunningPosition, 'command' | 'now' | 'state' | 'whenDurable'>
  readonly treasury: Pick<RunningTreasury, 'halt' | 'held'> | null
}

const POLL_MS: Ms = 25

/**
 * Executes a command. A stop is answered once the venue shows its end or the time is up; the answer includes what the venue shows. Null =
 * the position ended before the stop was on disk, so the caller has to keep it for the next start.
 */
export async function answerCommand(
  { config, position, treasury }: Commanded,
  { command, who, why, key, confirmWithinMs }: PositionCalls['command'],
): Promise<OperatorAnswer | null> {
  const until = performance.now() + (confirmWithinMs ?? 0)
  const unwritten = command.name === 'stopSigning' ? await stopSigner(config) : null
  if (unwritten !== null) return unwritten
  const processed = position.command(command, who, why, key)
  if (command.name === 'halt') treasury?.halt(position.now(), `halted by ${who}: ${why}`)
  const given = await durably(position, processed)
  if (isStop(command) && (given === ENDED || given === NOT_KEPT)) return null
  if (!given.accepted) return given
  if (command.name === 'resume') return answerOfResume(position, given, until)
  if (confirmWithinMs === undefined || !isStop(command)) return given
  const look = () => stopView(command, position.state(), treasury?.held() ?? [])
  while (!look().confirmed && performance.now() < until) await pause(POLL_MS)
  return answerOfStop(command, given, look())
}

function answerOfStop(
  command: StopCommand,
  { answer }: OperatorAnswer,
  view: ReturnType<typeof stopView>,
): OperatorAnswer {
  const exitCode = view.confirmed ? EXIT_CODE.ok : EXIT_CODE.unconfirmed
  return { accepted: true, ...view, answer: stopText(command, answer, view), exitCode }
}

/** Waits briefly: a breached rule may halt trading again at once, or the venue may reject the key within seconds. */
async function answerOfResume(
  { state }: Pick<RunningPosition, 'state'>,
  given: OperatorAnswer,
  until: Ms,
): Promise<OperatorAnswer> {
  const isKeyRefused = () => Object.keys(state().authRefusals).length > 0
  // A resume reads the account immediately, which shows whether the venue accepts the key.
  const isAsked = () =>
    state().pacing.polls.account.expedited ||
    Object.values(state().requests).some(({ what }) => what === 'account')
  while (state().latch.halted === null && !isKeyRefused() && isAsked() && performance.now() < until)
    await pause(POLL_MS)
  const { halted } = state().latch
  if (halted !== null) {
    const answer = `trading stays HALTED: ${halted.why}. Remove that cause, then resume again`
    return { accepted: false, answer, exitCode: EXIT_CODE.refused }
  }
  if (!isKeyRefused()) {
    const [first = 'there is no decision yet'] = reasonsOf(state())
    const isReduced = state().decision?.tradingState !== 'ACTIVE'
    const then = isReduced ? `trading stays REDUCING (${first})` : 'trading continues'
    return { ...given, answer: `${given.answer}; ${then}` }
  }
  const answer =
    'Resumed, but the venue is rejecting the key: its second refusal, 5 s after the first, will halt trading again. Do: replace the key, reload, then resume'
  return { accepted: true, answer, exitCode: EXIT_CODE.unconfirmed }
}

/** Returns null once the stop is in the signer's file. Also returns null if no orders are signed; the core then refuses the command. */
async function stopSigner(config: LoadedConfig): Promise<OperatorAnswer | null> {
  const { rfq } = config
  const { rfq: settings } = config.core
  if (rfq === null || settings === null) return null
  const { writeSignerStop } = await import('../effects/write-signer-stop.ts')
  const problem = await writeSignerStop({ config, settings, rfq }, Date.now())
  return problem === null ? null : { accepted: false, answer: problem, exitCode: EXIT_CODE.failed }
}

/**
 * Writes a saved `stopSigning` to the signer's file before the position starts, because the journal alone does not stop the signer. Throws
 * if it cannot be written.
 */
export async function writeSavedSignerStop(
  config: LoadedConfig,
  stops: readonly { readonly command: StopCommand }[],
): Promise<void> {
  if (!stops.some(({ command }) => command.name === 'stopSigning')) return
  const unwritten = await stopSigner(config)
  if (unwritten !== null)
    throw new Error(`a saved stop of signing could not be applied before the start: ${unwritten.answer}`)
}

const NOT_KEPT: OperatorAnswer = {
  accepted: false,
  answer: 'the position ended before this was on disk: check the status, then send the command again',
}

/** Waits until the journal is on disk, as effects do, so that the answer still holds after kill -9. */
export async function durably(
  position: Pick<RunningPosition, 'whenDurable'>,
  answer: OperatorAnswer,
): Promise<OperatorAnswer> {
  if (!answer.accepted) return answer
  return (await position.whenDurable()) ? answer : NOT_KEPT
}
