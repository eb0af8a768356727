import { createHash } from 'node:crypto'
import { ok } from '../../base/result.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { formatTokens } from '../../base/money/asset.ts'
import { decimalText } from '../../base/text/numbers.ts'
import type { BankLine } from '../../treasury/statement/bank-line.ts'
import { monthSpan, monthStatement, type Statement } from '../../treasury/statement/month-statement.ts'
import { statementBeancount, statementChain, statementCsv } from '../../treasury/statement/statement-text.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { fail, print, printStoreError, type OutputFormat } from '../output/print.ts'
import { alignColumns } from '../output/tables.ts'
import { wroteOrExplained } from '../output/write-file.ts'
import { storedTreasury } from '../../daemon/runtime/treasury/following/stored-treasury.ts'
import type { TreasuryUnavailable } from './read-treasury.ts'
import { readBankFileAt } from './show.ts'
import { statementHtml } from '../../research/report/pages/statement-html.ts'

type StatementOptions = OutputFormat & {
  readonly config: string
  readonly csv?: string
  readonly html?: string
  readonly beancount?: string
  readonly bank?: string
  readonly bankFormat?: string
}

/** Prints the month of the treasury from its store, reconciled with books, venue and bank. Exit code 1 if a residual is not zero. */
export async function statement(month: string, options: StatementOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const bank =
    options.bank === undefined ? ok(null) : await readBankFileAt(options.bank, config, options.bankFormat)
  if (!bank.ok) return fail(options, bank.error.exitCode, bank.error.why)
  await printStoreError(options, async () => {
    const made = statementOf(config, month, bank.value?.lines ?? null)
    if ('why' in made) return fail(options, made.exitCode, made.why)
    const files = [
      [options.csv, statementCsv(made)],
      [options.beancount, statementBeancount(made)],
      [options.html, statementHtml(config.core.name, made, headOf(made))],
    ] as const
    for (const [path, text] of files) if (!(await wroteOrExplained(options, path, text))) return
    print(options, statementLines(made).join('\n'), { ...made, head: headOf(made) })
    if (!made.isTied) process.exitCode = EXIT_CODE.failed
  })
}

function statementOf(
  config: LoadedConfig,
  month: string,
  bank: readonly BankLine[] | null,
): Statement | TreasuryUnavailable {
  const span = monthSpan(month)
  const stored = storedTreasury(config, span?.to)
  if (!stored.ok) return { exitCode: EXIT_CODE.failed, why: stored.error }
  const { events, observations } = stored.value
  const reading = events.findLast(({ type, t }) => type === 'holdingsSeen' && t >= (span?.from ?? 0))
  const last = reading?.type === 'holdingsSeen' ? { at: reading.t, holdings: reading.holdings } : null
  const entries = observations.flatMap((one) => (one.type === 'booked' ? [one] : []))
  const made = monthStatement({ month, entries, read: last, chain: null, bank })
  return made.ok ? made.value : { exitCode: EXIT_CODE.usage, why: made.error }
}

/** Hashes the movements in a chain: a saved hash proves later that no line has changed. */
function headOf(made: Statement): string {
  return statementChain(made).reduce(
    (before, line) => createHash('sha256').update(`${before}\n${line}`).digest('hex'),
    '',
  )
}

function statementLines(made: Statement): readonly string[] {
  const accounts = [
    ['account', 'token', 'opening', 'came', 'left', 'closing'],
    ...made.lines.map(({ account, asset, ...line }) => [
      account,
      asset,
      ...[line.opening, line.came, line.left, line.closing].map((amount) =>
        decimalText(formatTokens(amount, asset), 2),
      ),
    ]),
  ]
  const ties = [
    ['tied with', 'what', 'token', 'ours', 'theirs', 'residual'],
    ...made.ties.map(({ with: whom, what, asset, ours, theirs, residual }) => [
      whom,
      what,
      asset,
      ...[ours, theirs].map((amount) => decimalText(formatTokens(amount, asset), 2)),
      formatTokens(residual, asset),
    ]),
  ]
  return [
    `Treasury, ${made.month}: ${made.movements.length} movements, ${made.isTied ? 'residual 0' : 'THE RESIDUAL IS NOT 0'}`,
    '',
    ...alignColumns(accounts, (column) => column < 2),
    '',
    ...alignColumns(ties, (column) => column < 3),
    ...(made.untied.length === 0 ? [] : ['', ...made.untied]),
    '',
    `chain of movements: ${headOf(made)}`,
  ]
}
