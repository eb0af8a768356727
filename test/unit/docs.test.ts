import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandsReference } from '../../scripts/commands-reference.ts'
import { configReference } from '../../scripts/config-reference.ts'
import { metricsReference } from '../../scripts/metrics-reference.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { OPERATOR_COMMANDS } from '../../src/daemon/console/commands/operator-commands.ts'
import { ORDER_CODES } from '../../src/daemon/telemetry/metrics/metric-labels.ts'
import { RISK_RULE_NAMES } from '../../src/core/alerts/risk-rules.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'src/README.md',
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** Links to files of the repository, resolved from the page, with their anchors. */
function linksOf(page: string): { readonly path: string; readonly anchor: string | null }[] {
  return [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = null] = target.split('#')
      return { path: path === '' ? page : posix.normalize(posix.join(dirname(page), path)), anchor }
    })
}

function anchorsOf(page: string): string[] {
  const text = read(page)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]
}

describe('the documents', () => {
  test('docs/configuration.md is what the schema says now (node scripts/config-docs.ts)', () => {
    const examples = ['config/self-custody.example.yaml', 'config/live.example.yaml'].map(read)
    expect(read('docs/configuration.md')).toBe(configReference(examples))
  })

  test('every key of the configuration has a meaning, a kind and a line of its own', () => {
    const rows = read('docs/configuration.md').match(/^\| `.*$/gm) ?? []
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([])
  })

  test('docs/http.md lists every command of an operator that HTTP takes', () => {
    const row = read('docs/http.md').match(/^\| `POST \/api\/v1\/pause`.*$/m)?.[0] ?? ''
    const named = [...row.matchAll(/`(?:POST \/api\/v1\/)?(\w+)`/g)].map(([, name]) => name)
    expect(named).toEqual(Object.keys(OPERATOR_COMMANDS))
  })

  test('docs/metrics.md is what the registry says now (node scripts/metrics-docs.ts)', () => {
    expect(read('docs/metrics.md')).toBe(metricsReference())
  })

  test('every rule of risk is explained in docs/operations.md, and nothing else is called a rule there', () => {
    const [, rules = ''] = read('docs/operations.md').split('## Rules')
    const [table = ''] = rules.split('\n## ')
    const explained = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, rule]) => rule)
    expect(RISK_RULE_NAMES.length).toBeGreaterThan(20)
    expect(new Set(explained)).toEqual(new Set(RISK_RULE_NAMES))
  })

  test('every code that an order is rejected with is explained in docs/self-custody.md, and no other', () => {
    const [, section = ''] = read('docs/self-custody.md').split('## When orders are rejected')
    const [table = ''] = section.split('\n## ')
    const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
    const explained = cells.flatMap((cell) =>
      [...cell.matchAll(/`([A-Za-z_]+)`/g)].map(([, code = '']) => code),
    )
    expect(explained.toSorted()).toEqual([...ORDER_CODES].sort())
  })

  test('every code of a signer, and every one that the venue has for all its paths, is among them', () => {
    const files = readdirSync(join(ROOT, 'src/custody/signing'), { recursive: true, encoding: 'utf8' })
    const sources = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => read(`src/custody/signing/${file}`))
    const named = sources.flatMap((text) =>
      [...text.matchAll(/'(SIGN_[A-Z_]+)'/g)].map(([, code = '']) => code),
    )
    expect(named.length).toBeGreaterThan(12)
    const ofVenue = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMIT', 'INTERNAL_ERROR']
    expect(ORDER_CODES).toEqual(expect.arrayContaining([...named, ...ofVenue]))
  })

  test('every shipped strategy is described on a page of strategies, with when it loses', () => {
    const pages = ['rule', 'model', 'wrapping'].map((kind) => read(`docs/${kind}-strategies.md`)).join('\n')
    const names = readdirSync(join(ROOT, 'strategies')).map((file) => file.replace(/\.ts$/, ''))
    const told = names.filter((name) => {
      const [, section = ''] = pages.split(`## ${name}\n`)
      return /\bloses\b/.test(section.split('\n## ')[0] ?? '')
    })
    expect(told).toEqual(names)
  })

  test.each(PAGES)('every link of %s leads to a file, and every anchor to a heading', (page) => {
    const broken = linksOf(page).filter(({ path, anchor }) => {
      if (!existsSync(join(ROOT, path))) return true
      return anchor !== null && !anchorsOf(path).includes(anchor)
    })
    expect(broken).toEqual([])
  })
})

describe('the commands in the documents', async () => {
  const names = (await buildProgram()).commands.map((command) => command.name())

  test('docs/commands.md is what the help texts say now (node scripts/commands-docs.ts)', () => {
    expect(read('docs/commands.md')).toBe(commandsReference())
  })

  test('docs/commands.md has every command, the subcommands too', () => {
    const page = read('docs/commands.md')
    expect(names.filter((name) => !page.includes(`\n## mizani ${name}\n`))).toEqual([])
    for (const usage of ['run [options]', 'rfq cancel-all [options]', 'keys change-password [options]'])
      expect(page).toContain(`Usage: mizani ${usage}`)
  })

  test('each one that any document names exists', () => {
    const called = PAGES.flatMap((page) =>
      [...read(page).matchAll(/(?:`|npx )mizani ([a-z]+(?:-[a-z]+)*)/g)].map(([, name]) => ({
        page,
        name,
      })),
    )
    expect(called.length).toBeGreaterThan(15)
    expect(called.filter(({ name }) => name === undefined || !names.includes(name))).toEqual([])
  })

  test('each npm script that any document names exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    const called = PAGES.flatMap((page) => [...read(page).matchAll(/npm run (?:-s )?([a-z:-]+)/g)])
    expect(called.map(([, name = '']) => name).filter((name) => scripts[name] === undefined)).toEqual([])
  })
})
