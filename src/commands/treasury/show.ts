import { readFile } from 'node:fs/promises'
import { errorText } from '../../base/result.ts'
import type { TreasuryView } from '../../view/treasury-view.ts'
import { matchBankFile } from '../../view/treasury/bank-view.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { loadOrExplain } from '../load-or-explain.ts'
import { exitWhenPipeCloses, fail, print, printStoreError, type OutputFormat } from '../output/print.ts'
import { terminalFeatures } from '../output/screen.ts'
import type { RowOptions } from '../output/tables.ts'
import { readTreasury, storedTreasury, type TreasuryRead } from './read-treasury.ts'
import { renderClaims, renderMatch, renderPayees } from './render-evidence.ts'
import { renderIntents, renderPlan, renderTreasury, renderWebhooks } from './render.ts'

export type ShowOptions = OutputFormat & { readonly config: string }
export type ShownPart = 'plan' | 'status' | 'history' | 'payees' | 'claims'

type Part = {
  readonly lines: (view: TreasuryView, row: RowOptions, read: TreasuryRead) => readonly string[]
  /** What `--json` prints beside the moment. */
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
export async function showTreasury(part: ShownPart, options: ShowOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  exitWhenPipeCloses()
  await printStoreError(options, async () => {
    const read = await readTreasury(config)
    if ('why' in read) return fail(options, read.exitCode, read.why)
    const { lines, data } = PARTS[part]
    const note = read.note === null ? [] : [read.note]
    print(options, [...note, ...lines(read.view, look(), read)].join('\n'), {
      position: config.core.name,
      note: read.note,
      ...data(read.view),
    })
  })
}

/** The largest bank file: a month of a busy account has a few thousand lines. */
const MOST_BYTES = 10_000_000

/** Matches a bank's file to the payments of the store; exit code 1 where something is short, over, double or late. */
export async function matchFile(path: string, options: ShowOptions): Promise<void> {
  const config = await loadOrExplain(options.config, options)
  if (config === null) return
  const text = await readText(path)
  if (!text.ok) return fail(options, EXIT_CODE.usage, text.error)
  await printStoreError(options, async () => {
    const stored = storedTreasury(config)
    if ('why' in stored) return fail(options, stored.exitCode, stored.why)
    const match = matchBankFile(text.value, Object.values(stored.treasury.state()?.intents ?? {}))
    print(options, renderMatch(match, look()).join('\n'), match)
    const isWrong =
      match.problems.length > 0 ||
      match.exceptions.some(({ kind }) => kind !== 'unknown') ||
      match.missing.some(({ isOverdue }) => isOverdue)
    if (isWrong) process.exitCode = EXIT_CODE.failed
  })
}

type Text = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly error: string }

export async function readText(path: string): Promise<Text> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > MOST_BYTES) return { ok: false, error: `${path} is larger than 10 MB` }
    return { ok: true, value: bytes.toString('utf8') }
  } catch (error) {
    return { ok: false, error: `${path} cannot be read (${errorText(error)})` }
  }
}

const DEFAULT_WIDTH = 100

export function look(): RowOptions {
  const { columns } = process.stdout
  const width = columns === undefined || columns < 1 ? DEFAULT_WIDTH : Math.min(columns, 140)
  return { width, colour: terminalFeatures(process.stdout, process.env).colour }
}
