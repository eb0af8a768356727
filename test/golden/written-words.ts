/**
 * Words that were renamed since the recordings: today's on the left, the written ones on the right. Kinds of
 * events, effects and observations, and the values of their fields, are compared in the written words.
 */
const WRITTEN: Readonly<Record<string, string>> = {
  reconciliationChanged: 'completenessChanged',
  setQuote: 'patchSpread',
  quoteSet: 'spreadSet',
  readBestQuote: 'readPublicRate',
  bestQuote: 'publicRate',
  readSolver: 'readRfqInfo',
  solver: 'rfqInfo',
  quoteStatusChanged: 'beliefChanged',
}

/** The enumerations of the expectations, which name facts in today's words: the recorded word on the left. */
const TODAY: Readonly<Record<string, string>> = {
  complete: 'reconciled',
  checking: 'pending',
  gap: 'break',
}

export function writtenWord(word: string): string {
  return WRITTEN[word] ?? word
}

export function todaysWord(word: string): string {
  return TODAY[word] ?? word
}
