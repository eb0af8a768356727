import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { metricsReference } from '../../../scripts/metrics-reference.ts'
import { modelProgram } from '../../../src/cli/research/model/model-program.ts'
import { partnerProgram } from '../../../src/cli/partner/partner-program.ts'
import { buildProgram } from '../../../src/cli/program.ts'
import { configJsonSchema } from '../../../src/daemon/config/schema/json-schema.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DOCS = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const PAGES = ['README.md', ...DOCS.map((name) => `docs/${name}`)]

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** What stands in backticks, and each line of a fenced block. */
function codeOf(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^```.*\n([^]*?)^```$/gm)].map(([, text = '']) => text)
  const prose = markdown.replaceAll(/^```.*\n[^]*?^```$/gm, '')
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  return [...blocks.flatMap((text) => text.replaceAll(/\\\n\s*/g, '').split('\n')), ...inline]
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
}

/** Whether a key with dots is one of the configuration; maps take any name. */
function isKey(path: readonly string[], schema: Schema): boolean {
  const [first, ...rest] = path
  if (first === undefined || first === '*') return true
  const inside = schema.properties?.[first]
  if (inside !== undefined) return isKey(rest, inside)
  if (schema.anyOf?.some((one) => isKey(path, one)) === true) return true
  return schema.properties === undefined && schema.additionalProperties !== undefined
}

/** Commands whose own commands are known only when they run. */
const LOADED_WHEN_RUN: Readonly<Record<string, () => Command>> = {
  partner: partnerProgram,
  model: modelProgram,
}

/** What is wrong with a command line, if anything is. */
function problemOf(line: string, program: Command): string | null {
  let command = program
  const words = line.split(/\s+/).filter(Boolean)
  for (const [index, word] of words.entries()) {
    // What follows a pipe is another program, and `#` begins a comment.
    if (/^[|#;&>]/.test(word)) break
    const inner = command.commands.find((one) => one.name() === word)
    if (inner !== undefined) command = LOADED_WHEN_RUN[inner.name()]?.() ?? inner
    else if (/^[a-z][a-z-]*$/.test(word) && command.commands.length > 0 && !isValue(words[index - 1]))
      return `${line}: ${command.name()} has no ${word}`
    else if (word.startsWith('--') && word !== '--' && word !== '--help' && word !== '--version') {
      const name = word.replace(/=.*$/, '').replace(/\W+$/, '')
      if (!command.options.some(({ long }) => long === name))
        return `${line}: ${command.name()} has no ${name}`
    }
  }
  return null
}

function isValue(before: string | undefined): boolean {
  return before?.startsWith('--') === true
}

describe('words in the documents', async () => {
  const program = await buildProgram()

  test.each(PAGES)('%s names no command and no option that there is not', (page) => {
    const lines = codeOf(read(page)).flatMap((line) => {
      const [, rest] = /^\s*(?:\$ )?(?:npx )?mizani ([a-z-].*)$/.exec(line) ?? []
      return rest === undefined ? [] : [rest]
    })
    expect(lines.map((line) => problemOf(line, program)).filter((problem) => problem !== null)).toEqual([])
  })

  test('a command or option that is not there would be found', () => {
    expect(problemOf('status --config a.yaml --watch', program)).toBeNull()
    expect(problemOf('rfq cancel-all --config a.yaml | jq .', program)).toBeNull()
    expect(problemOf('rfq cancel-everything', program)).toContain('no cancel-everything')
    expect(problemOf('status --wach', program)).toContain('no --wach')
    expect(problemOf('partner deposits create --amount-tzs 500 --yes', program)).toBeNull()
    expect(problemOf('partner deposits create --amount 500', program)).toContain('no --amount')
    expect(problemOf('model deflated-sharpe --params {} --json', program)).toBeNull()
    expect(problemOf('model deflated-sharp --params {}', program)).toContain('no deflated-sharp')
    expect(problemOf('statsu', program)).toContain('no statsu')
  })

  const schema = configJsonSchema() as Schema
  const sections = Object.keys(schema.properties ?? {})

  test.each(PAGES)('%s names no key of the configuration that there is not', (page) => {
    const named = [...read(page).matchAll(/`([a-z]\w*(?:\.[\w*]+)+)(?::[^`]*)?`/g)].map(([, key = '']) => key)
    const keys = named.filter((key) => sections.includes(key.split('.')[0] ?? ''))
    const notConfig = /^(?:config|strategies|backtest)\.(?:md|yaml|ts)$|\.(?:md|yaml|ts|json|db|pem|key)$/
    expect(keys.filter((key) => !notConfig.test(key) && !isKey(key.split('.'), schema))).toEqual([])
  })

  test('a key that is not there would be found', () => {
    expect(isKey(['risk', 'maxLossTzs'], schema)).toBe(true)
    expect(isKey(['rfq', 'rpc', 'urls'], schema)).toBe(true)
    expect(isKey(['risk', 'maxLoss'], schema)).toBe(false)
    expect(isKey(['rfq', 'rcp', 'urls'], schema)).toBe(false)
  })

  test('every metric that a page names exists', () => {
    const known = new Set(metricsReference().match(/\bmizani_\w+/g))
    // `mizani_sweep` and `mizani_tournament` are schemas in PostgreSQL.
    const named = PAGES.flatMap((page) => read(page).match(/\bmizani_(?!sweep|tournament)\w+/g) ?? [])
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '')
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((name) => !known.has(name) && !known.has(base(name)))).toEqual([])
  })

  test('every page is in exactly one of the four sections of docs/README.md', () => {
    const sections = read('docs/README.md').split(/^## /m).slice(1)
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'Start',
      'Do',
      'Look up',
      'Understand',
    ])
    const pages = DOCS.filter((name) => name !== 'README.md')
    const listed = sections.flatMap(
      (section) => section.match(/(?<=^- .*\]\()[\w-]+\.md(?=\)(?::|$))/gm) ?? [],
    )
    expect(listed.toSorted()).toEqual(pages.toSorted())
  })
})
