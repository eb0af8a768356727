import type { Event } from '../../core/engine/model/event.ts'
import { traitOf, type Trait } from './trait.ts'

/** Form of an answer: the contract's, or the other observed form. */
type Dialect = 'contract' | 'observed'

/** Evidence from the form of answers. */
type AnswerEvidence = {
  readonly add: (event: Event) => void
  readonly traits: () => readonly Trait[]
  readonly learned: () => {
    /** Dialect of most answers; null = no answer shows it. */
    readonly dialect: Dialect | null
    /** Dialect of each kind of answer. */
    readonly dialects: Readonly<Record<string, Dialect>>
    /** Fields that are not in the contract, such as `fills.maker`. */
    readonly fields: readonly string[]
    /** The kinds of answers that were observed, in which a field would have been seen. */
    readonly kinds: readonly string[]
  }
}

/** Fields of a fill in the contract. */
const FILL_FIELDS = new Set([
  'id',
  'fromToken',
  'toToken',
  'amountIn',
  'amountOut',
  'feesEarned',
  'txHash',
  'createdAt',
])
/** Fields that only the other dialect has. */
const OTHER_DIALECT = ['spreadEarned', 'protocolFeeEarned', 'inTxHash', 'outTxHash', 'userAddress']
export const MOST_FIELDS = 200
/** Maximum length of a field's name, and of an example value. */
export const LONGEST_FIELD = 60
/** Maximum length of the list of all fields. */
const LONGEST_LIST = 18_000
/** Replaces the fields of a text that was too long for the journal; the contract has no such field. */
const CUT = '(cut)'
/** Answers that the two dialects write differently. */
const WORDS = { contract: 'the contract’s', observed: 'the other form' } as const

type Field = { count: number; readonly example: string }
type Counts = Record<Dialect, number>

export function createAnswerEvidence(): AnswerEvidence {
  const fields = new Map<string, Field>()
  const kinds = new Map<string, number>()
  const dialects = new Map<string, Counts>()

  function note(whole: string, value: unknown): void {
    const name = whole.slice(0, LONGEST_FIELD)
    const known = fields.get(name)
    if (known !== undefined) known.count += 1
    else if (fields.size < MOST_FIELDS)
      fields.set(name, { count: 1, example: (JSON.stringify(value) ?? '').slice(0, LONGEST_FIELD) })
  }

  function noteDialect(kind: string, dialect: Dialect): void {
    const counts = dialects.get(kind) ?? { contract: 0, observed: 0 }
    counts[dialect] += 1
    dialects.set(kind, counts)
  }

  function readFill(raw: string): void {
    const row = fieldsOfRow(raw)
    if (row === null) return note(`fills.${CUT}`, raw)
    const names = Object.keys(row)
    if (names.length === 0) return
    kinds.set('fills', (kinds.get('fills') ?? 0) + 1)
    noteDialect('fills', OTHER_DIALECT.some((name) => names.includes(name)) ? 'observed' : 'contract')
    for (const name of names) if (!FILL_FIELDS.has(name)) note(`fills.${name}`, row[name])
  }

  return {
    add(event) {
      if (event.type === 'fills') for (const { raw } of event.fills) readFill(raw)
      else if ('request' in event && event.type !== 'requestFailed')
        kinds.set(event.type, (kinds.get(event.type) ?? 0) + 1)
      for (const [kind, dialect] of dialectsOfEvent(event)) noteDialect(kind, dialect)
      if ('unknownFields' in event && event.unknownFields !== undefined)
        for (const [name, value] of Object.entries(
          fieldsOfRow(event.unknownFields) ?? { [CUT]: event.unknownFields },
        ))
          note(`${event.type}.${name}`, value)
    },
    learned: () => ({
      dialect: commonDialect(dialects),
      dialects: Object.fromEntries([...dialects].map(([kind, counts]) => [kind, dialectOf(counts)])),
      fields: [...fields.keys()].toSorted(),
      kinds: [...kinds.keys()].toSorted(),
    }),
    traits: () => [dialectTrait(dialects), fieldTrait(fields, kinds)],
  }
}

