/** Bodies that cannot be the answer of any route, by what is wrong with them. */
export const BAD = {
  'an empty body': '',
  'an HTML page': '<!DOCTYPE html><html><body>404</body></html>',
  'truncated JSON': '{"id":"d1","status":"comp',
  null: 'null',
  'an empty list': '[]',
  'a number beyond all figures': '1e400',
  NaN: '{"id":"d1","status":"completed","amountTzs":NaN}',
  'a field twice': '{"id":"d1","status":"completed","amountTzs":500,"amountTzs":900}',
  'one more level of nesting': '{"data":{"id":"d1","status":"completed","amountTzs":500,"usdcBalance":"7"}}',
  '10 MB': `{"id":"d1","status":"completed","words":"${'x'.repeat(10_000_000)}"}`,
} as const
