import { printableLines } from '../../base/printable.ts'
import { createReadStream } from 'node:fs'
import { err, errorText, type Result } from '../../base/result.ts'
import type { LoadedConfig } from '../../daemon/config/load/loaded-config.ts'
import { decodeBankFile, readBankFile, type ReadBankFile } from '../../treasury/statement/read-bank-file.ts'
import type { TreasuryView } from '../../daemon/view/treasury-view.ts'
import { bankMatchView } from '../../daemon/view/treasury/bank-view.ts'
import { EXIT_CODE } from '../../base/exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import {
  exitWhenPipeCloses,
  fail,
  printStoreError,
  type ConfigOptions,
  printStyled,
} from '../output/print.ts'
import { terminalFeatures } from '../output/screen.ts'
import { storedTreasury } from '../../daemon/runtime/treasury/following/stored-treasury.ts'
import { readTreasury, type TreasuryRead } from './read-treasury.ts'
import { renderClaims, renderMatch, renderPayees } from './render-evidence.ts'
import {
  createRow,
  renderIntents,
  renderPlan,
  type RenderRow,
  renderTreasury,
  renderWebhooks,
} from './render.ts'

export type ShownPart = 'plan' | 'status' | 'history' | 'payees' | 'claims'

type Part = {
  readonly lines: (view: TreasuryView, row: RenderRow, read: TreasuryRead) => readonly string[]
  /** Returns the `--json` document without its time. */
  readonly data: (view: TreasuryView) => object
}

const PARTS: Readonly<Record<ShownPart, Part>> = {
  status: {
    lines: (view, row, { webhooks }) => [...renderTreasury(view, row), ...renderWebhooks(webhooks, row)],
    data: (view) => view,
  },
  plan: {
    lines: renderPlan,
    data: ({ now, plan, refusedSteps, rails, payees }) => ({ now, plan, refusedSteps, rails, payees }),
  },
  history: {
    lines: ({ ended, now }, row) =>
      ended.length === 0 ? ['no intent has ended yet'] : renderIntents(ended, now, row),
    data: ({ now, ended }) => ({ now, ended }),
  },
  payees: { lines: renderPayees, data: ({ now, payees, caps }) => ({ now, payees, caps }) },
  claims: { lines: renderClaims, data: ({ now, claims }) => ({ now, claims }) },
}

/** Shows a part of the treasury, from its daemon or, without one, from its store. */
export async function showTreasury(part: ShownPart, options: ConfigOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  exitWhenPipeCloses()
  await printStoreError(options, async () => {
    const read = await readTreasury(config)
    if ('why' in read) return fail(options, read.exitCode, read.why)
    const { lines, data } = PARTS[part]
    const note = read.note === null ? [] : [printableLines(read.note)]
    printStyled(options, [...note, ...lines(read.view, terminalRow(), read)].join('\n'), {
      position: config.core.name,
      note: read.note,
      ...data(read.view),
    })
  })
}

/** The largest bank file; UTF-16 takes two bytes per character. */
const MOST_BYTES = 20_000_000

/** Matches a bank's file to the payments of the store; exit code 1 if a payment is short, over, double or late. */
export async function matchFile(
  path: string,
  options: ConfigOptions & { readonly bankFormat?: string },
): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const file = await readBankFileAt(path, config, options.bankFormat)
  if (!file.ok) return fail(options, file.error.exitCode, file.error.why)
  await printStoreError(options, async () => {
    const stored = storedTreasury(config)
    if (!stored.ok) return fail(options, EXIT_CODE.failed, stored.error)
    const match = bankMatchView(file.value, Object.values(stored.value.treasury.state()?.intents ?? {}))
    printStyled(options, renderMatch(match, terminalRow()).join('\n'), match)
    const isWrong =
      match.exceptions.some(({ kind }) => kind !== 'unknown') ||
      match.missing.some(({ isOverdue }) => isOverdue)
    if (isWrong) process.exitCode = EXIT_CODE.failed
  })
}

/** Reads the lines of a bank's file by the configured formats; exit code 1 for a refused file. */
export async function readBankFileAt(
  path: string,
  { treasury }: LoadedConfig,
  format?: string,
): Promise<Result<ReadBankFile, { readonly exitCode: number; readonly why: string }>> {
  const text = await readBankText(path)
  if (!text.ok) return err({ exitCode: EXIT_CODE.usage, why: text.error })
  const read = readBankFile(text.value, treasury?.bankFormats ?? {}, format ?? null)
  if (read.ok) return read
  const { line, message } = read.error
  return err({
    exitCode: EXIT_CODE.failed,
    why: `${path}, line ${line}: ${message}; no line of the file was used`,
  })
}

export async function readBankText(path: string): Promise<Result<string, string>> {
  try {
    // No more is read: a device has no end.
    const parts: Buffer[] = []
    for await (const part of createReadStream(path, { end: MOST_BYTES })) parts.push(part as Buffer)
    const bytes = Buffer.concat(parts)
    if (bytes.length > MOST_BYTES) return err(`${path} is larger than 20 MB`)
    const text = decodeBankFile(bytes)
    return text.ok ? text : err(`${path}: ${text.error}`)
  } catch (error) {
    return err(`${path} cannot be read (${errorText(error)})`)
  }
}

const DEFAULT_WIDTH = 100

function terminalRow(): RenderRow {
  const { columns } = process.stdout
  const width = columns === undefined || columns < 1 ? DEFAULT_WIDTH : Math.min(columns, 140)
  return createRow({ width, colour: terminalFeatures(process.stdout, process.env).colour })
}
