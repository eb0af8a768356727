import { parse, stringify } from 'yaml'
import type { Rule } from '../../support/grafana-uses.ts'

type RulesFile = {
  readonly groups: readonly {
    readonly name: string
    readonly interval: string
    readonly rules: readonly Rule[]
  }[]
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const SHORTER = 60
const PATIENCE = { least: 2, most: 8 }
/** Four scrapes at least, or there is no rate. */
const WINDOW = { least: 5, most: 8 }
const LONG = { least: 30, most: 30 }
const LONG_SECONDS = 6 * 3_600

/**
 * Returns the rules with times that a test can wait for, with a scrape a second: rules are evaluated every second; a
 * `for` becomes a sixtieth, 2 to 8 seconds; a window `[5m]` becomes a sixtieth, 5 to 8 seconds, and one of several
 * hours half a minute; a step of a subquery becomes a second.
 */
export function shortenRules(text: string): string {
  const { groups } = parse(text) as RulesFile
  return stringify({
    groups: groups.map((group) => ({
      ...group,
      interval: '1s',
      rules: group.rules.map((rule) => ({
        ...rule,
        ...(rule.for === undefined ? {} : { for: shorter(rule.for, PATIENCE) }),
        expr: rule.expr.replaceAll(/\[(\d+[smhd])(?::\d+[smhd])?\]/g, (whole, window: string) => {
          const step = whole.includes(':') ? ':1s' : ''
          return `[${shorter(window, secondsOf(window) < LONG_SECONDS ? WINDOW : LONG)}${step}]`
        }),
      })),
    })),
  })
}

function shorter(
  duration: string,
  { least, most }: { readonly least: number; readonly most: number },
): string {
  return `${Math.min(most, Math.max(least, Math.round(secondsOf(duration) / SHORTER)))}s`
}

function secondsOf(duration: string): number {
  const seconds = Number(duration.slice(0, -1)) * (SECONDS[duration.at(-1) ?? ''] ?? Number.NaN)
  if (!Number.isFinite(seconds)) throw new Error(`${duration} is no duration that is known here`)
  return seconds
}
