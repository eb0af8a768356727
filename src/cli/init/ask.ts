import { isCancel, text } from '@clack/prompts'
import { InvalidArgumentError } from 'commander'
import { type Answers, isKeyFile, SANDBOX_URL } from './templates.ts'

/** What the command line has answered already. */
export type InitOptions = Partial<Answers> & { readonly yes?: boolean }

type Question<Value> = {
  readonly message: string
  readonly usual: string
  readonly parse: (text: string) => Value
}

/** The six questions. A parser throws commander's error with what it expects. */
export const QUESTIONS: { readonly [name in keyof Answers]: Question<Answers[name]> } = {
  name: {
    message: 'The name of the position, for metrics, logs and the console',
    usual: 'desk-1',
    parse: (given) =>
      matching(given, /^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/, 'Expected letters, digits, dots and dashes.'),
  },
  venue: {
    message: `The address of the venue (${SANDBOX_URL} = the simulated venue of \`mizani sandbox\`)`,
    usual: SANDBOX_URL,
    parse: parseVenue,
  },
  key: {
    message: 'Where is the API key? The name of an environment variable, or the path of a file',
    usual: 'MIZANI_API_KEY',
    parse: (given) =>
      isKeyFile(given)
        ? given
        : matching(
            given,
            /^[A-Z_][A-Z0-9_]*$/,
            'Expected the NAME of a variable or the path of a file, never the key itself.',
          ),
  },
  halfSpreadBps: {
    message: 'The half-spread to begin with, in bps (10 to 250)',
    usual: '60',
    parse: (given) => numberWithin(given, 10, 250),
  },
  target: {
    message: 'The share of the value to hold in dollars (0 to 1)',
    usual: '0.5',
    parse: (given) => numberWithin(given, 0, 1),
  },
  corridor: {
    message: 'The lowest and the highest TZS per USD at which it may quote, as LOW-HIGH',
    usual: '2300-2900',
    parse: parseCorridor,
  },
}

/**
 * Asks on the terminal what the command line leaves open; null = the person left. Without a terminal, or with `--yes`, the
 * usual answers are taken.
 */
export async function ask(options: InitOptions): Promise<Answers | null> {
  const isAsking = options.yes !== true && process.stdin.isTTY && process.stderr.isTTY
  const answers: Partial<Record<keyof Answers, unknown>> = {}
  for (const name of Object.keys(QUESTIONS) as (keyof Answers)[]) {
    const { message, usual, parse } = QUESTIONS[name]
    let given = options[name]
    if (given === undefined && isAsking) {
      const said = await text({
        message,
        placeholder: usual,
        defaultValue: usual,
        output: process.stderr,
        validate: (value) => problemOf(parse, value === undefined || value === '' ? usual : value),
      })
      if (isCancel(said)) return null
      given = parse(said)
    }
    answers[name] = given ?? parse(usual)
  }
  return answers as Answers
}

function problemOf(parse: (given: string) => unknown, given: string): string | undefined {
  try {
    parse(given)
    return undefined
  } catch (thrown) {
    if (thrown instanceof InvalidArgumentError) return thrown.message
    throw thrown
  }
}

function matching(given: string, pattern: RegExp, expected: string): string {
  if (pattern.test(given)) return given
  throw new InvalidArgumentError(expected)
}

function numberWithin(given: string, min: number, max: number): number {
  const value = given.trim() === '' ? Number.NaN : Number(given)
  if (value >= min && value <= max) return value
  throw new InvalidArgumentError(`Expected a number from ${min} to ${max}.`)
}

function parseVenue(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (url === null || !(url.protocol === 'https:' || isLocal) || url.username !== '' || url.search !== '')
    throw new InvalidArgumentError('Expected https://HOST, or http://127.0.0.1:PORT on this machine.')
  return given.replace(/\/+$/, '')
}

function parseCorridor(given: string): Answers['corridor'] {
  const [, low, high] = /^\s*(\d{1,7}(?:\.\d{1,4})?)\s*-\s*(\d{1,7}(?:\.\d{1,4})?)\s*$/.exec(given) ?? []
  const [min, max] = [Number(low), Number(high)]
  if (min > 0 && max > min) return { min, max }
  throw new InvalidArgumentError('Expected LOW-HIGH in TZS per USD, for example 2300-2900.')
}
