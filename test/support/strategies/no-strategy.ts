/** A fixture: a file without a strategy. */
export default { name: 'no-strategy' }
