import type { Voice } from './say.ts'

/** One step of a walk: what it was about, whether it changed anything, and a line for people. */
export type CustodyStep = { readonly step: string; readonly isChange: boolean; readonly text: string }

export type CustodySteps = {
  /** What was told so far, for the JSON document. */
  readonly told: readonly CustodyStep[]
  readonly tell: (step: string, isChange: boolean, text: string) => void
  /** Something to wait for: for people only. */
  readonly wait: (text: string) => void
}

/** Says each step on stderr as it happens, for a transaction may take minutes; with `--json` only at the end. */
export function custodySteps(voice: Voice): CustodySteps {
  const told: CustodyStep[] = []
  const write = (line: string) => {
    if (voice.json !== true) process.stderr.write(`${line}\n`)
  }
  return {
    told,
    tell(step, isChange, text) {
      told.push({ step, isChange, text })
      write(`${isChange ? 'done' : 'so already'}: ${text}`)
    },
    wait: (text) => write(`waiting: ${text}`),
  }
}
