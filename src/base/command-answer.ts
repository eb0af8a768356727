/** The answer to a command; `answer` is a sentence for the operator. */
export type CommandAnswer = { readonly accepted: boolean; readonly answer: string }

export function yes(answer: string): CommandAnswer {
  return { accepted: true, answer }
}

export function no(answer: string): CommandAnswer {
  return { accepted: false, answer }
}
