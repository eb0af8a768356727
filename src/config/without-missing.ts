/** What is absent must be absent: a configuration is compared with what a journal gives back. */
export function withoutMissing<Shape extends object>(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape
}
