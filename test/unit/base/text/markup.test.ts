import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markup } from '../../../../src/base/text/markup.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const asRead = (html: string) =>
  html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')

test('a text is read back as it was and leaves no tag, quote or entity of its own', () => {
  const visible = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\p{Cc}/gu, ''))
  fc.assert(
    fc.property(visible, (text) => {
      const { html } = markup`${text}`
      expect(html).not.toMatch(/[<>"']/)
      expect(asRead(html)).toBe(text)
    }),
  )
})

test('a text cannot end the attribute or the element that it stands in', () => {
  const hostile = `"><script>alert(1)</script>' onload='x`
  expect(markup`<p title="${hostile}">${hostile}</p>`.html).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; onload=&#39;x">' +
      '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39; onload=&#39;x</p>',
  )
})

test('characters that HTML does not allow, and halves of characters, are replaced', () => {
  expect(markup`${'a\u0000b\u0008c\u001bd\u0085e\ud800f'}`.html).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf')
  expect(markup`${'tab\tline\nend'}`.html).toBe('tab\tline\nend')
})

test('markup within markup is not escaped again, lists are joined, and null is nothing', () => {
  const items = ['a&b', 'c'].map((text) => markup`<li>${text}</li>`)
  expect(markup`<ul>${items}</ul>${null}`.html).toBe('<ul><li>a&amp;b</li><li>c</li></ul>')
})
