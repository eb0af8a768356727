import { InvalidArgumentError, Option } from 'commander'
import type { Ms } from '../../base/time.ts'
import type { OperatorCommand } from '../../core/engine/model/event.ts'
import { type Difference, parseDifference } from '../../base/money/difference.ts'
import { parseRate, type Rate } from '../../base/money/rate.ts'
import { type CommandLine, timeOption } from '../options.ts'

export function addResume(program: CommandLine): void {
  program
    .command('resume')
    .description('lift a pause or a halt; the risk rules are evaluated again at once')
    .more(`
After a reconciliation break, --book records the present difference as an adjustment, or as a deposit or withdrawal of your
own. It shows the difference and asks; without a terminal it needs --expect. A mid that moved further than risk allows waits:
\`status\` shows it next to the mid in force. A plain resume does not adopt it: compare both with another source, then pass it
to --accept-mid.
Example:
  $ npx mizani resume --config live.yaml --book deposit --expect "500 USDC" --reason "top-up of Monday"
  $ npx mizani resume --config live.yaml --accept-mid 2642.5 --reason "confirmed with the central bank"
  $ npx mizani resume --fleet config/fleet --reason "the limit of the fleet was raised"`)
    .daemonPlace({ fleet: true })
    .addOption(
      new Option('--book <what>', 'book the unreconciled difference as this')
        .choices(['adjustment', 'deposit', 'withdrawal'])
        .conflicts('fleet'),
    )
    .addOption(
      new Option(
        '--expect <difference>',
        'with --book: the difference to book, such as "5 NTZS, -1.5 USDC"; refused if it has changed',
      )
        .argParser(differenceOption)
        .conflicts('fleet'),
    )
    .addOption(
      new Option(
        '--review-until <time>',
        'suspend the review of fills until this time, at most 24 hours ahead',
      )
        .argParser(timeOption)
        .conflicts('book'),
    )
    .addOption(
      new Option('--accept-mid <tzs-per-usd>', 'adopt the waiting mid, stated exactly').argParser(rateOption),
    )
    .shared('reason', 'json')
    .action(async (options) => (await import('./operate.ts')).operate(resumeOf(options), options))
}

type ResumeOptions = {
  readonly book?: 'adjustment' | 'deposit' | 'withdrawal'
  readonly expect?: Difference
  readonly reviewUntil?: Ms
  readonly acceptMid?: Rate
}

function resumeOf({
  book,
  expect,
  reviewUntil,
  acceptMid,
}: ResumeOptions): Extract<OperatorCommand, { name: 'resume' }> {
  return {
    name: 'resume',
    ...(book !== undefined && { book }),
    ...(expect !== undefined && { expect }),
    ...(reviewUntil !== undefined && { reviewUntil }),
    ...(acceptMid !== undefined && { acceptMid }),
  }
}

function differenceOption(text: string): Difference {
  const difference = parseDifference(text)
  if (!difference.ok) throw new InvalidArgumentError(difference.error)
  return difference.value
}

function rateOption(text: string): Rate {
  const rate = parseRate(text)
  if (!rate.ok) throw new InvalidArgumentError(rate.error.message)
  return rate.value
}
