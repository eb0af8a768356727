import type { ErrorCode } from 'yaml'

/**
 * What a YAML error means for the person who wrote the file. Own sentences, because the parser's own may
 * quote the text, and the text may be a secret.
 */
const SENTENCES: { readonly [code in ErrorCode]?: string } = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag; write the alias alone',
  BAD_ALIAS: 'a broken alias; *name of an anchor set before it (&name) would be right',
  BAD_COLLECTION_TYPE: 'the tag does not fit what follows it; only !env NAME and !file PATH are known here',
  BAD_DIRECTIVE: 'a YAML directive that is not understood; leave out the line that begins with %',
  BAD_DQ_ESCAPE: "an unknown escape in double quotes; use 'single quotes' or double the backslash",
  BAD_INDENT:
    'the indentation fits nothing above it; line it up with its neighbours, or close the brace or quote above',
  BAD_PROP_ORDER: 'an anchor or tag stands in the wrong place; put it right before the value',
  BAD_SCALAR_START: 'a plain value cannot begin with this character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a mapping cannot begin here; put the key on a line of its own, or use { } on one line',
  BLOCK_IN_FLOW: 'an indented block cannot stand inside { } or [ ]; write it with braces',
  DUPLICATE_KEY: 'this key was set before in the same mapping; keep one of them',
  IMPOSSIBLE: 'this is not YAML',
  KEY_OVER_1024_CHARS: 'a key of more than 1024 characters; is a quote or a colon missing?',
  MISSING_CHAR: 'a character is missing; close the quote, bracket or brace, or put ": " after the key',
  MULTILINE_IMPLICIT_KEY: 'a key cannot go over several lines; put ": " and the value on the same line',
  MULTIPLE_ANCHORS: 'a value can have one anchor only; leave out one',
  MULTIPLE_DOCS: 'a second document begins here; one file holds one configuration, leave out the "---"',
  MULTIPLE_TAGS: 'a value can have one tag only; leave out one',
  NON_STRING_KEY: 'a key must be a plain word; put it in quotes',
  RESOURCE_EXHAUSTION: 'too many aliases or levels; write it out, shorter',
  TAB_AS_INDENT: 'a tab in the indentation; indent with spaces',
  TAG_RESOLVE_FAILED: 'an unknown tag; only !env NAME and !file PATH are known, for secrets',
  UNEXPECTED_TOKEN: 'this is not expected here; is a quote, a brace or a line break missing before it?',
}

export function yamlErrorText(code: ErrorCode): string {
  return SENTENCES[code] ?? 'this is not YAML that can be understood; check quotes, braces and indentation'
}
