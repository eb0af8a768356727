import { expect, test } from 'vitest'
import { runCore } from '../../../../support/core-harness.ts'

const PROBLEMS = 'a.yaml:1:1 risk: no\n  1 | risk …\n    | ^\na.yaml:2:1 quote: no\na.yaml:3:1 name: no'

test('a reload that was refused is a fact of the journal: whose, why, of what, and nothing else changes', () => {
  const core = runCore(10_000)
  const before = core.state()
  const { config, decision, quoting } = before
  const by = { who: 'ann', why: 'tighter', what: 'quote.safeBps' }
  core.give({ type: 'reloadRefused', t: core.now, problems: PROBLEMS, by })
  expect(core.observations.at(-1)).toMatchObject({
    type: 'operator',
    command: 'reload',
    who: 'ann',
    why: 'tighter',
    accepted: false,
    answer: `quote.safeBps: ${PROBLEMS}`,
  })
  const after = core.state()
  expect([after.config, after.decision, after.quoting]).toEqual([config, decision, quoting])
})

test('a changed file with problems raises a notice with the first problem and their number', () => {
  const core = runCore(10_000)
  const said = () => core.observations.filter(({ type }) => type === 'alert')
  core.give({ type: 'reloadRefused', t: core.now, problems: PROBLEMS })
  core.give({ type: 'reloadRefused', t: core.now, problems: 'a.yaml:1:1 risk: no' })
  expect(said()).toMatchObject([
    {
      severity: 'warning',
      code: 'reload-refused',
      message:
        'the configuration was not reloaded; the previous one stays in force: a.yaml:1:1 risk: no (and 2 more in the log)',
    },
    { message: 'the configuration was not reloaded; the previous one stays in force: a.yaml:1:1 risk: no' },
  ])
})
