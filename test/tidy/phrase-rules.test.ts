import { describe, expect, test } from 'vitest'
import { checkMessages, checkPhrases } from './phrase-rules.ts'
import { parseSourceFile } from './source-file.ts'

const inText = (text: string) =>
  checkPhrases('docs/a.md', text).map(({ line, message }) => `${line} ${message}`)
const inCode = (text: string) =>
  checkMessages(parseSourceFile('src/a.tsx', text)).map(({ line, message }) => `${line} ${message}`)

describe('a retired phrase', () => {
  test('is refused in a text of the documentation, with its line and with what to write', () => {
    expect(inText('# Title\n\nThe order stays owed, and it says GAP.')).toEqual([
      "3 'GAP' is retired, write: reconciliation break",
      "3 'owed' is retired, write: outstanding",
    ])
    expect(inText('Yesterday, again: a venue in a box that takes turns for ever')).toHaveLength(4)
  })

  test('is no finding inside a code span, the target of a link, a longer word or the title of a guarantee', () => {
    expect(
      inText(
        'the code `fill-unexplained`, [a break](runbook.md#fill-unexplained), a gap, is followed, allowed, `x owed`\n| **A signed order is owed until the chain shows its end** | so |',
      ),
    ).toEqual([])
  })

  test('is refused in a string, a template and a text of a page, and not in a code of one word or a name', () => {
    expect(inCode("const a = 'what stands at the venue is unknown'")).toEqual([
      "1 'what stands at the venue is' is retired, write: the live quote",
    ])
    expect(inCode('const a = `order ${id} is owed`; const b = <p>it is said once</p>')).toHaveLength(2)
    expect(inCode("const owed = ['owed', 'unexplained']; type A = 'unexplained' // owed for ever")).toEqual(
      [],
    )
  })
})
