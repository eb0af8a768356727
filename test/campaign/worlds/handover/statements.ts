import type { Snapshot } from '../../../../src/store/store.ts'

/** One statement of a message, as the simulated database carries it out. */
export type Statement =
  | {
      readonly do:
        | 'nothing'
        | 'is-versioned'
        | 'shared-version'
        | 'look'
        | 'forget-standbys'
        | 'who-stands-by'
        | 'ends'
        | 'read-journal'
    }
  | { readonly do: 'announce' | 'stand-by-no-more'; readonly who: string }
  | { readonly do: 'take'; readonly holder: string; readonly n: number; readonly count: number }
  | { readonly do: 'beat' | 'release' | 'hold'; readonly n: number }
  | { readonly do: 'wait'; readonly waitMs: number }
  | { readonly do: 'reclaim'; readonly holder: string; readonly n: number }
  | { readonly do: 'append'; readonly rows: readonly { readonly seq: number; readonly body: string }[] }
  | { readonly do: 'keep-snapshot'; readonly snapshot: Snapshot }

/** What a restart asks for; the product reads the same rows through its reader. */
export const READ_JOURNAL = 'SELECT * FROM journal'

type Reading = (found: RegExpMatchArray, text: string) => Statement

const nothing: Reading = () => ({ do: 'nothing' })

/** By how a statement of `fence.ts`, `writer.ts` and `statements.ts` begins. */
const READINGS: readonly (readonly [form: RegExp, read: Reading])[] = [
  [/^SET LOCAL search_path/, nothing],
  [/^SELECT mizani\.hold\('[^']*', (\d+)\)$/, ([, n]) => ({ do: 'hold', n: Number(n) })],
  [
    /^UPDATE mizani\.beat SET count = count \+ 1\s+WHERE position = '[^']*' AND n = (\d+)/,
    ([, n]) => ({ do: 'beat', n: Number(n) }),
  ],
  [
    /^UPDATE mizani\.beat SET holder = NULL WHERE position = '[^']*' AND n = (\d+)$/,
    ([, n]) => ({ do: 'release', n: Number(n) }),
  ],
  [
    /^UPDATE mizani\.beat SET holder = '([^']*)', count = count \+ 1\s+WHERE position = '[^']*' AND n = (\d+)/,
    ([, holder = '', n]) => ({ do: 'reclaim', holder, n: Number(n) }),
  ],
  [/^SELECT fence\.n AS n, count, holder/, () => ({ do: 'look' })],
  [
    /^INSERT INTO mizani\.standby AS known VALUES \('[^']*', '([^']*)', 1\)/,
    ([, who = '']) => ({ do: 'announce', who }),
  ],
  [/^SELECT holder, count FROM mizani\.standby/, () => ({ do: 'who-stands-by' })],
  [
    /^DELETE FROM mizani\.standby WHERE position = '[^']*' AND holder = '([^']*)'$/,
    ([, who = '']) => ({ do: 'stand-by-no-more', who }),
  ],
  [
    /^INSERT INTO mizani\.wait SELECT position, n, (\d+) FROM/,
    ([, waitMs]) => ({ do: 'wait', waitMs: Number(waitMs) }),
  ],
  [/^DELETE FROM mizani\.standby WHERE position = '[^']*'$/, () => ({ do: 'forget-standbys' })],
  [
    /^SELECT mizani\.take\('[^']*', '([^']*)', (\d+), (\d+)\) AS n$/,
    ([, holder = '', n, count]) => ({ do: 'take', holder, n: Number(n), count: Number(count) }),
  ],
  [/^SELECT to_regclass\('mizani\.version'\)/, () => ({ do: 'is-versioned' })],
  [/^SELECT version, oldest FROM mizani\.version$/, () => ({ do: 'shared-version' })],
  [/^INSERT INTO mizani\.(?:fence|beat) VALUES .* ON CONFLICT DO NOTHING$/, nothing],
  [/^SELECT \(SELECT coalesce\(max\(seq\), 0\) FROM journal\)/, () => ({ do: 'ends' })],
  [/^SELECT \* FROM journal$/, () => ({ do: 'read-journal' })],
  [/^INSERT INTO journal VALUES /, (_, text) => ({ do: 'append', rows: rowsOf(text) })],
  [/^INSERT INTO snapshots VALUES /, (_, text) => ({ do: 'keep-snapshot', snapshot: snapshotOf(text) })],
  [/^DELETE FROM snapshots WHERE seq NOT IN/, nothing],
]

/** The statements of a message. Throws where one is none that this database knows. */
export function readMessage(text: string): readonly Statement[] {
  return text.split(';\n').map((one) => {
    for (const [form, read] of READINGS) {
      const found = one.match(form)
      if (found !== null) return read(found, one)
    }
    throw new Error(`the simulated database does not know: ${one.slice(0, 120)}`)
  })
}

const TEXT = String.raw`( E)?'((?:[^']|'')*)'`
const JOURNAL_ROW = new RegExp(String.raw`\((\d+), \d+, '[^']*', ?${TEXT}\)`, 'g')
const SNAPSHOT_ROW = new RegExp(String.raw`VALUES \((\d+), (\d+), ?${TEXT}, '([^']*)', \d+\)`)

function rowsOf(text: string): readonly { readonly seq: number; readonly body: string }[] {
  return [...text.matchAll(JOURNAL_ROW)].map(([, seq, escapes, body = '']) => ({
    seq: Number(seq),
    body: textOf(escapes, body),
  }))
}

function snapshotOf(text: string): Snapshot {
  const [, seq, t, escapes, state = '', digest = ''] = text.match(SNAPSHOT_ROW) ?? []
  return { seq: Number(seq), t: Number(t), state: textOf(escapes, state), digest }
}

/** A literal as it was before it was escaped. */
function textOf(escapes: string | undefined, literal: string): string {
  const plain = literal.replaceAll("''", "'")
  return escapes === undefined ? plain : plain.replaceAll('\\\\', '\\')
}
