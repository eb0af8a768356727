const PARAMS = 'strategy.params.'

/** A path as people write it: parameters of the strategy go by their own name. */
export function shortKey(path: string): string {
  return path.startsWith(PARAMS) ? path.slice(PARAMS.length) : path
}

/** A key as people write it is a parameter of the strategy, unless a dot makes it a path of the configuration. */
export function pathOfKey(key: string): string {
  return key.includes('.') ? key : `${PARAMS}${key}`
}
