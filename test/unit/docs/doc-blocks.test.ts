import { describe, expect, test } from 'vitest'
import { commandsOf, docBlocks, missingLines } from '../../e2e/docs/doc-blocks.ts'

const PAGE = `# A page

\`\`\`sh twice
# why
npm run one \\
  --more

npm run two
\`\`\`

Text with \`code\`.

\`\`\`
plain
\`\`\`
`

describe('the blocks of a page', () => {
  test('have a language, words and the line they begin on', () => {
    expect(docBlocks(PAGE)).toEqual([
      expect.objectContaining({ language: 'sh', words: ['twice'], line: 3 }),
      { language: '', words: [], text: 'plain\n', line: 13 },
    ])
  })

  test('are read as commands, comments and line ends aside', () => {
    const [block] = docBlocks(PAGE)
    expect(block === undefined ? [] : commandsOf(block)).toEqual(['npm run one --more', 'npm run two'])
  })

  test('are compared line by line and in order; a figure that is off is found', () => {
    const real = 'edge +57.58\n\ntotal 12\nfills 3\n'
    expect(missingLines('edge +57.58\n...\nfills 3\n', real)).toEqual([])
    expect(missingLines('edge +57.59\n...\nfills 3\n', real)).toEqual(['edge +57.59'])
    expect(missingLines('fills 3\ntotal 12\n', real)).toEqual(['total 12'])
    expect(missingLines('edge +57.5\n', real)).toEqual(['edge +57.5'])
  })
})
