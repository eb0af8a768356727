export const GOOD = 'green'
export const WATCH = 'orange'
export const BAD = 'red'

/** By the end of a series' name: a side, a component or an outcome has one colour on every dashboard. */
export const SERIES_COLOURS: Readonly<Record<string, string>> = {
  '(?<!best )bid': 'blue',
  '(?<!best )ask': 'orange',
  'best bid': 'light-blue',
  'best ask': 'light-orange',
  mid: 'purple',
  'spread_capture|edge': 'green',
  stale_mid: 'red',
  inventory: 'yellow',
  costs: 'dark-purple',
  unreconciled: 'dark-red',
  limit: 'text',
}
