import { DOORS } from '../../src/research/jobs/model/doors.ts'

/** The figures of `mizani model NAME --params ... --json`, as another program reads them. */
export function answerOf(name: string, params: object): ModelAnswer {
  const door = DOORS.find((one) => one.name === name)
  if (door === undefined) throw new Error(`there is no model ${name}`)
  const answer = door.answer(JSON.parse(JSON.stringify(params)), (warning) => {
    throw new Error(warning)
  })
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return JSON.parse(JSON.stringify(answer.value)) as ModelAnswer
}

/** Figures by name; those of inner records are read by their paths. */
export type ModelAnswer = Readonly<Record<string, unknown>>

/** One figure of an answer: `figure(answer, 'myopic.delta')`, `figure(answer, 'exact.0.bid')`. */
export function figure(answer: ModelAnswer, path: string): number {
  let at: unknown = answer
  for (const step of path.split('.')) at = (at as Readonly<Record<string, unknown>> | undefined)?.[step]
  if (typeof at !== 'number')
    throw new Error(`the answer has no figure ${path}: ${JSON.stringify(answer).slice(0, 200)}`)
  return at
}