/** Returns the dialect by kind of answer; empty if both dialects write the answer alike. */
function dialectsOfEvent(event: Event): readonly (readonly [kind: string, dialect: Dialect])[] {
  const of = (kind: string, isContract: boolean) => [kind, isContract ? 'contract' : 'observed'] as const
  if (event.type === 'account' && event.isWrapped !== undefined) return [of('account', !event.isWrapped)]
  if (event.type === 'balances') return [of('balances', event.source === null)]
  // The other dialect has only the mid.
  if (event.type === 'rate' && event.mid !== null)
    return [of('rate', event.rateUpdatedAt !== null || event.quotable !== null)]
  if (event.type === 'activation') {
    const byMethod = event.method === undefined ? [] : [of('method of activate', event.method === 'POST')]
    // Partially returned tokens are not an answer of the contract.
    return event.partial ? [...byMethod, of('activation', false)] : byMethod
  }
  if (event.type === 'requestFailed' && event.failure.form !== undefined) {
    const { status, form } = event.failure
    return [of(status === 401 ? 'refusals of the key' : 'refusals', form === 'code')]
  }
  return []
}

function dialectOf({ contract, observed }: Counts): Dialect {
  return observed > contract ? 'observed' : 'contract'
}

/** Each kind of answer has one vote, because balances come a thousand times as often as fills. */
function commonDialect(dialects: ReadonlyMap<string, Counts>): Dialect | null {
  if (dialects.size === 0) return null
  const kinds = [...dialects.values()].map(dialectOf)
  return kinds.filter((one) => one === 'observed').length * 2 > kinds.length ? 'observed' : 'contract'
}

/** Returns `the contract’s (balances, fills)`, or both dialects with their answers. */
export function dialectsText(dialects: Readonly<Record<string, Dialect>>): string | null {
  const shown = (['contract', 'observed'] as const).flatMap((dialect) => {
    const kinds = Object.keys(dialects).filter((kind) => dialects[kind] === dialect)
    return kinds.length === 0 ? [] : [`${WORDS[dialect]} (${kinds.toSorted().join(', ')})`]
  })
  return shown.length === 0 ? null : shown.join('; ')
}

function dialectTrait(dialects: ReadonlyMap<string, Counts>): Trait {
  const each = Object.fromEntries([...dialects].map(([kind, counts]) => [kind, dialectOf(counts)]))
  const counts = [...dialects.values()]
  return traitOf('dialect', dialectsText(each), {
    observed: counts.reduce((sum, { contract, observed }) => sum + contract + observed, 0),
    exceptions: counts.reduce((sum, { contract, observed }) => sum + Math.min(contract, observed), 0),
  })
}

/** Returns the displayed list: whole names, and the number of the rest. */
export function fieldsText(fields: readonly string[]): string | null {
  const text = fields.join(', ')
  if (text.length <= LONGEST_LIST) return text === '' ? null : text
  const whole = text.slice(0, LONGEST_LIST).split(', ').slice(0, -1)
  return `${whole.join(', ')} and more, ${fields.length} in all`
}

function fieldTrait(fields: ReadonlyMap<string, Field>, kinds: ReadonlyMap<string, number>): Trait {
  const names = [...fields.keys()].toSorted()
  const answers = [...kinds.values()].reduce((sum, count) => sum + count, 0)
  return traitOf('undocumented-fields', fieldsText(names), {
    observed: answers,
    examples: names.map((name) => `${name} = ${fields.get(name)?.example} (${fields.get(name)?.count})`),
    sure: `seen in ${answers} answers and rows; each example with how many have it`,
  })
}

/** Returns the fields of a stored row or answer; empty if it is not an object, null if the text was cut. */
export function fieldsOfRow(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {}
  } catch {
    // A long text is cut before it is journalled.
    return null
  }
}
